// An accessor that reads a member which another field lists. Its reference has that member's
// address, whatever the accessor's name.
// expect: the_member_is_listed_once<params, .*"get_other"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int other = 0;
#ifdef SHOW_ERROR
  constexpr int const& get_other() const { return level; }
#else
  constexpr int const& get_other() const { return other; }
#endif
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
                                 field<accessor<&params::get_other>, affects_codegen>>;
};
static_assert(complete<params>);
