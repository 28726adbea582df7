// A call site for a layer that the pipeline lacks.
// expect: the_pipeline_has_one_stage_for<codegen, 0(UL)?>
#include <layerkey/cache/call_site.hpp>
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

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::ignores<codegen>>;

#ifdef SHOW_ERROR
using wanted = codegen;
#else
using wanted = irgen;
#endif

std::string compile(compiler& c) {
  layerkey::call_site<compiler, wanted> site(c);
  return *site.get("f", options{});
}
