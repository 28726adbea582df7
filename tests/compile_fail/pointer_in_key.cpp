// A pointer in a key.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int* held = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::held, runtime_only>>;
#endif
};
static_assert(complete<params>);
