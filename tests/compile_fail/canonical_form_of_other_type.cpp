// A canonical form that takes another type than the member has.
// expect: the_canonical_form_is_such_a_value<params, .*"build".*, mode>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release, profile };
#ifdef SHOW_ERROR
constexpr int optimized(int v) { return v == 0 ? 0 : 1; }
#else
constexpr mode optimized(mode v) { return v == mode::debug ? v : mode::release; }
#endif
struct params {
  mode build = mode::release;
  using layerkey_fields = fields<field<&params::build, affects_irgen, canonical<optimized>>>;
};
static_assert(complete<params>);
