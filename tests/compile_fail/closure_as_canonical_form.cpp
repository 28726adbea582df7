// A closure as a canonical form.
// expect: the_function_has_a_name<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
constexpr auto even = [](int v) { return v & ~1; };
#else
constexpr int named_even(int v) { return v & ~1; }
#endif
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen, canonical<even>>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen, canonical<named_even>>>;
#endif
};
static_assert(complete<params>);
