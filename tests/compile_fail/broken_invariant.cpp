// A configuration that contradicts an invariant. The error holds the author's sentence and the
// members.
// expect: the_invariant_holds<params, .*"tma needs sm 90 or later".*"tma".*"sm"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/invariant.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool tma_fits(bool tma, int sm) { return !tma || sm >= 90; }
struct params {
  int sm = 90;
  bool tma = false;
  using layerkey_fields =
      fields<field<&params::sm, affects_codegen>, field<&params::tma, affects_codegen>>;
  using layerkey_invariants =
      invariants<invariant<"tma needs sm 90 or later", tma_fits, &params::tma, &params::sm>>;
};
#ifdef SHOW_ERROR
static_assert(checked<params{.sm = 80, .tma = true}>());
#else
static_assert(checked<params{.sm = 90, .tma = true}>());
#endif
