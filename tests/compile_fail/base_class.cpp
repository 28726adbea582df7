// A base class.
// expect: the_struct_has_no_base<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct common {
  int level = 0;
  using layerkey_fields = fields<field<&common::level, affects_irgen>>;
};
#ifdef SHOW_ERROR
struct params : common {
  int sm = 90;
  using layerkey_fields = fields<field<&params::sm, affects_codegen>>;
};
#else
struct params {
  common shared;
  int sm = 90;
  using layerkey_fields =
      fields<field<&params::shared, per_member>, field<&params::sm, affects_codegen>>;
};
#endif
static_assert(complete<params>);
