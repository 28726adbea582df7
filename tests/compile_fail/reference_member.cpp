// Members cannot be counted where one is a reference.
// expect: the_struct_has_no_reference<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level;
#ifdef SHOW_ERROR
  int& sink;
#else
  int* sink;
#endif
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#else
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sink, runtime_only>>;
#endif
};
static_assert(complete<params>);
