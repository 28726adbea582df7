// A pipeline without a stage for a layer that another one consumes.
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

std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

#ifdef SHOW_ERROR
using compiler = layerkey::pipeline<options, layerkey::stage<emit>>;
#else
using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;
#endif

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
// expect: the_pipeline_has_one_stage_for<irgen, 0(UL)?>
// expect: static assertion failed.*layerkey: the pipeline has no stage for this layer
