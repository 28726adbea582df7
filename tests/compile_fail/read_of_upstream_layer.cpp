// A stage that reads a member of an upstream layer. It is in that layer's own key, not in the
// stage's.
// expect: the_layer_reads_this_member<layerkey::codegen, params, .*"level"
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

int emit(view<codegen, params> in) {
#ifdef SHOW_ERROR
  return in.get<&params::level>();
#else
  return in.get<&params::sm>();
#endif
}
