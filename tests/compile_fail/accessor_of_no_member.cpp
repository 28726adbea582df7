// An accessor that is named after no member. Of a class that cannot be counted clang sees it.
// only: clang
// expect: the_accessor_is_named_after_a_member<params, .*"get_unrolling"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

class params {
 public:
  static constexpr text layerkey_uncounted = "unroll is private";
  constexpr unsigned get_unroll() const { return unroll; }
#ifdef SHOW_ERROR
  constexpr unsigned get_unrolling() const { return unroll; }
#endif
  using layerkey_fields = fields<
#ifdef SHOW_ERROR
      field<accessor<&params::get_unrolling>, affects_irgen>,
#endif
      field<accessor<&params::get_unroll>, affects_irgen>>;

 private:
  unsigned unroll = 0;
};
static_assert(complete<params>);
