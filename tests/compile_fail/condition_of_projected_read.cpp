// A condition that takes the member, where the layer reads a projection of it.
// expect: the_condition_takes_its_reads<params, .*"unroll".*, bool>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release, profile };
constexpr bool optimizes(mode v) { return v != mode::debug; }
#ifdef SHOW_ERROR
constexpr bool unrolls(mode v) { return optimizes(v); }
#else
constexpr bool unrolls(bool optimized) { return optimized; }
#endif
struct params {
  mode build = mode::release;
  int unroll = 0;
  using layerkey_fields =
      fields<field<&params::build, affects_irgen::as<optimizes>>,
             field<&params::unroll, affects_irgen, only_if<unrolls, &params::build>>>;
};
static_assert(complete<params>);
