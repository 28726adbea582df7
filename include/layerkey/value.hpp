// How a value enters a key: the customisation point, and the values that every compiler has.
#pragma once

#include <layerkey/content_digest.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey {

// Specialise it so that values of T can be in a key, in an input or in an artifact that is
// compared:
//
//   template<> struct layerkey::value<semver> {
//     static constexpr layerkey::text kind = "semver/1";  // changes when the form below changes
//     template<class Sink> static constexpr void write(Sink& sink, semver const& v) {
//       layerkey::write(sink, v.major);
//       layerkey::write(sink, v.minor);
//     }
//   };
//
// Promise: two values write the same exactly when they are the same to every stage, and no value
// writes a beginning of what another writes; write the size before the elements of anything of
// variable length. Values that are the same make the same calls of a sink, but may cut a run of
// bytes into any pieces: the hash hears the calls. A sink has `template<unsigned Bits>
// put(std::uint64_t)` and `bytes(char const*, std::size_t)`. A value that always writes the same
// widths may say so by `atoms` (how many) and
// `shape`, as those below do, and is then packed into words; else it goes into the key's tail.
//
// For keys that are stored, a value may say more; all of it is optional:
//
//   using form = layerkey::forms::all<int, int>;     // what write() writes, to find it in a key
//   static constexpr std::uint64_t extents[] = {3};  // numbers that belong to the type
//   template<class Source> static semver read(Source& from);  // by layerkey::read
//   static constexpr bool process_bound = true;      // means nothing outside this process
//
// A key with values of variable size can be encoded where each has a form or a read(), which says
// where it ends; to_text prints what read() gives.
template<class T>
struct value {};

// What value<T>::form may say, in terms of other values.
namespace forms {

template<class... T>
struct all {};  // each of them, in this order

template<class T, std::size_t N>
struct times {};  // N of them

template<class T>
struct sequence {};  // their number in 64 bits, then each

struct characters {};  // their number in 64 bits, then their bytes

template<class T>
struct maybe {};  // one bit, then the value if it is 1

template<class... T>
struct one_of {};  // the number of the alternative in 16 bits, then its value

struct atoms {};  // the words that `shape` names, never one skipped: what `atoms` means by itself

}  // namespace forms

namespace detail {

template<class T>
concept word_like = std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, float> ||
                    std::is_same_v<T, double> || std::is_same_v<T, std::byte>;

template<class T>
concept keyable = requires { value<T>::kind; };

// Always the same number of words, at places known at compile time.
template<class T>
concept fixed_size = keyable<T> && requires { value<T>::atoms; };

template<class... T>
concept all_keyable = (keyable<T> && ...);

template<class... T>
concept all_fixed_size = all_keyable<T...> && (fixed_size<T> && ...);

// Refers to what something else owns.
template<class T>
constexpr bool borrows = requires { value<T>::borrows; };

template<template<class...> class Holder, class... T>
constexpr bool borrows<Holder<T...>> =
    requires { value<Holder<T...>>::borrows; } || (borrows<T> || ...);

template<class T>
constexpr unsigned bits_of = std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);

template<class T>
LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t to_word(T v) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(std::uint32_t, v);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_bit_cast(std::uint64_t, v);
  else if constexpr (std::is_same_v<T, bool>)
    return v;
  else if constexpr (std::is_enum_v<T>)
    return to_word(static_cast<std::underlying_type_t<T>>(v));
  else
    return static_cast<std::make_unsigned_t<T>>(v);
}

template<class T>
constexpr T from_word(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(word));
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_bit_cast(double, word);
  else
    return static_cast<T>(word);
}

// Eight characters as one little-endian word, whatever the machine.
constexpr std::uint64_t word_of_characters(char const* from, std::size_t count) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i != count; ++i)
    word |= std::uint64_t{static_cast<unsigned char>(from[i])} << 8 * i;
  return word;
}

// Takes down the widths of a value's words, in the order in which write() puts them.
struct shape_writer {
  unsigned char* out;
  constexpr void put(unsigned bits) { *out++ = static_cast<unsigned char>(bits); }
};

}  // namespace detail

// Writes a value into a sink, in the form that its value<T> gives it.
template<class Sink, class T>
LAYERKEY_ALWAYS_INLINE constexpr void write(Sink& sink, T const& v) {
  static_assert(detail::keyable<T>, "layerkey: specialise layerkey::value for this type.");
  if constexpr (detail::keyable<T>) value<T>::write(sink, v);
}

// Reads from a key what write() has put there; views come back as values that own.
template<class T, class Source>
  requires requires(Source& from) { value<T>::read(from); }
constexpr auto read(Source& from) {
  return value<T>::read(from);
}

namespace detail {

template<class T, class Source>
using read_type = decltype(layerkey::read<T>(std::declval<Source&>()));

}  // namespace detail

// Numbers, truth values and enumerations by representation: -0.0 and 0.0 differ, a NaN equals
// itself.
template<detail::word_like T>
struct value<T> {
  static constexpr text kind = "scalar";
  static constexpr bool is_one_word = true;
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { to.put(detail::bits_of<T>); }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, T v) {
    sink.template put<detail::bits_of<T>>(detail::to_word(v));
  }
  template<class Source>
  static constexpr T read(Source& from) {
    return detail::from_word<T>(from.template get<detail::bits_of<T>>());
  }
};

template<std::size_t N>
struct value<inline_text<N>> {
  static constexpr text kind = "inline_text";
  static constexpr std::uint64_t extents[] = {N};
  static constexpr std::size_t words = (N + 8) / 8;  // of N characters and the zero
  static constexpr std::size_t atoms = words + 1;
  static constexpr void shape(detail::shape_writer& to) {
    for (std::size_t i = 0; i != words; ++i) to.put(64);
    to.put(16);
  }

  // Also the characters behind the text, which are zero: where someone has set `length` alone they
  // are not, and a stage can read them.
  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, inline_text<N> const& v) {
    for (std::size_t i = 0; i != words; ++i)
      sink.template put<64>(
          detail::word_of_characters(v.chars + 8 * i, i + 1 != words ? 8 : N + 1 - 8 * i));
    sink.template put<16>(v.length);
  }

  template<class Source>
  static constexpr inline_text<N> read(Source& from) {
    inline_text<N> v;
    for (std::size_t i = 0; i != words; ++i) {
      auto const word = from.template get<64>();
      for (std::size_t j = 0; j != 8 && 8 * i + j != N + 1; ++j)
        v.chars[8 * i + j] = static_cast<char>(word >> 8 * j & 0xff);
    }
    v.length = static_cast<unsigned short>(from.template get<16>());
    return v;
  }
};

template<>
struct value<content_digest> {
  static constexpr text kind = "content_digest";
  static constexpr std::size_t atoms = 6;
  static constexpr void shape(detail::shape_writer& to) {
    for (int i = 0; i != 5; ++i) to.put(64);
    to.put(8);
  }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, content_digest const& v) {
    for (std::size_t i = 0; i != 4; ++i) {
      std::uint64_t word = 0;
      for (std::size_t j = 0; j != 8; ++j) word |= std::uint64_t{v.bytes[8 * i + j]} << 8 * j;
      sink.template put<64>(word);
    }
    sink.template put<64>(v.size);
    sink.template put<8>(static_cast<std::uint8_t>(v.algorithm));
  }

  template<class Source>
  static constexpr content_digest read(Source& from) {
    content_digest v;
    for (std::size_t i = 0; i != 4; ++i) {
      auto const word = from.template get<64>();
      for (std::size_t j = 0; j != 8; ++j)
        v.bytes[8 * i + j] = static_cast<std::uint8_t>(word >> 8 * j & 0xff);
    }
    v.size = from.template get<64>();
    v.algorithm = static_cast<digest_algorithm>(from.template get<8>());
    return v;
  }
};

}  // namespace layerkey
