// A union as params.
// expect: the_params_are_no_union<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/variant.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
union params {
  int tile = 0;
  float cost;
  using layerkey_fields = fields<field<&params::tile, affects_irgen>>;
};
#else
struct params {
  std::variant<int, float> tile_or_cost;
  using layerkey_fields = fields<field<&params::tile_or_cost, affects_irgen>>;
};
#endif
static_assert(complete<params>);
