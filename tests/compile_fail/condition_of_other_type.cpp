// A condition that takes another type than its read has.
// expect: the_condition_takes_its_reads<params, .*"unroll".*, mode>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release };
#ifdef SHOW_ERROR
constexpr bool is_release(int v) { return v == 1; }
#else
constexpr bool is_release(mode v) { return v == mode::release; }
#endif
struct params {
  mode build = mode::release;
  int unroll = 0;
  using layerkey_fields =
      fields<field<&params::build, affects_irgen>,
             field<&params::unroll, affects_irgen, only_if<is_release, &params::build>>>;
};
static_assert(complete<params>);
