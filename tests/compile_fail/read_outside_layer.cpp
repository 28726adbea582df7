// A stage that reads a member outside its own key.
// expect: the_layer_reads_this_member<layerkey::irgen, params, .*"sm"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int sm = 90;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sm, affects_codegen>>;
};
static_assert(complete<params>);

int lower(view<irgen, params> in) {
#ifdef SHOW_ERROR
  return in.get<&params::sm>();
#else
  return in.get<&params::level>();
#endif
}
