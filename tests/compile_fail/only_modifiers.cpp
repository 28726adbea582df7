// A member with a modifier and no tag.
// expect: the_member_has_a_tag<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr int even(int v) { return v & ~1; }
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, canonical<even>>>;
#else
  using layerkey_fields = fields<field<&params::level, canonical<even>, affects_irgen>>;
#endif
};
static_assert(complete<params>);
