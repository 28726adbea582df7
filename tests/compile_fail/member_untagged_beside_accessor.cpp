// A member that no field lists, beside a bit-field.
// expect: as_many_fields_as_members<params, 2|every_member_is_tagged<params, .*"forgotten"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  unsigned alignment : 3 = 0;
  int forgotten = 0;
  static constexpr unsigned get_alignment(params const& p) { return p.alignment; }
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<&params::forgotten, affects_irgen>,
#endif
      field<accessor<params::get_alignment>, affects_irgen>>;
};
static_assert(complete<params>);
