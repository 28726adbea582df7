// A field that names a member function.
// expect: the_field_names_a_member<params, &params::get_unroll>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  unsigned unroll : 3 = 0;
  constexpr unsigned get_unroll() const { return unroll; }
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::get_unroll, affects_irgen>>;
#else
  using layerkey_fields = fields<field<accessor<&params::get_unroll>, affects_irgen>>;
#endif
};
static_assert(complete<params>);
