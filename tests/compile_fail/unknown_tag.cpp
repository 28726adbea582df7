// A tag that is none.
// expect: the_tag_is_known<params, .*"level".*, layerkey::codegen>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen, codegen>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen, affects_codegen>>;
#endif
};
static_assert(complete<params>);
