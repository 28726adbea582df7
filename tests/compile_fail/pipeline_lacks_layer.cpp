// A tag for a layer that the pipeline lacks. Without a stage nobody reads the member, and what it
// changes would be lost.
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

#ifdef SHOW_ERROR
using compiler = layerkey::pipeline<options, layerkey::stage<lower>>;
#else
using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::ignores<codegen>>;
#endif

void compile(compiler& c) { static_cast<void>(c.get<irgen>("f", options{})); }
// expect: the_pipeline_has_each_layer_that_a_tag_names<options, codegen>
// expect: static assertion failed.*layerkey: a member is tagged with a layer that the
