// A field that names a function.
// expect: the_field_names_a_member<params, .*get_unroll
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  unsigned unroll : 3 = 0;
  static constexpr unsigned get_unroll(params const& p) { return p.unroll; }
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<params::get_unroll, affects_irgen>>;
#else
  using layerkey_fields = fields<field<accessor<params::get_unroll>, affects_irgen>>;
#endif
};
static_assert(complete<params>);
