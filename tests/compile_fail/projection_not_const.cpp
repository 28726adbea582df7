// A projection by a member function that is not const.
// expect: the_projection_takes_the_member<params, .*"tiles".*, tiling>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct tiling {
  int x = 1;
  int y = 1;
#ifdef SHOW_ERROR
  constexpr int count() { return x * y; }
#else
  constexpr int count() const { return x * y; }
#endif
};
struct params {
  tiling tiles;
  using layerkey_fields = fields<field<&params::tiles, affects_irgen::as<&tiling::count>>>;
};
static_assert(complete<params>);
