// A condition that reads its own member.
// expect: the_condition_is_not_cyclic<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool positive(int v) { return v > 0; }
struct params {
  int level = 0;
  int other = 0;
  using layerkey_fields =
      fields<field<&params::other, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::level, affects_irgen, only_if<positive, &params::level>>>;
#else
             field<&params::level, affects_irgen, only_if<positive, &params::other>>>;
#endif
};
static_assert(complete<params>);
