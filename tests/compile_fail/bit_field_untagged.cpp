// A bit-field that no field lists. It has no address, so only the count shows that one is
// forgotten; clang names it.
// expect: as_many_fields_as_members<params, 2|every_member_is_tagged<params, .*"unroll"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  unsigned unroll : 3 = 0;
  constexpr unsigned get_unroll() const { return unroll; }
  constexpr void set_unroll(unsigned v) { unroll = v & 7; }
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<accessor<&params::get_unroll, &params::set_unroll>, affects_irgen>,
#endif
      field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
