// A private list of fields.
// expect: the_description_is_public<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

class params {
 public:
  int level = 0;
#ifdef SHOW_ERROR

 private:
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>>;
};
static_assert(complete<params>);
