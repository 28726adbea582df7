// What can be told from a field's tags at once, without its description as a member: most fields
// are plain, and what is said here is all that they cost.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/hidden_union.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <type_traits>

namespace layerkey::detail {

// ---- what a layer reads of a field -------------------------------------------------------------

// Not an enumeration with a value<T> of its own.
template<class T>
concept is_one_word = word_like<T> && requires { value<T>::is_one_word; };

// Clang looks into no enumeration over bool.
template<class T>
constexpr bool is_enum_over_bool = false;
template<class T>
  requires std::is_enum_v<T>
constexpr bool is_enum_over_bool<T> = std::is_same_v<std::underlying_type_t<T>, bool>;

// A word that one expression takes out of the member.
template<class T>
concept read_in_place = is_one_word<T> && !is_enum_over_bool<T>;

// Asked by the type of the member pointer, and below by the list of tags: few are different.
template<class Access>
constexpr bool points_to_word = false;
template<class P, class T>
constexpr bool points_to_word<T P::* const> = read_in_place<std::remove_cv_t<T>>;

enum class reading : unsigned char { none, word, other };

template<class Layer, class Tag>
constexpr bool tag_names = false;
template<class Layer, class Tag>
  requires requires { typename Tag::layer; }
constexpr bool tag_names<Layer, Tag> = std::is_same_v<typename Tag::layer, Layer>;

template<class Layer, class Tags, bool PointsToWord>
constexpr reading reading_by = reading::none;
template<class Layer, class... Tags, bool PointsToWord>
constexpr reading reading_by<Layer, mp::mp_list<Tags...>, PointsToWord> =
    PointsToWord && (std::is_same_v<Tags, affects<Layer>> || ...) && !(is_modifier<Tags> || ...)
        ? reading::word
    : (tag_names<Layer, Tags> || ...) || (std::is_same_v<Tags, per_member> || ...) ? reading::other
                                                                                   : reading::none;

template<class Layer, class... Fields>
consteval bool any_reading(reading asked, mp::mp_list<Fields...>) {
  reading const each[] = {
      reading::none,
      reading_by<Layer, typename Fields::tags, points_to_word<decltype(Fields::access)>>...};
  for (std::size_t i = 1; i <= sizeof...(Fields); ++i)
    if (each[i] == asked) return true;
  return false;
}

template<class Layer, class P>
concept reads_words = detail::any_reading<Layer>(reading::word, fields_of<P>{});

// ---- descriptions that are complete at first sight ---------------------------------------------

template<class Tag>
constexpr bool names_a_layer = false;
template<class Layer>
constexpr bool names_a_layer<affects<Layer>> = is_layer<Layer>;

template<class Tag, class... All>
constexpr bool stands_once = (std::size_t{0} + ... + std::is_same_v<Tag, All>) == 1;

template<class Tags>
constexpr bool never_keyed = false;
template<>
inline constexpr bool never_keyed<mp::mp_list<runtime_only>> = true;
template<>
inline constexpr bool never_keyed<mp::mp_list<check_only>> = true;

template<class Tags>
constexpr bool all_name_layers = false;
template<class... Tags>
constexpr bool all_name_layers<mp::mp_list<Tags...>> =
    (names_a_layer<Tags> && ...) && (stands_once<Tags, Tags...> && ...);

template<class P, class Access>
constexpr bool points_into = false;
template<class P, class T>
constexpr bool points_into<P, T P::* const> = true;

// Of a member in no key nothing is asked: its type may be one that not even asking compiles for.
template<class Access, bool IsKeyed>
constexpr bool fits_into_key = !IsKeyed;
template<class P, class T>
constexpr bool fits_into_key<T P::* const, true> = keyable<std::remove_cv_t<T>>;
template<class P, class T>
constexpr bool fits_into_key<T volatile P::* const, true> = false;

template<std::size_t N>
consteval bool all_of(bool const (&each)[N]) {
  for (bool is : each)
    if (!is) return false;
  return true;
}

// Room for a P that is never made: only the addresses of its members are taken, and only at compile
// time.
template<class P>
union room {
  char nothing;
  P object;
  constexpr room() : nothing() {}
  constexpr ~room() {}
};

template<class P>
struct phantom {
  static constexpr room<P> empty{};
  static constexpr P const& object = empty.object;
};

template<class P, class... Fields>
consteval bool all_differ(mp::mp_list<Fields...>) {
  void const volatile* const at[] = {__builtin_addressof(phantom<P>::object.*Fields::access)...};
  for (std::size_t i = 1; i < sizeof...(Fields); ++i)
    for (std::size_t j = 0; j != i; ++j)
      if (at[i] == at[j]) return false;
  return true;
}

struct no_op {
  constexpr void operator()(auto const&...) const {}
};

// Binding is what refuses an anonymous union: the compiler says so by itself, with the struct's
// name.
template<class P, std::size_t Members>
consteval bool can_be_bound() {
  if constexpr (Members <= most_bindings) {
    using bound [[maybe_unused]] = decltype(bind(size_c<Members>{}, std::declval<P&>(), no_op{}));
    return true;
  } else
    return !hides_union<P, Members>(fields_of<P>{});
}

// Different members of P itself, as many as there are, with tags that nothing could be wrong with:
// nothing is left to be checked. Else nothing is said yet.
template<class P, class... Fields>
consteval bool complete_at_sight(mp::mp_list<Fields...> list) {
  constexpr auto count = sizeof...(Fields);
  if constexpr (count == 0 || count > 512 || !std::is_aggregate_v<P> || refines<P>)
    return false;
  else if constexpr (constexpr bool plain[] =
                         {points_into<P, decltype(Fields::access)> &&
                          (never_keyed<typename Fields::tags> ||
                           all_name_layers<typename Fields::tags>) &&
                          fits_into_key<decltype(Fields::access),
                                        !never_keyed<typename Fields::tags>>...};
                     !all_of(plain))
    return false;
  else if constexpr (!detail::all_differ<P>(decltype(list){}))
    return false;
  else if constexpr (!takes<P>(std::make_index_sequence<count>{}))
    return false;
  else if constexpr (takes<P>(std::make_index_sequence<count + 1>{}) ||
                     takes_reference_behind<P>(std::make_index_sequence<count>{}))
    return false;
  else
    return can_be_bound<P, count>();
}

}  // namespace layerkey::detail
