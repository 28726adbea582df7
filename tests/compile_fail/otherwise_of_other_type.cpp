// A value of another type for an inactive member.
// expect: the_member_can_hold_it<params, .*"build"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release };
struct params {
  bool on = true;
  mode build = mode::release;
  using layerkey_fields =
      fields<field<&params::on, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::build, affects_irgen, only_if<&params::on>::otherwise<nullptr>>>;
#else
             field<&params::build, affects_irgen, only_if<&params::on>::otherwise<mode::debug>>>;
#endif
};
static_assert(complete<params>);
