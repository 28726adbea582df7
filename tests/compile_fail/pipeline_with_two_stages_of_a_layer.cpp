// Two stages for one layer.
// expect: the_pipeline_has_one_stage_for<irgen, 2(UL)?>
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
std::string lower_again(std::string const&, layerkey::view<irgen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>,
#ifdef SHOW_ERROR
                                    layerkey::stage<lower_again>,
#endif
                                    layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
