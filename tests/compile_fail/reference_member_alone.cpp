// A reference as the only member.
// expect: the_struct_has_no_reference<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
#ifdef SHOW_ERROR
  int& sink;
#endif
  using layerkey_fields = fields<>;
};
static_assert(complete<params>);
