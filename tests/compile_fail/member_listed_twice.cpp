// A member listed twice.
// expect: the_member_is_listed_once<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int other = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
#ifdef SHOW_ERROR
                                 field<&params::level, affects_codegen>,
#endif
                                 field<&params::other, affects_irgen>>;
};
static_assert(complete<params>);
