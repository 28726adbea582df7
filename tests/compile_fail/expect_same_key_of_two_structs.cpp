// A claim that the keys of two structs are equal.
// expect: keys of two structs are never equal
#include <layerkey/compiler_layers.hpp>
#include <layerkey/expect.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int sm = 90;
  using layerkey_fields = fields<field<&params::sm, affects_codegen>>;
};
#ifdef SHOW_ERROR
struct old_params {
  int sm = 90;
  using layerkey_fields = fields<field<&old_params::sm, affects_codegen>>;
};
#else
using old_params = params;
#endif
static_assert(expect_same_key<codegen, params{}, old_params{}>());
