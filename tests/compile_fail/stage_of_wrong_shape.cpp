// A stage that lacks the artifact of the upstream layer. The error holds its type and the one that
// the layer asks for.
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
std::string emit(std::string const&, layerkey::view<codegen, options>);
#else
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);
#endif

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }

// expect: the_stage_takes_what_its_layer_consumes<codegen, .*string
// expect: static assertion failed.*layerkey: this stage has the first of these two function types
