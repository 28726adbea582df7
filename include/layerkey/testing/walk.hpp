// The layers, leaves and members of params, one after another, and what a layer sees of them.
#pragma once

#include <layerkey/explain.hpp>
#include <layerkey/key.hpp>
#include <layerkey/testing/slots.hpp>
#include <layerkey/testing/values.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace layerkey::testing::detail {

using boost::mp11::mp_append;
using boost::mp11::mp_copy_if;
using boost::mp11::mp_empty;
using boost::mp11::mp_front;
using boost::mp11::mp_list;
using boost::mp11::mp_unique;

// Each layer and those upstream of it, once.
template<class... Layers>
using with_upstream = mp_unique<mp_append<mp_list<>, closure<Layers>...>>;

template<class... Layers, class Visit>
void for_each_layer(mp_list<Layers...>, Visit&& visit) {
  (visit(std::type_identity<Layers>{}), ...);
}

template<class Layer, class P, class Visit>
void for_each_leaf(Visit&& visit) {
  [&]<class... Leaves>(mp_list<Leaves...>) {
    (visit(std::type_identity<Leaves>{}), ...);
  }(layerkey::detail::own_leaves<Layer, P>{});
}

template<class Layer>
std::string name_of_layer() {
  return layerkey::detail::layer_name<Layer>();
}

template<class Leaf>
std::string path_of() {
  return layerkey::detail::path_name(typename Leaf::whole_path{});
}

template<auto Access>
std::string name_of_access() {
  return layerkey::detail::name_of<Access>.data();
}

template<auto... Path>
std::string first_steps(path<Path...>, std::size_t count) {
  std::string names;
  std::size_t taken = 0;
  ((taken++ < count ? ((names += names.empty() ? "" : ".") += name_of_access<Path>(), void())
                    : void()),
   ...);
  return names;
}

// ---- what a layer sees of params ---------------------------------------------------------------

// A member in the form that a layer sees.
struct seen_member {
  std::string path;
  std::string written;
  std::string printed;
  std::vector<std::string> conditions;  // the members that decide whether it counts
};

template<auto Read>
struct names_of_read {
  static void append(std::string& to) { (to += to.empty() ? "" : ".") += name_of_access<Read>(); }
};

template<auto... Steps, path<Steps...> Read>
struct names_of_read<Read> {
  static void append(std::string& to) { (names_of_read<Steps>::append(to), ...); }
};

// The members that the conditions of a leaf read, as paths from the params.
template<class Leaf>
std::vector<std::string> conditions_of() {
  std::vector<std::string> reads;
  auto const add = [&reads]<auto... Scope, auto... Read>(std::string const& root, path<Scope...>,
                                                         path<Read...>) {
    std::string scope = root;
    (names_of_read<Scope>::append(scope), ...);
    (names_of_read<Read>::append(reads.emplace_back(scope)), ...);
  };
  [&]<class... Placed>(mp_list<Placed...>) {
    if constexpr (sizeof...(Placed) != 0) {
      std::string const root = first_steps(typename Leaf::whole_path{}, Leaf::depth);
      (add(root, typename Placed::scope{},
           typename layerkey::detail::condition_reads<typename Placed::modifier>::type{}),
       ...);
    }
  }(typename Leaf::member::placed_conditions{});
  return reads;
}

template<class Layer, class P>
std::vector<seen_member> seen_by(P const& p) {
  std::vector<seen_member> seen;
  for_each_leaf<Layer, P>([&]<class Leaf>(std::type_identity<Leaf>) {
    using type = typename Leaf::type;
    decltype(auto) form = Leaf::get(p);
    seen.push_back({path_of<Leaf>(), spied<type>(form).stream,
                    layerkey::detail::printed<type>(form), conditions_of<Leaf>()});
  });
  return seen;
}

// Whether the first member can switch the second on or off.
inline bool decides(std::string const& member, seen_member const& over,
                    std::vector<seen_member> const& all, std::size_t depth = 0) {
  for (auto const& read : over.conditions) {
    if (read == member) return true;
    for (auto const& each : all)
      if (each.path == read && depth < all.size() && decides(member, each, all, depth + 1))
        return true;
  }
  return false;
}

// ---- all members of params, whatever their tags ------------------------------------------------

struct raw_member {
  std::string path;
  std::string value;
};

template<class P>
std::vector<raw_member> raw_members(P const& p) {
  std::vector<raw_member> all;
  for_each_slot<P>(
      [&]<class Slot>(Slot) { all.push_back({Slot::member::path(), written_in<Slot>(p)}); });
  return all;
}

template<class P>
std::string print_members(P const& p) {
  std::string all = "{";
  for_each_slot<P>([&]<class Slot>(Slot) {
    all += (all.size() == 1 ? "" : ", ") + Slot::member::path() + ": " + printed_in<Slot>(p);
  });
  return all + "}";
}

}  // namespace layerkey::testing::detail
