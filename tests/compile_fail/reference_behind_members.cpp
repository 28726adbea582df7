// A reference ends the counting of members; what stands behind it must not be forgotten silently.
#include <layerkey/layerkey.hpp>

struct codegen : layerkey::layer<> {};

int sink = 0;

struct params {
  int sm = 90;
#ifdef SHOW_ERROR
  int& log = sink;
  int forgotten = 0;
#endif

  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::sm, layerkey::affects<codegen>>>;
};
static_assert(layerkey::complete<params>);
// expect: the_struct_has_no_reference<params>

int main() {}
