// A struct checked inside its braces. There it is not complete.
// expect: the_struct_is_complete_here<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#ifdef SHOW_ERROR
  static_assert(complete<params>);
};
#else
};
static_assert(complete<params>);
#endif
