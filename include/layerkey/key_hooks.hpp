// Keys in the hash tables of others: std::hash, Boost's and LLVM's hash_value, AbslHashValue.
// Includes neither Boost nor Abseil nor LLVM. Hash values are private to the process.
#pragma once

#include <layerkey/key.hpp>

#include <cstddef>
#include <functional>
#include <utility>

namespace layerkey {

// Found by boost::hash and by llvm::hash_value's callers.
template<class... OwnKeys>
constexpr std::size_t hash_value(layered_key<OwnKeys...> const& key) {
  return key.hash();
}

template<class Layer, class P>
constexpr std::size_t hash_value(basic_key<Layer, P> const& key) {
  return key.hash();
}

// Found by absl::Hash. Equality still decides: keys with equal hashes are compared in full.
template<class State, class... OwnKeys>
State AbslHashValue(State state, layered_key<OwnKeys...> const& key) {
  return State::combine(std::move(state), key.hash());
}

template<class State, class Layer, class P>
State AbslHashValue(State state, basic_key<Layer, P> const& key) {
  return State::combine(std::move(state), key.hash());
}

}  // namespace layerkey

template<class... OwnKeys>
struct std::hash<layerkey::layered_key<OwnKeys...>> {
  constexpr std::size_t operator()(layerkey::layered_key<OwnKeys...> const& key) const noexcept {
    return key.hash();
  }
};

template<class Layer, class P>
struct std::hash<layerkey::basic_key<Layer, P>> {
  constexpr std::size_t operator()(layerkey::basic_key<Layer, P> const& key) const noexcept {
    return key.hash();
  }
};
