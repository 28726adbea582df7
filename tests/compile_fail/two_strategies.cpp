// Two strategies in one pipeline.
// expect: a_pipeline_has_one_strategy<.*exact.*by_all
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

struct by_all {
  template<class Layer, class P>
  static auto key(P const& p) {
    return layerkey::make_key<codegen>(p);
  }
};

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>,
#ifdef SHOW_ERROR
                                    layerkey::strategy<layerkey::exact>,
#endif
                                    layerkey::strategy<by_all>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
