// A field where a list of fields belongs.
// expect: the_list_holds_fields<params, layerkey::field.*level
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = field<&params::level, affects_irgen>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#endif
};
static_assert(complete<params>);
