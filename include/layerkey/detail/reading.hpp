// What can be told from a field's tags at once, without its description as a member: most fields
// are plain, and what is said here is all that they cost.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/field_table.hpp>
#include <layerkey/detail/hidden_union.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey::detail {

// ---- what a layer reads of a field -------------------------------------------------------------

// Asked by the type of the member pointer, and by the list of tags: few are different.
template<class Access>
constexpr bool points_to_word = false;
template<class P, class T>
constexpr bool points_to_word<T P::* const> = word_width<T> != 0;

// Not a word where it is one that is not read in place.
template<class Layer, class Tags, class Access>
constexpr reading reading_of =
    reading_by<Layer, Tags> == reading::word && !points_to_word<Access> ? reading::other
                                                                        : reading_by<Layer, Tags>;

template<class Layer, class... Fields>
consteval bool any_reading(reading asked, mp::mp_list<Fields...>) {
  reading const each[] = {reading::none,
                          reading_of<Layer, typename Fields::tags, decltype(Fields::access)>...};
  for (std::size_t i = 1; i <= sizeof...(Fields); ++i)
    if (each[i] == asked) return true;
  return false;
}

template<class Layer, class P>
concept reads_words = detail::any_reading<Layer>(reading::word, fields_of<P>{});

// ---- descriptions that are complete at first sight ---------------------------------------------

struct no_op {
  constexpr void operator()(auto const&...) const {}
};

// Binding is what refuses an anonymous union: the compiler says so by itself, with the struct's
// name.
template<class P, std::size_t Members>
consteval bool can_be_bound() {
  if constexpr (bindable<Members>) {
    using bound [[maybe_unused]] = decltype(bind(size_c<Members>{}, std::declval<P&>(), no_op{}));
    return true;
  } else
    return !hides_union<P, Members>(fields_of<P>{});
}

// Throws where it becomes a class or a union that no field lists: an anonymous one.
template<class... Listed>
struct any_listed {
  template<class T>
  operator T() const
      noexcept(!(std::is_class_v<T> || std::is_union_v<T>) || (std::is_same_v<T, Listed> || ...));
};

template<class P, class Any, std::size_t... I>
consteval bool takes_without_throwing(index_sequence<I...>) {
  return requires {
    {
      P { (static_cast<void>(I), Any{})... }
    } noexcept;
  };
}

template<class T>
using is_class_q = mp::mp_bool<std::is_class_v<T> || std::is_union_v<T>>;

template<bool AllWords, class Types>
struct any_listed_of {
  using type = any_listed<>;
};
template<class Types>
struct any_listed_of<false, Types> {
  using type = mp::mp_rename<mp::mp_copy_if<Types, is_class_q>, any_listed>;
};

// With tags that nothing could be wrong with.
template<class Table>
consteval bool fields_are_sound() {
  if constexpr (!Table::tells)
    return false;
  else if constexpr (Table::facts.word_keys)
    return true;
  else if constexpr (Table::facts.sound_tags)
    return Table::fit();
  else
    return false;
}

// Different members of P itself, as many as there are, with tags that nothing could be wrong with:
// nothing is left to be checked. Else nothing is said yet.
template<class P>
consteval bool complete_at_sight() {
  if constexpr (!described<P> || !std::is_aggregate_v<P> || std::is_union_v<P>)
    return false;
  else if constexpr (!fields_are_sound<field_table<P>>())
    return false;
  else if constexpr (!field_table<P>::members_differ)
    return false;
  else {
    using table = field_table<P>;
    using listed = typename any_listed_of<table::facts.all_words, typename table::types>::type;
    using members = make_index_sequence<table::size>;
    constexpr bool quiet = takes_without_throwing<P, listed>(members{});
    // One question a branch: what stands behind || is instantiated all the same.
    if constexpr (takes<P>(make_index_sequence<table::size + 1>{}))
      return false;
    else if constexpr (takes_reference_behind<P>(members{}))
      return false;
    else if constexpr (quiet)
      return true;
    else if constexpr (!takes<P>(members{}))
      return false;
    else
      return can_be_bound<P, table::size>();
  }
}

}  // namespace layerkey::detail
