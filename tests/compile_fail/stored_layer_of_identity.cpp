// A stored layer whose input is an object of this process.
// expect: a_stored_artifact_has_a_portable_key<emit, .*by_identity<.*method
#include "../cache/map_store.hpp"

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/identity.hpp>

#include <string>

struct method {};

struct emit : layerkey::layer<> {
  static constexpr layerkey::text name = "emit";
#ifndef SHOW_ERROR
  static constexpr layerkey::text not_stored = "methods are known by their address";
#endif
  using input = layerkey::by_identity<method>;
  using artifact = std::string;
};

struct options {
  int level = 0;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&options::level, layerkey::affects<emit>>>;
};

std::string run_emit(layerkey::by_identity<method> const&, layerkey::view<emit, options>) {
  return {};
}

void compile(map_store& store) {
  layerkey::pipeline<options, layerkey::stage<run_emit>> emitter(store);
}
