// Numbers as Python's random.Random(seed) gives them, so that a workload which was generated there
// is the same here. Checked against Python's own in tests/julia_keys.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace julia {

class python_random {
 public:
  // Of one word; Python takes larger seeds too.
  explicit python_random(std::uint32_t seed) {
    by_array state{seed};
    twister_.seed(state);
  }

  // random.random(): 53 bits, from 0 up to 1.
  double random() {
    auto const a = next() >> 5, b = next() >> 6;
    return (a * 67108864.0 + b) / 9007199254740992.0;
  }

  // random.randrange(n), for n from 1.
  std::uint32_t randrange(std::uint32_t n) {
    int const bits = static_cast<int>(std::bit_width(n));
    std::uint32_t r = n;
    while (r >= n) r = next() >> (32 - bits);
    return r;
  }

  // random.choice(of)
  template<class T, std::size_t N>
  T choice(std::array<T, N> const& of) {
    return of[randrange(N)];
  }

  // random.paretovariate(alpha)
  double paretovariate(double alpha) { return std::pow(1.0 - random(), -1.0 / alpha); }

 private:
  // What std::mersenne_twister_engine asks a seed sequence for is its whole state, so that this can
  // be the init_by_array of the Twister's authors, which Python seeds with.
  struct by_array {
    using result_type = std::uint32_t;

    std::uint32_t key;

    template<class Iterator>
    void generate(Iterator begin, Iterator end) const {
      std::size_t const n = static_cast<std::size_t>(end - begin);
      auto const mixed = [&begin](std::size_t i, std::uint32_t factor) {
        std::uint32_t const last = begin[i - 1];
        return static_cast<std::uint32_t>(begin[i] ^ ((last ^ (last >> 30)) * factor));
      };
      begin[0] = 19650218U;
      for (std::size_t i = 1; i != n; ++i) {
        std::uint32_t const last = begin[i - 1];
        begin[i] = static_cast<std::uint32_t>(1812433253U * (last ^ (last >> 30)) + i);
      }
      std::size_t i = 1;
      auto const step = [&] {
        if (++i != n) return;
        begin[0] = begin[n - 1];
        i = 1;
      };
      for (std::size_t k = 0; k != n; ++k) {
        begin[i] = mixed(i, 1664525U) + key;
        step();
      }
      for (std::size_t k = 0; k != n - 1; ++k) {
        begin[i] = static_cast<std::uint32_t>(mixed(i, 1566083941U) - i);
        step();
      }
      begin[0] = 0x8000'0000U;
    }
  };

  std::uint32_t next() { return static_cast<std::uint32_t>(twister_()); }

  std::mt19937 twister_;
};

}  // namespace julia
