// A pipeline made without the object of its shared layer.
// expect: the_pipeline_is_made_with<layerkey::shared_layer<layerkey::stage<.*lower>
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

using shared = layerkey::shared_layer<layerkey::stage<lower>>;
using compiler = layerkey::pipeline<options, shared, layerkey::stage<emit>>;

void compile(shared& ir) {
#ifdef SHOW_ERROR
  static_cast<void>(ir);
  compiler c;
#else
  compiler c{ir};
#endif
  static_cast<void>(c.get<codegen>("f", options{}));
}
