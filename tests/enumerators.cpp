#include <layerkey/enumerators.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

enum class level { o0, o1, o2 };
enum class signed_one : std::int8_t { minus = -1, zero, one };
enum class gaps { two = 2, five = 5, last = 63, beyond = 64 };
enum class flags : std::uint64_t { none = 0, low = 1, high = std::uint64_t{1} << 63, bit6 = 64 };
enum class truth : bool { no, yes };
enum class aliased { first, same_as_first = 0, second };
enum plain { plain_a, plain_b };
enum fixed_plain : unsigned { fixed_a, fixed_b = 7 };
enum class Digits2 { a1, _2b };

template<class A, class B>
struct around {
  enum class inner { x, y, z };
};

template<char C>
struct around_character {
  enum class inner { x, y };
};

template<class E>
std::vector<std::string> names() {
  std::vector<std::string> result;
  for (auto const& [value, name] : layerkey::enumerators<E>()) {
    CHECK(layerkey::enumerator_name(value) == name);
    result.emplace_back(name);
  }
  return result;
}

using list = std::vector<std::string>;

}  // namespace

enum class global { g0, g1 };

TEST_CASE("enumerators are found by name, in the order of their values") {
  CHECK(names<level>() == list{"o0", "o1", "o2"});
  CHECK(names<global>() == list{"g0", "g1"});
  CHECK(names<Digits2>() == list{"a1", "_2b"});
  CHECK(layerkey::enumerators<gaps>()[1] == std::pair(gaps::five, std::string_view("five")));
}

TEST_CASE("a value without an enumerator has no name") {
  CHECK(layerkey::enumerator_name(level{3}).empty());
  CHECK(layerkey::enumerator_name(level{63}).empty());
  CHECK(layerkey::enumerator_name(level{64}).empty());
  CHECK(layerkey::enumerator_name(level{-1}).empty());
  CHECK(layerkey::enumerator_name(gaps{3}).empty());
}

TEST_CASE("gaps are skipped, and names end at 63") {
  CHECK(names<gaps>() == list{"two", "five", "last"});
  CHECK(layerkey::enumerator_name(gaps::beyond).empty());
}

TEST_CASE("negative values have no name") {
  CHECK(names<signed_one>() == list{"zero", "one"});
  CHECK(layerkey::enumerator_name(signed_one::minus).empty());
}

TEST_CASE("flags beyond 63 have no name") {
  CHECK(names<flags>() == list{"none", "low"});
  CHECK(layerkey::enumerator_name(flags::bit6).empty());
  CHECK(layerkey::enumerator_name(flags::high).empty());
}

TEST_CASE("an enumeration of truth values has two enumerators at most") {
  CHECK(names<truth>() == list{"no", "yes"});
}

TEST_CASE("of two enumerators with one value the first is the name") {
  CHECK(names<aliased>() == list{"first", "second"});
}

TEST_CASE("an unscoped enumeration has names if its underlying type is fixed") {
  CHECK(names<fixed_plain>() == list{"fixed_a", "fixed_b"});
  CHECK(names<plain>().empty());
  CHECK(layerkey::enumerator_name(plain_b).empty());
}

TEST_CASE("templates around an enumeration do not blur its names") {
  // Naming an enumerator is what defines an enumeration in a template.
  using inner = around<int, float>::inner;
  CHECK(layerkey::enumerator_name(inner::y) == "y");
  CHECK(names<inner>() == list{"x", "y", "z"});
  using deep = around<around<int, char>, around<level, std::vector<int>>>::inner;
  CHECK(layerkey::enumerator_name(deep::z) == "z");
  using of_comma = around_character<','>::inner;
  CHECK(layerkey::enumerator_name(of_comma::y) == "y");
}

TEST_CASE("an enumeration inside a function has names") {
  enum class local { here, there = 9 };
  CHECK(names<local>() == list{"here", "there"});
}
