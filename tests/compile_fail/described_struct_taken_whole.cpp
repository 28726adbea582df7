// A described struct as one value. Its members have tags of their own.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  using layerkey_fields = fields<field<&target::sm, affects_irgen>>;
};
struct params {
  target held = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::held, per_member>>;
#endif
};
static_assert(complete<params>);
