// Other ways than layerkey's to key the caches of a pipeline, for comparison: strategy<S> among its
// stages. S::key<Layer>(params) is what an entry of the layer is found by, beside its input.
//
// They know any described struct. What a stage is given stays exact whatever the strategy, so that
// a key which is too coarse shows by an artifact of other params.
#pragma once

#include <layerkey/layerkey.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

namespace bench {

// ---- what keys are made of ---------------------------------------------------------------------

// Values, one behind the other and taken as they are.
class raw_key {
 public:
  template<class T>
  void add(T const& v) {
    if constexpr (std::is_pointer_v<T>)
      add(reinterpret_cast<std::uintptr_t>(v));
    else {
      static_assert(layerkey::detail::keyable<T>,
                    "a raw key needs a layerkey::value of each member");
      sink to{bytes_};
      layerkey::write(to, v);
    }
  }

  friend bool operator==(raw_key const&, raw_key const&) = default;

  std::uint64_t hash(std::uint64_t state = 0) const {
    return (state ^ std::hash<std::string>{}(bytes_)) * 0x9e37'79b9'7f4a'7c15;
  }

 private:
  struct sink {
    std::string& out;

    template<unsigned Bits>
    void put(std::uint64_t v) {
      for (unsigned at = 0; at < Bits; at += 8) out += static_cast<char>(v >> at & 0xff);
    }
    void bytes(char const* from, std::size_t count) { out.append(from, count); }
    void skip(std::size_t) {}
  };

  std::string bytes_;
};

namespace detail {

namespace mp = layerkey::mp;

template<class Member>
using access = layerkey::detail::access<Member::access>;

// Calls each(field, value) for the members of P, and for those of per_member structs inside.
template<class P, class Each>
void visit_members(P const& p, Each const& each) {
  [&]<class... Fields>(mp::mp_list<Fields...>) {
    auto const visit = [&]<class Field>(Field) {
      if constexpr (layerkey::detail::is_per_member<Field>)
        layerkey::detail::visit_held(access<Field>::get(p),
                                     [&](auto const& inner) { visit_members(inner, each); });
      else
        each(Field{}, access<Field>::get(p));
    };
    (visit(Fields{}), ...);
  }(layerkey::detail::fields_of<P>{});
}

// The member as Layer's tag says it, without regard to modifiers.
template<class Layer, class Field, class T>
void add_tagged(raw_key& to, T const& v) {
  if constexpr (layerkey::detail::contributes<Layer, Field>) {
    using tag =
        mp::mp_front<mp::mp_copy_if_q<typename Field::tags, layerkey::detail::names_layer<Layer>>>;
    if constexpr (layerkey::detail::has_projection<tag>)
      to.add(layerkey::detail::call<tag::projection>(v));
    else
      to.add(v);
  }
}

}  // namespace detail

// Every member of P and of the structs inside, tags or not.
template<class P>
raw_key all_members(P const& p) {
  raw_key all;
  detail::visit_members(p, [&all](auto, auto const& v) { all.add(v); });
  return all;
}

// For a strategy that knows whole jobs only: what it says of params which a stage built for a
// request of its own. No entry has such a key.
struct no_key {
  friend bool operator==(no_key, no_key) { return true; }
  std::uint64_t hash(std::uint64_t state = 0) const { return state; }
};
struct knows_whole_jobs_only {
  template<class Layer, class P>
  static no_key key(P const&) {
    return {};
  }
};

// ---- strategies --------------------------------------------------------------------------------

// Each layer is keyed by the whole struct.
struct whole_params {
  template<class Layer, class P>
  static raw_key key(P const& params) {
    return all_members(params);
  }
};

// The layers named have exact keys, the others are keyed by the whole struct.
template<class... Exact>
struct token {
  template<class Layer, class P>
  static auto key(P const& params) {
    if constexpr ((std::is_same_v<Layer, Exact> || ...))
      return layerkey::make_key<Layer>(params);
    else
      return all_members(params);
  }
};

// Each layer has the members that tags give it and its upstream layers, compared as they are
// written: no canonical forms and no conditions.
struct tags_only {
  template<class Layer, class P>
  static raw_key key(P const& params) {
    raw_key tagged;
    [&]<class... Layers>(layerkey::mp::mp_list<Layers...>) {
      (detail::visit_members(params,
                             [&tagged]<class Field>(Field, auto const& v) {
                               detail::add_tagged<Layers, Field>(tagged, v);
                             }),
       ...);
    }(layerkey::closure<Layer>{});
    return tagged;
  }
};

// Whatever the layer, what is found is what stands under the key of Above: an entry of one layer
// stands in for what lies downstream of it.
template<class Above>
struct narrow {
  template<class Layer, class P>
  static auto key(P const& params) {
    return layerkey::make_key<Above>(params);
  }
};

// The hash of the exact key stands for it, and nothing is compared.
struct hash_only_key {
  std::uint64_t number;

  friend bool operator==(hash_only_key const&, hash_only_key const&) = default;
  std::uint64_t hash(std::uint64_t state = 0) const { return state ^ number; }
};
struct hash_alone {
  template<class Layer, class P>
  static hash_only_key key(P const& params) {
    return {layerkey::make_key<Layer>(params).hash()};
  }
};

}  // namespace bench
