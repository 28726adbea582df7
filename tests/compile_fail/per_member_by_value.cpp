// A per_member accessor that returns a copy. The copy would die before it is read.
// expect: the_struct_is_accessed_by_reference<params, .*"get_device"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  using layerkey_fields = fields<field<&target::sm, affects_irgen>>;
};
struct params {
  target device;
  unsigned level : 3 = 0;
  unsigned get_level() const { return level; }
#ifdef SHOW_ERROR
  target get_device() const { return device; }
#else
  target const& get_device() const { return device; }
#endif
  using layerkey_fields = fields<field<accessor<&params::get_device>, per_member>,
                                 field<accessor<&params::get_level>, affects_irgen>>;
};
static_assert(complete<params>);
