// Narrowed params with a computed default. It would reach the stage past the key.
// expect: the_defaults_are_constants<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

int detect();
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  int sm = detect();
#else
  int sm = 90;
#endif
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sm, affects_codegen>>;
};
int lower(params const& p) { return narrowed<irgen, params>(p)->level; }
