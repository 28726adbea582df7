// What can be told of all fields of a struct at once: most structs list member pointers with simple
// tags, and then no field costs an instantiation of its own.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

// ---- words -------------------------------------------------------------------------------------

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

// In bits, of a member of type T; 0 if it is none that is read in place.
template<class T>
constexpr unsigned char word_width = 0;
template<class T>
  requires(!std::is_volatile_v<T> && read_in_place<std::remove_const_t<T>>)
constexpr unsigned char word_width<T> = bits_of<std::remove_const_t<T>>;

template<std::size_t Size>
struct unsigned_of_size;
template<>
struct unsigned_of_size<1> {
  using type = std::uint8_t;
};
template<>
struct unsigned_of_size<2> {
  using type = std::uint16_t;
};
template<>
struct unsigned_of_size<4> {
  using type = std::uint32_t;
};
template<>
struct unsigned_of_size<8> {
  using type = std::uint64_t;
};

// The number that takes the bits of a word.
template<class T, bool IsWord = word_width<T> != 0>
struct raw_word {
  using type = void;
};
template<class T>
struct raw_word<T, true> : unsigned_of_size<sizeof(T)> {};

// ---- tags --------------------------------------------------------------------------------------

enum class reading : unsigned char { none, word, other };

template<class Layer, class Tag>
constexpr bool tag_names = false;
template<class Layer, class Tag>
  requires requires { typename Tag::layer; }
constexpr bool tag_names<Layer, Tag> = std::is_same_v<typename Tag::layer, Layer>;

// What Layer reads of a field with these tags, if its member is a word.
template<class Layer, class Tags>
constexpr reading reading_by = reading::none;
template<class Layer, class... Tags>
constexpr reading reading_by<Layer, mp::mp_list<Tags...>> =
    (std::is_same_v<Tags, affects<Layer>> || ...) && !(is_modifier<Tags> || ...)   ? reading::word
    : (tag_names<Layer, Tags> || ...) || (std::is_same_v<Tags, per_member> || ...) ? reading::other
                                                                                   : reading::none;

enum class tagged : unsigned char { never_keyed, for_one_layer, for_layers, otherwise };

template<class Tag>
constexpr bool names_a_layer = false;
template<class Layer>
constexpr bool names_a_layer<affects<Layer>> = is_layer<Layer>;

template<class Tag, class... All>
constexpr bool stands_once = (std::size_t{0} + ... + std::is_same_v<Tag, All>) == 1;

template<class Tags>
constexpr tagged kind_of_tags = tagged::otherwise;
template<>
inline constexpr tagged kind_of_tags<mp::mp_list<runtime_only>> = tagged::never_keyed;
template<>
inline constexpr tagged kind_of_tags<mp::mp_list<check_only>> = tagged::never_keyed;
template<class Layer>
constexpr tagged kind_of_tags<mp::mp_list<affects<Layer>>> =
    is_layer<Layer> ? tagged::for_one_layer : tagged::otherwise;
template<class First, class Second, class... More>
constexpr tagged kind_of_tags<mp::mp_list<First, Second, More...>> =
    names_a_layer<First> && names_a_layer<Second> && (names_a_layer<More> && ...) &&
            stands_once<First, First, Second, More...> &&
            stands_once<Second, First, Second, More...> &&
            (stands_once<More, First, Second, More...> && ...)
        ? tagged::for_layers
        : tagged::otherwise;

// Of a member in no key nothing is asked: its type may be one that not even asking compiles for.
template<class T, bool IsKeyed>
constexpr bool fits_into_key = !IsKeyed;
template<class T>
constexpr bool fits_into_key<T, true> = !std::is_volatile_v<T> && keyable<std::remove_cv_t<T>>;

// ---- the table ---------------------------------------------------------------------------------

template<class T, std::size_t N>
struct field_row {
  T at[N];
};

template<auto Access, class Raw>
struct word_field {};

// The fields that are words, from such as are and others with `void` in place of the number.
template<bool All, class Fields>
struct word_fields {
  using type = Fields;
};
template<auto... Access, class... Raw>
struct word_fields<false, mp::mp_list<word_field<Access, Raw>...>> {
  using type =
      mp::mp_append<mp::mp_list<>, std::conditional_t<std::is_void_v<Raw>, mp::mp_list<>,
                                                      mp::mp_list<word_field<Access, Raw>>>...>;
};

// What follows from tags and widths alone.
struct table_facts {
  bool all_words = true;
  bool simple = true;      // no field has tags of several layers, or others
  bool word_keys = true;   // each member in a key is a word, with tags that cannot be wrong
  bool sound_tags = true;  // no field has tags that could be wrong
};

template<std::size_t N>
consteval table_facts facts_of(tagged const (&tags)[N], unsigned char const (&width)[N]) {
  table_facts facts;
  for (std::size_t i = 0; i != N; ++i) {
    if (tags[i] > tagged::for_one_layer) facts.simple = false;
    if (tags[i] == tagged::otherwise) facts.word_keys = facts.sound_tags = false;
    if (width[i] == 0) {
      facts.all_words = false;
      if (tags[i] != tagged::never_keyed) facts.word_keys = false;
    }
  }
  return facts;
}

template<std::size_t N>
consteval bool all_of(bool const (&each)[N]) {
  for (bool is : each)
    if (!is) return false;
  return true;
}

// By the widths of the members: one member has one type.
template<std::size_t N>
consteval bool all_differ(void const volatile* const (&at)[N], unsigned char const (&width)[N]) {
  if (N > 512) return false;
  unsigned short first[65] =
      {};  // by width: one more than the last field, and from each to another
  unsigned short next[N] = {};
  for (std::size_t i = 0; i != N; ++i) {
    for (std::size_t j = first[width[i]]; j != 0; j = next[j - 1])
      if (at[i] == at[j - 1]) return false;
    next[i] = first[width[i]];
    first[width[i]] = static_cast<unsigned short>(i + 1);
  }
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

template<class P, class Accesses, class Tags, class Types>
struct field_table_over;

template<class P, auto... Access, class... Tags, class... T>
struct field_table_over<P, path<Access...>, mp::mp_list<Tags...>, mp::mp_list<T...>> {
  static constexpr bool tells = true;
  static constexpr std::size_t size = sizeof...(T);
  using types = mp::mp_list<T...>;

  static constexpr unsigned char width[] = {word_width<T>...};
  static constexpr tagged tags[] = {kind_of_tags<Tags>...};
  static constexpr table_facts facts = facts_of(tags, width);

  // What a layer reads: of simple tags, whether it does.
  template<class Layer>
  static constexpr bool is_named_by[] = {__is_same(Tags, mp::mp_list<affects<Layer>>)...};
  template<class Layer>
  static constexpr reading reading_by[] = {detail::reading_by<Layer, Tags>...};

  // The members that are words, each with the number that takes its bits.
  using words =
      typename word_fields<facts.all_words,
                           mp::mp_list<word_field<Access, typename raw_word<T>::type>...>>::type;
  static constexpr std::size_t word_count = mp::mp_size<words>::value;

  static consteval bool fit() {
    bool const each[] = {fits_into_key < T, kind_of_tags<Tags> != tagged::never_keyed > ...};
    return all_of(each);
  }
  static consteval bool differ() {
    void const volatile* const at[] = {__builtin_addressof(phantom<P>::object.*Access)...};
    return all_differ(at, width);
  }
  static constexpr bool members_differ = differ();
};

template<class P, class... T>
mp::mp_list<T...> types_of_members(T P::*...);

// Of a list that holds an accessor, a refinement or a member of another struct, nothing is told.
template<class P, class Fields = typename describe<P>::fields>
struct field_table {
  static constexpr bool tells = false;
};

template<class P, auto... Access, class... Tags>
  requires(sizeof...(Access) != 0 && requires { detail::types_of_members<P>(Access...); })
struct field_table<P, fields<field_of<Access, Tags>...>>
    : field_table_over<P, path<Access...>, mp::mp_list<Tags...>,
                       decltype(detail::types_of_members<P>(Access...))> {};

}  // namespace layerkey::detail
