// Entries for tests: right ones, and any others, put together apart from the library.
#pragma once

#include <layerkey/cache/artifact_store.hpp>
#include <layerkey/store/entry_format.hpp>

#include <sodium.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace store_test {

inline std::string number(std::uint64_t n, unsigned bytes) {
  std::string out;
  for (unsigned i = 0; i != bytes; ++i) out += static_cast<char>(n >> 8 * i & 0xff);
  return out;
}

inline std::string sized(std::string_view bytes, unsigned width) {
  return number(bytes.size(), width).append(bytes);
}

inline std::string from_hex(std::string_view hex) {
  auto const digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return out;
}

// A canonical encoding of one own key with one byte of members.
inline std::string canonical_key(std::string_view layer = "codegen", char fingerprint = 0,
                                 char member = '\x5a') {
  std::string out = "lkey\x01" + sized(layer, 8) + number(1, 2);
  for (char i = 0; i != 16; ++i) out += static_cast<char>(fingerprint + i);
  out += '\x02';
  out += member;
  return out + number(out.size(), 8);
}

// An entry, part by part.
struct raw_entry {
  std::string magic = "lkentry\x01";
  std::optional<std::uint64_t> length;
  unsigned char flags = 0;
  std::uint32_t variant = 3;
  std::string layer = "codegen";
  std::string kind = "object_code/1";
  std::string provenance = "clang=19.1.7";
  std::string made_by = "emit";
  std::string canonical = canonical_key();
  std::optional<std::uint64_t> size;
  std::string stored = "machine code";
  std::string behind;  // after the content, before the tag

  std::string bytes(std::string_view key = {}) const {
    std::string body = number(flags, 1) + number(variant, 4) + sized(layer, 2) + sized(kind, 2) +
                       sized(provenance, 4) + sized(made_by, 4) + sized(canonical, 4) +
                       number(size.value_or(stored.size()), 8) + sized(stored, 8) + behind;
    return sealed(body, key);
  }

  // Any body as an entry of the right length and checksum, and with a tag if there is a key.
  std::string sealed(std::string const& body, std::string_view key = {}) const {
    XXH128_canonical_t checksum;
    XXH128_canonicalFromHash(&checksum, XXH3_128bits(body.data(), body.size()));
    std::string out = magic + number(length.value_or(32 + body.size() + (key.empty() ? 0 : 32)), 8);
    out.append(reinterpret_cast<char const*>(checksum.digest), 16) += body;
    if (key.empty()) return out;
    unsigned char tag[32];
    crypto_generichash(tag, sizeof tag, reinterpret_cast<unsigned char const*>(out.data()),
                       out.size(), reinterpret_cast<unsigned char const*>(key.data()), key.size());
    return out.append(reinterpret_cast<char const*>(tag), sizeof tag);
  }

  layerkey::entry_heading heading() const {
    return {.layer = layer,
            .provenance = provenance,
            .made_by = made_by,
            .canonical = canonical,
            .kind = kind,
            .variant = variant};
  }
  layerkey::store_key key() const {
    return {.layer = layer,
            .canonical = canonical,
            .made_by = made_by,
            .kind = kind,
            .variant = variant};
  }
};

inline constexpr std::string_view secret_text = "a secret of twenty-six char";

inline std::string_view bytes_of(layerkey::secret_key const& key) {
  return {reinterpret_cast<char const*>(key.bytes().data()), key.bytes().size()};
}

}  // namespace store_test
