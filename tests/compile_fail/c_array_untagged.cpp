// A C array that no field lists.
// expect: the_struct_has_no_array<params, 0
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  char name[16] = {};
#endif
  int level = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
