// A variant that holds a struct in two alternatives.
// expect: each_alternative_is_another_struct<job, .*"target"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/variant.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
  using layerkey_fields = fields<field<&x86::level, affects_codegen>>;
};
struct ptx {
  int sm = 0;
  using layerkey_fields = fields<field<&ptx::sm, affects_codegen>>;
};
struct job {
#ifdef SHOW_ERROR
  std::variant<x86, ptx, x86> target;
#else
  std::variant<x86, ptx> target;
#endif
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
static_assert(complete<job>);
