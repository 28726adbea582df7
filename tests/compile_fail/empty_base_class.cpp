// An empty base class. It counts as a member.
// expect: the_struct_has_no_base<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct mixin {};
#ifdef SHOW_ERROR
struct params : mixin {
#else
struct params {
#endif
  int sm = 90;
  int level = 0;
  using layerkey_fields =
      fields<field<&params::sm, affects_codegen>, field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
