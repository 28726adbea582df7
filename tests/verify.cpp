#include <layerkey/extensions.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/testing.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/variant.hpp>

#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace testing = layerkey::testing;
using layerkey::accessor, layerkey::canonical, layerkey::field, layerkey::fields, layerkey::only_if;
using testing::law;

namespace {

struct first : layerkey::layer<> {
  static constexpr layerkey::text name = "first";
};
struct second : layerkey::layer<first> {
  static constexpr layerkey::text name = "second";
};
using affects_first = layerkey::affects<first>;
using affects_second = layerkey::affects<second>;

bool mentions(std::string const& text, std::string const& what) {
  return text.find(what) != std::string::npos;
}

bool leaves_unchecked(testing::report const& r, std::string const& what) {
  return std::any_of(r.unchecked().begin(), r.unchecked().end(),
                     [&](std::string const& each) { return mentions(each, what); });
}

// Nothing but these laws is broken.
void check_only(testing::report const& r, std::vector<law> const& broken) {
  INFO(r.to_text());
  for (auto const each : broken) CHECK(r.found(each));
  for (auto const& each : r.faults())
    CHECK(std::find(broken.begin(), broken.end(), each.broken) != broken.end());
}

// ---- correct params ----------------------------------------------------------------------------

enum class mode : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }
constexpr mode mode_of(bool forward) { return forward ? mode::forward : mode::reverse; }
constexpr int even(int v) { return v / 2 * 2; }
constexpr bool positive(int v) { return v > 0; }

struct inner {
  int width = 4;
  bool wide = false;

  using layerkey_fields =
      fields<field<&inner::width, affects_second>, field<&inner::wide, affects_first>>;
};

struct correct {
  bool inlining = false;
  mode direction = mode::reverse;
  int level = 0;
  bool tables = false;
  int tile = 8;
  unsigned narrow : 3 = 5;
  inner in;
  bool validate = true;
  int const* log = nullptr;

  unsigned get_narrow() const { return narrow; }
  void set_narrow(unsigned const& v) { narrow = v & 7; }

  using layerkey_fields =
      fields<field<&correct::inlining, affects_first>,
             field<&correct::direction, affects_first::as<is_forward>::represented_by<mode_of>,
                   affects_second>,
             field<&correct::level, affects_second>,
             field<&correct::tables, affects_second, only_if<positive, &correct::level>>,
             field<&correct::tile, affects_second, canonical<even>>,
             field<accessor<&correct::get_narrow, &correct::set_narrow>, affects_first>,
             field<&correct::in, layerkey::per_member>,
             field<&correct::validate, layerkey::check_only>,
             field<&correct::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<correct>);

std::vector<correct> correct_values() {
  static int const somewhere = 0;
  correct a, b, c;
  b.level = 2;
  b.log = &somewhere;
  c.tile = 10;
  c.level = 1;
  return {a, b, c};
}

}  // namespace

TEST_CASE("verify: correct params keep every law and leave nothing unchecked") {
  auto const r = testing::verify<correct, second>(correct_values());
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(r);
  CHECK(r.unchecked().empty());
  CHECK(r.checks() > 10'000);
}

TEST_CASE("verify: params with members of many kinds keep every law") {
  using namespace sample;
  params a, b;
  b.module = "x";
  b.passes = {"b", "a"};
  b.threads = dim3{2, 2, 2};
  b.file = "lib/other.c";
  b.grid = {3, 2, 1};
  b.tiles = {{1, 2}};
  b.prefixes = {"", "a"};
  b.block.x = 7;
  auto const r = testing::verify<params, back>({a, b});
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(leaves_unchecked(r, "narrowed, layer back"));  // file_name has no section
  CHECK(leaves_unchecked(r, "language: how it moves layer back"));
}

// With a name: clang's -Wpedantic minds an optional of a type that has no linkage.
namespace verified {

struct inner {
  int width = 4;
  bool wide = false;

  using layerkey_fields =
      fields<field<&inner::width, affects_second>, field<&inner::wide, affects_first>>;
};

struct target {
  int sm = 90;
  layerkey::inline_text<15> cpu = "generic";

  using layerkey_fields =
      fields<field<&target::sm, affects_second>, field<&target::cpu, affects_first>>;
};

struct job {
  bool kernel = false;
  inner in;
  std::optional<target> to;
  std::variant<inner, target> either;
  bool fast = false;

  using layerkey_fields =
      fields<field<&job::kernel, affects_first, affects_second>,
             field<&job::in, layerkey::per_member>, field<&job::to, layerkey::per_member>,
             field<&job::either, layerkey::per_member>, field<&job::fast, affects_second>,
             layerkey::refine<layerkey::path<&job::in, &inner::width>, only_if<&job::kernel>>>;
};
static_assert(layerkey::complete<job>);

struct named {
  std::string name = "n";
  using layerkey_fields = fields<field<&named::name, affects_first>>;
};

struct maybe_named {
  std::optional<named> held;
  using layerkey_fields = fields<field<&maybe_named::held, layerkey::per_member>>;
};

}  // namespace verified

TEST_CASE("verify: members that may be absent, and refined ones, keep every law") {
  using namespace verified;
  job a, b, c;
  a.to = target{};
  b.kernel = true;
  b.to = target{80, "znver4"};
  b.either = target{70, ""};
  c.either = verified::inner{8, true};
  auto const r = testing::verify<job, second>({a, b, c});
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(r.unchecked().empty());

  // Not every compiler makes a string as a constant, which narrowed params need.
  auto const texts = testing::verify<maybe_named, first>({{}, {named{"a"}}, {named{""}}});
  INFO(texts.to_text());
  CHECK(texts.ok());

  // An optional is changed only where the given values do.
  auto const absent = testing::verify<job, second>({job{}});
  INFO(absent.to_text());
  CHECK(absent.ok());
  CHECK(leaves_unchecked(absent, "to: how it moves layer first"));
  CHECK(leaves_unchecked(absent, "to.sm: how it moves layer second"));
}

TEST_CASE("verify: a layer brings those upstream of it") {
  auto const values = correct_values();
  CHECK(testing::verify_keys<correct, second>(values).checks() ==
        testing::verify_keys<correct, first, second>(values).checks());
  CHECK(testing::verify_keys<correct, second>(values).checks() >
        testing::verify_keys<correct, first>(values).checks());
}

TEST_CASE("verify: what it could not check it says") {
  auto const none = testing::verify<correct, second>({});
  CHECK(none.ok());
  CHECK(leaves_unchecked(none, "no params were given"));

  // With one value of each member and none generated, nothing can be changed.
  auto const same = testing::verify<correct, second>({correct{}}, {.generate = false});
  CHECK(same.ok());
  CHECK(leaves_unchecked(same, "level: how it moves layer second"));
  CHECK(leaves_unchecked(same, "in.width: how it moves layer second"));
}

// ---- broken params -----------------------------------------------------------------------------

namespace {

constexpr int one_more(int v) { return v + 1; }

struct creeping {
  int level = 0;

  using layerkey_fields = fields<field<&creeping::level, affects_first, canonical<one_more>>>;
};

constexpr mode wrong_mode_of(bool forward) { return forward ? mode::reverse : mode::forward; }

struct misrepresented {
  mode direction = mode::reverse;

  using layerkey_fields =
      fields<field<&misrepresented::direction,
                   affects_first::as<is_forward>::represented_by<wrong_mode_of>>>;
};

struct crossed {
  unsigned a : 4 = 0;
  unsigned b : 4 = 0;

  unsigned get_a() const { return a; }
  void set_a(unsigned const& v) { a = v & 15; }
  unsigned get_b() const { return a; }  // the fault
  void set_b(unsigned const& v) { b = v & 15; }

  using layerkey_fields = fields<field<accessor<&crossed::get_a, &crossed::set_a>, affects_first>,
                                 field<accessor<&crossed::get_b, &crossed::set_b>, affects_second>>;
};

struct listed_twice {
  int a = 0;
  unsigned b : 4 = 0;

  int get_b() const { return a; }  // the fault, here and in the next line
  void set_b(int const& v) { a = v; }

  using layerkey_fields =
      fields<field<&listed_twice::a, affects_first>,
             field<accessor<&listed_twice::get_b, &listed_twice::set_b>, affects_second>>;
};

int reads = 0;
int unsteady(int v) { return v + reads++ / 3; }

struct impure {
  int level = 0;

  using layerkey_fields = fields<field<&impure::level, affects_first::as<unsteady>>>;
};

}  // namespace

TEST_CASE("verify finds a canonical form that is not idempotent") {
  auto const r = testing::verify<creeping, first>({creeping{}});
  check_only(r, {law::canonical_is_idempotent, law::narrowed_agrees});
  CHECK(r.found(law::canonical_is_idempotent, "level"));
  CHECK(mentions(r.to_text(),
                 "creeping::level: canonical: f(f(x)) is f(x); but for x = 0, f(x) is "
                 "1 and f(f(x)) is 2"));
}

TEST_CASE("verify finds a section that stands for something else") {
  auto const r = testing::verify<misrepresented, first>({misrepresented{}});
  check_only(r, {law::section_represents, law::narrowed_agrees});
  CHECK(r.found(law::section_represents, "direction"));
  CHECK(mentions(r.to_text(), "misrepresented::direction, layer first"));
  CHECK(mentions(r.to_text(), "for u = false it is true, since section(u) is forward"));
}

TEST_CASE("verify finds an accessor that reads another member") {
  crossed other;
  other.a = 3;
  other.b = 9;
  auto const r = testing::verify<crossed, second>({crossed{}, other});
  CHECK(r.found(law::sets_one_member, "get_a"));
  CHECK(r.found(law::reads_what_was_set, "get_b"));
  CHECK(r.found(law::moves_what_sees_it, "get_a"));
  CHECK(mentions(r.to_text(), "setting it to 1 also changes get_b"));
}

TEST_CASE("verify finds a member that is listed twice through an accessor") {
  auto const r = testing::verify<listed_twice, second>({listed_twice{}});
  check_only(r, {law::sets_one_member, law::moves_what_sees_it});
  CHECK(r.found(law::sets_one_member, "a"));
  CHECK(r.found(law::sets_one_member, "get_b"));
  CHECK(r.found(law::moves_what_sees_it, "a"));
  CHECK(mentions(r.to_text(), "0 -> 1 also turns get_b from 0 into 1"));
}

TEST_CASE("verify finds a projection that is no function") {
  CHECK(testing::verify<impure, first>({impure{}}).found(law::pure));
}

// ---- broken values -----------------------------------------------------------------------------

namespace {

// Each is a class, so that no value<T> but its own is found.
template<int Fault>
struct version {
  int major = 0;
  std::string suffix = {};

  friend bool operator==(version const&, version const&) = default;
};

constexpr int correct_one = 0, forgets = 1, no_size = 2, run_together = 3;

template<int Fault>
struct released {
  version<Fault> since;

  using layerkey_fields = fields<field<&released::since, affects_first>>;
};

struct nameless {
  int number = 0;
  nameless() = default;
  explicit nameless(int n) : number(n) {}
};

template<int Words>
struct promised {
  int a = 0, b = 0;

  friend bool operator==(promised const&, promised const&) = default;
};

template<class T>
struct holding {
  T held;

  using layerkey_fields = fields<field<&holding::held, affects_first>>;
};

}  // namespace

template<int Fault>
struct layerkey::value<version<Fault>> {
  static constexpr text kind = "version/1";

  template<class Sink>
  static constexpr void write(Sink& sink, version<Fault> const& v) {
    if constexpr (Fault == run_together) sink.bytes("v", 1);
    layerkey::write(sink, v.major);
    if constexpr (Fault == correct_one) layerkey::write(sink, v.suffix);
    if constexpr (Fault == no_size || Fault == run_together)
      sink.bytes(v.suffix.data(), v.suffix.size());
  }
};

template<>
struct layerkey::value<nameless> {
  static constexpr text kind = "nameless/1";
  template<class Sink>
  static constexpr void write(Sink& sink, nameless const& v) {
    layerkey::write(sink, v.number / 2);
  }
};

// Says what 2 words promise; 2 puts one, 3 other widths, 4 too much into one, 5 too few in shape.
template<int Kind>
struct layerkey::value<promised<Kind>> {
  static constexpr text kind = "promised/1";
  static constexpr std::size_t atoms = 2;
  static constexpr void shape(detail::shape_writer& to) {
    to.put(32);
    if constexpr (Kind != 5) to.put(32);
  }
  template<class Sink>
  static constexpr void write(Sink& sink, promised<Kind> const& v) {
    if constexpr (Kind == 4)
      sink.template put<32>(static_cast<std::uint64_t>(v.a) + (std::uint64_t{1} << 40));
    else
      sink.template put<32>(static_cast<std::uint32_t>(v.a));
    if constexpr (Kind == 3)
      sink.template put<16>(static_cast<std::uint16_t>(v.b));
    else if constexpr (Kind != 2)
      sink.template put<32>(static_cast<std::uint32_t>(v.b));
  }
};

namespace {

template<int Fault>
testing::report verify_version() {
  return testing::verify<released<Fault>, first>({{{1, ""}}, {{1, "a"}}, {{1, "ab"}}, {{2, "a"}}});
}

template<int Kind>
testing::report verify_promise() {
  using params = holding<promised<Kind>>;
  // Keys would be written beyond their end, so the parts that make none are asked.
  return testing::verify_values<params, first>({params{}, params{{1, 2}}});
}

}  // namespace

TEST_CASE("verify: a value that is written well keeps every law") {
  auto const r = verify_version<correct_one>();
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(verify_promise<1>().ok());
}

TEST_CASE("verify finds values that differ and are written alike") {
  auto const r = verify_version<forgets>();
  check_only(r, {law::one_form_a_value});
  CHECK(r.found(law::one_form_a_value, "since"));
  CHECK(mentions(r.to_text(), "{1, \"\"} and {1, \"a\"} are written alike"));
}

TEST_CASE("verify finds a value that is written as the beginning of another") {
  check_only(verify_version<no_size>(), {law::prefix_free});
  auto const r = verify_version<run_together>();
  check_only(r, {law::prefix_free});
  CHECK(mentions(r.to_text(), "{1, \"\"} is written as the beginning of {1, \"a\"}"));
}

TEST_CASE("verify says which type leaves open whether values differ") {
  auto const r = testing::verify<holding<nameless>, first>({{nameless(2)}, {nameless(3)}});
  CHECK(r.ok());
  CHECK(leaves_unchecked(r, "whether values of"));
  CHECK(leaves_unchecked(r, "nameless differ"));
}

TEST_CASE("verify finds a shape that write does not keep to") {
  check_only(verify_promise<2>(), {law::shape_agrees});
  CHECK(mentions(verify_promise<2>().to_text(), "atoms is 2 and write puts or skips 1"));
  check_only(verify_promise<3>(), {law::shape_agrees});
  CHECK(mentions(verify_promise<3>().to_text(), "word 1 has 32 bits in shape and 16 in write"));
  check_only(verify_promise<4>(), {law::shape_agrees});
  CHECK(mentions(verify_promise<4>().to_text(), "does not fit the width"));
  check_only(verify_promise<5>(), {law::shape_agrees});
  CHECK(mentions(verify_promise<5>().to_text(), "atoms is 2 and shape has 1"));
}

TEST_CASE("verify makes no key of values whose shape is wrong") {
  using params = holding<promised<2>>;
  auto const r = testing::verify<params, first>({params{}, params{{1, 2}}});
  check_only(r, {law::shape_agrees});
  CHECK(leaves_unchecked(r, "keys: first"));
}

// ---- values that are read wrongly --------------------------------------------------------------

namespace {

struct misread {
  std::string all;
  friend bool operator==(misread const&, misread const&) = default;
};

// Its form is that of what it writes, or leaves half of it out.
template<bool Right>
struct formed {
  std::string a, b;
  friend bool operator==(formed const&, formed const&) = default;
};

}  // namespace

template<>
struct layerkey::value<misread> {
  static constexpr text kind = "misread";
  template<class Sink>
  static void write(Sink& sink, misread const& v) {
    layerkey::write(sink, v.all);
  }
  template<class Source>
  static misread read(Source& from) {
    auto size = from.template get<64>() / 2;
    return {std::string(from.characters(size), size)};
  }
};

template<bool Right>
struct layerkey::value<formed<Right>> {
  static constexpr text kind = "formed";
  using form =
      std::conditional_t<Right, forms::all<std::string, std::string>, forms::all<std::string>>;
  template<class Sink>
  static void write(Sink& sink, formed<Right> const& v) {
    layerkey::write(sink, v.a);
    layerkey::write(sink, v.b);
  }
};

TEST_CASE("verify finds a read() that leaves bytes of what write puts") {
  using params = holding<misread>;
  auto const r = testing::verify<params, first>({params{}, params{{"ab"}}, params{{"c"}}});
  check_only(r, {law::takes_what_was_written});
  CHECK(mentions(r.to_text(), "read() takes 9 bytes of the 10 that write puts"));
}

TEST_CASE("verify finds a form that is not what write puts") {
  using wrong = holding<formed<false>>;
  auto const r = testing::verify<wrong, first>({wrong{}, wrong{{"a", "b"}}});
  check_only(r, {law::takes_what_was_written});
  CHECK(mentions(r.to_text(), "the form takes 8 bytes of the 16 that write puts"));

  using right = holding<formed<true>>;
  auto const none = testing::verify<right, first>({right{}, right{{"a", "b"}}});
  INFO(none.to_text());
  CHECK(none.ok());
}

// ---- faults that only a broken library could have
// -------------------------------------------------

namespace {

// Equal to what is near, which is not transitive.
struct near {
  int v;
  friend bool operator==(near a, near b) { return a.v - b.v < 2 && b.v - a.v < 2; }
  std::uint64_t hash() const { return 1; }
};

struct badly_hashed {
  int v;
  friend bool operator==(badly_hashed a, badly_hashed b) { return a.v % 2 == b.v % 2; }
  std::uint64_t hash() const { return static_cast<std::uint64_t>(v); }
};

struct some {
  int v = 0;
  using layerkey_fields = fields<field<&some::v, affects_first>>;
};

template<class Key>
testing::report verify_fake() {
  testing::detail::reporter to("some");
  testing::detail::verify_one_key(
      std::vector<some>{{0}, {1}, {2}}, "first", [](some const& s) { return Key{s.v}; }, to);
  return to.found;
}

testing::detail::effect no_effect() {
  testing::detail::effect e;
  e.layer = "first";
  e.all_say_so = true;
  e.before = e.after = {{"v", "0", "0", {}}, {"w", "0", "0", {"x"}}, {"x", "0", "0", {"v"}}};
  return e;
}

testing::report verify_effect(testing::detail::effect const& e, std::string const& member = "v") {
  testing::detail::reporter to("some");
  testing::detail::verify_effect(member, "0 -> 1", e, to);
  return to.found;
}

}  // namespace

TEST_CASE("verify: equality of keys has to be transitive, and hashes have to follow it") {
  CHECK(verify_fake<near>().found(law::equivalence));
  check_only(verify_fake<badly_hashed>(), {law::hash_follows_key});
}

TEST_CASE("verify: tables have to find what comparing finds") {
  using testing::detail::table_agrees, testing::detail::own_hash, testing::detail::constant_hash;
  std::vector<badly_hashed> const keys = {{0}, {1}, {2}};
  auto const firsts = testing::detail::first_equals(keys);
  CHECK(firsts == std::vector<std::size_t>{0, 1, 0});
  CHECK(table_agrees<badly_hashed, constant_hash>(keys, firsts));
  CHECK_FALSE(table_agrees<badly_hashed, own_hash>(keys, firsts));
}

TEST_CASE("verify: keys have to move with what their layers see") {
  CHECK(verify_effect(no_effect()).ok());

  auto seen = no_effect();
  seen.after[0].written = "1";
  seen.upstream_moved = true;
  CHECK_FALSE(verify_effect(seen).ok());  // the keys stay
  seen.own_key_moved = true;
  CHECK_FALSE(verify_effect(seen).ok());  // the key stays
  seen.key_moved = true;
  CHECK(verify_effect(seen).ok());
  seen.all_say_so = false;
  CHECK_FALSE(verify_effect(seen).ok());
}

TEST_CASE("verify: another member moves only where a condition of it reads this one") {
  auto seen = no_effect();
  seen.own_key_moved = seen.key_moved = seen.upstream_moved = true;
  seen.after[1].written = "1";
  CHECK(verify_effect(seen, "x").ok());
  CHECK(verify_effect(seen, "v").ok());  // through x
  CHECK_FALSE(verify_effect(seen, "other").ok());
  seen = no_effect();
  seen.own_key_moved = seen.key_moved = seen.upstream_moved = true;
  seen.after[0].written = "1";
  CHECK_FALSE(verify_effect(seen, "x").ok());
}

TEST_CASE("reports keep a fault of one law, member and layer once, and print it") {
  testing::report r;
  r.add({law::pure, "params", "sm", "codegen", "first"});
  r.add({law::pure, "params", "sm", "codegen", "second"});
  r.add({law::pure, "params", "sm", "irgen", "third"});
  testing::report more;
  more.add({law::pure, "params", "sm", "codegen", "fourth"});
  more.leave_unchecked("something");
  more.count(5);
  r += more;
  r += more;
  CHECK(r.faults().size() == 2);
  CHECK(r.checks() == 10);
  CHECK(r.unchecked().size() == 1);
  std::ostringstream out;
  out << r;
  CHECK(out.str() ==
        "10 checks, 2 faults\n"
        "  params::sm, layer codegen: the same params give the same key each time; but first (4 "
        "times)\n"
        "  params::sm, layer irgen: the same params give the same key each time; but third\n"
        "  not checked: something\n");
}

// ---- members that no field lists ---------------------------------------------------------------

namespace {

// A class that cannot be counted, and whose members cannot be seen at compile time.
class hidden {
 public:
  static constexpr layerkey::text layerkey_uncounted = "has a constructor";
  hidden(int level, int forgotten) : name_("x"), level_(level), forgotten_(forgotten) {}
  hidden() : hidden(0, 0) {}

  std::string const& name() const { return name_; }
  int level() const { return level_; }
  friend bool operator==(hidden const&, hidden const&) = default;

  using layerkey_fields = fields<field<accessor<&hidden::name>, affects_first>,
                                 field<accessor<&hidden::level>, affects_second>>;

 private:
  std::string name_;
  int level_;
  int forgotten_;
};

class open_to_see {
 public:
  static constexpr layerkey::text layerkey_uncounted = "has a constructor";
  explicit open_to_see(double scale) : scale_(scale) {}
  open_to_see() : open_to_see(1.0) {}

  double scale() const { return scale_; }
  friend bool operator==(open_to_see const&, open_to_see const&) = default;

  using layerkey_fields = fields<field<accessor<&open_to_see::scale>, affects_first>>;

 private:
  double scale_;
};

struct twice {
  unsigned a : 3 = 0;
  unsigned b : 3 = 0;
  unsigned get_a() const { return a; }
  void set_a(unsigned v) { a = v & 7; }
  unsigned get_b() const { return a; }
  void set_b(unsigned v) { a = v & 7; }
  using layerkey_fields = fields<field<accessor<&twice::get_a, &twice::set_a>, affects_first>,
                                 field<accessor<&twice::get_b, &twice::set_b>, affects_first>>;
};

}  // namespace

TEST_CASE("verify: a private member that no field lists shows in values that differ") {
  auto const r = testing::verify_listing<hidden>({hidden(1, 0), hidden(1, 1), hidden(2, 0)});
  INFO(r.to_text());
  check_only(r, {law::lists_every_member});
  CHECK(mentions(r.to_text(), "values 0 and 1 differ"));
}

TEST_CASE("verify: clang names a private member that no field lists, g++ says that it cannot") {
  auto const r = testing::verify_listing<hidden>({hidden(1, 0)});
  INFO(r.to_text());
#ifdef __clang__
  check_only(r, {law::lists_every_member});
  CHECK(r.found(law::lists_every_member, "forgotten_"));
#else
  CHECK(r.ok());
  CHECK(leaves_unchecked(r, "private member"));
#endif
  CHECK(testing::verify<hidden, second>({hidden(1, 0)}).ok() == r.ok());
}

TEST_CASE("verify: a class that lists all its private members is complete") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const r = testing::verify_listing<open_to_see>(
      {open_to_see(1.0), open_to_see(2.0), open_to_see(2.0), open_to_see(nan), open_to_see(nan),
       open_to_see(0.0), open_to_see(-0.0)});
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(r.checks() > 5);
}

TEST_CASE("verify: two accessors of one bit-field are found where they set it") {
  auto const r = testing::verify_members<twice>({twice{}});
  INFO(r.to_text());
  check_only(r, {law::sets_one_member});
}
