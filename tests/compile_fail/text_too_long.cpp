// A literal that is too long for its text.
// expect: this literal does not fit
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  inline_text<5> cpu = "znver4";
#else
  inline_text<6> cpu = "znver4";
#endif
  using layerkey_fields = fields<field<&params::cpu, affects_codegen>>;
};
static_assert(complete<params>);
int size(params const& p = {}) { return static_cast<int>(p.cpu.size()); }
