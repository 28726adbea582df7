// A refinement on a member that the layer does not read.
// expect: the_condition_reads_the_own_key<layerkey::codegen, job, .*"device.sm".*"level"
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
  int level = 0;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             field<&job::level, affects_irgen>,
             refine<path<&job::device, &target::sm>, only_if<&job::level>>>;
#else
             field<&job::level, affects_irgen, affects_codegen>,
             refine<path<&job::device, &target::sm>, only_if<&job::level>>>;
#endif
};
static_assert(complete<job>);
