// All members that no field lists are named in one error.
// expect: every_member_is_tagged<params, .*"first".*"second"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  int first = 0;
#endif
  int level = 0;
#ifdef SHOW_ERROR
  bool second = false;
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
