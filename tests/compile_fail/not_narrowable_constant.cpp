// A const struct in narrowed params.
// expect: the_member_can_be_filled<layerkey::irgen, params, .*"sm"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  using layerkey_fields = fields<field<&target::sm, affects_irgen>>;
};
struct params {
#ifdef SHOW_ERROR
  target const device = {};
#else
  target device = {};
#endif
  using layerkey_fields = fields<field<&params::device, per_member>>;
};
int lower(params const& p) { return narrowed<irgen, params>(p)->device.sm; }
