// A member that no field lists, of a per_member struct.
// expect: every_member_is_tagged<target, .*"ptx"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  int ptx = 83;
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<&target::ptx, affects_codegen>,
#endif
      field<&target::sm, affects_codegen>>;
};
struct params {
  target device;
  using layerkey_fields = fields<field<&params::device, per_member>>;
};
static_assert(complete<params>);
