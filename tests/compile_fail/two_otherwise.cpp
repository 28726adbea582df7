// A member with two values to read while it is inactive.
// expect: each_modifier_speaks_once<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  bool a = true;
  bool b = true;
  int level = 0;
  using layerkey_fields =
      fields<field<&params::a, affects_irgen>, field<&params::b, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::level, affects_irgen, only_if<&params::a>::otherwise<1>,
                   only_if<&params::b>::otherwise<2>>>;
#else
             field<&params::level, affects_irgen, only_if<&params::a>::otherwise<1>,
                   only_if<&params::b>>>;
#endif
};
static_assert(complete<params>);
