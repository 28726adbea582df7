// A runtime_only member with a condition.
// expect: the_tag_stands_alone<params, .*"lonely"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  bool on = true;
  bool lonely = true;
  using layerkey_fields = fields<field<&params::on, affects_irgen>,
#ifdef SHOW_ERROR
                                 field<&params::lonely, runtime_only, only_if<&params::on>>>;
#else
                                 field<&params::lonely, runtime_only>>;
#endif
};
static_assert(complete<params>);
