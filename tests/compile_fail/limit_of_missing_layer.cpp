// Limits for a layer that the pipeline lacks.
// expect: the_pipeline_has_one_stage_for<linking, 0(UL)?>
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
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

struct linking : layerkey::layer<codegen> {
  static constexpr layerkey::text name = "linking";
};

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

#ifdef SHOW_ERROR
using limited = linking;
#else
using limited = codegen;
#endif
void keep_few(compiler& c) { c.limit<limited>({.entries = 10}); }
