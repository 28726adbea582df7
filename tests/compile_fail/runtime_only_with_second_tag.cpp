// A member that is runtime_only and affects a layer.
// expect: the_tag_stands_alone<params, .*"lonely"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  bool lonely = {};
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::lonely, runtime_only, affects_irgen>>;
#else
  using layerkey_fields = fields<field<&params::lonely, runtime_only>>;
#endif
};
static_assert(complete<params>);
