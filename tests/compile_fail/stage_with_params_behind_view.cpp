// A stage that takes the params themselves behind its view. They would hold what its key lacks.
// expect: a_stage_takes_such_things_behind_its_view<codegen, (const )?options( const)? ?&>
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

#ifdef SHOW_ERROR
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>,
                 options const&);
#else
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);
#endif

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
