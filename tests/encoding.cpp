// The canonical encoding against its description: bytes derived by hand, an encoder written from
// the description alone, and what holds of any two encodings.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/associative.hpp>
#include <layerkey/values/bits.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/path.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/time.hpp>
#include <layerkey/values/tuples.hpp>
#include <layerkey/values/variant.hpp>

#include "bytes.hpp"
#include "random_params.hpp"
#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

template<>
struct layerkey::enum_names<sample::dialect> {
  using list = enumerator_list<enumerator<"c", sample::c>, enumerator<"cxx", sample::cxx>,
                               enumerator<"fortran", sample::fortran>>;
};

namespace encoded {

using namespace layerkey;

// ---- values ------------------------------------------------------------------------------------

enum class level : std::uint16_t { none, some, all };
enum class tiny : signed char { a, b };

struct dim2 {
  std::uint8_t x;
  std::int16_t y;
};

struct named {
  std::string name;
  std::optional<int> limit;
};

struct semver {
  std::uint8_t major, minor;
};

}  // namespace encoded

template<>
struct layerkey::value<encoded::semver> {
  static constexpr text kind = "semver/1";

  template<class Sink>
  static constexpr void write(Sink& sink, encoded::semver const& v) {
    layerkey::write(sink, v.minor);
    layerkey::write(sink, v.major);
  }
};

namespace encoded {

using bytes::of_value;

TEST_CASE("encoding: numbers are written lowest byte first, in their width") {
  CHECK(of_value(true) == "01");
  CHECK(of_value(false) == "00");
  CHECK(of_value(std::int8_t{-2}) == "fe");
  CHECK(of_value('a') == "61");
  CHECK(of_value(static_cast<signed char>(-1)) == "ff");
  CHECK(of_value(std::uint16_t{0x1234}) == "34 12");
  CHECK(of_value(std::int32_t{-2}) == "fe ff ff ff");
  CHECK(of_value(0x12345678) == "78 56 34 12");
  CHECK(of_value(std::uint64_t{0x0102030405060708}) == "08 07 06 05 04 03 02 01");
  CHECK(of_value(std::int64_t{-1}) == "ff ff ff ff ff ff ff ff");
  CHECK(of_value(u'\x2603') == "03 26");
  CHECK(of_value(U'\x1f600') == "00 f6 01 00");
  CHECK(of_value(std::byte{7}) == "07");
  CHECK(of_value(level::all) == "02 00");
  CHECK(of_value(tiny::b) == "01");
}

TEST_CASE("encoding: floats by representation") {
  CHECK(of_value(1.0f) == "00 00 80 3f");
  CHECK(of_value(-0.0f) == "00 00 00 80");
  CHECK(of_value(0.0) == "00 00 00 00 00 00 00 00");
  CHECK(of_value(-0.0) == "00 00 00 00 00 00 00 80");
  CHECK(of_value(1.5) == "00 00 00 00 00 00 f8 3f");
  CHECK(of_value(std::bit_cast<double>(std::uint64_t{0x7ff8000000000001})) ==
        "01 00 00 00 00 00 f8 7f");
}

TEST_CASE("encoding: text, with its length first") {
  CHECK(of_value(std::string("ab")) == "02 00 00 00 00 00 00 00 61 62");
  CHECK(of_value(std::string()) == "00 00 00 00 00 00 00 00");
  CHECK(of_value(std::string(1, '\0')) == "01 00 00 00 00 00 00 00 00");
  CHECK(of_value(std::string_view("ab")) == of_value(std::string("ab")));
  CHECK(of_value(std::filesystem::path("/a")) == "02 00 00 00 00 00 00 00 2f 61");
  CHECK(of_value(inline_text<3>("ab")) == "61 62 00 00 00 00 00 00 02 00");
  CHECK(of_value(inline_text<9>("abcdefghi")) ==
        "61 62 63 64 65 66 67 68 69 00 00 00 00 00 00 00 09 00");
}

TEST_CASE("encoding: containers") {
  using pair = std::pair<std::uint8_t, bool>;
  CHECK(of_value(std::vector<std::uint8_t>{3, 1}) == "02 00 00 00 00 00 00 00 03 01");
  CHECK(of_value(std::vector<bool>{true, false}) == "02 00 00 00 00 00 00 00 01 00");
  std::uint8_t const two[] = {3, 1};
  CHECK(of_value(std::span<std::uint8_t const>(two)) == "02 00 00 00 00 00 00 00 03 01");
  CHECK(of_value(std::array<std::uint8_t, 2>{3, 1}) == "03 01");
  CHECK(of_value(std::set<std::uint8_t>{3, 1}) == "02 00 00 00 00 00 00 00 01 03");
  CHECK(of_value(std::map<std::uint8_t, bool>{{3, false}, {1, true}}) ==
        "02 00 00 00 00 00 00 00 01 01 03 00");
  CHECK(of_value(pair{3, true}) == "03 01");
  CHECK(of_value(std::tuple<std::uint8_t, pair, std::int8_t>{1, {2, true}, -1}) == "01 02 01 ff");
  CHECK(of_value(std::tuple<>{}) == "");
  CHECK(of_value(dim2{1, -2}) == "01 fe ff");
  CHECK(of_value(named{"a", 5}) == "01 00 00 00 00 00 00 00 61 01 05 00 00 00");
  CHECK(of_value(std::vector<std::string>{"a", ""}) ==
        "02 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 61 00 00 00 00 00 00 00 00");
}

TEST_CASE("encoding: an absent value is its flag alone, also where words keep a place for it") {
  CHECK(of_value(std::optional<std::uint8_t>()) == "00");
  CHECK(of_value(std::optional<std::uint8_t>(0)) == "01 00");
  CHECK(of_value(std::optional<std::string>("")) == "01 00 00 00 00 00 00 00 00");
  using twice = std::optional<std::optional<bool>>;
  CHECK(of_value(twice()) == "00");
  CHECK(of_value(twice(std::optional<bool>())) == "01 00");
  CHECK(of_value(twice(true)) == "01 01 01");
}

TEST_CASE("encoding: a variant's alternative comes before its value") {
  using either = std::variant<std::uint8_t, std::uint16_t, std::monostate>;
  CHECK(of_value(either(std::uint8_t{7})) == "00 00 07");
  CHECK(of_value(either(std::uint16_t{7})) == "01 00 07 00");
  CHECK(of_value(either(std::monostate{})) == "02 00");
  CHECK(of_value(std::variant<int, std::string>("x")) == "01 00 01 00 00 00 00 00 00 00 78");
}

TEST_CASE("encoding: bits, time, digests, values of the user's") {
  CHECK(of_value(std::bitset<9>(0b1'0000'0010)) == "02 01 00 00 00 00 00 00");
  CHECK(of_value(std::bitset<65>(1) << 64) == "00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00");
  CHECK(of_value(std::chrono::duration<std::int32_t>(-2)) == "fe ff ff ff");
  CHECK(of_value(
            std::chrono::time_point<std::chrono::system_clock, std::chrono::duration<std::int32_t>>(
                std::chrono::duration<std::int32_t>(2))) == "02 00 00 00");
  content_digest digest{digest_algorithm::blake3, {1, 2}, 0x0304};
  CHECK(of_value(digest) ==
        "01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
        "00 00 04 03 00 00 00 00 00 00 02");
  CHECK(of_value(semver{1, 9}) == "09 01");
}

// ---- keys --------------------------------------------------------------------------------------

struct options {
  bool fast = true;
  std::string cpu = "a";
  std::uint16_t sm = 0x0102;
  bool verbose = false;

  using layerkey_fields =
      fields<field<&options::fast, affects_inference>, field<&options::cpu, affects_irgen>,
             field<&options::sm, affects_irgen, affects_inference>,
             field<&options::verbose, runtime_only>>;
};
static_assert(complete<options>);

TEST_CASE("encoding: a key's bytes, one by one") {
  constexpr auto inference_schema = own_fingerprint<inference, options>();
  constexpr auto irgen_schema = own_fingerprint<irgen, options>();
  // See fingerprint.cpp for how such numbers come about.
  static_assert(inference_schema == digest128{0x244f'd9b3'0899'75ef, 0xcc1b'ae02'5e72'b419});
  static_assert(irgen_schema == digest128{0x3dd9'9a4d'2602'4ee8, 0xfe60'7dd9'6da4'65b0});
  CHECK(bytes::hex(bytes::of<irgen>(options{})) ==
        "6c 6b 65 79 01 "                                   // "lkey", version
        "05 00 00 00 00 00 00 00 69 72 67 65 6e "           // irgen
        "02 00 "                                            // own keys
        "19 b4 72 5e 02 ae 1b cc ef 75 99 08 b3 d9 4f 24 "  // inference
        "b0 65 a4 6d d9 7d 60 fe e8 4e 02 26 4d 9a d9 3d "  // irgen
        "01 02 01 "                                         // fast, sm
        "01 00 00 00 00 00 00 00 61 02 01 "                 // cpu, sm
        "42 00 00 00 00 00 00 00");                         // 66 bytes before these
}

TEST_CASE("encoding: the own key alone has one schema and one part") {
  auto const own = [] {
    bytes::spy sink;
    encode_own<irgen>(options{}, sink);
    return sink.seen;
  }();
  CHECK(bytes::hex(own.substr(0, 20)) ==
        "6c 6b 65 79 01 05 00 00 00 00 00 00 00 69 72 67 65 6e 01 00");
  CHECK(bytes::hex(own.substr(36)) == "01 00 00 00 00 00 00 00 61 02 01 2f 00 00 00 00 00 00 00");
  CHECK(bytes::of(make_own_key<irgen>(options{})) == own);
}

TEST_CASE("encoding: a layer that reads nothing has a heading and no members") {
  struct none {
    int log = 0;
    using layerkey_fields = fields<field<&none::log, runtime_only>>;
  };
  CHECK(bytes::of<inference>(none{}).size() == 5 + 8 + 9 + 2 + 16 + 8);
  CHECK(bytes::of<inference>(none{1}) == bytes::of(make_key<inference>(none{})));
}

TEST_CASE("encoding: sinks are objects that write or functions, and get pieces of any length") {
  options p;
  auto const expected = bytes::of<irgen>(p);
  std::string seen;
  auto const take = [&seen](std::byte const* from, std::size_t count) {
    seen.append(reinterpret_cast<char const*>(from), count);
  };
  encode<irgen>(p, take);
  encode(make_key<irgen>(p), take);
  encode<irgen, options>(make_key<irgen>(p), take);
  encode<irgen, options>(p, [&](std::byte const* from, std::size_t count) { take(from, count); });
  CHECK(seen == expected + expected + expected + expected);

  bytes::spy sink;
  encode<irgen>(p, sink);
  CHECK(sink.pieces == 1);
  p.cpu = std::string(1'000, 'x');
  bytes::spy longer;
  encode<irgen>(p, longer);
  CHECK(longer.pieces == 3);  // what stands before, the text, what stands behind
  CHECK(longer.seen.size() == expected.size() + 999);
  CHECK(longer.seen == bytes::of(make_key<irgen>(p)));
}

// ---- in constant expressions -------------------------------------------------------------------

struct constant_options {
  int a = -2;
  std::optional<std::uint16_t> b;
  std::variant<bool, std::int64_t> c = std::int64_t{5};
  inline_text<9> d = "x";

  using layerkey_fields = fields<field<&constant_options::a, affects_inference>,
                                 field<&constant_options::b, affects_inference>,
                                 field<&constant_options::c, affects_inference>,
                                 field<&constant_options::d, affects_inference>>;
};

template<class From>
constexpr unsigned checksum(From const& from) {
  unsigned sum = 0;
  auto const add = [&sum](std::byte const* at, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) sum = sum * 31 + std::to_integer<unsigned>(at[i]);
  };
  if constexpr (std::is_same_v<From, constant_options>)
    encode<inference>(from, add);
  else
    encode(from, add);
  return sum;
}

constexpr constant_options absent, present{.b = 0};
static_assert(checksum(absent) == checksum(make_key<inference>(absent)));
static_assert(checksum(absent) != checksum(present));

// ---- an encoder of its own ---------------------------------------------------------------------

// Written from the description in encoding.hpp for a machine with the other byte order: numbers are
// laid out highest byte first in its memory, and leave it from the end.
struct swapped {
  std::string out;

  template<class T>
  void number(T v) {
    unsigned char memory[sizeof v];
    std::memcpy(memory, &v, sizeof v);
    std::reverse(std::begin(memory), std::end(memory));  // now as the other machine has it
    for (std::size_t i = sizeof v; i != 0; --i) out += static_cast<char>(memory[i - 1]);
  }
  void text(std::string const& v) {
    number(std::uint64_t{v.size()});
    out += v;
  }
  void flag(bool v) { out += v ? '\1' : '\0'; }

  void heading(std::string const& layer, std::initializer_list<digest128> schemas) {
    out += "lkey\1";
    text(layer);
    number(static_cast<std::uint16_t>(schemas.size()));
    for (auto const& each : schemas) {
      number(each.low);
      number(each.high);
    }
  }
  void end() { number(std::uint64_t{out.size()}); }
};

std::string by_hand(sample::params const& p) {
  using namespace sample;
  swapped to;
  to.heading("back", {own_fingerprint<front, params>(), own_fingerprint<middle, params>(),
                      own_fingerprint<back, params>()});
  // front
  to.flag(p.inlining);
  to.number(p.level);
  to.number(p.seed);
  to.flag(p.direction == mode::forward);
  to.text(p.module);
  to.text(p.file.substr(p.file.rfind('/') + 1));
  for (auto const& each : p.prefixes) to.text(each);
  // middle
  to.number(p.alignment);
  to.number(p.features);
  to.number(static_cast<std::uint8_t>(p.direction));
  to.number(p.cost);
  to.flag(p.limit.has_value());
  if (p.limit) to.number(*p.limit);
  for (int each : p.grid) to.number(each);
  to.flag(p.unroll.on);
  to.number(p.unroll.factor);
  to.number(std::uint64_t{p.tiles.size()});
  for (auto const& each : p.tiles) {
    to.number(std::uint64_t{each.size()});
    for (int v : each) to.number(v);
  }
  to.number(p.block.x);
  // back
  to.number(p.level);
  to.number(p.architecture);
  to.out += p.letter;
  to.number(static_cast<std::uint32_t>(p.language));
  to.number(p.ratio);
  to.out += std::string(p.cpu.chars, 15) + '\0';
  to.number(p.cpu.length);
  auto passes = p.passes;
  std::sort(passes.begin(), passes.end());
  to.number(std::uint64_t{passes.size()});
  for (auto const& each : passes) to.text(each);
  to.flag(p.threads.has_value());
  if (p.threads) (to.number(p.threads->x), to.number(p.threads->y), to.number(p.threads->z));
  to.number(p.unroll.factor);
  to.text(p.unroll.pragma);
  (to.number(p.block.x), to.number(p.block.y), to.number(p.block.z));
  to.end();
  return to.out;
}

TEST_CASE("encoding: an encoder written from the description, for another machine, agrees") {
  vary::engine random(11);
  CHECK(bytes::of<sample::back>(sample::params{}) == by_hand(sample::params{}));
  int agree = 0;
  for (int i = 0; i != 1'000; ++i) {
    auto const p = vary::random_params<sample::params>(random);
    agree += bytes::of<sample::back>(p) == by_hand(p);
  }
  CHECK(agree == 1'000);
}

// ---- what holds of any two ---------------------------------------------------------------------

constexpr bool positive(int v) { return v > 0; }

// Everything that the sample has not, in an order that words do not keep.
struct others {
  bool first = false;
  std::variant<bool, std::int64_t, std::monostate> choice;
  std::string before;
  std::optional<std::optional<bool>> twice;
  std::map<std::string, std::uint8_t> names;
  std::uint64_t wide = 0;
  std::set<std::int16_t> numbers;
  std::bitset<70> bits;
  std::variant<std::string, std::vector<int>, bool> open;
  std::chrono::duration<std::int32_t, std::milli> timeout{};
  std::pair<bool, std::optional<std::uint16_t>> both;
  std::tuple<std::string, char> mixed;
  std::vector<std::optional<std::uint8_t>> gaps;
  std::optional<std::variant<std::uint8_t, std::uint32_t>> deep;
  int depth = 0;
  std::uint8_t inner = 3;
  semver last = {0, 0};

  using layerkey_fields =
      fields<field<&others::first, affects_irgen>, field<&others::choice, affects_irgen>,
             field<&others::before, affects_irgen, affects_inference>,
             field<&others::twice, affects_irgen>, field<&others::names, affects_irgen>,
             field<&others::wide, affects_irgen>, field<&others::numbers, affects_irgen>,
             field<&others::bits, affects_irgen, affects_inference>,
             field<&others::open, affects_irgen>, field<&others::timeout, affects_irgen>,
             field<&others::both, affects_irgen>, field<&others::mixed, affects_irgen>,
             field<&others::gaps, affects_irgen>, field<&others::deep, affects_irgen>,
             field<&others::depth, affects_irgen>,
             field<&others::inner, affects_irgen, only_if<positive, &others::depth>::otherwise<3>>,
             field<&others::last, affects_irgen>>;
};
static_assert(complete<others>);

template<class T>
T any(vary::engine& random) {
  return vary::random_value<T>::get(random);
}

others any_others(vary::engine& random) {
  auto const one_of = [&random](int n) { return vary::below(random, n); };
  others p;
  p.first = any<bool>(random);
  if (int const i = one_of(3); i == 0)
    p.choice = any<bool>(random);
  else if (i == 1)
    p.choice = any<std::int64_t>(random);
  else
    p.choice = std::monostate{};
  p.before = any<std::string>(random);
  p.twice = any<std::optional<std::optional<bool>>>(random);
  while (one_of(2)) p.names[any<std::string>(random)] = any<std::uint8_t>(random);
  p.wide = any<std::uint64_t>(random);
  while (one_of(2)) p.numbers.insert(any<std::int16_t>(random));
  p.bits[static_cast<std::size_t>(one_of(70))] = one_of(2) != 0;
  if (int const i = one_of(3); i == 0)
    p.open = any<std::string>(random);
  else if (i == 1)
    p.open = any<std::vector<int>>(random);
  else
    p.open = any<bool>(random);
  p.timeout = std::chrono::duration<std::int32_t, std::milli>(one_of(3));
  p.both = {any<bool>(random), any<std::optional<std::uint16_t>>(random)};
  p.mixed = {any<std::string>(random), any<char>(random)};
  p.gaps = any<std::vector<std::optional<std::uint8_t>>>(random);
  if (one_of(2))
    p.deep = std::uint8_t{1};
  else if (one_of(2))
    p.deep = std::uint32_t{1};
  p.depth = one_of(2);
  p.inner = any<std::uint8_t>(random);
  p.last = {any<std::uint8_t>(random), any<std::uint8_t>(random)};
  return p;
}

// Whether no encoding begins another one: in order, it would stand right before one that it begins.
bool none_begins_another(std::set<std::string> const& all) {
  for (auto at = all.begin(); at != all.end(); ++at)
    if (auto const next = std::next(at); next != all.end() && next->starts_with(*at)) return false;
  return true;
}

template<class Layer, class Make>
void check_encodings(int count, Make const& make) {
  using key = decltype(make_key<Layer>(make()));
  std::vector<std::pair<std::string, key>> all;
  std::set<std::string> bodies, reversed;
  int wrong = 0;
  for (int i = 0; i != count; ++i) {
    auto const p = make();
    auto encoding = bytes::of<Layer>(p);
    wrong += encoding != bytes::of(make_key<Layer>(p));
    bodies.insert(encoding.substr(0, encoding.size() - 8));
    reversed.insert(std::string(encoding.rbegin(), encoding.rend()));
    all.emplace_back(std::move(encoding), make_key<Layer>(p));
  }
  CHECK(wrong == 0);
  CHECK(none_begins_another(bodies));
  CHECK(none_begins_another(reversed));
  // Equal exactly when the keys are: in the order of encodings, and with each pair of neighbours in
  // the order in which they came.
  std::size_t const differing = bodies.size();
  std::size_t same = 0;
  for (std::size_t i = 1; i != all.size(); ++i)
    same += (all[i].first == all[i - 1].first) == (all[i].second == all[i - 1].second);
  std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::size_t runs = 1;
  for (std::size_t i = 1; i != all.size(); ++i) {
    bool const equal = all[i].first == all[i - 1].first;
    same += equal == (all[i].second == all[i - 1].second);
    runs += !equal;
  }
  CHECK(same == 2 * (all.size() - 1));
  CHECK(runs == differing);
  CHECK(differing > static_cast<std::size_t>(count) / 50);
}

TEST_CASE("encoding: of a key as of its params, none begins or ends another, equal as keys are") {
  vary::engine random(5);
  SECTION("sample, each layer") {
    auto const make = [&random] {
      static auto p = sample::params{};
      return p = vary::neighbour(p, random);
    };
    check_encodings<sample::front>(4'000, make);
    check_encodings<sample::middle>(4'000, make);
    check_encodings<sample::back>(4'000, make);
  }
  SECTION("other values") {
    check_encodings<irgen>(6'000, [&random] { return any_others(random); });
    check_encodings<inference>(6'000, [&random] { return any_others(random); });
  }
}

// One member after another of variable size: no split of the same characters writes the same.
struct texts {
  std::string a, b;
  std::vector<std::string> c;
  using layerkey_fields =
      fields<field<&texts::a, affects_inference>, field<&texts::b, affects_inference>,
             field<&texts::c, affects_inference>>;
};

TEST_CASE("encoding: characters that move from one member to the next change it") {
  std::set<std::string> all;
  std::size_t count = 0;
  std::string const characters("\1\0\1\0\0\0\0\0\0\0ab", 12);
  for (std::size_t i = 0; i <= characters.size(); ++i)
    for (std::size_t j = i; j <= characters.size(); ++j) {
      auto const rest = characters.substr(j);
      for (auto const& c : {std::vector<std::string>{rest}, std::vector<std::string>{rest, ""},
                            std::vector<std::string>{"", rest}}) {
        texts const p{characters.substr(0, i), characters.substr(i, j - i), c};
        all.insert(bytes::of<inference>(p));
        ++count;
      }
    }
  // Where nothing is left, {"", rest} and {rest, ""} are one.
  CHECK(all.size() == count - (characters.size() + 1));
  CHECK(none_begins_another(all));
}

TEST_CASE("encoding: no room for what a container might still say") {
  // A text that holds the whole encoding of another key ends like it, but for the length.
  texts inner;
  texts outer;
  outer.b = bytes::of<inference>(inner);
  outer.c.clear();
  auto const whole = bytes::of<inference>(outer);
  CHECK_FALSE(whole.ends_with(outer.b));
}

TEST_CASE("encoding: a key of several layers is encoded from where it lies") {
  struct pointers {
    layerkey::key<irgen, options> const& k;
    std::byte const* at = nullptr;
    std::byte const* again = nullptr;
  };
  options p;
  p.cpu = std::string(1'000, 'x');
  auto const k = make_key<irgen>(p);
  pointers seen{k};
  encode(k, [&seen](std::byte const* from, std::size_t count) {
    if (count < 1'000) return;
    seen.at = from;
    encode(seen.k, [&seen](std::byte const* from_again, std::size_t count_again) {
      if (count_again >= 1'000) seen.again = from_again;
    });
  });
  CHECK(seen.at != nullptr);
  CHECK(seen.at == seen.again);
}

// ---- values that say how they are read, and no form --------------------------------------------

struct blob {
  std::string all;
  friend bool operator==(blob const&, blob const&) = default;
};

// As blob, but its read() stops in front of the last character.
struct short_blob {
  std::string all;
};

struct blobs {
  blob first;
  std::string text;
  std::optional<blob> maybe;
  std::vector<blob> list;
  int number = 0;
  std::string last;

  using layerkey_fields =
      fields<field<&blobs::first, affects_inference>, field<&blobs::text, affects_inference>,
             field<&blobs::maybe, affects_inference>, field<&blobs::list, affects_inference>,
             field<&blobs::number, affects_inference>, field<&blobs::last, affects_inference>>;
};

struct short_blobs {
  std::string text;
  short_blob last;

  using layerkey_fields = fields<field<&short_blobs::text, affects_inference>,
                                 field<&short_blobs::last, affects_inference>>;
};

}  // namespace encoded

template<>
struct layerkey::value<encoded::blob> {
  static constexpr text kind = "blob/1";
  template<class Sink>
  static constexpr void write(Sink& sink, encoded::blob const& v) {
    layerkey::write(sink, v.all);
  }
  template<class Source>
  static encoded::blob read(Source& from) {
    return {layerkey::read<std::string>(from)};
  }
};

template<>
struct layerkey::value<encoded::short_blob> {
  static constexpr text kind = "short blob/1";
  template<class Sink>
  static constexpr void write(Sink& sink, encoded::short_blob const& v) {
    layerkey::write(sink, v.all);
  }
  template<class Source>
  static encoded::short_blob read(Source& from) {
    auto size = from.template get<64>() - 1;
    return {std::string(from.characters(size), size)};
  }
};

namespace encoded {

TEST_CASE("encoding: a value of the user's that can be read needs no form in a key") {
  for (auto const& p :
       {blobs{}, blobs{{"a"}, "b", blob{"c"}, {{"d"}, {""}}, 5, "e"},
        blobs{{""}, "ab", std::nullopt, {{"cd"}}, 5, "e"}, blobs{{}, "", blob{}, {}, -1, ""}})
    CHECK(bytes::of(make_key<inference>(p)) == bytes::of<inference>(p));
}

TEST_CASE("encoding: where a value is read wrongly, other keys are still encoded otherwise") {
  std::set<std::string> all;
  for (auto const& p : {short_blobs{"a", {"bc"}}, short_blobs{"a", {"bd"}},
                        short_blobs{"b", {"bc"}}, short_blobs{"ab", {"c"}}})
    all.insert(bytes::of(make_key<inference>(p)));
  CHECK(all.size() == 4);
}

}  // namespace encoded
