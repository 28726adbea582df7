// An artifact that cannot be moved, and so not be kept.
// expect: an_artifact_can_be_moved<irgen, code>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct code {
  code() = default;
#ifdef SHOW_ERROR
  code(code const&) = delete;
#else
  code(code&&) = default;
#endif
  int* memory = nullptr;
};

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = code;
};
struct options {
  int level = 0;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<irgen>>>;
};
code lower(std::string const&, layerkey::view<irgen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>>;

void compile(compiler& c) { static_cast<void>(c.get<irgen>("f", options{})); }
