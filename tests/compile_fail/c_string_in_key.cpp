// A C string in a key. It is a pointer too.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  char const* held = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::held, runtime_only>>;
#endif
};
static_assert(complete<params>);
