// A closure as a condition.
// expect: the_function_has_a_name<params, .*"more"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
constexpr auto positive = [](int v) { return v > 0; };
#else
constexpr bool named_positive(int v) { return v > 0; }
#endif
struct params {
  int level = 0;
  int more = 0;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::more, affects_irgen, only_if<positive, &params::level>>>;
#else
             field<&params::more, affects_irgen, only_if<named_positive, &params::level>>>;
#endif
};
static_assert(complete<params>);
