// A field for a member of another struct.
// expect: the_member_is_its_own<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct other {
  int level = 0;
};
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&other::level, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#endif
};
static_assert(complete<params>);
