// Verifies equality and hash of keys, and tables of them.
#pragma once

#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/walk.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace layerkey::testing {
namespace detail {

struct constant_hash {
  std::size_t operator()(auto const&) const { return 0; }
};

struct own_hash {
  std::size_t operator()(auto const& key) const { return static_cast<std::size_t>(key.hash()); }
};

// The first params with an equal key, by comparing alone.
template<class Key>
std::vector<std::size_t> first_equals(std::vector<Key> const& keys) {
  std::vector<std::size_t> first(keys.size());
  for (std::size_t i = 0; i != keys.size(); ++i) {
    std::size_t j = 0;
    while (j != i && !(keys[j] == keys[i])) ++j;
    first[i] = j;
  }
  return first;
}

template<class P, class MakeKey>
void verify_one_key(std::vector<P> const& values, std::string const& layer, MakeKey make,
                    reporter& to) {
  using key_type = decltype(make(values.front()));
  std::vector<key_type> keys;
  for (auto const& each : values) {
    keys.push_back(make(each));
    auto const again = make(each);
    to.check(again == keys.back() && again.hash() == keys.back().hash(), law::pure, "", layer,
             [&] { return "two keys of " + print_members(each) + " differ"; });
  }
  auto const first = first_equals(keys);
  for (std::size_t i = 0; i != keys.size(); ++i)
    for (std::size_t j = 0; j != keys.size(); ++j) {
      bool const equal = keys[i] == keys[j];
      auto const both = [&] {
        return print_members(values[i]) + " and " + print_members(values[j]);
      };
      to.check(equal == (first[i] == first[j]), law::equivalence, "", layer,
               [&] { return "it is not, for the keys of " + both(); });
      to.check(equal == (keys[i].hash() == keys[j].hash()), law::hash_follows_key, "", layer,
               [&] { return "they do not, for the keys of " + both(); });
    }
}

template<class Key, class Hash>
bool table_agrees(std::vector<Key> const& keys, std::vector<std::size_t> const& first) {
  std::unordered_map<Key, std::size_t, Hash> table;
  bool agrees = true;
  for (std::size_t i = 0; i != keys.size(); ++i) {
    auto const [place, is_new] = table.emplace(keys[i], i);
    agrees = agrees && is_new == (first[i] == i) && place->second == first[i];
  }
  for (std::size_t i = 0; i != keys.size(); ++i) {
    auto const found = table.find(keys[i]);
    agrees = agrees && found != table.end() && found->second == first[i];
  }
  return agrees;
}

}  // namespace detail

// Of keys and own keys: made from the same params they are the same, equality is an equivalence,
// and the hash follows it.
template<class P, class... Layers>
report verify_keys(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  if (all.empty()) return {};
  detail::for_each_layer(
      detail::with_upstream<Layers...>{}, [&]<class Layer>(std::type_identity<Layer>) {
        auto const layer = detail::name_of_layer<Layer>();
        detail::verify_one_key(all, layer, [](P const& p) { return make_key<Layer>(p); }, to);
        detail::verify_one_key(all, layer, [](P const& p) { return make_own_key<Layer>(p); }, to);
      });
  return std::move(to.found);
}

// Of tables: with the keys' own hash, and with one that is the same for all.
template<class P, class... Layers>
report verify_tables(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(detail::with_upstream<Layers...>{}, [&]<class Layer>(
                                                                 std::type_identity<Layer>) {
    using key_type = key<Layer, P>;
    std::vector<key_type> keys;
    for (auto const& each : all) keys.push_back(make_key<Layer>(each));
    auto const first = detail::first_equals(keys);
    auto const layer = detail::name_of_layer<Layer>();
    to.check(detail::table_agrees<key_type, detail::own_hash>(keys, first), law::tables_agree, "",
             layer, [] { return std::string("it does not with the keys' own hash"); });
    to.check(detail::table_agrees<key_type, detail::constant_hash>(keys, first), law::tables_agree,
             "", layer, [] { return std::string("it does not where all hashes are the same"); });
  });
  return std::move(to.found);
}

}  // namespace layerkey::testing
