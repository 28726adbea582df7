// Refinements that depend on each other.
// expect: the_condition_is_not_cyclic<job, .*"device.
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
  using layerkey_fields = fields<
      field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
      refine<path<&job::device, &target::max_threads>, only_if<path<&job::device, &target::sm>{}>>,
      refine<path<&job::device, &target::sm>, only_if<path<&job::device, &target::max_threads>{}>>>;
#else
      refine<path<&job::device, &target::max_threads>, only_if<path<&job::device, &target::sm>{}>>>;
#endif
};
static_assert(complete<job>);
