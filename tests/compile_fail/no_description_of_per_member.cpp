// A per_member struct without fields.
// expect: the_struct_is_described<target>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
#ifndef SHOW_ERROR
  using layerkey_fields = fields<field<&target::sm, affects_irgen>>;
#endif
};
struct params {
  target device;
  using layerkey_fields = fields<field<&params::device, per_member>>;
};
static_assert(complete<params>);
