// A private member that no field lists. Where params are a constant expression clang sees it;
// layerkey::testing::verify looks at values.
// only: clang
// expect: every_member_is_tagged<params, .*"interleave"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

class params {
 public:
  static constexpr text layerkey_uncounted = "the members are private";
  constexpr unsigned get_unroll() const { return unroll; }
  constexpr unsigned get_interleave() const { return interleave; }
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<accessor<&params::get_interleave>, affects_irgen>,
#endif
      field<accessor<&params::get_unroll>, affects_irgen>>;

 private:
  unsigned unroll = 0;
  unsigned interleave = 0;
};
static_assert(complete<params>);
