// Whether an aggregate holds an anonymous union, where it has more members than can be bound, so
// that the compiler does not say so by itself.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/arity.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey::detail {

// A union that is a field's own type is not anonymous.
template<class T, bool IsUnion, class... Fields>
constexpr bool is_hidden_union = false;
template<class T, class... Fields>
constexpr bool is_hidden_union<T, true, Fields...> =
    !(std::is_same_v<T, member_type<Fields::access>> || ...);

#ifdef __clang__

// Clang takes a deleted conversion for none and sets the union's first member instead.
template<class... Fields>
struct any_but_hidden_union {
  template<class T>
  operator T() const noexcept(!is_hidden_union<T, std::is_union_v<T>, Fields...>);
};

template<class P, class Any, std::size_t... I>
consteval bool takes_quietly(index_sequence<I...>) {
  return noexcept(P{(static_cast<void>(I), Any{})...});
}

template<class P, class Any, class Members>
constexpr bool refuses =
    takes_quietly<P, any_value>(Members{}) && !takes_quietly<P, Any>(Members{});

#else

template<class... Fields>
struct any_but_hidden_union {
  template<class T>
  operator T() const noexcept;
  template<class T>
    requires is_hidden_union<T, std::is_union_v<T>, Fields...>
  operator T() const noexcept = delete;
};

template<class P, class Any, std::size_t... I>
consteval bool takes_each(index_sequence<I...>) {
  return requires { P{(static_cast<void>(I), Any{})...}; };
}

template<class P, class Any, class Members>
constexpr bool refuses = !takes_each<P, Any>(Members{});

#endif

// Asked only where P{...} takes as many values as it has members. On clang a member that is made of
// anything by a constructor that may throw, such as std::any, keeps the union hidden.
template<class P, std::size_t Members, class... Fields>
consteval bool hides_union(mp::mp_list<Fields...>) {
  return refuses<P, any_but_hidden_union<Fields...>, make_index_sequence<Members>>;
}

}  // namespace layerkey::detail
