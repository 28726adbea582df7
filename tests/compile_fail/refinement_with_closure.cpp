// A closure as the condition of a refinement.
// expect: the_function_has_a_name<job, .*"device.sm"
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
#ifdef SHOW_ERROR
constexpr auto if_on = [](bool on) { return on; };
#else
constexpr bool if_on(bool on) { return on; }
#endif
struct job {
  bool kernel = false;
  target device;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
             refine<path<&job::device, &target::sm>, only_if<if_on, &job::kernel>>>;
};
static_assert(complete<job>);
