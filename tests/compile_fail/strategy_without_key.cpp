// A strategy that makes no keys.
// expect: the_strategy_makes_keys<by_level, irgen, options>
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

struct by_level {
#ifdef SHOW_ERROR
  static int key(options const& o) { return o.sm; }
#else
  template<class Layer, class P>
  static auto key(P const& p) {
    return layerkey::make_key<codegen>(p);
  }
#endif
};

using compiler = layerkey::pipeline<options, layerkey::stage<lower>, layerkey::ignores<codegen>,
                                    layerkey::strategy<by_level>>;

void compile(compiler& c) { static_cast<void>(c.get<irgen>("f", options{})); }
