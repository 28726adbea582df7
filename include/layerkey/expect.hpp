// A claim about two configurations, checked by the compiler: one artifact serves both. Where it
// does not, the error names the layer, the member and what the layer sees of it in both.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/detail/whole_value.hpp>
#include <layerkey/key.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey {
namespace error {

template<class Layer, class P, text Member, auto... Values>
constexpr bool the_keys_are_equal = false;
template<class Layer, class P, text Member, auto... Values>
consteval bool keys_differ() {
  static_assert(
      the_keys_are_equal<Layer, P, Member, Values...>,
      "layerkey: the two configurations have different keys. This layer is the first that "
      "sees this member differently; the values are what it sees.");
  return true;
}

}  // namespace error

namespace detail {

template<auto V>
struct constant {};

// A text prints as its characters, without the rest of the room.
template<auto V>
constexpr auto shown = V;

template<std::size_t N, inline_text<N> V>
constexpr auto shown<V> = [] {
  text<V.length> result;
  for (std::size_t i = 0; i != V.length; ++i) result.chars[i] = V.chars[i];
  result.chars[V.length] = '\0';
  return result;
}();

template<class Leaf, auto A, auto B>
concept can_be_shown = requires {
  typename constant<std::remove_cvref_t<typename Leaf::type>(Leaf::get(A))>;
  typename constant<std::remove_cvref_t<typename Leaf::type>(Leaf::get(B))>;
};

template<class Leaf, auto A, auto B>
consteval bool leaf_is_same() {
  using type = typename Leaf::type;
  return whole_value<type>(Leaf::get(A)) == whole_value<type>(Leaf::get(B));
}

template<class Leaf, auto A, auto B>
consteval bool report_difference() {
  using layer = typename Leaf::member::layer;
  using type = typename Leaf::type;
  using P = std::remove_const_t<decltype(A)>;
  constexpr auto member = name_of<typename Leaf::whole_path{}>;
  if constexpr (can_be_shown<Leaf, A, B>)
    return error::keys_differ<layer, P, member, shown<type(Leaf::get(A))>,
                              shown<type(Leaf::get(B))>>();
  else
    return error::keys_differ<layer, P, member>();
}

// Reports the first of the leaves of all layers, upstream first.
template<auto A, auto B, class... Leaves>
consteval bool leaves_are_same(mp::mp_list<Leaves...>) {
  constexpr bool same[] = {leaf_is_same<Leaves, A, B>()..., false};
  constexpr std::size_t first = [](auto const& all) {
    std::size_t i = 0;
    while (all[i]) ++i;
    return i;
  }(same);
  if constexpr (first == sizeof...(Leaves))
    return true;
  else
    return report_difference<mp::mp_at_c<mp::mp_list<Leaves...>, first>, A, B>();
}

template<auto A, auto B, class... Layers>
consteval bool keys_are_same(mp::mp_list<Layers...>) {
  using P = std::remove_const_t<decltype(A)>;
  return leaves_are_same<A, B>(mp::mp_append<mp::mp_list<>, own_leaves<Layers, P>...>{});
}

}  // namespace detail

// static_assert(expect_same_key<codegen, params{.sm = 80}, params{.sm = 90}>()): for structural
// params.
template<class Layer, auto A, auto B>
consteval bool expect_same_key() {
  static_assert(std::is_same_v<decltype(A), decltype(B)>,
                "layerkey: keys of two structs are never equal.");
  if constexpr (std::is_same_v<decltype(A), decltype(B)>)
    return detail::keys_are_same<A, B>(closure<Layer>{});
  else
    return true;
}

}  // namespace layerkey
