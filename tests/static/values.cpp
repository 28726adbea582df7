// Values in keys that are usable in constant expressions: each compared by representation.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace values {

struct stage : layerkey::layer<> {};

// A struct that holds one value, plain.
template<class T>
struct one {
  T v{};

  using layerkey_fields = layerkey::fields<layerkey::field<&one::v, layerkey::affects<stage>>>;
};

template<class T>
consteval bool same(T const& a, T const& b) {
  one<T> const x{a};
  one<T> const y{b};
  bool const equal = layerkey::same_key<stage>(x, y);
  if (equal && layerkey::make_key<stage>(x).hash() != layerkey::make_key<stage>(y).hash())
    throw "equal keys have different hashes";
  return equal;
}

// ---- numbers -----------------------------------------------------------------------------------

using double_limits = std::numeric_limits<double>;
using float_limits = std::numeric_limits<float>;

static_assert(!same(0.0, -0.0), "the sign of zero counts");
static_assert(!same(0.0f, -0.0f));
static_assert(same(double_limits::quiet_NaN(), double_limits::quiet_NaN()), "a NaN equals itself");
static_assert(same(float_limits::quiet_NaN(), float_limits::quiet_NaN()));
static_assert(!same(double_limits::quiet_NaN(), -double_limits::quiet_NaN()));
static_assert(!same(double_limits::quiet_NaN(), double_limits::infinity()));
static_assert(!same(double_limits::denorm_min(), 0.0));
static_assert(!same(0.1, 0.1 + double_limits::epsilon() / 8));
static_assert(same(1.5f, 1.5f));

static_assert(!same<std::int8_t>(-1, 1));
static_assert(!same(std::numeric_limits<std::int64_t>::min(), std::int64_t{0}));
static_assert(!same(std::numeric_limits<std::uint64_t>::max(), std::uint64_t{0}));
static_assert(!same(true, false));
static_assert(!same('a', 'b'));
static_assert(!same(char(-1), char(127)));
static_assert(!same(L'a', L'b'));
static_assert(!same(char8_t{1}, char8_t{2}));
static_assert(!same(char32_t{1}, char32_t{0x8000'0001}));
static_assert(!same(std::byte{1}, std::byte{2}));

// ---- enumerations ------------------------------------------------------------------------------

enum class scoped { a, b = -7, c = 1'000'000 };
static_assert(same(scoped::a, scoped::a));
static_assert(!same(scoped::a, scoped::b));
static_assert(!same(scoped::b, scoped::c));
static_assert(!same(scoped{5}, scoped{6}), "values without a name count too");

enum class wide : std::uint64_t { low = 1, high = std::uint64_t{1} << 63 };
static_assert(!same(wide::low, wide::high));

enum class truth : bool { no, yes };
static_assert(!same(truth::no, truth::yes));

enum unscoped { first, second = 300 };
static_assert(!same(first, second));

// ---- text --------------------------------------------------------------------------------------

using layerkey::inline_text;

static_assert(same<inline_text<8>>("znver4", "znver4"));
static_assert(!same<inline_text<8>>("znver4", "znver3"));
static_assert(!same<inline_text<8>>("", "a"));
static_assert(!same<inline_text<8>>("ab", "ab\0"), "embedded and trailing zeros count");
static_assert(!same<inline_text<8>>("a\0b", "a\0c"));
static_assert(!same<inline_text<9>>("12345678", "123456789"), "across a word");
static_assert(!same<inline_text<20>>("12345678abcdefgh1", "12345678abcdefgh2"));
static_assert(same<inline_text<0>>("", ""));
static_assert(!same<inline_text<1>>("\xff", "\x7f"));

// What an earlier, longer text left behind does not count.
consteval inline_text<8> reassigned(char const* longer, std::size_t size) {
  inline_text<8> t;
  if (!t.assign(longer, size)) throw "does not fit";
  if (!t.assign("ab", 2)) throw "does not fit";
  return t;
}
static_assert(same(reassigned("xyzxyzxy", 8), inline_text<8>("ab")));

// Whoever shortens a text by its length alone leaves characters that a stage can read.
consteval inline_text<8> cut(inline_text<8> t) {
  t.length = 1;
  return t;
}
static_assert(!same(cut("ab"), cut("ac")));
static_assert(!same(cut("ab"), inline_text<8>("a")));

static_assert(same<std::string_view>("abc", "abc"));
static_assert(!same<std::string_view>("abc", "abd"));
static_assert(!same<std::string_view>("", std::string_view("\0", 1)));

// ---- optional ----------------------------------------------------------------------------------

using maybe = std::optional<int>;
static_assert(same<maybe>(std::nullopt, std::nullopt));
static_assert(!same<maybe>(std::nullopt, 0), "an absent value differs from a zero");
static_assert(!same<maybe>(0, 1));
static_assert(!same<std::optional<maybe>>(std::nullopt, maybe()));
static_assert(!same<std::optional<maybe>>(maybe(), maybe(0)));
static_assert(!same<std::optional<inline_text<4>>>(std::nullopt, inline_text<4>("")));
static_assert(!same<std::optional<std::string_view>>(std::nullopt, ""));

// ---- arrays and vectors ------------------------------------------------------------------------

template<std::size_t N>
using ints = std::array<int, N>;
static_assert(same<ints<3>>({1, 2, 3}, {1, 2, 3}));
static_assert(!same<ints<3>>({1, 2, 3}, {1, 3, 2}), "the order counts");
static_assert(same<ints<0>>({}, {}));
static_assert(!same<std::array<maybe, 2>>({maybe(0)}, {std::nullopt, maybe(0)}));
static_assert(!same<std::array<inline_text<4>, 2>>({"ab", "c"}, {"a", "bc"}));
static_assert(!same<std::array<bool, 65>>({},
                                          [] {
                                            std::array<bool, 65> last{};
                                            last[64] = true;
                                            return last;
                                          }()),
              "bits beyond the first word count");
static_assert(!same<std::array<std::string_view, 2>>({"ab", "c"}, {"a", "bc"}));

static_assert(layerkey::same_key<stage>(one<std::vector<int>>{{1, 2}},
                                        one<std::vector<int>>{{1, 2}}));
static_assert(!layerkey::same_key<stage>(one<std::vector<int>>{{0}},
                                         one<std::vector<int>>{{0, 0}}));

// ---- plain aggregates --------------------------------------------------------------------------

struct dim3 {
  int x = 1;
  int y = 1;
  int z = 1;
};
static_assert(same<dim3>({1, 2, 3}, {1, 2, 3}));
static_assert(!same<dim3>({1, 2, 3}, {1, 2, 4}));
static_assert(!same<std::optional<dim3>>(std::nullopt, dim3{0, 0, 0}));

struct padded {
  char c = 0;
  long long wide = 0;
  bool flag = false;
};
static_assert(same<padded>({'a', 1, true}, {'a', 1, true}), "padding does not count");
static_assert(!same<padded>({'a', 1, true}, {'a', 1, false}));

struct packed_flags {
  unsigned a : 3;
  unsigned b : 5;
  bool c : 1;
};
static_assert(same<packed_flags>({1, 2, true}, {1, 2, true}), "bit-fields count as members");
static_assert(!same<packed_flags>({1, 2, true}, {1, 3, true}));

struct outer {
  dim3 grid = {};
  std::optional<dim3> block = {};
  std::array<padded, 2> pair = {};
};
static_assert(same<outer>({}, {}));
static_assert(!same<outer>({}, {.block = dim3{}}));
static_assert(!same<outer>({}, {.pair = {padded{}, padded{.flag = true}}}));

struct after_optional {
  std::optional<std::int8_t> narrow = {};
  int wide = 0;
};
static_assert(!same<after_optional>({std::nullopt, 0x101}, {1, 0}),
              "an absent value keeps its place, so that what follows keeps its own");

struct with_text {
  std::string_view name;
  int number = 0;
};
static_assert(!same<with_text>({"a", 1}, {"a", 2}));
static_assert(!same<with_text>({"a", 1}, {"b", 1}));

// ---- digests -----------------------------------------------------------------------------------

using layerkey::content_digest;

consteval content_digest digest(layerkey::digest_algorithm algorithm, std::size_t byte,
                                std::uint64_t size) {
  content_digest d;
  d.algorithm = algorithm;
  d.bytes[byte] = 0x80;
  d.size = size;
  return d;
}

constexpr auto blake3 = layerkey::digest_algorithm::blake3;
constexpr auto blake2b = layerkey::digest_algorithm::blake2b_256;
static_assert(same(digest(blake3, 0, 1), digest(blake3, 0, 1)));
static_assert(!same(digest(blake3, 0, 1), digest(blake2b, 0, 1)));
static_assert(!same(digest(blake3, 0, 1), digest(blake3, 0, 2)));
static_assert(!same(digest(blake3, 0, 1), digest(blake3, 31, 1)));
static_assert(!same(digest(blake3, 7, 1), digest(blake3, 8, 1)));
static_assert(!same(content_digest{}, digest(blake3, 0, 1)));

// ---- values of one's own -----------------------------------------------------------------------

struct version {
  constexpr version(int a, int b) : major(a), minor(b) {}
  constexpr version() = default;
  int major = 0;
  int minor = 0;
};

// An enumeration of which some values mean the same.
enum class warnings { none, off, all };

}  // namespace values

template<>
struct layerkey::value<values::version> {
  static constexpr layerkey::text kind = "version/1";
  template<class Sink>
  static constexpr void write(Sink& sink, values::version const& v) {
    layerkey::write(sink, v.major);
    layerkey::write(sink, v.minor);
  }
};

template<>
struct layerkey::value<values::warnings> {
  static constexpr layerkey::text kind = "warnings/1";
  template<class Sink>
  static constexpr void write(Sink& sink, values::warnings v) {
    layerkey::write(sink, v == values::warnings::all);
  }
};

namespace values {

static_assert(same(warnings::none, warnings::off));
static_assert(!same(warnings::none, warnings::all));
static_assert(same<version>({1, 2}, {1, 2}));
static_assert(!same<version>({1, 2}, {2, 1}));
static_assert(!same<std::optional<version>>(std::nullopt, version{0, 0}));
static_assert(!same<std::array<version, 2>>({version{1, 2}, version{3, 4}},
                                            {version{1, 2}, version{3, 5}}));

// ---- what cannot be in a key -------------------------------------------------------------------

using layerkey::detail::keyable;

static_assert(!keyable<int*>);
static_assert(!keyable<char const*>);
static_assert(!keyable<void (*)()>);
static_assert(!keyable<int dim3::*>);
static_assert(!keyable<std::nullptr_t>);
static_assert(!keyable<long double>);
static_assert(!keyable<std::optional<int*>>);
static_assert(!keyable<std::array<int*, 2>>);
static_assert(!keyable<std::vector<std::vector<int*>>>);

struct holds_pointer {
  int number;
  int* pointer;
};
static_assert(!keyable<holds_pointer>, "nor what holds it, at any depth");
static_assert(!keyable<std::optional<std::array<holds_pointer, 2>>>);

struct holds_c_array {
  int numbers[3];
};
static_assert(!keyable<holds_c_array>);

struct derived : dim3 {
  int more;
};
static_assert(!keyable<derived>);

union either {
  int a;
  float b;
};
static_assert(!keyable<either>);

struct empty {};
static_assert(!keyable<empty>);
static_assert(!keyable<one<int>>, "a described struct is tagged per_member, not taken whole");

}  // namespace values
