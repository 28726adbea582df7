// A stored layer whose artifact does not say whether it is portable.
// expect: the_artifact_says_whether_it_is_portable<load, code>
#include "../cache/map_store.hpp"

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct code {
  void const* entry = nullptr;
};

struct load : layerkey::layer<> {
  static constexpr layerkey::text name = "load";
  using input = std::string;
  using artifact = code;
};

struct options {
  int level = 0;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<load>>>;
};

code run_load(std::string const&, layerkey::view<load, options>) { return {}; }

#ifndef SHOW_ERROR
template<>
constexpr bool layerkey::process_bound<code> = true;
#endif

void compile(map_store& store) {
  layerkey::pipeline<options, layerkey::stage<run_load>> loader(store);
}
