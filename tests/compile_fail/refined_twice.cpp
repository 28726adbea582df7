// A member refined twice.
// expect: the_member_is_refined_once<job, .*"device.max_threads"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  int sm = 90;
  int max_threads = 256;
  void* log = nullptr;
  using layerkey_fields =
      fields<field<&target::sm, affects_codegen>, field<&target::max_threads, affects_codegen>,
             field<&target::log, runtime_only>>;
};
constexpr bool is_90(int sm) { return sm >= 90; }
struct job {
  bool kernel = false;
  target device;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>>,
             refine<path<&job::device, &target::max_threads>,
                    only_if<is_90, path<&job::device, &target::sm>{}>>>;
#else
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>,
                    only_if<is_90, path<&job::device, &target::sm>{}>>>;
#endif
};
static_assert(complete<job>);
