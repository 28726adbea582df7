// More fields than members.
// expect: as_many_fields_as_members<params, 1[UL]*, 2[UL]*>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  static constexpr int get_level(params const& p) { return p.level; }
  using layerkey_fields = fields<
#ifdef SHOW_ERROR
      field<accessor<params::get_level>, affects_codegen>,
#endif
      field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
