// A list that holds something else than fields.
// expect: the_list_holds_fields<params, layerkey::affects<layerkey::irgen> ?>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, check_only>, affects_irgen>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#endif
};
static_assert(complete<params>);
