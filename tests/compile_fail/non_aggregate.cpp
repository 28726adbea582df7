// A constructor. It hides how many members there are.
// expect: the_members_can_be_counted<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  params() = default;
  explicit params(int v) : level(v) {}
  int level = 0;
#ifndef SHOW_ERROR
  static constexpr text layerkey_uncounted = "has constructors";
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
