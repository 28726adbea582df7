// A check that takes something else than the artifact.
// expect: a_check_takes_the_artifact_and_a_checks_view<irgen
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

std::string lower(std::string const&, layerkey::view<irgen, options>);
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);
#ifdef SHOW_ERROR
layerkey::check_result verify(int, layerkey::checks_view<options>);
#else
layerkey::check_result verify(std::string const&, layerkey::checks_view<options>);
#endif

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>,
                                    layerkey::check<irgen, verify>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
