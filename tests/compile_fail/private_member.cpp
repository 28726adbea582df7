// A private member. It hides how many members there are.
// expect: the_members_can_be_counted<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

class params {
 public:
  int level = 0;
  int get_unroll() const { return unroll; }
#ifndef SHOW_ERROR
  static constexpr text layerkey_uncounted = "unroll is private";
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
                                 field<accessor<&params::get_unroll>, affects_irgen>>;

 private:
  int unroll = 0;
};
static_assert(complete<params>);
