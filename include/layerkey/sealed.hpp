// Params that will not change any more, with the keys of their layers made once.
#pragma once

#include <layerkey/key.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace layerkey {
namespace detail {

template<class Layer, class Key>
struct sealed_key {
  Key key;
  std::uint64_t hash;

  explicit constexpr sealed_key(Key k) : key(std::move(k)), hash(key.hash()) {}
};

}  // namespace detail

// Owns an immutable copy of the params and the key and hash of each of these layers. A lookup by it
// neither projects nor hashes nor allocates; only the comparison is left. Later changes to the
// params that it was made from do not reach it; but a string_view or span among the members still
// refers to what it referred to, which must not change either.
template<class P, class... Layers>
class sealed : private detail::sealed_key<Layers, layerkey::key<Layers, P>>... {
  template<class Layer>
  using part = detail::sealed_key<Layer, layerkey::key<Layer, P>>;

 public:
  using sealed_params = P;

  template<class Layer>
  static constexpr bool keeps = (std::is_same_v<Layers, Layer> || ...);

  explicit constexpr sealed(P p) : part<Layers>(make_key<Layers>(p))..., params_(std::move(p)) {}

  constexpr P const& params() const { return params_; }

  template<class Layer>
  constexpr layerkey::key<Layer, P> const& key() const {
    return static_cast<part<Layer> const&>(*this).key;
  }

  // Equal to make_key<Layer>(params()).hash().
  template<class Layer>
  constexpr std::uint64_t hash() const {
    return static_cast<part<Layer> const&>(*this).hash;
  }

 private:
  P params_;
};

}  // namespace layerkey
