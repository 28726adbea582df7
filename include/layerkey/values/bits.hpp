// Bit sets in keys.
#pragma once

#include <layerkey/value.hpp>

#include <bitset>

namespace layerkey {

template<std::size_t N>
struct value<std::bitset<N>> {
  static constexpr text kind = "bitset";
  static constexpr std::uint64_t extents[] = {N};
  static constexpr std::size_t atoms = (N + 63) / 64;
  static constexpr void shape(detail::shape_writer& to) {
    for (std::size_t i = 0; i != atoms; ++i) to.put(64);
  }

  template<class Sink>
  static void write(Sink& sink, std::bitset<N> const& v) {
    for (std::size_t i = 0; i != atoms; ++i) {
      std::uint64_t word = 0;
      for (std::size_t bit = 64 * i; bit < N && bit < 64 * (i + 1); ++bit)
        word |= std::uint64_t{v[bit]} << bit % 64;
      sink.template put<64>(word);
    }
  }
  template<class Source>
  static std::bitset<N> read(Source& from) {
    std::bitset<N> v;
    for (std::size_t i = 0; i != atoms; ++i) {
      auto const word = from.template get<64>();
      for (std::size_t bit = 64 * i; bit < N && bit < 64 * (i + 1); ++bit)
        v[bit] = (word >> bit % 64 & 1) != 0;
    }
    return v;
  }

  template<class Printer>
  static void print(Printer& to, std::bitset<N> const& v) {
    to.text(v.to_string());
  }
};

}  // namespace layerkey
