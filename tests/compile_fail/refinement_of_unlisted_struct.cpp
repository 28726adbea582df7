// A refinement through a struct that is not per_member.
// expect: the_refinement_leads_to_a_member<job, .*"other.sm"
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
  target other;
  using layerkey_fields =
      fields<field<&job::kernel, affects_codegen>, field<&job::device, per_member>,
#ifdef SHOW_ERROR
             field<&job::other, runtime_only>,
             refine<path<&job::other, &target::sm>, only_if<&job::kernel>>>;
#else
             field<&job::other, per_member>,
             refine<path<&job::other, &target::sm>, only_if<&job::kernel>>>;
#endif
};
static_assert(complete<job>);
