// A member that no field lists.
// expect: every_member_is_tagged<params, .*"fast_math"
// expect: a member carries no tag
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  bool fast_math = false;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#else
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::fast_math, affects_irgen>>;
#endif
};
static_assert(complete<params>);
