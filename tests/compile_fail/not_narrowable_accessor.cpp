// An accessor that only reads, in narrowed params.
// expect: the_member_can_be_filled<layerkey::irgen, params, .*"get_level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  unsigned level : 3 = 0;
  static constexpr unsigned get_level(params const& p) { return p.level; }
  static constexpr void set_level(params& p, unsigned v) { p.level = v & 7u; }
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<accessor<params::get_level>, affects_irgen>>;
#else
  using layerkey_fields =
      fields<field<accessor<params::get_level, params::set_level>, affects_irgen>>;
#endif
};
unsigned lower(params const& p) { return narrowed<irgen, params>(p)->level; }
