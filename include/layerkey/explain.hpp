// Why two params have different keys: the members that differ, and both values.
#pragma once

#include <layerkey/detail/path_name.hpp>
#include <layerkey/detail/print.hpp>
#include <layerkey/key.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

// One member that a layer sees differently. Values are printed in the form that the layer sees.
struct difference {
  std::string member;  // with the structs that lead to it: "target.sm"
  std::string layer;   // the first layer whose own key it moves, upstream first
  std::string before;
  std::string after;

  friend bool operator==(difference const&, difference const&) = default;

  template<class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      difference const& d) {
    return out << d.member.c_str() << ": " << d.before.c_str() << " -> " << d.after.c_str();
  }
};

namespace detail {

template<class Layer>
std::string layer_name() {
  static_assert(
      requires { Layer::name; },
      "layerkey: an explanation names the layer: give it `static constexpr auto name = "
      "layerkey::text{\"...\"}`.");
  if constexpr (requires { Layer::name; })
    return Layer::name.data();
  else
    return {};
}

// What a layer sees of one member, taken out of the params, which need not live on.
struct seen_member {
  std::string name;
  std::string layer;
  std::string text;
  byte_tail bytes;  // as value<> writes it
  bool is_there;    // false: in an optional or a variant that holds something else
};

using seen_members = std::vector<seen_member>;

template<class T>
byte_tail bytes_of(T const& v) {
  counting_sink count;
  value<T>::write(count, v);
  byte_tail bytes(count.size);
  byte_sink sink{bytes.data()};
  value<T>::write(sink, v);
  return bytes;
}

template<class Leaf, class P>
void append_seen(seen_members& all, P const& p) {
  using type = typename Leaf::type;
  decltype(auto) v = Leaf::get(p);
  bool is_there = true;
  if constexpr (Leaf::is_held) is_there = static_cast<bool>(v);
  all.push_back({path_name(typename Leaf::whole_path{}), layer_name<typename Leaf::member::layer>(),
                 printed<type>(v), bytes_of<type>(v), is_there});
}

template<class P, class... Leaves>
void append_all_seen(seen_members& all, P const& p, mp::mp_list<Leaves...>) {
  static_cast<void>(in_order{0, (append_seen<Leaves>(all, p), 0)...});
}

// What the stage of Layer sees of P; with Whole, also the stages upstream of it.
template<class Layer, bool Whole, class P>
seen_members seen_by(P const& p) {
  seen_members all;
  if constexpr (Whole)
    [&]<class... Layers>(mp::mp_list<Layers...>) {
      (append_all_seen(all, p, own_leaves<Layers, P>{}), ...);
    }(closure<Layer>{});
  else
    append_all_seen(all, p, own_leaves<Layer, P>{});
  return all;
}

// Of two that the same layers saw. A member that several layers see alike is named once; what holds
// a struct is named in place of the members inside.
inline std::vector<difference> differences(seen_members const& before, seen_members const& after) {
  std::vector<difference> found;
  for (std::size_t i = 0; i != before.size(); ++i) {
    auto const& a = before[i];
    auto const& b = after[i];
    if (!a.is_there || !b.is_there || a.bytes == b.bytes) continue;
    difference d{a.name, a.layer, a.text, b.text};
    bool known = false;
    for (auto const& each : found)
      known |= each.member == d.member && each.before == d.before && each.after == d.after;
    if (!known) found.push_back(std::move(d));
  }
  return found;
}

}  // namespace detail

// The differences in Layer's own key, upstream layers aside.
template<class Layer, class P>
std::vector<difference> explain_own(P const& a, P const& b) {
  return detail::differences(detail::seen_by<Layer, false>(a), detail::seen_by<Layer, false>(b));
}

// All differences that keep Layer's key of `a` and of `b` apart; empty exactly when the keys are
// equal. A member that several layers see in the same form is named once.
template<class Layer, class P>
std::vector<difference> explain(P const& a, P const& b) {
  return detail::differences(detail::seen_by<Layer, true>(a), detail::seen_by<Layer, true>(b));
}

}  // namespace layerkey
