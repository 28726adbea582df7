// The random properties over structs that together hold every kind of value, and use every tag and
// modifier.
#include "key_properties.hpp"

#include <layerkey/content_digest.hpp>
#include <layerkey/extensions.hpp>
#include <layerkey/identity.hpp>
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

#include "sample_params.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>

// ---- random values of what vary.hpp does not know ----------------------------------------------

namespace vary {

template<class... T>
struct random_value<std::tuple<T...>> {
  static std::tuple<T...> get(engine& random) { return {random_value<T>::get(random)...}; }
};

template<class A, class B>
struct random_value<std::pair<A, B>> {
  static std::pair<A, B> get(engine& random) {
    return {random_value<A>::get(random), random_value<B>::get(random)};
  }
};

template<class... T>
struct random_value<std::variant<T...>> {
  static std::variant<T...> get(engine& random) {
    std::variant<T...> const all[] = {std::variant<T...>(random_value<T>::get(random))...};
    return all[below(random, sizeof...(T))];
  }
};

template<class T>
struct random_value<std::set<T>> {
  static std::set<T> get(engine& random) {
    auto const elements = random_value<std::vector<T>>::get(random);
    return {elements.begin(), elements.end()};
  }
};

template<class K, class V>
struct random_value<std::map<K, V>> {
  static std::map<K, V> get(engine& random) {
    auto const elements = random_value<std::vector<std::pair<K, V>>>::get(random);
    return {elements.begin(), elements.end()};
  }
};

template<std::size_t N>
struct random_value<std::bitset<N>> {
  static std::bitset<N> get(engine& random) {
    std::bitset<N> bits;
    bits[0] = below(random, 2) != 0;
    bits[N - 1] = below(random, 2) != 0;
    return bits;
  }
};

template<class Count, class Period>
struct random_value<std::chrono::duration<Count, Period>> {
  static std::chrono::duration<Count, Period> get(engine& random) {
    return std::chrono::duration<Count, Period>(random_value<Count>::get(random));
  }
};

template<>
struct random_value<std::filesystem::path> {
  static std::filesystem::path get(engine& random) {
    char const* const all[] = {"", "a", "a/", "a//b", "a/b"};
    return all[below(random, 5)];
  }
};

template<>
struct random_value<std::string_view> {
  static std::string_view get(engine& random) {
    std::string_view const all[] = {{}, "", "a", "ab", {"ab\0", 3}};
    return all[below(random, 5)];
  }
};

template<>
struct random_value<std::span<int const>> {
  static std::span<int const> get(engine& random) {
    static int const numbers[] = {1, 2, 1, 2, 3};
    return {numbers + below(random, 3), static_cast<std::size_t>(below(random, 3))};
  }
};

template<>
struct random_value<layerkey::content_digest> {
  static layerkey::content_digest get(engine& random) {
    layerkey::content_digest digest;
    digest.algorithm = static_cast<layerkey::digest_algorithm>(1 + below(random, 2));
    digest.bytes[31] = static_cast<std::uint8_t>(below(random, 2));
    digest.size = static_cast<std::uint64_t>(below(random, 2));
    return digest;
  }
};

template<class T>
struct random_value<layerkey::by_identity<T>> {
  static layerkey::by_identity<T> get(engine& random) {
    static T const objects[2] = {};
    int const which = below(random, 3);
    return {which == 2 ? nullptr : &objects[which]};
  }
};

template<>
struct random_value<layerkey::extensions> {
  static layerkey::extensions get(engine& random) {
    using sample::front, sample::middle, sample::back;
    auto all = layerkey::extensions::of<front, middle, back>();
    if (below(random, 2)) static_cast<void>(all.add<front>("a", below(random, 2)));
    if (below(random, 2))
      static_cast<void>(all.add<middle, back>("b", std::string(below(random, 2) ? "x" : "")));
    if (below(random, 2)) static_cast<void>(all.add<back>("c", 0.5));
    return all;
  }
};

// As text: a//b and a/b are one file and two keys.
template<>
struct sameness<std::filesystem::path> {
  static bool of(std::filesystem::path const& a, std::filesystem::path const& b) {
    return a.native() == b.native();
  }
};

// A span is the values that it refers to, wherever they lie. Keys and views give it as a vector.
template<>
struct sameness<std::span<int const>> {
  static bool of(auto const& a, auto const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
};

}  // namespace vary

// ---- the shapes --------------------------------------------------------------------------------

namespace random_shapes {

using sample::front, sample::middle, sample::back;
using namespace layerkey;
using in_front = affects<front>;
using in_middle = affects<middle>;
using in_back = affects<back>;

enum unscoped { first, second, third };
enum class wide_enum : std::int64_t { low = -1, none, high };
enum class over_bool : bool { no, yes };

struct scalars {
  bool flag = false;
  char letter = 'a';
  signed char tiny = -1;
  unsigned char byte = 1;
  char8_t utf8 = u8'a';
  char16_t utf16 = u'a';
  char32_t utf32 = U'a';
  wchar_t wide = L'a';
  short small = 0;
  unsigned short small_unsigned = 0;
  long number = 0;
  unsigned long long large = 0;
  unscoped choice = first;
  wide_enum other_choice = wide_enum::none;
  over_bool truth = over_bool::no;
  float ratio = 0.0f;
  double cost = 0.0;

  using layerkey_fields =
      fields<field<&scalars::flag, in_front>, field<&scalars::letter, in_middle>,
             field<&scalars::tiny, in_back>, field<&scalars::byte, in_front, in_back>,
             field<&scalars::utf8, in_middle>, field<&scalars::utf16, in_back>,
             field<&scalars::utf32, in_front>, field<&scalars::wide, in_middle>,
             field<&scalars::small, in_back>, field<&scalars::small_unsigned, runtime_only>,
             field<&scalars::number, in_middle>, field<&scalars::large, in_back>,
             field<&scalars::choice, in_front>, field<&scalars::other_choice, in_middle>,
             field<&scalars::truth, in_back>, field<&scalars::ratio, in_front>,
             field<&scalars::cost, check_only>>;
};
static_assert(complete<scalars>);

struct texts {
  std::string name;
  std::string_view borrowed;
  inline_text<10> cpu;
  std::filesystem::path file;

  using layerkey_fields = fields<field<&texts::name, in_front>, field<&texts::borrowed, in_back>,
                                 field<&texts::cpu, in_middle>, field<&texts::file, in_back>>;
};
static_assert(complete<texts>);

struct collections {
  std::vector<std::string> list;
  std::array<std::uint8_t, 3> fixed = {};
  std::span<int const> borrowed;
  std::set<int> unique;
  std::map<std::string, std::optional<int>> table;
  std::bitset<70> bits;
  std::vector<bool> flags;

  using layerkey_fields =
      fields<field<&collections::list, in_front>, field<&collections::fixed, in_middle>,
             field<&collections::borrowed, in_back>, field<&collections::unique, in_front>,
             field<&collections::table, in_middle>, field<&collections::bits, in_back>,
             field<&collections::flags, in_middle>>;
};
static_assert(complete<collections>);

struct point {
  std::int8_t x = 0;
  std::optional<std::int16_t> y;
  friend bool operator==(point const&, point const&) = default;
  static point any(vary::engine& random) {
    return {vary::random_value<std::int8_t>::get(random),
            vary::random_value<std::optional<std::int16_t>>::get(random)};
  }
};

struct sums {
  std::optional<std::optional<int>> twice;
  std::variant<int, unsigned, std::string> either;
  std::pair<std::string, std::string> two;
  std::tuple<bool, std::uint64_t, char> three;
  std::chrono::milliseconds limit{};
  point origin;
  std::variant<point, std::vector<point>> points;

  using layerkey_fields = fields<field<&sums::twice, in_front>, field<&sums::either, in_middle>,
                                 field<&sums::two, in_back>, field<&sums::three, in_front, in_back>,
                                 field<&sums::limit, in_middle>, field<&sums::origin, in_back>,
                                 field<&sums::points, in_middle>>;
};
static_assert(complete<sums>);

// ---- held structs and refinements --------------------------------------------------------------

struct x86 {
  int level = 1;
  bool avx = false;
  using layerkey_fields = fields<field<&x86::level, in_back>, field<&x86::avx, in_middle>>;
  static x86 any(vary::engine& random) { return vary::random_params<x86>(random); }
};
struct ptx {
  int sm = 90;
  int threads = 1;
  using layerkey_fields = fields<field<&ptx::sm, in_back>, field<&ptx::threads, in_back>>;
  static ptx any(vary::engine& random) { return vary::random_params<ptx>(random); }
};
constexpr int even(int v) { return v & ~1; }

struct held {
  bool debug = false;
  std::optional<x86> host;
  std::variant<std::monostate, x86, ptx> target;
  ptx plain;

  using layerkey_fields =
      fields<field<&held::debug, in_middle, in_back>, field<&held::host, per_member>,
             field<&held::target, per_member>, field<&held::plain, per_member>,
             refine<path<&held::host, &x86::level>, only_if<&held::debug>::otherwise<5>>,
             refine<path<&held::target, &ptx::sm>, canonical<even>>,
             refine<path<&held::plain, &ptx::threads>, only_if<&held::debug>, canonical<even>>>;

  static void vary_held(held& p, vary::engine& random, int one_in) {
    if (vary::below(random, one_in) == 0)
      p.host = vary::random_value<std::optional<x86>>::get(random);
    if (vary::below(random, one_in) == 0) {
      int const which = vary::below(random, 3);
      if (which == 0)
        p.target = std::monostate{};
      else if (which == 1)
        p.target = x86::any(random);
      else
        p.target = ptx::any(random);
    }
  }
};
static_assert(complete<held>);

// ---- modifiers ---------------------------------------------------------------------------------

constexpr int halved(int v) { return v / 2; }
constexpr int doubled(int v) { return v * 2; }
constexpr bool is_positive(int v) { return v > 0; }
constexpr bool both(bool a, int b) { return a && b != 0; }
constexpr int not_negative(int v) { return v < 0 ? 0 : v; }

struct modified {
  bool on = true;
  int number = 1;
  int seen_as = 1;
  int everything = 3;
  int nested = 2;
  std::string note = {};

  using layerkey_fields =
      fields<field<&modified::on, in_front, in_middle, in_back>,
             field<&modified::number, in_front, in_middle, canonical<not_negative>>,
             field<&modified::seen_as, in_front::as<is_positive>,
                   in_middle::as<halved>::represented_by<doubled>, in_back>,
             field<&modified::everything, in_front::as<halved>, in_middle, canonical<not_negative>,
                   only_if<both, &modified::on, &modified::number>::otherwise<8>>,
             field<&modified::nested, in_front, only_if<&modified::everything>>,
             field<&modified::note, in_back, only_if<&modified::on>>>;
  static modified layerkey_defaults() { return {}; }
};
static_assert(complete<modified>);

// ---- someone else's, with bit-fields -----------------------------------------------------------

class foreign {
 public:
  foreign() = default;
  unsigned mode() const { return mode_; }
  void set_mode(unsigned v) { mode_ = v & 3u; }
  bool fast() const { return fast_; }
  void set_fast(bool v) { fast_ = v; }
  std::string name;
  unsigned shown : 4 = 1;

 private:
  unsigned mode_ : 2 = 0;
  bool fast_ : 1 = false;
};
unsigned shown(foreign const& p) { return p.shown; }
void set_shown(foreign& p, unsigned v) { p.shown = v & 15u; }

// ---- templates ---------------------------------------------------------------------------------

template<class T, int Least>
struct tile {
  T size = Least;
  std::array<T, 2> strides = {};
  static constexpr bool above(T v) { return v >= Least; }

  using layerkey_fields = fields<field<&tile::size, in_front, in_middle::template as<above>>,
                                 field<&tile::strides, in_back>>;
  friend bool operator==(tile const&, tile const&) = default;
};
static_assert(complete<tile<int, 0>>);

struct tiled {
  tile<std::int8_t, 1> small;
  tile<std::int64_t, 0> large;
  using layerkey_fields =
      fields<field<&tiled::small, per_member>, field<&tiled::large, per_member>>;
};
static_assert(complete<tiled>);

// ---- more members than one list of template arguments folds ------------------------------------

// clang-format off
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
// clang-format on

struct wide {
#define ONE(n) std::int16_t m##n = 0;
  HUNDRED(1)
#undef ONE
#define ONE(n) bool m##n = false;
  HUNDRED(2)
  HUNDRED(3)
#undef ONE
  int last = 0;

#define ONE(n) field<&wide::m##n, in_front>,
#define FRONT HUNDRED(1)
  using layerkey_fields = fields<FRONT
#undef ONE
#define ONE(n) field<&wide::m##n, in_middle, in_back>,
                                     HUNDRED(2)
#undef ONE
#define ONE(n) field<&wide::m##n, in_back, only_if<&wide::last>>,
                                         HUNDRED(3) field<&wide::last, in_back>>;
};
static_assert(complete<wide>);

// ---- extensions, identities, content -----------------------------------------------------------

struct extended {
  int level = 0;
  extensions extra = extensions::of<front, middle, back>();

  using layerkey_fields = fields<field<&extended::level, in_middle>,
                                 extensions_field<&extended::extra, front, middle, back>>;
};
static_assert(complete<extended>);

struct symbol {
  int unused = 0;
};

struct uniqued {
  by_identity<symbol> callee = {};
  std::vector<by_identity<symbol>> arguments;
  content_digest source;
  std::optional<content_digest> profile;

  using layerkey_fields =
      fields<field<&uniqued::callee, in_front>, field<&uniqued::arguments, in_middle>,
             field<&uniqued::source, in_front, in_back>, field<&uniqued::profile, in_back>>;
};
static_assert(complete<uniqued>);

}  // namespace random_shapes

template<>
struct layerkey::describe<random_shapes::foreign> {
  using foreign = random_shapes::foreign;
  static constexpr text uncounted = "has private members";
  using fields = layerkey::fields<
      field<accessor<&foreign::mode, &foreign::set_mode>, affects<sample::front>>,
      field<accessor<&foreign::fast, &foreign::set_fast>, affects<sample::middle>>,
      field<&foreign::name, affects<sample::middle>>,
      field<accessor<random_shapes::shown, random_shapes::set_shown>, affects<sample::back>>>;
};

namespace {

using namespace random_shapes;

template<class P>
void check_shape(int pairs = 400) {
  int const equal = properties::check<P, front, middle, back>(7, pairs);
  INFO(equal << " of " << 3 * pairs << " pairs of keys are equal");
  CHECK(equal > pairs / 10);  // both outcomes are common
  CHECK(equal < 3 * pairs - pairs / 10);
}

}  // namespace

TEST_CASE("random shapes: numbers, characters, enumerations") { check_shape<scalars>(); }
TEST_CASE("random shapes: texts and paths") { check_shape<texts>(); }
TEST_CASE("random shapes: collections") { check_shape<collections>(); }
TEST_CASE("random shapes: optionals, variants, tuples, durations, aggregates") {
  check_shape<sums>();
}
TEST_CASE("random shapes: structs in optionals and variants, refined") { check_shape<held>(); }
TEST_CASE("random shapes: every modifier on one member") { check_shape<modified>(); }
TEST_CASE("random shapes: someone else's class with bit-fields") { check_shape<foreign>(); }
TEST_CASE("random shapes: templates") { check_shape<tiled>(); }
TEST_CASE("random shapes: more than 256 members") { check_shape<wide>(100); }
TEST_CASE("random shapes: extensions") { check_shape<extended>(); }
TEST_CASE("random shapes: identities and digests of content") { check_shape<uniqued>(); }
