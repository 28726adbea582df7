// A layer named twice by one member. A layer sees a member in one form.
// expect: each_layer_is_named_once<params, .*"level".*, layerkey::irgen>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool positive(int v) { return v > 0; }
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen, affects_irgen::as<positive>>>;
#else
  using layerkey_fields =
      fields<field<&params::level, affects_irgen, affects_codegen::as<positive>>>;
#endif
};
static_assert(complete<params>);
