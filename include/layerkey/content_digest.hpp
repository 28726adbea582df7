// The identity of large content: which algorithm, 256 bits, and the length.
#pragma once

#include <cstddef>
#include <cstdint>

namespace layerkey {

enum class digest_algorithm : std::uint8_t {
  none,         // no content: what a default-constructed content_digest says
  blake2b_256,  // RFC 7693, 32-byte output
  blake3,       // the BLAKE3 specification, default 32-byte output
  sha_256,      // FIPS 180-4
};

// Stands for content of any size. A 256-bit cryptographic digest with its length is taken as
// identity; no shorter hash ever is. Digests of different algorithms are never equal. Structural,
// so that a params struct may hold one and still be a template argument.
struct content_digest {
  digest_algorithm algorithm = digest_algorithm::none;
  std::uint8_t bytes[32] = {};
  std::uint64_t size = 0;  // of the content, in bytes

  friend constexpr bool operator==(content_digest const&, content_digest const&) = default;

  explicit constexpr operator bool() const { return algorithm != digest_algorithm::none; }
};

}  // namespace layerkey
