// A bit-field has no address, so that only the count shows that one is forgotten; clang names it.
// expect: as_many_fields_as_members<params, 2[UL]*, 1[UL]*>|every_member_is_tagged<params, .*"forgotten"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  unsigned forgotten : 3 = 0;
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
