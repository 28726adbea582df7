// A C array as a member.
// expect: the_struct_has_no_array<params, 1
// expect: Use std::array
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/sequences.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  int sizes[4] = {};
#else
  std::array<int, 4> sizes = {};
#endif
  bool last = false;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sizes, affects_irgen>,
             field<&params::last, affects_irgen>>;
};
static_assert(complete<params>);
