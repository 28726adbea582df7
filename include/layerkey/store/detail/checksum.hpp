// XXH3 with 128 bits, with the widest vectors that the processor has.
#pragma once

#include <layerkey/digest128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

#define XXH_STATIC_LINKING_ONLY  // for states that are no allocations
#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

namespace layerkey::detail {

inline digest128 checksum_of(char const* from, std::size_t size) {
  auto const sum = XXH3_128bits(from, size);
  return {sum.high64, sum.low64};
}

// Copies, and makes the checksum of all of the copy but its first `skipped` bytes on the way, while
// each piece is at hand. Calls nothing but C, and nothing that has to be undone.
inline digest128 copy_and_sum(char* to, char const* from, std::size_t size, std::size_t skipped) {
  constexpr std::size_t piece = std::size_t{1} << 13;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (std::size_t at = 0; at != size;) {
    std::size_t const now = std::min(piece, size - at);
    std::memcpy(to + at, from + at, now);
    // Memory shall not wait until the checksum of this piece is made.
    std::size_t const ahead = std::min(piece, size - at - now);
    for (std::size_t i = 0; i < ahead; i += 64) __builtin_prefetch(from + at + now + i);
    std::size_t const left_out = std::min(now, skipped);
    skipped -= left_out;
    XXH3_128bits_update(&state, to + at + left_out, now - left_out);
    at += now;
  }
  auto const sum = XXH3_128bits_digest(&state);
  return {sum.high64, sum.low64};
}

}  // namespace layerkey::detail
