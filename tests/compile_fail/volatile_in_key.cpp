// A volatile member in a key.
// expect: the_member_keeps_its_value<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int volatile level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::level, runtime_only>>;
#endif
};
static_assert(complete<params>);
