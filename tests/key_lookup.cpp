// Params, views and sealed params as lookup arguments: the hash and the comparison of a key,
// without a key and without an allocation.
#include <layerkey/layerkey.hpp>
#include <layerkey/sealed.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include "cache/allocations.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <unordered_map>
#include <vector>

namespace {

using layerkey::affects, layerkey::field;

struct front : layerkey::layer<> {};
struct back : layerkey::layer<front> {};

struct params {
  int level = 2;
  std::string entry = "main";
  std::vector<std::string> features = {};
  std::optional<int> limit = std::nullopt;
  bool fast = false;

  using layerkey_fields =
      layerkey::fields<field<&params::level, affects<front>>, field<&params::entry, affects<front>>,
                       field<&params::features, affects<back>>,
                       field<&params::limit, affects<back>>, field<&params::fast, affects<back>>>;
};
static_assert(layerkey::complete<params>);

constexpr layerkey::key_hash<back> hash;
constexpr layerkey::key_equal<back> equal;

// Texts of all lengths that the hash treats apart, alone and as elements.
std::vector<params> samples() {
  std::vector<params> all;
  for (std::size_t size :
       {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 32u, 33u, 100u}) {
    params p;
    p.entry.assign(size, 'e');
    all.push_back(p);
    p.features = {p.entry, "+x"};
    all.push_back(p);
    p.limit = static_cast<int>(size);
    p.fast = true;
    all.push_back(p);
    if (size == 0) continue;
    p.entry.back() = 'E';
    all.push_back(p);
    p.features.front().front() = 'F';
    all.push_back(p);
  }
  return all;
}

// A value that comes in pieces, as a rope does.
struct rope {
  std::vector<std::string> pieces;
};

struct scene {
  rope text;
  int number = 0;

  using layerkey_fields =
      layerkey::fields<field<&scene::text, affects<front>>, field<&scene::number, affects<back>>>;
};

}  // namespace

template<>
struct layerkey::value<rope> {
  static constexpr layerkey::text kind = "rope/1";

  template<class Sink>
  static constexpr void write(Sink& sink, rope const& v) {
    std::size_t size = 0;
    for (auto const& each : v.pieces) size += each.size();
    sink.template put<64>(size);
    for (auto const& each : v.pieces) sink.bytes(each.data(), each.size());
  }
};

TEST_CASE("params, views and sealed params are found as their key is") {
  auto const all = samples();
  for (auto const& a : all) {
    auto const key = layerkey::make_key<back>(a);
    layerkey::view<back, params> const view(a);
    layerkey::sealed<params, front, back> const sealed(a);
    layerkey::sealed<params, front> const sealed_elsewhere(a);
    REQUIRE(hash(a) == hash(key));
    REQUIRE(hash(view) == hash(key));
    REQUIRE(hash(sealed) == hash(key));
    REQUIRE(hash(sealed_elsewhere) == hash(key));
    for (auto const& b : all) {
      bool const same = &a == &b;
      auto const other = layerkey::make_key<back>(b);
      REQUIRE(equal(other, a) == same);
      REQUIRE(equal(a, other) == same);
      REQUIRE(equal(a, b) == same);
      REQUIRE(equal(other, view) == same);
      REQUIRE(equal(view, other) == same);
      REQUIRE(equal(other, sealed) == same);
      REQUIRE(equal(sealed, other) == same);
      REQUIRE(equal(other, sealed_elsewhere) == same);
      if (!same) REQUIRE(hash(a) != hash(b));
    }
  }
}

TEST_CASE("a lookup allocates nothing") {
  params p;
  p.entry.assign(1000, 'e');
  p.features.assign(50, std::string(40, 'f'));
  auto const key = layerkey::make_key<back>(p);
  layerkey::view<back, params> const view(p);
  layerkey::sealed<params, back> const sealed(p);

  auto const before = counted::allocations;
  bool right = true;
  right = right && hash(p) == hash(key) && equal(key, p);
  right = right && hash(view) == hash(key) && equal(key, view);
  right = right && hash(sealed) == hash(key) && equal(key, sealed);
  p.features.back().back() = 'g';
  right = right && hash(p) != hash(key) && !equal(key, p);
  auto const after = counted::allocations;
  CHECK(right);
  CHECK(after == before);
  static_cast<void>(layerkey::make_key<back>(p));
  CHECK((counted::allocations > after) == counted::counts);
}

TEST_CASE("a value that writes its bytes in pieces has the hash of its bytes") {
  std::string const whole = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    auto const text = whole.substr(0, size);
    auto const one = layerkey::make_key<back>(scene{{{text}}, 1});
    for (std::size_t first = 0; first <= size; ++first)
      for (std::size_t second : {first, (first + size) / 2, size}) {
        scene const s{
            {{text.substr(0, first), text.substr(first, second - first), "", text.substr(second)}},
            1};
        REQUIRE(equal(one, s));
        REQUIRE(hash(s) == one.hash());
        REQUIRE(layerkey::make_key<back>(s).hash() == one.hash());
      }
  }
}

TEST_CASE("a part of a key is the own key, hash included") {
  for (auto const& p : samples()) {
    auto const key = layerkey::make_key<back>(p);
    auto const part = key.part<layerkey::own_key<back, params>>();
    auto const own = layerkey::make_own_key<back>(p);
    REQUIRE(part == own);
    REQUIRE(part.hash() == own.hash());
    auto const first = key.part<layerkey::own_key<front, params>>();
    REQUIRE(first == layerkey::make_own_key<front>(p));
    REQUIRE(first.hash() == layerkey::make_own_key<front>(p).hash());
  }
}

TEST_CASE("sealed params ask tables of keys") {
  std::unordered_map<layerkey::key<back, params>, int, layerkey::key_hash<back>,
                     layerkey::key_equal<back>>
      table;
  auto const all = samples();
  for (std::size_t i = 0; i != all.size(); ++i)
    table.emplace(layerkey::make_key<back>(all[i]), static_cast<int>(i));
  for (std::size_t i = 0; i != all.size(); ++i) {
    layerkey::sealed<params, back> const sealed(all[i]);
    CHECK(table.find(sealed)->second == static_cast<int>(i));
    CHECK(table.find(layerkey::view<back, params>(all[i]))->second == static_cast<int>(i));
    CHECK(table.find(all[i])->second == static_cast<int>(i));
  }
}
