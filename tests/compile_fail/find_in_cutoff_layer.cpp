// A search for what a layer with early cutoff keeps. Its key needs the upstream artifacts.
// expect: a_hit_of_this_layer_asks_for_nothing_else<codegen>
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
  int level = 0;
  int sm = 90;
  bool validate = false;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<irgen>>,
                       layerkey::field<&options::sm, layerkey::affects<codegen>>,
                       layerkey::field<&options::validate, layerkey::check_only>>;
};

std::string lower(std::string const&, layerkey::view<irgen, options>);
std::string emit(std::string const&, std::string const&, layerkey::view<codegen, options>);

#ifdef SHOW_ERROR
using last = layerkey::early_cutoff<layerkey::stage<emit>>;
#else
using last = layerkey::stage<emit>;
#endif
using compiler = layerkey::pipeline<options, layerkey::stage<lower>, last>;

bool is_there(compiler& c) { return c.find<codegen>("f", options{}).has_value(); }
