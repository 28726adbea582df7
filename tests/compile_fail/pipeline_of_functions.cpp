// A pipeline of functions instead of stages.
// expect: a_pipeline_has_such_entries<
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int sm = 90;
  using layerkey_fields = layerkey::fields<layerkey::field<&options::sm, layerkey::affects<irgen>>>;
};
std::string lower(std::string const&, layerkey::view<irgen, options>);

#ifdef SHOW_ERROR
using compiler = layerkey::pipeline<options, decltype(&lower)>;
#else
using compiler = layerkey::pipeline<options, layerkey::stage<lower>>;
#endif

void compile(compiler& c) { static_cast<void>(c.get<irgen>("f", options{})); }
