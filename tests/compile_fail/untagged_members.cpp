// Several members that no field lists. All are named in one error.
// expect: every_member_is_tagged<params, .*"first".*"second"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int first = 0;
  int level = 0;
  bool second = false;
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<&params::first, affects_irgen>, field<&params::second, runtime_only>,
#endif
      field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
