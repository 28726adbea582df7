// Keys as text: read back from the key, and equal to what an explanation prints of the params.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/to_text.hpp>
#include <layerkey/values/associative.hpp>
#include <layerkey/values/bits.hpp>
#include <layerkey/values/path.hpp>
#include <layerkey/values/time.hpp>
#include <layerkey/values/tuples.hpp>
#include <layerkey/values/variant.hpp>

#include "random_params.hpp"
#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <sstream>

template<>
struct layerkey::enum_names<sample::dialect> {
  using list = enumerator_list<enumerator<"c", sample::c>, enumerator<"cxx", sample::cxx>,
                               enumerator<"fortran", sample::fortran>>;
};

namespace as_text {

using namespace layerkey;

// ---- against the params ------------------------------------------------------------------------

// What explain() would print, member by member, without the key.
template<class... Layers, class P>
std::string printed_params(P const& p, mp::mp_list<Layers...>) {
  std::vector<std::string> lines;
  auto const add = [&]<class Leaf>(std::type_identity<Leaf>) {
    auto line = detail::path_name(typename Leaf::whole_path{}) + " = " +
                detail::printed<typename Leaf::type>(Leaf::get(p)) + "\n";
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  };
  auto const add_layer = [&]<class... Leaves>(mp::mp_list<Leaves...>) {
    (add(std::type_identity<Leaves>{}), ...);
  };
  (add_layer(detail::own_leaves<Layers, P>{}), ...);
  std::string all;
  for (auto const& each : lines) all += each;
  return all;
}

TEST_CASE("to_text: a line for each member, upstream first, in the form that the layer sees") {
  CHECK(to_text(make_key<sample::middle>(sample::params{})) ==
        "inlining = false\n"
        "level = -1\n"
        "seed = -5\n"
        "direction = false\n"
        "module = \"main\"\n"
        "file = \"main.c\"\n"
        "prefixes = {\"a\", \"\"}\n"
        "alignment = 16\n"
        "features = 9223372036854775808\n"
        "direction = reverse\n"
        "cost = 0\n"
        "limit = 0\n"
        "grid = {1, 2, 3}\n"
        "unroll.on = true\n"
        "unroll.factor = 4\n"
        "tiles = {{1}, {}}\n"
        "block = 1\n");
}

TEST_CASE("to_text: of the key as of the params, for random ones") {
  vary::engine random(3);
  int same = 0;
  for (int i = 0; i != 1'000; ++i) {
    auto const p = vary::random_params<sample::params>(random);
    same += to_text(make_key<sample::back>(p)) == printed_params(p, closure<sample::back>{});
  }
  CHECK(same == 1'000);
}

TEST_CASE("to_text: keys that differ have texts that differ") {
  vary::engine random(4);
  int wrong = 0;
  for (int i = 0; i != 1'000; ++i) {
    auto const a = vary::random_params<sample::params>(random);
    auto const b = vary::neighbour(a, random);
    auto const x = make_key<sample::back>(a), y = make_key<sample::back>(b);
    wrong += (x == y) != (to_text(x) == to_text(y));
  }
  CHECK(wrong == 0);
}

// ---- other values ------------------------------------------------------------------------------

struct dim3 {
  int x = 1, y = 1, z = 1;
};

struct values {
  std::variant<bool, std::int64_t, std::string> choice = "x";
  std::variant<std::uint8_t, float> small = 2.5f;
  std::map<std::string, std::optional<int>> names = {{"a", 1}, {"b", std::nullopt}};
  std::set<int> numbers = {3, 1};
  std::bitset<5> bits = 5;
  std::chrono::milliseconds timeout{20};
  std::pair<bool, char> both = {true, 'c'};
  std::tuple<std::string, dim3> mixed = {"t", {}};
  std::filesystem::path file = "/a/b";
  inline_text<8> cpu = "sm_90";
  content_digest digest = {digest_algorithm::blake3, {0xab, 1}, 5};
  std::vector<std::pair<std::string_view, int>> views = {{"v", 1}};
  std::optional<std::string_view> view = "w";
  std::vector<bool> flags = {true, false};
  double ratio = -0.0;

  template<auto Member>
  using all = field<Member, affects_inference>;
  using layerkey_fields =
      fields<all<&values::choice>, all<&values::small>, all<&values::names>, all<&values::numbers>,
             all<&values::bits>, all<&values::timeout>, all<&values::both>, all<&values::mixed>,
             all<&values::file>, all<&values::cpu>, all<&values::digest>, all<&values::views>,
             all<&values::view>, all<&values::flags>, all<&values::ratio>>;
};

TEST_CASE("to_text: every kind of value") {
  auto const text = to_text(make_key<inference>(values{}));
  CHECK(text ==
        "choice = #2 \"x\"\n"
        "small = #1 2.5\n"
        "names = {\"a\": 1, \"b\": none}\n"
        "numbers = {1, 3}\n"
        "bits = 00101\n"
        "timeout = 20 x 1/1000 s\n"
        "both = {true, \"c\"}\n"
        "mixed = {\"t\", {1, 1, 1}}\n"
        "file = \"/a/b\"\n"
        "cpu = \"sm_90\"\n"
        "digest = blake3:ab0100000000... (5 bytes)\n"
        "views = {{\"v\", 1}}\n"
        "view = \"w\"\n"
        "flags = {true, false}\n"
        "ratio = -0\n");
  CHECK(text == printed_params(values{}, closure<inference>{}));
  values other;
  other.choice = false;
  other.small = std::uint8_t{7};
  other.view.reset();
  other.names.clear();
  CHECK(to_text(make_key<inference>(other)) == printed_params(other, closure<inference>{}));
}

// ---- values that say less ----------------------------------------------------------------------

struct version {
  std::uint8_t major = 1, minor = 2;
};
// Of variable size, and it says no form.
struct blob {
  std::string all;
};

}  // namespace as_text

template<>
struct layerkey::value<as_text::version> {
  static constexpr text kind = "version/1";
  static constexpr std::size_t atoms = 2;
  static constexpr void shape(detail::shape_writer& to) {
    to.put(8);
    to.put(8);
  }
  template<class Sink>
  static constexpr void write(Sink& sink, as_text::version const& v) {
    layerkey::write(sink, v.major);
    layerkey::write(sink, v.minor);
  }
};

template<>
struct layerkey::value<as_text::blob> {
  static constexpr text kind = "blob/1";
  template<class Sink>
  static constexpr void write(Sink& sink, as_text::blob const& v) {
    sink.template put<8>(v.all.size());
    sink.bytes(v.all.data(), v.all.size());
  }
};

namespace as_text {

struct opaque {
  version exact;
  blob one = {"ab"};
  std::string between = "c";
  int number = 7;
  std::vector<version> several = {{3, 4}};
  using layerkey_fields =
      fields<field<&opaque::exact, affects_inference, affects_irgen>,
             field<&opaque::one, affects_irgen>, field<&opaque::between, affects_irgen>,
             field<&opaque::number, affects_irgen>,
             field<&opaque::several, affects_inference, affects_irgen>>;
};

TEST_CASE("to_text: a value that does not say how it is read shows its bytes") {
  CHECK(to_text(make_key<inference>(opaque{})) ==
        "exact = <version/1: 0102>\n"
        "several = <vector: 01000000000000000304>\n");
  // Where nothing tells its end, what follows of variable size is among them.
  CHECK(to_text(make_own_key<irgen>(opaque{})) ==
        "exact = <version/1: 0102>\n"
        "one = <blob/1: 02616201000000000000006301000000000000000304>\n"
        "between = <text: among the bytes of one>\n"
        "number = 7\n"
        "several = <vector: among the bytes of one>\n");
}

struct uniqued {
  by_identity<std::string> type;
  using layerkey_fields = fields<field<&uniqued::type, affects_inference>>;
};

TEST_CASE("to_text: an object by identity has its address") {
  std::string const object;
  std::ostringstream address;
  address << static_cast<void const*>(&object);
  auto const line = to_text(make_key<inference>(uniqued{{&object}}));
  CHECK(line.starts_with("type = object 0x"));
  CHECK(line.ends_with(address.str().substr(2) + "\n"));
  CHECK(to_text(make_key<inference>(uniqued{})) == "type = none\n");
}

TEST_CASE("to_text: fingerprints and what they are of") {
  CHECK(to_text(digest128{0x0123456789abcdef, 0xf}) == "0123456789abcdef000000000000000f");
  CHECK(schema_text<sample::front, sample::params>() ==
        "layerkey-schema/"
        "1;layer=5:front;inlining:bool;level:i8;seed:i64;direction:bool,as=is_forward;"
        "module:4:text(text);file:4:text(text),as=file_name;prefixes:5:array(4:text(text)*2);");
}

}  // namespace as_text
