// A claim that two configurations share a key, which they do not. The error names the first layer
// that tells them apart, the member, and what the layer sees of it.
// expect: the_keys_are_equal<.*optimization, params, .*"level".*, 2, 3>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/expect.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int sm = 90;
  int level = 2;
  using layerkey_fields =
      fields<field<&params::sm, affects_codegen>, field<&params::level, affects_optimization>>;
};

#ifdef SHOW_ERROR
using shared = codegen;
#else
using shared = irgen;
#endif

static_assert(expect_same_key<shared, params{}, params{.sm = 80, .level = 3}>());
