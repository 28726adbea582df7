// early_cutoff around a shared_layer. It belongs inside.
// expect: a_pipeline_has_such_entries<layerkey::early_cutoff<layerkey::shared_layer<
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
std::string emit(std::string const&, layerkey::view<codegen, options>);

#ifdef SHOW_ERROR
using last = layerkey::early_cutoff<layerkey::shared_layer<layerkey::stage<emit>>>;
#else
using last = layerkey::shared_layer<layerkey::early_cutoff<layerkey::stage<emit>>>;
#endif
using compiler = layerkey::pipeline<options, layerkey::stage<lower>, last>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
