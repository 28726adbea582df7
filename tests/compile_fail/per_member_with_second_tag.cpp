// A member that is per_member and affects a layer.
// expect: the_tag_stands_alone<params, .*"lonely"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  using layerkey_fields = fields<field<&target::sm, affects_irgen>>;
};
struct params {
  target lonely = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::lonely, per_member, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::lonely, per_member>>;
#endif
};
static_assert(complete<params>);
