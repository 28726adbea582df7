// Extensions as one value. A layer sees those that name it, never the whole set.
// expect: the_value_can_be_keyed<params, .*"extra"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/extensions.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  extensions extra;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::extra, affects_irgen>>;
#else
  using layerkey_fields = fields<extensions_field<&params::extra, irgen>>;
#endif
};
static_assert(complete<params>);
