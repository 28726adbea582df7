// A reference as a member.
// expect: the_struct_has_no_reference<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level;
#ifdef SHOW_ERROR
  int& sink;
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#else
  int* sink;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sink, runtime_only>>;
#endif
};
static_assert(complete<params>);
