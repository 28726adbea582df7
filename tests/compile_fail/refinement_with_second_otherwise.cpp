// A refinement with a second value for the inactive member.
// expect: each_modifier_speaks_once<job, .*"device.max_threads"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  int max_threads = 256;
  using layerkey_fields =
      fields<field<&target::sm, affects_codegen>,
             field<&target::max_threads, affects_codegen, only_if<&target::sm>::otherwise<1>>>;
};
struct job {
  bool kernel = false;
  target device;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>::otherwise<2>>>;
#else
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>>>;
#endif
};
static_assert(complete<job>);
