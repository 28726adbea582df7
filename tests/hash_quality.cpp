// How evenly the hash of a key spreads, over the option grids that compilers are tuned on.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using layerkey::affects, layerkey::field;

struct front : layerkey::layer<> {};
struct back : layerkey::layer<front> {};

enum class level : std::uint8_t { o0, o1, o2, o3 };

// As a tuner varies them: small numbers, powers of two, flags.
struct grid {
  std::int32_t tile_m = 0;
  std::int32_t tile_n = 0;
  std::int32_t tile_k = 0;
  std::int32_t unroll = 0;
  std::int64_t budget = 0;
  std::uint16_t stages = 0;
  level opt = level::o2;
  bool fast = false;
  bool debug = false;

  using layerkey_fields =
      layerkey::fields<field<&grid::tile_m, affects<back>>, field<&grid::tile_n, affects<back>>,
                       field<&grid::tile_k, affects<back>>, field<&grid::unroll, affects<front>>,
                       field<&grid::budget, affects<front>>, field<&grid::stages, affects<back>>,
                       field<&grid::opt, affects<front>>, field<&grid::fast, affects<front>>,
                       field<&grid::debug, affects<back>>>;
};
static_assert(layerkey::complete<grid>);

struct named {
  std::string entry;
  std::string cpu;
  std::int32_t number = 0;

  using layerkey_fields =
      layerkey::fields<field<&named::entry, affects<front>>, field<&named::cpu, affects<back>>,
                       field<&named::number, affects<back>>>;
};
static_assert(layerkey::complete<named>);

std::uint64_t hash(auto const& p) { return layerkey::key_hash<back>{}(p); }

// A hundred million with LAYERKEY_FULL=1, as many as take a moment otherwise.
std::size_t keys_in_grid() {
  char const* const full = std::getenv("LAYERKEY_FULL");
  return full != nullptr && std::string(full) == "1" ? 100'000'000 : 1'000'000;
}

// The n-th point of a grid with these sides; n counts through it.
struct point {
  std::size_t n;
  auto below(std::size_t side) {
    auto const digit = n % side;
    n /= side;
    return digit;
  }
};

grid numbers_at(std::size_t n) {
  point at{n};
  grid p;
  p.tile_m = static_cast<std::int32_t>(16 * at.below(16));
  p.tile_n = static_cast<std::int32_t>(16 * at.below(16));
  p.tile_k = static_cast<std::int32_t>(8 * at.below(16));
  p.stages = static_cast<std::uint16_t>(at.below(8));
  p.fast = at.below(2) != 0;
  p.opt = static_cast<level>(at.below(4));
  p.debug = at.below(2) != 0;
  p.unroll = static_cast<std::int32_t>(at.below(32));
  p.budget = static_cast<std::int64_t>(1000 * at.below(1000));
  return p;
}

grid powers_at(std::size_t n) {
  point at{n};
  grid p;
  p.tile_m = static_cast<std::int32_t>(std::uint32_t{1} << at.below(31));
  p.tile_n = static_cast<std::int32_t>(std::uint32_t{1} << at.below(31));
  p.tile_k = static_cast<std::int32_t>(std::uint32_t{1} << at.below(31));
  p.unroll = static_cast<std::int32_t>(std::uint32_t{1} << at.below(31));
  p.budget = std::int64_t{1} << at.below(62);
  p.stages = static_cast<std::uint16_t>(at.below(4));
  return p;
}

// Among `keys` values of 32 bits chosen by chance, about keys^2 / 2^33 pairs are equal. Their
// number has the spread of a Poisson distribution.
bool collide_as_by_chance(std::vector<std::uint32_t>& values) {
  std::sort(values.begin(), values.end());
  double pairs = 0;
  std::size_t run = 1;
  for (std::size_t i = 1; i <= values.size(); ++i)
    if (i != values.size() && values[i] == values[i - 1])
      ++run;
    else {
      pairs += static_cast<double>(run) * static_cast<double>(run - 1) / 2;
      run = 1;
    }
  auto const keys = static_cast<double>(values.size());
  double const expected = keys * (keys - 1) / 2 / 4294967296.0;
  CAPTURE(pairs, expected);
  CHECK(pairs <= expected + 6 * std::sqrt(expected) + 1);
  return pairs <= expected + 6 * std::sqrt(expected) + 1;
}

template<class At>
void check_grid(At at) {
  std::size_t const keys = keys_in_grid();
  std::vector<std::uint32_t> halves(keys);
  for (std::size_t i = 0; i != keys; ++i) halves[i] = static_cast<std::uint32_t>(hash(at(i)));
  INFO("low half");
  collide_as_by_chance(halves);
  for (std::size_t i = 0; i != keys; ++i) halves[i] = static_cast<std::uint32_t>(hash(at(i)) >> 32);
  INFO("high half");
  collide_as_by_chance(halves);
}

// How many bits of the hash change with one bit of the params, on average: half of them.
template<class P, class Make, class Flip>
void check_avalanche(unsigned bits, Make make, Flip flip) {
  std::mt19937_64 random(11);
  constexpr int samples = 4000;
  for (unsigned bit = 0; bit != bits; ++bit) {
    std::int64_t changed = 0;
    for (int i = 0; i != samples; ++i) {
      P p = make(random);
      auto const before = hash(p);
      flip(p, bit);
      changed += __builtin_popcountll(before ^ hash(p));
    }
    double const share = static_cast<double>(changed) / (64.0 * samples);
    CAPTURE(bit, share);
    CHECK(std::abs(share - 0.5) < 0.01);
  }
}

grid random_grid(std::mt19937_64& random) {
  grid p;
  p.tile_m = static_cast<std::int32_t>(random());
  p.tile_n = static_cast<std::int32_t>(random());
  p.tile_k = static_cast<std::int32_t>(random());
  p.unroll = static_cast<std::int32_t>(random());
  p.budget = static_cast<std::int64_t>(random());
  p.stages = static_cast<std::uint16_t>(random());
  p.opt = static_cast<level>(random() % 4);
  p.fast = random() % 2 != 0;
  p.debug = random() % 2 != 0;
  return p;
}

void flip_number(auto& member, unsigned bit) {
  using type = std::remove_reference_t<decltype(member)>;
  member = static_cast<type>(static_cast<std::uint64_t>(member) ^ std::uint64_t{1} << bit);
}

void flip_grid(grid& p, unsigned bit) {
  if (bit < 32) return flip_number(p.tile_m, bit);
  if (bit < 64) return flip_number(p.tile_n, bit - 32);
  if (bit < 96) return flip_number(p.tile_k, bit - 64);
  if (bit < 128) return flip_number(p.unroll, bit - 96);
  if (bit < 192) return flip_number(p.budget, bit - 128);
  if (bit < 208) return flip_number(p.stages, bit - 192);
  if (bit < 210) return flip_number(p.opt, bit - 208);
  if (bit == 210)
    p.fast = !p.fast;
  else
    p.debug = !p.debug;
}

}  // namespace

TEST_CASE("keys of a grid of numbers collide no more than chance") { check_grid(numbers_at); }

TEST_CASE("keys of a grid of powers of two collide no more than chance") { check_grid(powers_at); }

TEST_CASE("keys of numbered names collide no more than chance") {
  check_grid([](std::size_t n) {
    named p;
    p.entry = "kernel_" + std::to_string(n % 1000);
    p.cpu = "sm_" + std::to_string(n / 1000 % 1000);
    p.number = static_cast<std::int32_t>(n / 1'000'000);
    return p;
  });
}

TEST_CASE("each bit of a member changes half of the hash") {
  check_avalanche<grid>(212, random_grid, flip_grid);
}

TEST_CASE("each bit of a string changes half of the hash") {
  auto const size = GENERATE(1u, 3u, 4u, 7u, 8u, 9u, 15u, 16u, 17u, 33u);
  auto const make = [size](std::mt19937_64& random) {
    named p;
    for (unsigned i = 0; i != size; ++i) p.entry += static_cast<char>(random() & 0xff);
    p.cpu = "sm_90";
    p.number = static_cast<std::int32_t>(random());
    return p;
  };
  check_avalanche<named>(8 * size, make, [](named& p, unsigned bit) {
    p.entry[bit / 8] = static_cast<char>(p.entry[bit / 8] ^ 1 << bit % 8);
  });
}
