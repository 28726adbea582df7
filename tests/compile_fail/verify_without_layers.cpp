// A verification of no layer.
// expect: name the layers whose keys are to be verified
#include <layerkey/compiler_layers.hpp>
#include <layerkey/testing.hpp>

using namespace layerkey;

struct params {
  int sm = 90;
  using layerkey_fields = fields<field<&params::sm, affects_codegen>>;
};
bool holds() {
#ifdef SHOW_ERROR
  return testing::verify<params>({params{}}).ok();
#else
  return testing::verify<params, codegen>({params{}}).ok();
#endif
}
