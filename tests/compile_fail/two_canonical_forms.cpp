// A member with two canonical forms.
// expect: each_modifier_speaks_once<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr int even(int v) { return v & ~1; }
constexpr int positive(int v) { return v < 0 ? -v : v; }
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields =
      fields<field<&params::level, affects_irgen, canonical<even>, canonical<positive>>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen, canonical<even>>>;
#endif
};
static_assert(complete<params>);
