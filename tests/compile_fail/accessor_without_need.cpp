// An accessor where each member has an address. It would hide which member it reads.
// expect: the_accessor_is_needed<params, .*"doubled"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int other = 0;
  static constexpr int doubled(params const& p) { return 2 * p.level; }
  using layerkey_fields = fields<field<&params::level, affects_irgen>,
#ifdef SHOW_ERROR
                                 field<accessor<params::doubled>, affects_codegen>>;
#else
                                 field<&params::other, affects_codegen>>;
#endif
};
static_assert(complete<params>);
