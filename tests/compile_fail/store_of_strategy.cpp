// A pipeline with a strategy of its own and a store.
// expect: stores_are_for_exact_keys<.*any_params>
#include "../cache/map_store.hpp"
#include "../cache/toy_compiler.hpp"

namespace {

// All params are alike, so that nothing is right that it keeps.
struct any_params {
  struct key_type {
    std::uint64_t hash() const { return 0; }
    friend bool operator==(key_type, key_type) { return true; }
  };
  template<class Layer, class P>
  static key_type key(P const&) {
    return {};
  }
};

using careless =
    layerkey::pipeline<toy::params, layerkey::stage<toy::run_front>, layerkey::ignores<toy::left>,
                       layerkey::ignores<toy::right>, layerkey::ignores<toy::join>,
                       layerkey::strategy<any_params>>;

}  // namespace

void compile([[maybe_unused]] map_store& store) {
  careless without;
#ifdef SHOW_ERROR
  careless with(store);
#endif
}
