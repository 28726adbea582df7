// Two accessors that read one bit-field. The other one is forgotten: seen wherever accessors and
// params are constant expressions.
// expect: every_member_is_read<params, 2
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  unsigned unroll : 3 = 0;
  unsigned interleave : 3 = 0;
  constexpr unsigned get_unroll() const { return unroll; }
#ifdef SHOW_ERROR
  constexpr unsigned get_interleave() const { return unroll; }
#else
  constexpr unsigned get_interleave() const { return interleave; }
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
                                 field<accessor<&params::get_unroll>, affects_irgen>,
                                 field<accessor<&params::get_interleave>, affects_irgen>>;
};
static_assert(complete<params>);
