// A request for a layer that the pipeline lacks.
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
  int debug_level = 0;
  int sm = 90;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::debug_level, layerkey::affects<irgen>>,
                       layerkey::field<&options::sm, layerkey::affects<codegen>>>;
};

std::string lower(std::string const&, layerkey::view<irgen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::ignores<codegen>>;

#ifdef SHOW_ERROR
using wanted = codegen;
#else
using wanted = irgen;
#endif

void compile(compiler& c) { static_cast<void>(c.get<wanted>("f", options{})); }
// expect: the_pipeline_has_one_stage_for<codegen, 0(UL)?>
// expect: static assertion failed.*layerkey: the pipeline has no stage for this layer
