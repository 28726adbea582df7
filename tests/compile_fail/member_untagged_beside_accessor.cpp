// Beside an accessor too.
// expect: as_many_fields_as_members<params, 2[UL]*, 1[UL]*>|every_member_is_tagged<params, .*"forgotten"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  unsigned alignment : 3 = 0;
#ifdef SHOW_ERROR
  int forgotten = 0;
#endif
  static constexpr unsigned get_alignment(params const& p) { return p.alignment; }
  using layerkey_fields = fields<field<accessor<params::get_alignment>, affects_irgen>>;
};
static_assert(complete<params>);
