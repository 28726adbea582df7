// The hash over canonical words and bytes. Its values are private to the process: nothing may store
// them.
#pragma once

#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/light_mp11.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

__extension__ typedef unsigned __int128 uint128;

constexpr bool is_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

constexpr std::uint64_t hash_seed = 0x9e37'79b9'7f4a'7c15;

// From wyhash (Wang Yi, public domain).
constexpr std::uint64_t hash_odd_1 = 0xe703'7ed1'a0b4'28db;
constexpr std::uint64_t hash_odd_2 = 0x8ebc'6af0'9c88'c6e3;

// Folds the product of two words.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  auto const product = static_cast<uint128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

struct lanes {
  std::uint64_t a;
  std::uint64_t b = hash_odd_1;

  // Two words a multiplication, in lanes that do not wait for each other.
  LAYERKEY_ALWAYS_INLINE constexpr void take(std::uint64_t const* at) {
    a = fold(at[0] ^ a, at[1] ^ hash_odd_1);
    b = fold(at[2] ^ b, at[3] ^ hash_odd_2);
  }
};

// Without a loop where there are few: clang would keep them in memory until late.
template<std::size_t... I>
LAYERKEY_ALWAYS_INLINE constexpr void take_fours(lanes& to, std::uint64_t const* at,
                                                 index_sequence<I...>) {
  (to.take(at + 4 * I), ...);
}

template<std::size_t N>
LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t hash_words(std::uint64_t const (&at)[N],
                                                          std::uint64_t state) {
  lanes to{state};
  if constexpr (N <= 32)
    take_fours(to, at, make_index_sequence<N / 4>{});
  else
    for (std::size_t i = 0; i + 4 <= N; i += 4) to.take(at + i);
  if constexpr (N % 4 >= 2) to.a = fold(at[N / 4 * 4] ^ to.a, at[N / 4 * 4 + 1] ^ hash_odd_1);
  if constexpr (N % 2 != 0) to.b = fold(at[N - 1] ^ to.b, hash_odd_2);
  return fold(to.a ^ to.b, hash_seed ^ N);
}

// ---- bytes -------------------------------------------------------------------------------------

template<class Word>
LAYERKEY_ALWAYS_INLINE constexpr Word in_little_endian(Word word) {
  if constexpr (is_little_endian || sizeof(Word) == 1)
    return word;
  else if constexpr (sizeof(Word) == 2)
    return __builtin_bswap16(word);
  else if constexpr (sizeof(Word) == 4)
    return __builtin_bswap32(word);
  else
    return __builtin_bswap64(word);
}

// The same number on every machine and in constant expressions.
template<class Word>
LAYERKEY_ALWAYS_INLINE constexpr Word load(unsigned char const* from) {
  Word word = 0;
  if (!std::is_constant_evaluated() && is_little_endian)
    __builtin_memcpy(&word, from, sizeof word);
  else
    for (std::size_t i = 0; i != sizeof word; ++i)
      word = static_cast<Word>(word | static_cast<Word>(from[i]) << 8 * i);
  return word;
}

template<class Word>
LAYERKEY_ALWAYS_INLINE constexpr void save(unsigned char* to, Word word) {
  if (!std::is_constant_evaluated() && is_little_endian)
    __builtin_memcpy(to, &word, sizeof word);
  else
    for (std::size_t i = 0; i != sizeof word; ++i)
      to[i] = static_cast<unsigned char>(word >> 8 * i);
}

}  // namespace layerkey::detail
