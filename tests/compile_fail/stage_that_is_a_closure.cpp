// A closure as a stage. It could hold what no key has.
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
constexpr auto emit = [](std::string const&, std::string const& ir,
                         layerkey::view<codegen, options>) { return ir; };
#else
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);
#endif

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }

// expect: a_stage_is_a_named_function<.*lambda
// expect: static assertion failed.*layerkey: a stage is a named function, no closure
