// A projection that takes another type than the member has.
// expect: the_projection_takes_the_member<params, .*"build".*, mode>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release };
#ifdef SHOW_ERROR
constexpr bool is_release(int v) { return v == 1; }
#else
constexpr bool is_release(mode v) { return v == mode::release; }
#endif
struct params {
  mode build = mode::release;
  using layerkey_fields = fields<field<&params::build, affects_irgen::as<is_release>>>;
};
static_assert(complete<params>);
