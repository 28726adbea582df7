// The flip test: changes each member of a struct alone and demands that exactly the keys change
// that its tags name, and those of the layers downstream.
#pragma once

#include <layerkey/explain.hpp>
#include <layerkey/key.hpp>
#include <layerkey/members.hpp>

#include "vary.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flip {

namespace mp = boost::mp11;

// A change of one member that some layers must not see, although their tags name it. Without a
// change: the member's ordinary flip.
template<class P>
struct unseen {
  std::string member;
  std::vector<std::string_view> by = {};  // the names of those layers
  std::function<void(P&)> change = {};

  bool is_unseen_by(std::string_view layer) const {
    for (auto const each : by)
      if (each == layer) return true;
    return false;
  }
};

// What a change did to the keys of one layer.
struct effect {
  std::string_view layer;
  std::vector<std::string_view> closure;  // the layer and those upstream
  bool own_key, own_hash, key, hash, same_key;
  std::vector<layerkey::difference> own_explained, explained;
};

template<class Layer, class P>
effect observe(P const& before, P const& after) {
  effect seen;
  seen.layer = Layer::name.data();
  seen.closure = []<class... Layers>(mp::mp_list<Layers...>) {
    return std::vector<std::string_view>{Layers::name.data()...};
  }(layerkey::closure<Layer>{});
  auto const own_before = layerkey::make_own_key<Layer>(before);
  auto const own_after = layerkey::make_own_key<Layer>(after);
  seen.own_key = own_before != own_after;
  seen.own_hash = own_before.hash() != own_after.hash();
  auto const key_before = layerkey::make_key<Layer>(before);
  auto const key_after = layerkey::make_key<Layer>(after);
  seen.key = key_before != key_after;
  seen.hash = key_before.hash() != key_after.hash();
  seen.same_key = layerkey::same_key<Layer>(before, after);
  seen.own_explained = layerkey::explain_own<Layer>(before, after);
  seen.explained = layerkey::explain<Layer>(before, after);
  return seen;
}

template<class P, class... Layers>
std::vector<effect> observe_all(P const& before, P const& after) {
  return {observe<Layers>(before, after)...};
}

// Whether the member is among the differences; a member that it switches on or off may be too.
inline bool names(std::vector<layerkey::difference> const& found, std::string const& member) {
  bool named = false;
  for (auto const& each : found) named = named || each.member == member;
  CHECK(named == !found.empty());
  return named;
}

// `readers` are the layers that the change should reach by themselves.
inline void check_effect(std::string const& member, std::vector<std::string_view> const& readers,
                         effect const& seen) {
  INFO("member " << member << ", layer " << seen.layer);
  auto const reads = [&readers](std::string_view layer) {
    return std::find(readers.begin(), readers.end(), layer) != readers.end();
  };
  bool const own = reads(seen.layer);
  bool const whole = std::any_of(seen.closure.begin(), seen.closure.end(), reads);
  CHECK(seen.own_key == own);
  CHECK(seen.own_hash == own);
  CHECK(names(seen.own_explained, member) == own);
  CHECK(seen.key == whole);
  CHECK(seen.hash == whole);
  CHECK(seen.same_key == !whole);
  CHECK(names(seen.explained, member) == whole);
}

// Flips each member of `base` to vary::other of it, then makes each of the unseen changes. Returns
// how many flips there were.
template<class P, class... Layers>
int check(P const& base, std::vector<unseen<P>> const& hidden = {}) {
  int flips = 0;
  layerkey::for_each_member<P>([&]<class Member>(Member) {
    auto const member = Member::path();
    auto const check_change = [&](P const& after, unseen<P> const& change) {
      std::vector<std::string_view> readers;
      ((Member::template is_tagged_with<Layers> && !change.is_unseen_by(Layers::name.data())
            ? readers.push_back(Layers::name.data())
            : void()),
       ...);
      for (auto const& seen : observe_all<P, Layers...>(base, after))
        check_effect(member, readers, seen);
      ++flips;
    };
    if constexpr (Member::can_be_set) {
      P after = base;
      Member::set(after, vary::other(Member::get(base)));
      unseen<P> ordinary{member};
      for (auto const& each : hidden)
        if (each.member == member && !each.change) ordinary.by = each.by;
      check_change(after, ordinary);
    }
    for (auto const& each : hidden)
      if (each.member == member && each.change) {
        P after = base;
        each.change(after);
        check_change(after, each);
      }
  });
  return flips;
}

}  // namespace flip
