// An accessor named after a member that another field lists. It does not make up for one that is
// forgotten.
// expect: the_member_is_listed_once<params, .*"get_level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  unsigned flag : 1 = 0;
#ifdef SHOW_ERROR
  int forgotten = 0;
#endif
  static constexpr int get_level(params const& p) { return p.level; }
  static constexpr unsigned get_flag(params const& p) { return p.flag; }
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<accessor<params::get_flag>, affects_irgen>
#ifdef SHOW_ERROR
             ,
             field<accessor<params::get_level>, affects_codegen>
#endif
             >;
};
static_assert(complete<params>);
