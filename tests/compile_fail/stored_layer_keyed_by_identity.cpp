// A stored layer whose key has an object of this process.
// expect: the_value_outlives_the_process<options, .*"calls"
#include "../cache/map_store.hpp"

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/values/text.hpp>

#include <string>

struct runtime {};

struct emit : layerkey::layer<> {
  static constexpr layerkey::text name = "emit";
#ifndef SHOW_ERROR
  static constexpr layerkey::text not_stored = "calls into the runtime by address";
#endif
  using input = std::string;
  using artifact = std::string;
};

struct options {
  layerkey::by_identity<runtime> calls{};
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::calls, layerkey::affects<emit>>>;
};

std::string run_emit(std::string const&, layerkey::view<emit, options>) { return {}; }

void compile(map_store& store) {
  layerkey::pipeline<options, layerkey::stage<run_emit>> emitter(store);
}
