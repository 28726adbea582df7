// A refinement that says nothing.
// expect: a_refinement_only_adds_modifiers<job, .*"device.max_threads"
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
struct job {
  bool kernel = false;
  target device;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             refine<path<&job::device, &target::max_threads>>>;
#else
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>>>;
#endif
};
static_assert(complete<job>);
