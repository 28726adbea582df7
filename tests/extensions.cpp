#include <layerkey/explain.hpp>
#include <layerkey/extensions.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/testing.hpp>
#include <layerkey/to_text.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

using layerkey::extension_error, layerkey::extensions, layerkey::extensions_part;

namespace {

struct inference : layerkey::layer<> {
  static constexpr layerkey::text name = "inference";
};
struct irgen : layerkey::layer<inference> {
  static constexpr layerkey::text name = "irgen";
};
struct codegen : layerkey::layer<irgen> {
  static constexpr layerkey::text name = "codegen";
};

struct params {
  int level = 0;
  extensions extra = extensions::of<inference, codegen>();

  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<irgen>>,
                       layerkey::extensions_field<&params::extra, inference, codegen>>;
};
static_assert(layerkey::complete<params>);

template<class Layer>
bool own_key_moves(params const& a, params const& b) {
  return !(layerkey::make_own_key<Layer>(a) == layerkey::make_own_key<Layer>(b));
}

params with(std::string name, layerkey::extension_value value,
            std::initializer_list<std::string_view> layers) {
  params p;
  auto const added = p.extra.add(std::move(name), std::move(value), layers);
  INFO(added.message);
  REQUIRE(added);
  return p;
}

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (int each : values) result.push_back(static_cast<std::byte>(each));
  return result;
}

}  // namespace

TEST_CASE("extensions: each layer's key holds those that name it") {
  params const none;
  auto const p = with("fast", true, {"codegen"});
  CHECK(layerkey::same_key<inference>(none, p));
  CHECK(layerkey::same_key<irgen>(none, p));
  CHECK_FALSE(layerkey::same_key<codegen>(none, p));

  auto const q = with("fast", true, {"inference"});
  CHECK_FALSE(layerkey::same_key<inference>(none, q));
  CHECK_FALSE(layerkey::same_key<irgen>(none, q));  // downstream
  CHECK_FALSE(own_key_moves<irgen>(none, q));
  CHECK_FALSE(own_key_moves<codegen>(none, q));
}

TEST_CASE("extensions: which other layers are named is no layer's business") {
  auto const p = with("fast", true, {"codegen"});
  auto const q = with("fast", true, {"inference", "codegen"});
  CHECK(p.extra != q.extra);
  CHECK_FALSE(own_key_moves<codegen>(p, q));
  CHECK(own_key_moves<inference>(p, q));
}

TEST_CASE("extensions: the order in which they come does not matter") {
  params p, q;
  REQUIRE(p.extra.add("a", 1, {"codegen", "inference"}));
  REQUIRE(p.extra.add("b", 2, {"codegen"}));
  REQUIRE(q.extra.add("b", 2, {"codegen"}));
  REQUIRE(q.extra.add("a", 1, {"inference", "codegen", "inference"}));
  CHECK(p.extra == q.extra);
  CHECK(layerkey::same_key<codegen>(p, q));
  CHECK(layerkey::make_key<codegen>(p).hash() == layerkey::make_key<codegen>(q).hash());
}

TEST_CASE("extensions: values of different kinds or representations differ") {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<layerkey::extension_value> const values = {
      true,      false, 0,  1,   -1,    std::int64_t{1} << 40, 0.0,       -0.0,
      1.0,       nan,   "", "1", "a\0", std::string("a\0", 2), bytes({}), bytes({'1'}),
      bytes({0})};
  for (std::size_t i = 0; i != values.size(); ++i)
    for (std::size_t j = 0; j != values.size(); ++j) {
      INFO(i << ", " << j);
      bool const same = i == j;
      CHECK((values[i] == values[j]) == same);
      CHECK(layerkey::same_key<codegen>(with("x", values[i], {"codegen"}),
                                        with("x", values[j], {"codegen"})) == same);
    }
}

TEST_CASE("extensions: a name does not run into a value") {
  params p, q;
  REQUIRE(p.extra.add("a", "bc", {"codegen"}));
  REQUIRE(q.extra.add("ab", "c", {"codegen"}));
  CHECK_FALSE(layerkey::same_key<codegen>(p, q));
  p = {}, q = {};
  REQUIRE(p.extra.add("a", "x", {"codegen"}));
  REQUIRE(p.extra.add("b", "y", {"inference"}));
  REQUIRE(q.extra.add("a", "x", {"inference"}));
  REQUIRE(q.extra.add("b", "y", {"codegen"}));
  CHECK_FALSE(layerkey::same_key<inference>(p, q));
  CHECK(own_key_moves<codegen>(p, q));
}

TEST_CASE("extensions: what cannot be added is refused with a sentence, and changes nothing") {
  params p = with("fast", true, {"codegen"});
  auto const before = p.extra;

  auto const unknown = p.extra.add("level", 1, {"inference", "codgen"});
  CHECK(unknown.error == extension_error::unknown_layer);
  CHECK(unknown.message ==
        "extension \"level\": there is no layer \"codgen\"; the layers are inference, codegen");
  auto const twice = p.extra.add("fast", false, {"codegen"});
  CHECK(twice.error == extension_error::duplicate_name);
  CHECK(twice.message ==
        "extension \"fast\": there is one of that name; remove it first, or choose another name");
  CHECK(p.extra.add("slow", 1, {}).error == extension_error::no_layer);
  CHECK(p.extra.add("", 1, {"codegen"}).error == extension_error::empty_name);
  CHECK_FALSE(static_cast<bool>(p.extra.add("", 1, {"codegen"})));
  CHECK(p.extra == before);
  CHECK(p.extra.size() == 1);

  CHECK(p.extra.remove("fast"));
  CHECK_FALSE(p.extra.remove("fast"));
  CHECK(p.extra.empty());
  CHECK(layerkey::same_key<codegen>(p, params{}));
}

TEST_CASE("extensions: where the layers were not known, a check finds those that no key holds") {
  params p;
  p.extra = {};
  REQUIRE(p.extra.add("fast", true, {"codegen", "irgen"}));
  REQUIRE(p.extra.add<irgen>("level", 1));
  REQUIRE(p.extra.add<inference, codegen>("size", 1));
  CHECK(layerkey::unread_extensions(p) ==
        std::vector<std::string>{
            "extra: extension \"fast\" names the layer \"irgen\"; the field of this member names "
            "inference, codegen",
            "extra: extension \"level\" names the layer \"irgen\"; the field of this member names "
            "inference, codegen"});
  CHECK(layerkey::unread_extensions(with("fast", true, {"codegen"})).empty());
}

TEST_CASE("extensions: a stage reads those of its layer") {
  params p = with("fast", true, {"codegen"});
  REQUIRE(p.extra.add<inference>("depth", 3));
  REQUIRE(p.extra.add("cpu", "znver4", {"codegen", "inference"}));

  extensions_part const part = layerkey::view<codegen, params>(p).get<&params::extra>();
  CHECK(part.layer() == "codegen");
  CHECK(part.size() == 2);
  CHECK_FALSE(part.empty());
  std::string names;
  for (auto const [name, value] : part) names += name + ";";
  CHECK(names == "cpu;fast;");
  REQUIRE(part.find("fast") != nullptr);
  CHECK(*part.find("fast") == true);
  CHECK(part.find("depth") == nullptr);
  CHECK(part.find("none") == nullptr);
  REQUIRE(part.find_as<std::string>("cpu") != nullptr);
  CHECK(*part.find_as<std::string>("cpu") == "znver4");
  CHECK(part.find_as<bool>("cpu") == nullptr);
  CHECK(layerkey::view<inference, params>(p).get<&params::extra>().size() == 2);
  CHECK(extensions_part(p.extra, "irgen").empty());
}

TEST_CASE("extensions: narrowed params hold those of the layer, without other layers' names") {
  params p = with("fast", true, {"codegen", "inference"});
  REQUIRE(p.extra.add<inference>("depth", 3));
  layerkey::narrowed<codegen, params> const narrow(p);
  REQUIRE(narrow->extra.size() == 1);
  CHECK(narrow->extra.find("fast")->layers == std::vector<std::string>{"codegen"});
  CHECK_FALSE(own_key_moves<codegen>(p, *narrow));
  CHECK(layerkey::narrowed<inference, params>(p)->extra.size() == 2);
}

TEST_CASE("extensions: keys print and explain them") {
  params p = with("fast", true, {"codegen"});
  REQUIRE(p.extra.add("ratio", 2.0, {"codegen"}));
  REQUIRE(p.extra.add("pass", "licm", {"codegen"}));
  REQUIRE(p.extra.add("blob", bytes({0, 255}), {"codegen"}));
  REQUIRE(p.extra.add("depth", 2, {"inference"}));
  auto const differences = layerkey::explain<codegen>(params{}, p);
  using layerkey::difference;
  CHECK(differences ==
        std::vector<difference>{
            {"extra", "inference", "{}", "{\"depth\": 2}"},
            {"extra", "codegen", "{}",
             "{\"blob\": 0x00ff, \"fast\": true, \"pass\": \"licm\", \"ratio\": 2.0}"}});
  CHECK(layerkey::to_text(layerkey::make_key<codegen>(p)) ==
        "extra = {\"depth\": 2}\nlevel = 0\n"
        "extra = {\"blob\": 0x00ff, \"fast\": true, \"pass\": \"licm\", \"ratio\": 2.0}\n");
  CHECK(layerkey::detail::printed(p.extra) ==
        "{\"blob\": 0x00ff (codegen), \"depth\": 2 (inference), \"fast\": true (codegen), "
        "\"pass\": \"licm\" (codegen), \"ratio\": 2.0 (codegen)}");
}

TEST_CASE("extensions: numbers print as what they are") {
  auto const printed = [](layerkey::extension_value const& v) {
    return layerkey::detail::printed(v);
  };
  CHECK(printed(1) == "1");
  CHECK(printed(1.0) == "1.0");
  CHECK(printed(-0.0) == "-0.0");
  CHECK(printed(0.5f) == "0.5");
  CHECK(printed(123456789012.0) == "123456789012.0");
  CHECK(printed(1e30) == "1e+30");
  CHECK(printed(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("extensions: params with them keep every law") {
  auto const p = with("fast", true, {"codegen"});
  auto const q = with("fast", false, {"codegen", "inference"});
  auto const r = layerkey::testing::verify<params, codegen>({params{}, p, q});
  INFO(r.to_text());
  CHECK(r.ok());
  CHECK(r.unchecked().empty());
}
