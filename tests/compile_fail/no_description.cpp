// A struct without fields.
// expect: the_struct_is_described<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifndef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#endif
};
static_assert(complete<params>);
