// A condition that returns nothing.
// expect: the_condition_takes_its_reads<params, .*"unroll".*, int>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
constexpr void positive(int) {}
#else
constexpr bool positive(int v) { return v > 0; }
#endif
struct params {
  int level = 0;
  int unroll = 0;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>,
             field<&params::unroll, affects_irgen, only_if<positive, &params::level>>>;
};
static_assert(complete<params>);
