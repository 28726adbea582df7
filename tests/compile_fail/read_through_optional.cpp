// A read of a member that may be absent.
// expect: the_struct_is_there<layerkey::codegen, job, .*"target".*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

using namespace layerkey;

struct x86 {
  int level = 0;
  using layerkey_fields = fields<field<&x86::level, affects_codegen>>;
};
struct job {
  std::optional<x86> target;
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
int emit(view<codegen, job> in) {
#ifdef SHOW_ERROR
  return in.get<&job::target, &x86::level>();
#else
  auto const target = in.get<&job::target>();
  return target ? target->get<&x86::level>() : 0;
#endif
}
