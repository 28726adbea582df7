// The keys of a cache layer, derived from the tags of a params struct.
#pragma once

#include <layerkey/detail/leaves.hpp>
#include <layerkey/detail/words.hpp>
#include <layerkey/hash.hpp>

#include <cstddef>
#include <cstdint>

namespace layerkey {

// What Layer's own stage reads of P, and nothing else, in canonical words: values of fixed size
// packed widest first, values of variable size in a tail of bytes. Equality and hash read the same
// words and bytes, so they cannot disagree. Two params have equal keys exactly when the stage
// cannot tell them apart. Spelled own_key<Layer, P>, which takes the struct around P away.
template<class Layer, class P>
class basic_key {
 public:
  explicit constexpr basic_key(P const& p)
      : words_(projector::project(p)), tail_(projector::project_tail(p)) {}

  friend constexpr bool operator==(basic_key const& a, basic_key const& b) {
    return a.words_ == b.words_ && a.tail_ == b.tail_;
  }

  // For tables in this process only; see hash.hpp. `state` chains the hashes of several keys.
  constexpr std::uint64_t hash(std::uint64_t state = detail::hash_seed) const {
    state = detail::hash_words(words_.data(), words_.size, state);
    if constexpr (has_tail) state = detail::hash_bytes(tail_.data(), tail_.size(), state);
    return state;
  }

 private:
  using projector = detail::projector_of<P, detail::own_leaves<Layer, P>>;
  static constexpr bool has_tail = !std::is_same_v<typename projector::tail, detail::no_tail>;

  [[no_unique_address]] typename projector::words words_;
  [[no_unique_address]] typename projector::tail tail_;
};

template<class Layer, class P>
using own_key = basic_key<Layer, normal_params<Layer, P>>;

// The own keys of a layer and of everything upstream of it.
template<class... OwnKeys>
class layered_key : private OwnKeys... {
 public:
  template<class P>
  static constexpr layered_key of(P const& p) {
    return layered_key(p, 0);
  }

  // The part that one layer reads.
  template<class OwnKey>
  constexpr OwnKey const& part() const {
    return *this;
  }

  friend constexpr bool operator==(layered_key const& a, layered_key const& b) {
    return ((static_cast<OwnKeys const&>(a) == static_cast<OwnKeys const&>(b)) && ...);
  }

  constexpr std::uint64_t hash(std::uint64_t state = detail::hash_seed) const {
    ((state = static_cast<OwnKeys const&>(*this).hash(state)), ...);
    return state;
  }

 private:
  template<class OwnKey>
  struct layer_of;
  template<class Layer, class P>
  struct layer_of<basic_key<Layer, P>> {
    using type = Layer;
  };

  template<class P>
  constexpr layered_key(P const& p, int)
      : OwnKeys(detail::normal<typename layer_of<OwnKeys>::type, P>::of(p))... {}
};

namespace detail {

template<class P, class Layers>
struct closure_key_over;

template<class P, class... Layers>
struct closure_key_over<P, mp::mp_list<Layers...>> {
  using type = layered_key<own_key<Layers, P>...>;
};

template<class Layer, class P>
struct closure_key : closure_key_over<P, closure<Layer>> {};

}  // namespace detail

// What Layer's artifact depends on: the own keys of the layer and of all its upstream layers.
template<class Layer, class P>
using key = typename detail::closure_key<Layer, P>::type;

template<class Layer, class P>
constexpr own_key<Layer, P> make_own_key(P const& p) {
  return own_key<Layer, P>(detail::normal<Layer, P>::of(p));
}

template<class Layer, class P>
constexpr key<Layer, P> make_key(P const& p) {
  return key<Layer, P>::of(p);
}

// Whether one artifact of Layer serves both.
template<class Layer, class P>
constexpr bool same_key(P const& a, P const& b) {
  return make_key<Layer>(a) == make_key<Layer>(b);
}

// Hash and equality for tables of keys; params can be looked up as they are.
template<class Layer>
struct key_hash {
  using is_transparent = void;

  template<class... OwnKeys>
  constexpr std::size_t operator()(layered_key<OwnKeys...> const& k) const {
    return k.hash();
  }
  template<class P>
    requires detail::described<P>
  constexpr std::size_t operator()(P const& p) const {
    return make_key<Layer>(p).hash();
  }
};

template<class Layer>
struct key_equal {
  using is_transparent = void;

  template<class A, class B>
  constexpr bool operator()(A const& a, B const& b) const {
    return as_key(a) == as_key(b);
  }

 private:
  template<class... OwnKeys>
  static constexpr layered_key<OwnKeys...> const& as_key(layered_key<OwnKeys...> const& k) {
    return k;
  }
  // A deduced type, since clang 19 forms a written one of a key too, before it looks at
  // constraints.
  template<class P>
    requires detail::described<P>
  static constexpr auto as_key(P const& p) {
    return make_key<Layer>(p);
  }
};

}  // namespace layerkey
