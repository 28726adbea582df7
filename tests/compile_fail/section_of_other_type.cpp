// What represents a projection, of another type.
// expect: the_projection_is_represented<params, .*"build".*, mode, bool>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release, profile };
constexpr bool optimizes(mode v) { return v != mode::debug; }
#ifdef SHOW_ERROR
constexpr bool some_mode(bool optimized) { return optimized; }
#else
constexpr mode some_mode(bool optimized) { return optimized ? mode::release : mode::debug; }
#endif
struct params {
  mode build = mode::release;
  using layerkey_fields =
      fields<field<&params::build, affects_irgen::as<optimizes>::represented_by<some_mode>>>;
};
static_assert(complete<params>);
