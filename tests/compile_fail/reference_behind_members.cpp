// A reference behind other members. It ends the counting of members, and what stands behind it must
// not be forgotten silently.
// expect: the_struct_has_no_reference<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

int sink = 0;
struct params {
  int sm = 90;
#ifdef SHOW_ERROR
  int& log = sink;
  int forgotten = 0;
  using layerkey_fields = fields<field<&params::sm, affects_codegen>>;
#else
  int* log = &sink;
  int forgotten = 0;
  using layerkey_fields =
      fields<field<&params::sm, affects_codegen>, field<&params::log, runtime_only>,
             field<&params::forgotten, affects_codegen>>;
#endif
};
static_assert(complete<params>);
