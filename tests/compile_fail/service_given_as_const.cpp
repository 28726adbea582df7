// A pipeline made with a const service that a stage may change.
// expect: the_pipeline_is_made_with<logger>
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
  int sm = 90;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::sm, layerkey::affects<codegen>>>;
};
std::string lower(std::string const&, layerkey::view<irgen, options>);

struct logger {
  int lines = 0;
};
template<>
struct layerkey::service<logger> {
  static constexpr layerkey::text reason = "says what happens";
};
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>, logger&);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

#ifdef SHOW_ERROR
void compile(logger const& log) {
#else
void compile(logger& log) {
#endif
  compiler c{log};
  static_cast<void>(c.get<codegen>("f", options{}));
}
