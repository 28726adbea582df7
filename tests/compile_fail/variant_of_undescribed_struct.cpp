// A variant with an alternative that is not described.
// expect: the_struct_is_described<int>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/variant.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
  using layerkey_fields = fields<field<&x86::level, affects_codegen>>;
};
struct job {
#ifdef SHOW_ERROR
  std::variant<x86, int> target;
#else
  std::variant<x86, std::monostate> target;
#endif
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
static_assert(complete<job>);
