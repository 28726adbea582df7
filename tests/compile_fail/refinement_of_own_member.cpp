// A refinement of a member of the struct itself.
// expect: the_refinement_leads_to_a_member<job, .*"kernel"
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
             refine<path<&job::kernel>, only_if<&job::kernel>>>;
#else
             refine<path<&job::device, &target::max_threads>, only_if<&job::kernel>>>;
#endif
};
static_assert(complete<job>);
