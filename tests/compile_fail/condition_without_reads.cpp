// A condition that names no member.
// expect: the_condition_names_its_reads<params, .*"unroll"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool positive(int v) { return v > 0; }
struct params {
  int level = 0;
  int unroll = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
#ifdef SHOW_ERROR
                                 field<&params::unroll, affects_irgen, only_if<positive>>>;
#else
                                 field<&params::unroll, affects_irgen,
                                       only_if<positive, &params::level>>>;
#endif
};
static_assert(complete<params>);
