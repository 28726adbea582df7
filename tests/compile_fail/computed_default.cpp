// An inactive member without a constant initialiser. What the stage reads while the condition is
// false is a constant.
// expect: the_initialiser_is_a_constant<params, .*"sm"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

int detect();
struct params {
  bool fixed = true;
#ifdef SHOW_ERROR
  int sm = detect();
#else
  int sm = 90;
#endif
  using layerkey_fields = fields<field<&params::fixed, affects_irgen>,
                                 field<&params::sm, affects_irgen, only_if<&params::fixed>>>;
};
static_assert(complete<params>);
