// An unordered container in a key. Its order differs between processes.
// expect: the_value_can_be_keyed<params, .*"held"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/associative.hpp>

#include <unordered_map>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  std::unordered_map<int, int> held = {};
#else
  std::map<int, int> held = {};
#endif
  using layerkey_fields = fields<field<&params::held, affects_irgen>>;
};
static_assert(complete<params>);
