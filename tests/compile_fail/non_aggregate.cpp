// A constructor hides how many members there are.
// expect: the_members_can_be_counted<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  params() = default;
  explicit params(int v) : level(v) {}
#endif
  int level = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
