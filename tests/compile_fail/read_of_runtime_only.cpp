// A stage that reads a runtime_only member.
// expect: the_layer_reads_this_member<layerkey::irgen, params, .*"verbose"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  bool verbose = false;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::verbose, runtime_only>>;
};
bool lower(view<irgen, params> in) {
#ifdef SHOW_ERROR
  return in.get<&params::verbose>();
#else
  return in.get<&params::level>() != 0;
#endif
}
