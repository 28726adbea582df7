// A fake that takes no view.
// expect: a_stage_is_a_named_function<
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

#ifdef SHOW_ERROR
std::string fake_emit(std::string const&, std::string const&);
#else
std::string fake_emit(std::string const&, std::string const&, layerkey::view<codegen, options>);
#endif

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;
using faked = compiler::with<fake_emit>;

void compile(faked& c) { static_cast<void>(c.get<codegen>("f", options{})); }
