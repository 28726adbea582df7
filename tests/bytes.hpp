// A spy sink and hexadecimal text, for tests of encodings.
#pragma once

#include <layerkey/encoding.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace bytes {

// Takes down what an encoding is, and in how many pieces it came.
struct spy {
  std::string seen;
  int pieces = 0;

  void write(std::byte const* from, std::size_t count) {
    seen.append(reinterpret_cast<char const*>(from), count);
    ++pieces;
  }
};

inline std::string hex(std::string_view bytes) {
  constexpr char const* digits = "0123456789abcdef";
  std::string out;
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned>(c) & 0xff;
    if (!out.empty()) out += ' ';
    (out += digits[byte / 16]) += digits[byte % 16];
  }
  return out;
}

// Of a key or params: encode<Layer>(from, sink), or encode(key, sink).
template<class... Layer, class T>
std::string of(T const& from) {
  spy sink;
  layerkey::encode<Layer...>(from, sink);
  return std::move(sink.seen);
}

template<class T>
std::string of_value(T const& v) {
  spy sink;
  layerkey::encode_value(v, sink);
  return hex(sink.seen);
}

}  // namespace bytes
