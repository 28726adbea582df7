// A refinement of a member without a constant initialiser, in the struct that owns it.
// expect: the_initialiser_is_a_constant<target, .*"device.sm"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

inline int detected = 75;
struct target {
#ifdef SHOW_ERROR
  int sm = detected;
#else
  int sm = 75;
#endif
  using layerkey_fields = fields<field<&target::sm, affects_codegen>>;
};
struct job {
  bool kernel = false;
  target device;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
             refine<path<&job::device, &target::sm>, only_if<&job::kernel>>>;
};
static_assert(complete<job>);
