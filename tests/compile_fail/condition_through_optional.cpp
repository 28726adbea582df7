// A condition on a member that may be absent.
// expect: the_condition_reads_the_own_key<layerkey::codegen, job, .*"verify".*"target.level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
  using layerkey_fields = fields<field<&x86::level, affects_codegen>>;
};
struct job {
#ifdef SHOW_ERROR
  std::optional<x86> target;
#else
  x86 target;
#endif
  bool verify = false;
  using layerkey_fields =
      fields<field<&job::target, per_member>,
             field<&job::verify, affects_codegen, only_if<path<&job::target, &x86::level>{}>>>;
};
static_assert(complete<job>);
