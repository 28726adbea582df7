// So does a private member.
// expect: the_members_can_be_counted<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

class params {
 public:
  int level = 0;
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
#ifdef SHOW_ERROR
  int get_hidden() const { return hidden; }

 private:
  int hidden = 0;
#endif
};
static_assert(complete<params>);
