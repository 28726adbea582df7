// A pipeline that is made with an object that no stage takes.
// expect: a_stage_of_the_pipeline_takes<logger
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

struct logger {
  int lines = 0;
};
template<>
struct layerkey::service<logger> {
  static constexpr layerkey::text reason = "only says what happens";
};

std::string lower(std::string const&, layerkey::view<irgen, options>);
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

std::string compile([[maybe_unused]] logger& log) {
#ifdef SHOW_ERROR
  compiler c{log};
#else
  compiler c;
#endif
  return *c.get<codegen>("f", options{});
}
