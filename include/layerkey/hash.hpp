// The hash over canonical words. Its values are private to the process: nothing may store them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

__extension__ typedef unsigned __int128 uint128;

constexpr std::uint64_t hash_seed = 0x9e37'79b9'7f4a'7c15;

// Folds the product of two 64-bit words; the multiplier is from wyhash (Wang Yi, public domain).
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  auto const product = static_cast<uint128>(state ^ word) * 0xe703'7ed1'a0b4'28db;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t hash_words(std::uint64_t const* words, std::size_t count,
                                   std::uint64_t state) {
  for (std::size_t i = 0; i != count; ++i) state = mix(state, words[i]);
  return state;
}

constexpr std::uint64_t load_word(unsigned char const* from, std::size_t count) {
  std::uint64_t word = 0;
  if (count == 8 && !std::is_constant_evaluated())
    __builtin_memcpy(&word, from, 8);
  else
    for (std::size_t i = 0; i != count; ++i) word |= std::uint64_t{from[i]} << 8 * i;
  return word;
}

constexpr std::uint64_t hash_bytes(unsigned char const* bytes, std::size_t count,
                                   std::uint64_t state) {
  state = mix(state, count);
  for (; count >= 8; bytes += 8, count -= 8) state = mix(state, load_word(bytes, 8));
  return count == 0 ? state : mix(state, load_word(bytes, count));
}

}  // namespace layerkey::detail
