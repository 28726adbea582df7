// How many members an aggregate has, and what stands in the way of counting them.
#pragma once

#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/light_mp11.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey::detail {

// The conversion is no constexpr function, or std::optional members make both compilers warn about
// an undefined inline function.
struct any_value {
  template<class T>
  operator T() const noexcept;
};

template<class P, std::size_t... I>
consteval bool takes(index_sequence<I...>) {
  return requires { P{(static_cast<void>(I), any_value{})...}; };
}

template<class P, std::size_t Low, std::size_t High>
consteval std::size_t arity_between() {
  constexpr auto middle = Low + (High - Low) / 2;
  if constexpr (middle == Low)
    return Low;
  else if constexpr (takes<P>(make_index_sequence<middle>{}))
    return arity_between<P, middle, High>();
  else
    return arity_between<P, Low, middle>();
}

template<class P, std::size_t Low, std::size_t Bound>
consteval std::size_t arity_from() {
  if constexpr (takes<P>(make_index_sequence<Bound>{}))
    return arity_from<P, Bound, Bound * 2>();
  else
    return arity_between<P, Low, Bound>();
}

// How many initialisers P{...} accepts. It accepts every shorter list too that reaches the last
// member that needs an initialiser, so bisection from there is exact; mostly there is none.
template<class P, std::size_t Least = 0>
consteval std::size_t count_members() {
  if constexpr (takes<P>(make_index_sequence<Least>{}))
    return arity_from<P, Least, Least + 16>();
  else if constexpr (Least != 256)
    return count_members<P, Least + 1>();
  else
    return 0;  // a reference, most likely
}

template<class P>
constexpr std::size_t arity = count_members<P>();

struct any_reference {
  template<class T>
  operator T&() const noexcept;
};

template<class P, std::size_t... I>
consteval bool takes_reference_behind(index_sequence<I...>) {
  return requires { P{(static_cast<void>(I), any_value{})..., any_reference{}}; };
}

// The count stopped before a reference, which no value initialises.
template<class P>
constexpr bool stops_at_reference = takes_reference_behind<P>(make_index_sequence<arity<P>>{});

template<class P>
struct any_base {
  template<class T>
    requires(std::is_base_of_v<T, P> && !std::is_same_v<T, P>)
  operator T() const noexcept;
};

// Converts to nothing.
template<class P>
struct no_base {};

// A base is the first thing that an aggregate's initialiser list sets. Where that takes anything at
// all it is no base but a member such as std::any.
template<class P>
concept has_base = requires { P{any_base<P>{}}; } && !requires { P{no_base<P>{}}; };

template<class P, std::size_t... Before, std::size_t... Behind>
consteval bool takes_around(index_sequence<Before...>, index_sequence<Behind...>) {
  return requires {
    P{(static_cast<void>(Before), any_value{})..., {}, (static_cast<void>(Behind), any_value{})...};
  };
}

// The position of the first array, or the arity if there is none: `{}` sets a whole array, so what
// still fits behind it is less than behind one element.
template<class P, std::size_t I = 0>
consteval std::size_t first_array() {
  if constexpr (I == arity<P>)
    return I;
  else if constexpr (!takes_around<P>(make_index_sequence<I>{},
                                      make_index_sequence<arity<P> - I - 1>{}) &&
                     takes_around<P>(make_index_sequence<I>{}, index_sequence<>{}))
    return I;
  else
    return first_array<P, I + 1>();
}

}  // namespace layerkey::detail
