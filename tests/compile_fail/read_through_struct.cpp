// A read outside the own key through a per_member struct, in generic code.
// expect: the_layer_reads_this_member<layerkey::codegen, job, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int sm = 90;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sm, affects_codegen>>;
};
static_assert(complete<params>);

struct job {
  params options;
  using layerkey_fields = fields<field<&job::options, per_member>>;
};
int emit(auto const& in) {
#ifdef SHOW_ERROR
  return get<&job::options, &params::level>(in);
#else
  return get<&job::options, &params::sm>(in);
#endif
}
int emit_job(view<codegen, job> in) { return emit(in); }
