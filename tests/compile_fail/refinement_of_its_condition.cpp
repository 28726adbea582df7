// A refinement whose condition depends on the member that it refines.
// expect: the_condition_is_not_cyclic<job, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

// errors: 2
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
  int level = 0;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             field<&job::level, affects_codegen, only_if<path<&job::device, &target::sm>{}>>,
             refine<path<&job::device, &target::sm>, only_if<&job::level>>>;
#else
             field<&job::level, affects_codegen>,
             refine<path<&job::device, &target::sm>, only_if<&job::level>>>;
#endif
};
static_assert(complete<job>);
