// Values as explanations write them.
#include <layerkey/detail/print.hpp>

#include <layerkey/text.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace {

template<class T>
std::string printed(T const& v) {
  return layerkey::detail::printed<T>(v);
}

enum class level : std::uint8_t { o0, o1 };
enum class sign : std::int8_t { minus = -1, plus = 1 };
enum class flags : std::uint64_t { high = std::uint64_t{1} << 63 };
enum plain { plain_a, plain_b };

struct dim3 {
  int x = 1, y = 2;
  std::optional<int> z;
};

struct holds_array {
  int values[3] = {};
};

struct base {
  int a = 1;
};
struct derived : base {
  int b = 2;
};

struct version {
  int major = 1;
  std::string to_text() const { return "v" + std::to_string(major); }
};

}  // namespace

TEST_CASE("numbers and truth values are printed in digits and words") {
  CHECK(printed(true) == "true");
  CHECK(printed(-90) == "-90");
  CHECK(printed(std::int8_t{-1}) == "-1");
  CHECK(printed(std::uint8_t{65}) == "65");
  CHECK(printed(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(printed(1.5) == "1.5");
  CHECK(printed(0.1f) == "0.1");
  CHECK(printed(-0.0) == "-0");
  CHECK(printed(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(printed(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("characters and texts are printed in quotes, what cannot be seen escaped") {
  CHECK(printed('x') == "\"x\"");
  CHECK(printed(std::string("a\"b\\c")) == R"("a\"b\\c")");
  CHECK(printed(std::string("\0\n\x7f", 3)) == R"("\x00\x0a\x7f")");
  CHECK(printed(layerkey::inline_text<7>("znver4")) == "\"znver4\"");
  CHECK(printed(std::string_view()) == "\"\"");
}

TEST_CASE("enumerators are printed by name where they have one, else as a number") {
  CHECK(printed(level::o1) == "o1");
  CHECK(printed(level{200}) == "200");
  CHECK(printed(sign::minus) == "-1");
  CHECK(printed(sign::plus) == "plus");
  CHECK(printed(flags::high) == "9223372036854775808");
  CHECK(printed(plain_b) == "1");
}

TEST_CASE("optional values, sequences and aggregates are printed by their parts") {
  CHECK(printed(std::optional<int>()) == "none");
  CHECK(printed(std::optional<int>(0)) == "0");
  CHECK(printed(std::vector<std::string>{"a", ""}) == "{\"a\", \"\"}");
  CHECK(printed(std::vector<std::vector<int>>{{1}, {}}) == "{{1}, {}}");
  CHECK(printed(std::vector<bool>{true, false}) == "{true, false}");
  CHECK(printed(std::array<level, 2>{level::o0, level::o1}) == "{o0, o1}");
  CHECK(printed(dim3{}) == "{1, 2, none}");
}

TEST_CASE("a type may print itself") { CHECK(printed(version{}) == "v1"); }

TEST_CASE("what cannot be taken apart is a question mark") {
  CHECK(printed(holds_array{}) == "?");
  CHECK(printed(derived{}) == "?");
}

TEST_CASE("a digest is printed by its first bytes") {
  layerkey::content_digest d;
  CHECK(printed(d) == "none");
  d.algorithm = layerkey::digest_algorithm::blake3;
  d.bytes[0] = 0xab;
  d.bytes[5] = 1;
  d.bytes[6] = 0xff;
  d.size = 12;
  CHECK(printed(d) == "blake3:ab0000000001... (12 bytes)");
}
