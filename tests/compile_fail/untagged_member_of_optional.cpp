// A member that no field lists, of a struct in an optional.
// expect: every_member_is_tagged<x86, .*"forgotten"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
  int forgotten = 0;
  using layerkey_fields = fields<
#ifndef SHOW_ERROR
      field<&x86::forgotten, affects_codegen>,
#endif
      field<&x86::level, affects_codegen>>;
};
struct job {
  std::optional<x86> target;
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
static_assert(complete<job>);
