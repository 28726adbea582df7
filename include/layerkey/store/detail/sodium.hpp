// libsodium, made ready once; BLAKE2b of pieces.
#pragma once

#include <sodium.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace layerkey::detail {

// Without it libsodium works too, but takes the slow way.
inline void prepare_sodium() {
  static bool const ready = sodium_init() >= 0;
  static_cast<void>(ready);
}

// BLAKE2b with 32 bytes.
class blake2b {
 public:
  using digest = std::array<unsigned char, 32>;

  blake2b() : blake2b(nullptr, 0) {}
  explicit blake2b(std::string_view key)
      : blake2b(reinterpret_cast<unsigned char const*>(key.data()), key.size()) {}
  explicit blake2b(digest const& key) : blake2b(key.data(), key.size()) {}
  blake2b(blake2b const&) = delete;
  blake2b& operator=(blake2b const&) = delete;
  ~blake2b() {
    if (keyed_) sodium_memzero(&state_, sizeof state_);
  }

  blake2b& add(std::string_view bytes) {
    crypto_generichash_update(&state_, reinterpret_cast<unsigned char const*>(bytes.data()),
                              bytes.size());
    return *this;
  }
  blake2b& add(digest const& bytes) {
    crypto_generichash_update(&state_, bytes.data(), bytes.size());
    return *this;
  }
  // Lowest byte first.
  blake2b& add(std::uint64_t number, std::size_t bytes) {
    unsigned char out[8];
    for (std::size_t i = 0; i != bytes; ++i)
      out[i] = static_cast<unsigned char>(number >> 8 * i & 0xff);
    crypto_generichash_update(&state_, out, bytes);
    return *this;
  }
  blake2b& add_sized(std::string_view bytes) { return add(bytes.size(), 8).add(bytes); }

  digest end() {
    digest out;
    crypto_generichash_final(&state_, out.data(), out.size());
    return out;
  }

 private:
  blake2b(unsigned char const* key, std::size_t size) : keyed_(size != 0) {
    prepare_sodium();
    crypto_generichash_init(&state_, key, size, sizeof(digest));
  }

  crypto_generichash_state state_;
  bool keyed_;
};

}  // namespace layerkey::detail
