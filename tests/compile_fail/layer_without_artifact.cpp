// A layer of a pipeline that does not say what comes out.
// expect: the_layer_says_what_it_compiles<irgen>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
#ifndef SHOW_ERROR
  using artifact = std::string;
#endif
};

struct options {
  int sm = 90;
  using layerkey_fields = layerkey::fields<layerkey::field<&options::sm, layerkey::affects<irgen>>>;
};
std::string lower(std::string const&, layerkey::view<irgen, options>);

using compiler = layerkey::pipeline<options, layerkey::stage<lower>>;

void make() {
  compiler c;
  static_cast<void>(c);
}
