// An anonymous union. The compiler itself refuses it, and names the struct.
// expect: params.* anonymous union
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
#ifdef SHOW_ERROR
  union {
    int a = 0;
    float b;
  };
#else
  int a = 0;
#endif
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::a, affects_irgen>>;
};
static_assert(complete<params>);
