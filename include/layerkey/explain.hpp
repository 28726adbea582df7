// Why two params have different keys: the members that differ, and both values.
#pragma once

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

template<auto... Path>
std::string path_name(path<Path...>) {
  std::string name;
  ((name += name.empty() ? "" : ".", name += std::string_view(name_of<Path>.data())), ...);
  return name;
}

template<class Layer>
std::string layer_name() {
  static_assert(
      requires { Layer::name; },
      "layerkey: an explanation names the layer: give it `static constexpr auto name = "
      "layerkey::text{\"...\"}`.");
  return Layer::name.data();
}

template<class Leaf, class P>
void append_difference(std::vector<difference>& found, P const& a, P const& b) {
  using type = typename Leaf::type;
  decltype(auto) before = Leaf::get(a);
  decltype(auto) after = Leaf::get(b);
  if (whole_value<type>(before) == whole_value<type>(after)) return;
  difference d{path_name(typename Leaf::whole_path{}), layer_name<typename Leaf::member::layer>(),
               printed<type>(before), printed<type>(after)};
  for (auto const& known : found)
    if (known.member == d.member && known.before == d.before && known.after == d.after) return;
  found.push_back(std::move(d));
}

template<class P, class... Leaves>
void append_differences(std::vector<difference>& found, P const& a, P const& b,
                        mp::mp_list<Leaves...>) {
  static_cast<void>(in_order{0, (append_difference<Leaves>(found, a, b), 0)...});
}

}  // namespace detail

// The differences in Layer's own key, upstream layers aside.
template<class Layer, class P>
std::vector<difference> explain_own(P const& a, P const& b) {
  std::vector<difference> found;
  detail::append_differences(found, a, b, detail::own_leaves<Layer, P>{});
  return found;
}

// All differences that keep Layer's key of `a` and of `b` apart; empty exactly when the keys are
// equal. A member that several layers see in the same form is named once.
template<class Layer, class P>
std::vector<difference> explain(P const& a, P const& b) {
  std::vector<difference> found;
  [&]<class... Layers>(mp::mp_list<Layers...>) {
    (detail::append_differences(found, a, b, detail::own_leaves<Layers, P>{}), ...);
  }(closure<Layer>{});
  return found;
}

}  // namespace layerkey
