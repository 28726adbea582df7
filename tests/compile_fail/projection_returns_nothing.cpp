// A projection that returns nothing.
// expect: the_projection_takes_the_member<params, .*"level".*, int>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
constexpr void half(int) {}
#else
constexpr int half(int v) { return v / 2; }
#endif
struct params {
  int level = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<half>>>;
};
static_assert(complete<params>);
