// Boost.Mp11, the one library that the core needs, and the version that it was tried with. Of it
// the lists and what filters them: with the other algorithms and <utility>, which they include,
// layerkey.hpp takes a third longer to compile.
#pragma once

#include <boost/version.hpp>

#if BOOST_VERSION < 108100
#error \
    "layerkey needs Boost 1.81 or later (headers only). On Debian 12: apt-get install libboost1.81-dev"
#endif

#include <boost/mp11/detail/mp_copy_if.hpp>
#include <boost/mp11/detail/mp_remove_if.hpp>
#include <boost/mp11/list.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey {

namespace mp = boost::mp11;

namespace detail {

template<class List, class T>
constexpr bool contains = false;
template<class... Each, class T>
constexpr bool contains<mp::mp_list<Each...>, T> = (std::is_same_v<Each, T> || ...);

template<class List, template<class...> class Is>
constexpr std::size_t count_if = 0;
template<class... Each, template<class...> class Is>
constexpr std::size_t count_if<mp::mp_list<Each...>, Is> = (std::size_t{0} + ... + Is<Each>::value);

template<class List, template<class...> class Is>
constexpr bool any_of = count_if<List, Is> != 0;

template<class List, class Is>
constexpr bool any_of_q = count_if<List, Is::template fn> != 0;

// The lists that F makes of each, joined.
template<template<class...> class F, class List>
struct joined_each;
template<template<class...> class F, class... Each>
struct joined_each<F, mp::mp_list<Each...>> {
  using type = mp::mp_append<mp::mp_list<>, F<Each>...>;
};

// Of the first that is T.
template<class T, class... Each>
consteval std::size_t position_of() {
  bool const is[] = {std::is_same_v<T, Each>..., true};
  std::size_t i = 0;
  while (!is[i]) ++i;
  return i;
}

// ---- sequences of indices ----------------------------------------------------------------------

template<class T, T... I>
struct integer_sequence {};

template<std::size_t... I>
using index_sequence = integer_sequence<std::size_t, I...>;

#ifdef __clang__
template<std::size_t N>
using make_index_sequence = __make_integer_seq<integer_sequence, std::size_t, N>;
#else
template<std::size_t N>
using make_index_sequence = integer_sequence<std::size_t, __integer_pack(N)...>;
#endif

template<class... T>
using index_sequence_for = make_index_sequence<sizeof...(T)>;

}  // namespace detail
}  // namespace layerkey
