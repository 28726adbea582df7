// A stage that returns a validity which does not say where it holds.
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct irgen : layerkey::layer<> {
  static constexpr layerkey::text name = "irgen";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int debug_level = 0;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::debug_level, layerkey::affects<irgen>>>;
};

struct revision {
  unsigned number = 0;

#ifdef SHOW_ERROR
  bool is(layerkey::request_context const& c) const { return c.epoch == number; }
#else
  bool holds(layerkey::request_context const& c) const { return c.epoch == number; }
#endif
  void restrict_to(revision const&) {}
};

layerkey::with_validity<std::string, revision> lower(std::string const& source,
                                                     layerkey::view<irgen, options>) {
  return {source, {1}};
}

using compiler = layerkey::pipeline<options, layerkey::stage<lower>>;

void compile(compiler& c) { static_cast<void>(c.get<irgen>("f", options{})); }

// expect: a_validity_says_where_it_holds<irgen, revision>
