// A base class is told to become a member.
// expect: the_struct_has_no_base<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct common {
  int level = 0;
};
#ifdef SHOW_ERROR
struct params : common {
#else
struct params {
#endif
  int sm = 90;
  using layerkey_fields = fields<field<&params::sm, affects_codegen>>;
};
static_assert(complete<params>);
