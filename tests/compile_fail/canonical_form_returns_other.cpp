// A canonical form that returns another type than the member has.
// expect: the_canonical_form_is_such_a_value<params, .*"build".*, mode>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release, profile };
constexpr bool optimizes(mode v) { return v != mode::debug; }
struct params {
  mode build = mode::release;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::build, affects_irgen, canonical<optimizes>>>;
#else
  using layerkey_fields = fields<field<&params::build, affects_irgen::as<optimizes>>>;
#endif
};
static_assert(complete<params>);
