// A value that holds a C array.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>

using namespace layerkey;

struct dim3 {
  int sizes[3];
};
struct params {
  dim3 held = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::held, runtime_only>>;
#endif
};
static_assert(complete<params>);
