// A tag that names no layer.
// expect: the_tag_is_known<params, .*"level".*, layerkey::affects<int> ?>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects<int>>>;
#else
  using layerkey_fields = fields<field<&params::level, affects<irgen>>>;
#endif
};
static_assert(complete<params>);
