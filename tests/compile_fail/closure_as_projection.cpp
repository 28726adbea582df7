// A closure as a projection.
// expect: the_function_has_a_name<params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
constexpr auto half = [](int v) { return v / 2; };
#else
constexpr int named_half(int v) { return v / 2; }
#endif
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<half>>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<named_half>>>;
#endif
};
static_assert(complete<params>);
