// A shared layer in a pipeline whose params do not embed what it and its upstream
// layers read.
// expect: the_params_embed_what_the_shared_layer_reads<codegen, job, options>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = std::string;
};
struct codegen : layerkey::layer<irgen> {
  static constexpr layerkey::text name = "codegen";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  int sm = 90;
  bool validate = false;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<irgen>>,
                       layerkey::field<&options::sm, layerkey::affects<codegen>>,
                       layerkey::field<&options::validate, layerkey::check_only>>;
};

struct job {
  options inner;
#ifdef SHOW_ERROR
  int level = 0;
#endif
  using layerkey_fields = layerkey::fields<
#ifdef SHOW_ERROR
      layerkey::field<&job::level, layerkey::affects<irgen>>,
#endif
      layerkey::field<&job::inner, layerkey::per_member>>;
};

std::string lower(std::string const&, layerkey::view<irgen, job>);
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

using shared = layerkey::shared_layer<layerkey::stage<emit>>;
using compiler = layerkey::pipeline<job, layerkey::stage<lower>, shared>;

std::string compile(shared& code) {
  compiler c{code};
  return *c.get<codegen>("f", job{});
}
