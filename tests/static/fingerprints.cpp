// What changes the fingerprint of a schema and what does not. The golden values have to come out of
// every compiler alike.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/fingerprint.hpp>
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

#include <array>

namespace fingerprints {

using namespace layerkey;

struct front : layer<> {
  static constexpr text name = "front";
};
struct back : layer<front> {
  static constexpr text name = "back";
};

// Of what layer `front` reads, each struct alone.
template<class P>
constexpr digest128 of = own_fingerprint<front, P>();

// ---- the hash, by the test vectors of its authors ----------------------------------------------

template<std::size_t N>
constexpr digest128 fnv(char const (&words)[N]) {
  detail::fnv1a_128 hash;
  for (std::size_t i = 0; i + 1 != N; ++i) hash.put(static_cast<unsigned char>(words[i]));
  return hash.state;
}

static_assert(fnv("") == digest128{0x6c62'272e'07bb'0142, 0x62b8'2175'6295'c58d});
static_assert(fnv("a") == digest128{0xd228'cb69'6f1a'8caf, 0x7891'2b70'4e4a'8964});
static_assert(fnv("foobar") == digest128{0x343e'1662'793c'64bf, 0x6f0d'3597'ba44'6f18});

// ---- golden values -----------------------------------------------------------------------------

enum class level : std::uint8_t { O0, O1, Os = 10 };
constexpr bool positive(int v) { return v > 0; }
constexpr int even(int v) { return v & ~1; }

struct small {
  bool fast = true;
  int sm = 90;
  level opt = level::O1;

  using layerkey_fields =
      fields<field<&small::fast, affects<front>>, field<&small::sm, affects<front>, affects<back>>,
             field<&small::opt, affects<back>>>;
};
static_assert(of<small> == fnv("layerkey-schema/1;layer=5:front;fast:bool;sm:i32;"));
static_assert(of<small> == digest128{0xe249'8f90'f95f'2ef2, 0xbe70'c152'7c11'7ef7});
static_assert(own_fingerprint<back, small>() ==
              fnv("layerkey-schema/1;layer=4:back;sm:i32;opt:enum(u8,O0=0,O1=1,Os=10);"));
static_assert(own_fingerprint<back, small>() ==
              digest128{0x6f06'50b9'bfbd'557c, 0x174d'f051'6a91'4acc});
static_assert(fingerprint<front, small>() ==
              digest128{0xab5b'f6b6'a9d2'f497, 0x5d0d'dc0e'3978'264e});
static_assert(fingerprint<back, small>() ==
              digest128{0xbbb7'22c2'da41'09e6, 0x5852'27d9'54bd'4bb6});

struct point {
  float x = 0;
  double y = 0;
};

struct semver {
  int major = 0, minor = 0;
};

}  // namespace fingerprints

template<>
struct layerkey::value<fingerprints::semver> {
  static constexpr text kind = "semver/1";
  using form = forms::all<int, int>;

  template<class Sink>
  static constexpr void write(Sink& sink, fingerprints::semver const& v) {
    layerkey::write(sink, v.major);
    layerkey::write(sink, v.minor);
  }
};

namespace fingerprints {

// Every kind of value.
struct kinds {
  char a = 0;
  signed char b = 0;
  unsigned short c = 0;
  long long d = 0;
  char16_t e = 0;
  std::byte f{};
  inline_text<31> g;
  content_digest h;
  std::string i;
  std::vector<std::vector<level>> j;
  std::optional<point> k;
  std::variant<std::monostate, int, std::string> l;
  std::map<std::string, std::pair<bool, int>> m;
  std::set<unsigned> n;
  std::bitset<70> o;
  std::array<std::int64_t, 3> p{};
  std::tuple<float, double> q;
  std::chrono::milliseconds r{};
  std::chrono::system_clock::time_point s{};
  std::filesystem::path t;
  semver u;

  template<auto Member>
  using all = field<Member, affects<front>>;
  using layerkey_fields =
      fields<all<&kinds::a>, all<&kinds::b>, all<&kinds::c>, all<&kinds::d>, all<&kinds::e>,
             all<&kinds::f>, all<&kinds::g>, all<&kinds::h>, all<&kinds::i>, all<&kinds::j>,
             all<&kinds::k>, all<&kinds::l>, all<&kinds::m>, all<&kinds::n>, all<&kinds::o>,
             all<&kinds::p>, all<&kinds::q>, all<&kinds::r>, all<&kinds::s>, all<&kinds::t>,
             all<&kinds::u>>;
};
static_assert(
    of<kinds> ==
    fnv("layerkey-schema/1;layer=5:front;"
        "a:c8;b:i8;c:u16;d:i64;e:c16;f:byte;g:11:inline_text[31];h:14:content_digest;"
        "i:4:text(text);j:6:vector(6:vector(enum(u8,O0=0,O1=1,Os=10)...)...);"
        "k:8:optional(9:aggregate(x:f32,y:f64)?);l:7:variant(7:nothing()|i32|4:text(text));"
        "m:3:map(4:pair(4:text(text),4:pair(bool,i32))...);n:3:set(u32...);o:6:bitset[70];"
        "p:5:array(i64*3);q:5:tuple(f32,f64);r:8:duration[1,1000](i64);"
        "s:10:time_point(8:duration[1,1000000000](i64));t:4:path(text);u:8:semver/1(i32,i32);"));
static_assert(of<kinds> == digest128{0x911c'f019'9f87'9ab6, 0x7023'58f2'6f7a'bdc1});

// Every form.
struct inner {
  bool on = true;
  int width = 4;
  using layerkey_fields = fields<field<&inner::on, affects<front>>,
                                 field<&inner::width, affects<front>, only_if<&inner::on>>>;
};

constexpr int one() { return 1; }
constexpr int representative(bool v) { return v; }
constexpr bool both(int a, bool b) { return a > 0 && b; }

struct versioned : layer<> {
  static constexpr text name = "versioned";
  static constexpr int version = 3;
};

struct forms_of_members {
  int mode = 0;
  int number = 0;
  int gate = 0;
  bool flag = false;
  inner in;
  int log = 0;

  unsigned bits : 3 = 0;
  unsigned get_bits() const { return bits; }

  using affects_it = affects<versioned>;
  using layerkey_fields =
      fields<field<&forms_of_members::mode,
                   affects_it::as<positive>::represented_by<representative>, canonical<even>>,
             field<&forms_of_members::number, affects_it,
                   only_if<both, &forms_of_members::gate, &forms_of_members::flag>::otherwise<-1>>,
             field<&forms_of_members::flag, affects_it>, field<&forms_of_members::in, per_member>,
             field<&forms_of_members::log, runtime_only>,
             field<&forms_of_members::gate, affects_it>,
             field<accessor<&forms_of_members::get_bits>, affects_it,
                   only_if<&forms_of_members::flag>::otherwise<one>>>;
};
static_assert(own_fingerprint<versioned, forms_of_members>() ==
              fnv("layerkey-schema/1;layer=9:versioned;version=3;"
                  "mode:bool,canonical=even,as=positive,by=representative;"
                  "number:i32,if=both(gate,flag),otherwise=i32=ffffffff;flag:bool;"
                  "gate:i32;get_bits:u32,if=(flag),otherwise=one;"));
static_assert(own_fingerprint<front, forms_of_members>() ==
              fnv("layerkey-schema/1;layer=5:front;on:bool;width:i32,if=(on);"));
static_assert(own_fingerprint<versioned, forms_of_members>() ==
              digest128{0x1083'40db'6cb7'9b7e, 0x2e42'5e7f'a25b'a3c6});

// The reads of a condition are named from the key's struct on, with refinements and without.
struct around {
  bool first = false;
  inner in;
  using layerkey_fields =
      fields<field<&around::first, affects<front>>, field<&around::in, per_member>>;
};
struct refining {
  bool first = false;
  inner in;
  using layerkey_fields =
      fields<field<&refining::first, affects<front>>, field<&refining::in, per_member>,
             refine<path<&refining::in, &inner::on>, only_if<&refining::first>>>;
};
static_assert(of<around> == fnv("layerkey-schema/1;layer=5:front;first:bool;in.on:bool;"
                                "in.width:i32,if=(in.on);"));
static_assert(of<refining> == fnv("layerkey-schema/1;layer=5:front;first:bool;"
                                  "in.on:bool,if=(first);in.width:i32,if=(in.on);"));

// ---- what changes it ---------------------------------------------------------------------------

struct base {
  int a = 0;
  int b = 0;
  using layerkey_fields = fields<field<&base::a, affects<front>>, field<&base::b, affects<front>>>;
};

struct renamed {
  int a = 0;
  int c = 0;
  using layerkey_fields =
      fields<field<&renamed::a, affects<front>>, field<&renamed::c, affects<front>>>;
};
static_assert(of<renamed> != of<base>, "a member renamed");

struct reordered {
  int a = 0;
  int b = 0;
  using layerkey_fields =
      fields<field<&reordered::b, affects<front>>, field<&reordered::a, affects<front>>>;
};
static_assert(of<reordered> != of<base>, "members in another order");

template<class T>
struct of_type {
  T a{};
  int b = 0;
  using layerkey_fields =
      fields<field<&of_type::a, affects<front>>, field<&of_type::b, affects<front>>>;
};
static_assert(of<of_type<int>> == of<base>);
static_assert(of<of_type<std::int64_t>> != of<base>, "another width");
static_assert(of<of_type<unsigned>> != of<base>, "another sign");
static_assert(of<of_type<float>> != of<base>, "another kind");
static_assert(of<of_type<char>> != of<of_type<signed char>>);
static_assert(of<of_type<char>> != of<of_type<unsigned char>>);
static_assert(of<of_type<std::optional<int>>> != of<base>);
static_assert(of<of_type<inline_text<8>>> != of<of_type<inline_text<16>>>, "another extent");
static_assert(of<of_type<std::array<int, 2>>> != of<of_type<std::array<int, 3>>>);
static_assert(of<of_type<std::array<int, 2>>> != of<of_type<std::pair<int, int>>>);
static_assert(of<of_type<std::vector<int>>> != of<of_type<std::set<int>>>);
static_assert(of<of_type<std::bitset<3>>> != of<of_type<std::bitset<4>>>);
static_assert(of<of_type<std::variant<int, bool>>> != of<of_type<std::variant<bool, int>>>);
static_assert(of<of_type<std::chrono::seconds>> != of<of_type<std::chrono::milliseconds>>,
              "another unit");

struct untagged_for_it {
  int a = 0;
  int b = 0;
  using layerkey_fields =
      fields<field<&untagged_for_it::a, affects<front>>, field<&untagged_for_it::b, affects<back>>>;
};
static_assert(of<untagged_for_it> != of<base>, "another tag");
static_assert(fingerprint<back, untagged_for_it>() != fingerprint<back, base>());

template<auto Projection>
struct projected {
  int a = 0;
  using layerkey_fields = fields<field<&projected::a, affects<front>::template as<Projection>>>;
};
constexpr bool is_forward(int v) { return v == 0; }
constexpr bool is_reverse(int v) { return v != 0; }
static_assert(of<projected<is_forward>> != of<projected<is_reverse>>, "another projection");

template<auto Function>
struct in_canonical_form {
  int a = 0;
  using layerkey_fields = fields<field<&in_canonical_form::a, affects<front>, canonical<Function>>>;
};
constexpr int clamped(int v) { return v < 0 ? 0 : v; }
static_assert(of<in_canonical_form<even>> != of<in_canonical_form<clamped>>);

constexpr bool negative(int v) { return v < 0; }
struct on_b {
  int a = 0, b = 0, c = 0;
  using layerkey_fields = fields<field<&on_b::a, affects<front>, only_if<positive, &on_b::b>>,
                                 field<&on_b::b, affects<front>>, field<&on_b::c, affects<front>>>;
};
struct on_c {
  int a = 0, b = 0, c = 0;
  using layerkey_fields = fields<field<&on_c::a, affects<front>, only_if<positive, &on_c::c>>,
                                 field<&on_c::b, affects<front>>, field<&on_c::c, affects<front>>>;
};
struct on_negative_b {
  int a = 0, b = 0, c = 0;
  using layerkey_fields =
      fields<field<&on_negative_b::a, affects<front>, only_if<negative, &on_negative_b::b>>,
             field<&on_negative_b::b, affects<front>>, field<&on_negative_b::c, affects<front>>>;
};
struct on_b_or_9 {
  int a = 0, b = 0, c = 0;
  using layerkey_fields =
      fields<field<&on_b_or_9::a, affects<front>, only_if<positive, &on_b_or_9::b>::otherwise<9>>,
             field<&on_b_or_9::b, affects<front>>, field<&on_b_or_9::c, affects<front>>>;
};
struct on_b_or_8 {
  int a = 0, b = 0, c = 0;
  using layerkey_fields =
      fields<field<&on_b_or_8::a, affects<front>, only_if<positive, &on_b_or_8::b>::otherwise<8>>,
             field<&on_b_or_8::b, affects<front>>, field<&on_b_or_8::c, affects<front>>>;
};
struct unconditional {
  int a = 0, b = 0, c = 0;
  using layerkey_fields =
      fields<field<&unconditional::a, affects<front>>, field<&unconditional::b, affects<front>>,
             field<&unconditional::c, affects<front>>>;
};
static_assert(of<on_b> != of<unconditional>, "a condition added");
static_assert(of<on_b> != of<on_c>, "a condition that reads another member");
static_assert(of<on_b> != of<on_negative_b>, "another condition");
static_assert(of<on_b> != of<on_b_or_9>);
static_assert(of<on_b_or_9> != of<on_b_or_8>, "another value while it does not hold");

enum class three : std::uint8_t { a, b, c };
enum class inserted : std::uint8_t { a, x, b, c };
enum class appended : std::uint8_t { a, b, c, d };
enum class wider : std::uint16_t { a, b, c };
enum class respelt : std::uint8_t { a, b, C };
static_assert(of<of_type<inserted>> != of<of_type<three>>, "an enumerator inserted");
static_assert(of<of_type<appended>> != of<of_type<three>>);
static_assert(of<of_type<wider>> != of<of_type<three>>);
static_assert(of<of_type<respelt>> != of<of_type<three>>);

struct swapped_point {
  double y = 0;
  float x = 0;
};
struct other_point {
  float y = 0;
  double x = 0;
};
static_assert(of<of_type<swapped_point>> != of<of_type<point>>);
static_assert(of<of_type<other_point>> != of<of_type<point>>, "names inside a plain aggregate");

struct front_2 : layer<> {
  static constexpr text name = "front";
  static constexpr int version = 2;
};
struct front_3 : layer<> {
  static constexpr text name = "front";
  static constexpr int version = 3;
};
struct front_dated : layer<> {
  static constexpr text name = "front";
  static constexpr text version = "2026-11";
};
template<class Layer>
struct for_layer {
  int a = 0;
  int b = 0;
  using layerkey_fields =
      fields<field<&for_layer::a, affects<Layer>>, field<&for_layer::b, affects<Layer>>>;
};
template<class Layer>
constexpr digest128 of_layer = own_fingerprint<Layer, for_layer<Layer>>();
static_assert(of_layer<front_2> != of_layer<front>, "a version of the layer");
static_assert(of_layer<front_2> != of_layer<front_3>);
static_assert(of_layer<front_2> != of_layer<front_dated>);
static_assert(of_layer<back> != of_layer<front>, "another layer");

struct with_a_name {
  int a = 0;
  int b = 0;
  static constexpr text layerkey_schema = "ptx";
  using layerkey_fields =
      fields<field<&with_a_name::a, affects<front>>, field<&with_a_name::b, affects<front>>>;
};
static_assert(of<with_a_name> != of<base>, "a name for the struct");

// A plain aggregate may give itself one, too.
struct size_in_bytes {
  static constexpr text layerkey_schema = "bytes";
  int size = 0;
};
struct size_in_words {
  static constexpr text layerkey_schema = "words";
  int size = 0;
};
static_assert(of<of_type<size_in_bytes>> != of<of_type<size_in_words>>);
static_assert(of<of_type<std::variant<size_in_bytes, size_in_words>>> !=
              of<of_type<std::variant<size_in_words, size_in_bytes>>>);
static_assert(of<of_type<size_in_bytes>> ==
              fnv("layerkey-schema/1;layer=5:front;a:9:aggregate{5:bytes}(size:i32);b:i32;"));

// And structs that a variant holds by their tags.
struct left {
  static constexpr text layerkey_schema = "left";
  int v = 0;
  using layerkey_fields = fields<field<&left::v, affects<front>>>;
};
struct right {
  static constexpr text layerkey_schema = "right";
  int v = 0;
  using layerkey_fields = fields<field<&right::v, affects<front>>>;
};
template<class T>
struct holding {
  T held{};
  using layerkey_fields = fields<field<&holding::held, per_member>>;
};
static_assert(of<holding<std::variant<left, right>>> ==
              fnv("layerkey-schema/1;layer=5:front;held:11:alternative,0={4:left},1={5:right};"
                  "held.v:i32;held.v:i32;"));
static_assert(of<holding<std::variant<left, right>>> != of<holding<std::variant<right, left>>>);
static_assert(of<holding<std::optional<left>>> != of<holding<std::optional<right>>>);

// Upstream counts for the layer's key, not for its own key.
struct upstream {
  int a = 0;
  bool b = false;
  using layerkey_fields =
      fields<field<&upstream::a, affects<back>>, field<&upstream::b, affects<front>>>;
};
struct other_upstream {
  int a = 0;
  int b = 0;
  using layerkey_fields =
      fields<field<&other_upstream::a, affects<back>>, field<&other_upstream::b, affects<front>>>;
};
static_assert(own_fingerprint<back, upstream>() == own_fingerprint<back, other_upstream>());
static_assert(fingerprint<back, upstream>() != fingerprint<back, other_upstream>());

// ---- what does not -----------------------------------------------------------------------------

struct base_by_another_name {
  int a = 1;
  int b = 2;
  using layerkey_fields = fields<field<&base_by_another_name::a, affects<front>>,
                                 field<&base_by_another_name::b, affects<front>>>;
};
static_assert(of<base_by_another_name> == of<base>, "the struct renamed, other initialisers");

struct with_runtime_only {
  int* log = nullptr;
  int a = 0;
  bool verify = false;
  int b = 0;
  using layerkey_fields = fields<
      field<&with_runtime_only::log, runtime_only>, field<&with_runtime_only::a, affects<front>>,
      field<&with_runtime_only::verify, check_only>, field<&with_runtime_only::b, affects<front>>>;
};
static_assert(of<with_runtime_only> == of<base>, "members that are in no key");

struct wrapped {
  base all;
  int other = 0;
  using layerkey_fields =
      fields<field<&wrapped::all, per_member>, field<&wrapped::other, affects<back>>>;
};
static_assert(of<wrapped> == of<base>, "a struct around it");
static_assert(fingerprint<front, wrapped>() == fingerprint<front, base>());

enum class three_renamed : std::uint8_t { a, b, c };
static_assert(of<of_type<three_renamed>> == of<of_type<three>>, "an enumeration renamed");

namespace elsewhere {
struct point {
  float x = 0;
  double y = 0;
};
}  // namespace elsewhere
static_assert(of<of_type<elsewhere::point>> == of<of_type<point>>, "a plain aggregate moved");
static_assert(of<of_type<long>> == of<of_type<std::int64_t>>);
static_assert(of<of_type<std::string_view>> == of<of_type<std::string>>);
static_assert(of<of_type<std::span<int const>>> == of<of_type<std::vector<int>>>);

// ---- enumerations ------------------------------------------------------------------------------

// What the compiler tells is as good as what is said.
enum class said : std::uint8_t { a, b, c };
enum unfixed { u_a, u_b };
enum class far : int { near = 0, away = 1000, below = -1 };
enum class flags : std::uint32_t { none, first = 1, last = 1u << 31 };
enum class small_and_far : std::uint8_t { a, z = 200 };
enum class counted : std::int8_t { a, negative = -100 };
enum class only_below : std::int16_t { a, below = -1 };
enum class empty : int {};
enum class as_bool : bool { no, yes };

}  // namespace fingerprints

template<>
struct layerkey::enum_names<fingerprints::said> {
  using E = fingerprints::said;
  using list = enumerator_list<enumerator<"a", E::a>, enumerator<"b", E::b>, enumerator<"c", E::c>>;
};
template<>
struct layerkey::enum_names<fingerprints::far> {
  using E = fingerprints::far;
  using list = enumerator_list<enumerator<"near", E::near>, enumerator<"away", E::away>,
                               enumerator<"below", E::below>>;
};

namespace fingerprints {

template<class E>
constexpr bool is_known = detail::enumerators_are_known<E>();

static_assert(of<of_type<said>> == of<of_type<three>>);
static_assert(of<of_type<far>> == fnv("layerkey-schema/1;layer=5:front;"
                                      "a:enum(i32,near=0,away=1000,below=-1);b:i32;"));
static_assert(of<of_type<as_bool>> ==
              fnv("layerkey-schema/1;layer=5:front;a:enum(bool,no=0,yes=1);b:i32;"));
static_assert(is_known<three> && is_known<said> && is_known<far> && is_known<as_bool>);
static_assert(is_known<int> && is_known<std::byte>);
static_assert(!is_known<unfixed>);
static_assert(!is_known<flags>, "a flag far up");
static_assert(!is_known<small_and_far> && !is_known<counted>, "of 8 bits all are seen");
static_assert(!is_known<only_below>);
static_assert(!is_known<empty>);

namespace {
enum class hidden : std::uint8_t { a, b, c };
}  // namespace
struct outer {
  enum class level : std::uint8_t { a, b, c };
};
static_assert(of<of_type<hidden>> == of<of_type<three>>, "in an unnamed namespace");
static_assert(of<of_type<outer::level>> == of<of_type<three>>);

// ---- functions that are templates' -------------------------------------------------------------

// Only g++ shows that it is one; where it does, a projection by one is refused.
template<int Bit>
constexpr bool has_bit(int v) {
  return (v >> Bit & 1) != 0;
}
constexpr bool has_bit_3(int v) { return has_bit<3>(v); }
#ifndef __clang__
static_assert(detail::is_template_instance<has_bit<3>>());
#endif
static_assert(!detail::is_template_instance<has_bit_3>());
static_assert(!detail::is_template_instance<&of_type<int>::a>());

}  // namespace fingerprints
