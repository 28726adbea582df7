// A number for an inactive member that it cannot hold.
// expect: the_member_can_hold_it<params, .*"level".*, 300>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  bool on = true;
  unsigned char level = 0;
  using layerkey_fields =
      fields<field<&params::on, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::level, affects_irgen, only_if<&params::on>::otherwise<300>>>;
#else
             field<&params::level, affects_irgen, only_if<&params::on>::otherwise<200>>>;
#endif
};
static_assert(complete<params>);
