// A layer with another input than its upstream layer.
// expect: a_layer_has_the_input_of_its_upstream_layers<codegen, irgen>
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
#ifdef SHOW_ERROR
  using input = int;
#else
  using input = std::string;
#endif
  using artifact = std::string;
};

struct options {
  int sm = 90;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::sm, layerkey::affects<codegen>>>;
};
std::string lower(std::string const&, layerkey::view<irgen, options>);
std::string emit(codegen::input const&, std::string const&, layerkey::view<codegen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>(codegen::input{}, options{})); }
