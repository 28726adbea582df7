// A service that does not say why it changes no artifact.
// expect: a_service_says_why_it_changes_no_artifact<codegen, logger>
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
#ifndef SHOW_ERROR
template<>
struct layerkey::service<logger> {
  static constexpr layerkey::text reason = "only says what happens";
};
#endif

std::string lower(std::string const&, layerkey::view<irgen, options>);
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>, logger&);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

std::string compile(logger& log) {
  compiler c{log};
  return *c.get<codegen>("f", options{});
}
