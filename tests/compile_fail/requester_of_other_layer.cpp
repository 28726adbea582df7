// A requester of another layer than the stage's own.
// expect: a_stage_takes_such_things_behind_its_view<codegen, layerkey::requester<irgen>
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
using asks = layerkey::requester<irgen>;
#else
using asks = layerkey::requester<codegen>;
#endif
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>, asks);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
