// Which params share a key, and that equal keys have equal hashes.
#include <layerkey/layerkey.hpp>

namespace keys {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::same_key;

struct front : layerkey::layer<> {};
struct middle : layerkey::layer<front> {};
struct back : layerkey::layer<middle> {};
struct elsewhere : layerkey::layer<> {};

struct params {
  bool inlining = false;
  std::int8_t level = 2;
  int architecture = 90;
  bool verify = true;
  void* log = nullptr;

  using layerkey_fields = fields<field<&params::inlining, affects<front>>,
                                 field<&params::level, affects<middle>, affects<elsewhere>>,
                                 field<&params::architecture, affects<back>>,
                                 field<&params::verify, layerkey::check_only>,
                                 field<&params::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

constexpr params base{};

template<class Layer>
consteval bool shares(params const& a, params const& b) {
  bool const equal = same_key<Layer>(a, b);
  bool const hashes_agree =
      layerkey::make_key<Layer>(a).hash() == layerkey::make_key<Layer>(b).hash();
  if (equal && !hashes_agree) throw "equal keys have different hashes";
  if (same_key<Layer>(b, a) != equal) throw "equality is not symmetric";
  return equal;
}

static_assert(shares<back>(base, params{}));

// A member moves the keys of its layer and of everything downstream, and of nothing else.
constexpr params inlining{.inlining = true};
static_assert(!shares<front>(base, inlining));
static_assert(!shares<middle>(base, inlining));
static_assert(!shares<back>(base, inlining));
static_assert(shares<elsewhere>(base, inlining));

constexpr params level{.level = -2};
static_assert(shares<front>(base, level));
static_assert(!shares<middle>(base, level));
static_assert(!shares<back>(base, level));
static_assert(!shares<elsewhere>(base, level));

constexpr params architecture{.architecture = 80};
static_assert(shares<front>(base, architecture));
static_assert(shares<middle>(base, architecture));
static_assert(!shares<back>(base, architecture));

// What no layer reads is in no key.
constexpr int there = 0;
static_assert(shares<back>(base, params{.verify = false}));
static_assert(shares<back>(base, params{.log = const_cast<int*>(&there)}));

// An own key moves for its own members only.
template<class Layer>
consteval bool shares_own(params const& a, params const& b) {
  return layerkey::make_own_key<Layer>(a) == layerkey::make_own_key<Layer>(b);
}
static_assert(!shares_own<front>(base, inlining));
static_assert(shares_own<middle>(base, inlining));
static_assert(shares_own<back>(base, level));
static_assert(!shares_own<back>(base, architecture));

// A layer that reads nothing has one key.
struct unread : layerkey::layer<> {};
static_assert(shares<unread>(base, {true, 9, 1, false, nullptr}));
static_assert(std::is_same_v<layerkey::normal_params<unread, params>, layerkey::nothing<unread>>);

// A key holds the own keys of its closure.
constexpr auto whole = layerkey::make_key<back>(base);
static_assert(whole.part<layerkey::own_key<middle, params>>() ==
              layerkey::make_own_key<middle>(base));
static_assert(whole.part<layerkey::own_key<back, params>>() ==
              layerkey::make_own_key<back>(base));
static_assert(whole.part<layerkey::own_key<back, params>>().hash() ==
              layerkey::make_own_key<back>(base).hash());

// Sizes: one word here, since all layers together read less than 64 bits.
static_assert(sizeof(layerkey::own_key<front, params>) == 8);
static_assert(sizeof(layerkey::key<back, params>) == 8);
static_assert(sizeof(layerkey::key<unread, params>) == 1);

// The members of one layer are packed widest first, without a hole.
struct mixed {
  bool a = false;
  int b = 0;
  bool c = false;
  std::int16_t d = 0;
  std::int8_t e = 0;
  bool f[1] = {};

  using layerkey_fields =
      fields<field<&mixed::a, affects<front>>, field<&mixed::b, affects<front>>,
             field<&mixed::c, affects<front>>, field<&mixed::d, affects<front>>,
             field<&mixed::e, affects<front>>, field<&mixed::f, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<mixed>);
static_assert(sizeof(layerkey::own_key<front, mixed>) == 8, "32 + 16 + 8 + 1 + 1 bits");

// Neighbours in a word do not run into each other.
static_assert(!same_key<front>(mixed{.a = true}, mixed{.c = true}));
static_assert(!same_key<front>(mixed{.b = -1}, mixed{.b = -1, .d = -1}));
static_assert(!same_key<front>(mixed{.d = 1}, mixed{.e = 1}));

}  // namespace keys
