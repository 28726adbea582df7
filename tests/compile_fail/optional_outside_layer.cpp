// A read of an optional by a layer that reads no member in it.
// expect: the_layer_reads_this_member<layerkey::irgen, job, .*"target"
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
#ifdef SHOW_ERROR
bool lower(view<irgen, job> in) { return !in.get<&job::target>(); }
#else
bool emit(view<codegen, job> in) { return !in.get<&job::target>(); }
#endif
