// The keys of a cache layer, derived from the tags of a params struct.
#pragma once

#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/leaves.hpp>
#include <layerkey/detail/word_key.hpp>
#include <layerkey/detail/words.hpp>
#include <layerkey/hash.hpp>

#include <cstddef>
#include <cstdint>

namespace layerkey {
namespace detail {

template<class Layer, class P>
class key_reader;

}  // namespace detail

template<class Layer, class P>
class view;

namespace detail {

template<class Layer, class P>
constexpr P const& params_behind(view<Layer, P> const& v);

template<class... OwnKeys>
struct key_base;

}  // namespace detail

// What Layer's own stage reads of P, and nothing else, in canonical words: values of fixed size
// packed widest first, values of variable size in a tail of bytes. Equality and hash read the same
// words and bytes, so they cannot disagree. Two params have equal keys exactly when the stage
// cannot tell them apart. Spelled own_key<Layer, P>, which takes the struct around P away.
template<class Layer, class P>
class basic_key : public detail::key_base<basic_key<Layer, P>>::type {
  using base = typename detail::key_base<basic_key<Layer, P>>::type;

 public:
  explicit constexpr basic_key(P const& p) : base(p) {}

 private:
  friend class detail::key_reader<Layer, P>;
  template<class...>
  friend class layered_key;

  using base::base;
};

template<class Layer, class P>
using own_key = basic_key<Layer, normal_params<Layer, P>>;

namespace detail {

template<class OwnKey>
struct parts_of_own_key;

template<class Layer, class P>
struct parts_of_own_key<basic_key<Layer, P>> {
  using layer = Layer;
  using part = key_part<Layer, P>;
};

template<class... OwnKeys>
struct key_base {
  using type = packed_key<typename parts_of_own_key<OwnKeys>::part...>;
};

template<class P, class... Layers>
  requires(words_of<P, mp::mp_list<Layers...>>::tell)
struct key_base<basic_key<Layers, P>...> {
  using type = word_key<P, Layers...>;
};

template<class OwnKey, class P>
using normal_for_key = normal<typename parts_of_own_key<OwnKey>::layer, P>;

}  // namespace detail

// The own keys of a layer and of everything upstream of it, packed as one.
template<class... OwnKeys>
class layered_key : public detail::key_base<OwnKeys...>::type {
  using base = typename detail::key_base<OwnKeys...>::type;

 public:
  template<class P>
  static constexpr layered_key of(P const& p) {
    return layered_key(p, 0);
  }

  // Neither makes a key of p, and neither allocates.
  template<class P>
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t hash_of(P const& p) {
    return base::hash_of(detail::hash_seed, detail::normal_for_key<OwnKeys, P>::of(p)...);
  }
  template<class P>
  LAYERKEY_ALWAYS_INLINE constexpr bool is_of(P const& p) const {
    return base::equals(detail::normal_for_key<OwnKeys, P>::of(p)...);
  }

  // The part that one layer reads.
  template<class OwnKey>
  constexpr OwnKey part() const {
    return OwnKey(*this, detail::position_of<OwnKey, OwnKeys...>());
  }

 private:
  template<class, class>
  friend class detail::key_reader;

  template<class P>
  constexpr layered_key(P const& p, int) : base(detail::normal_for_key<OwnKeys, P>::of(p)...) {}
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
  using words = detail::words_of<P, closure<Layer>>;
  if constexpr (words::tell && detail::optimises)
    return words::read_apart(a) == words::read_apart(b);
  else if constexpr (words::tell)
    return words::read(a) == words::read(b);
  else
    return make_key<Layer>(a).is_of(b);
}

namespace detail {

template<class T>
constexpr bool is_layered_key = false;
template<class... OwnKeys>
constexpr bool is_layered_key<layered_key<OwnKeys...>> = true;

// What a lookup by `v` asks with: a key, or params.
template<class Layer, class... OwnKeys>
LAYERKEY_ALWAYS_INLINE constexpr auto const& asked(layered_key<OwnKeys...> const& v) {
  return v;
}
template<class Layer, class P>
  requires described<P>
LAYERKEY_ALWAYS_INLINE constexpr P const& asked(P const& v) {
  return v;
}
template<class Layer, class P>
LAYERKEY_ALWAYS_INLINE constexpr P const& asked(view<Layer, P> const& v) {
  return params_behind(v);
}
// Sealed params give the key that they keep, if they keep this one.
template<class S>
concept keeps_keys = requires { typename S::sealed_params; };

template<class Layer, keeps_keys S>
LAYERKEY_ALWAYS_INLINE constexpr auto const& asked(S const& v) {
  if constexpr (S::template keeps<Layer>)
    return v.template key<Layer>();
  else
    return v.params();
}

}  // namespace detail

// Hash and equality for tables of keys. Params, views and sealed params can be looked up as they
// are: no key is made of them.
template<class Layer>
struct key_hash {
  using is_transparent = void;

  template<class... OwnKeys>
  LAYERKEY_ALWAYS_INLINE constexpr std::size_t operator()(layered_key<OwnKeys...> const& k) const {
    return k.hash();
  }
  template<class P>
    requires detail::described<P>
  LAYERKEY_ALWAYS_INLINE constexpr std::size_t operator()(P const& p) const {
    using words = detail::words_of<P, closure<Layer>>;
    if constexpr (words::tell)
      return words::read(p).hash(detail::hash_seed);
    else
      return key<Layer, P>::hash_of(p);
  }
  template<class P>
  LAYERKEY_ALWAYS_INLINE constexpr std::size_t operator()(view<Layer, P> const& v) const {
    return (*this)(detail::asked<Layer>(v));
  }
  template<detail::keeps_keys S>
  LAYERKEY_ALWAYS_INLINE constexpr std::size_t operator()(S const& s) const {
    if constexpr (S::template keeps<Layer>)
      return s.template hash<Layer>();
    else
      return (*this)(s.params());
  }
};

template<class Layer>
struct key_equal {
  using is_transparent = void;

  template<class A, class B>
    requires requires(A const& a, B const& b) {
      detail::asked<Layer>(a);
      detail::asked<Layer>(b);
    }
  LAYERKEY_ALWAYS_INLINE constexpr bool operator()(A const& a, B const& b) const {
    return same(detail::asked<Layer>(a), detail::asked<Layer>(b));
  }

 private:
  template<class A, class B>
  LAYERKEY_ALWAYS_INLINE static constexpr bool same(A const& a, B const& b) {
    if constexpr (detail::is_layered_key<A> && detail::is_layered_key<B>)
      return a == b;
    else if constexpr (detail::is_layered_key<A>)
      return a.is_of(b);
    else if constexpr (detail::is_layered_key<B>)
      return b.is_of(a);
    else if constexpr (std::is_same_v<A, B>)
      return same_key<Layer>(a, b);
    else
      return make_key<Layer>(a).is_of(b);
  }
};

}  // namespace layerkey
