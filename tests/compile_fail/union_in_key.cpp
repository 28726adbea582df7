// A union in a key.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/variant.hpp>

using namespace layerkey;

union tile_or_cost {
  int tile;
  float cost;
};
struct params {
#ifdef SHOW_ERROR
  tile_or_cost held = {};
#else
  std::variant<int, float> held = {};
#endif
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
};
static_assert(complete<params>);
