// A struct tagged per_member has to be complete itself.
// expect: every_member_is_tagged<target, .*"ptx"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
#ifdef SHOW_ERROR
  int ptx = 83;
#endif
  using layerkey_fields = fields<field<&target::sm, affects_codegen>>;
};
struct params {
  target device;
  using layerkey_fields = fields<field<&params::device, per_member>>;
};
static_assert(complete<params>);
