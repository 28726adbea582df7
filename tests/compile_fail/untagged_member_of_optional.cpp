// A struct in an optional has to be complete as well.
// expect: every_member_is_tagged<x86, .*"forgotten"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
#ifdef SHOW_ERROR
  int forgotten = 0;
#endif
  using layerkey_fields = fields<field<&x86::level, affects_codegen>>;
};
struct job {
  std::optional<x86> target;
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
static_assert(complete<job>);
