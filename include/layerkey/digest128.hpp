// 128 bits that name a schema. They tell schemas apart; no content is identified by them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layerkey {

struct digest128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend constexpr bool operator==(digest128 const&, digest128 const&) = default;
};

namespace detail {

// FNV-1a with 128 bits, by Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo (public domain):
// multiplies by the prime 2^88 + 2^8 + 0x3b after each byte.
struct fnv1a_128 {
  digest128 state = {0x6c62'272e'07bb'0142, 0x62b8'2175'6295'c58d};

  constexpr void put(unsigned char byte) {
    std::uint64_t const low = state.low ^ byte;
    std::uint64_t const first = (low & 0xffff'ffff) * 0x13b;
    std::uint64_t const second = (low >> 32) * 0x13b + (first >> 32);
    state.high = state.high * 0x13b + (second >> 32) + (low << 24);
    state.low = second << 32 | (first & 0xffff'ffff);
  }
};

}  // namespace detail
}  // namespace layerkey
