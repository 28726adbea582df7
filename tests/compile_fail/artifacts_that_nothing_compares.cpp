// A stage that checks, and whose artifact can be compared in no way. It may run again for an
// artifact that is kept.
// expect: an_artifact_that_is_checked_can_be_compared<codegen, code>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = std::string;
};
struct code {
  explicit code(std::string bytes);
  std::string bytes;
#ifndef SHOW_ERROR
  friend bool operator==(code const&, code const&) = default;
#endif
};
struct codegen : layerkey::layer<irgen> {
  static constexpr layerkey::text name = "codegen";
  using input = std::string;
  using artifact = code;
};

struct options {
  int sm = 90;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::sm, layerkey::affects<codegen>>>;
};
std::string lower(std::string const&, layerkey::view<irgen, options>);
layerkey::with_check<code> emit(std::string const&, std::string const&,
                                layerkey::view<codegen, options>, layerkey::checks_view<options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::stage<emit>>;

void compile(compiler& c) { static_cast<void>(c.get<codegen>("f", options{})); }
