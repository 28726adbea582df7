// A member that no field lists is named.
// expect: every_member_is_tagged<params, .*"forgotten"
// expect: a member carries no tag
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  bool forgotten = false;
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
