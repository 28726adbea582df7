#include "plugin.h"

#include <layerkey/layerkey.hpp>
#include <layerkey/plugin.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace {

struct inference : layerkey::layer<> {
  static constexpr layerkey::text name = "inference";
};
struct codegen : layerkey::layer<inference> {
  static constexpr layerkey::text name = "codegen";
};

struct params {
  layerkey::extensions extra = layerkey::extensions::of<inference, codegen>();

  using layerkey_fields =
      layerkey::fields<layerkey::extensions_field<&params::extra, inference, codegen>>;
};
static_assert(layerkey::complete<params>);

template<class Layer>
layerkey_extensions_part part_of(params const& p) {
  return layerkey_extensions_part(layerkey::view<Layer, params>(p).template get<&params::extra>());
}

params with_plugin() {
  params p;
  layerkey_extensions handle(p.extra);
  REQUIRE(plugin_add_options(&handle) == LAYERKEY_OK);
  CHECK(std::string(layerkey_extensions_message(&handle)).empty());
  return p;
}

}  // namespace

TEST_CASE("plugin: options added from C are in the keys of the layers that they name") {
  params by_hand;
  REQUIRE(by_hand.extra.add(
      "blob", std::vector<std::byte>{std::byte{1}, std::byte{0}, std::byte{255}}, {"codegen"}));
  REQUIRE(by_hand.extra.add("depth", -3, {"inference"}));
  REQUIRE(by_hand.extra.add("fast", true, {"codegen"}));
  REQUIRE(by_hand.extra.add("pass", "licm", {"codegen"}));
  REQUIRE(by_hand.extra.add("ratio", 0.5, {"codegen", "inference"}));
  auto const p = with_plugin();
  CHECK(p.extra == by_hand.extra);
  CHECK(layerkey::same_key<codegen>(p, by_hand));
  CHECK_FALSE(layerkey::same_key<inference>(p, params{}));
}

TEST_CASE("plugin: a stage's C function reads the options of its layer") {
  auto const p = with_plugin();
  plugin_options read = {};
  auto const codegen_part = part_of<codegen>(p);
  CHECK(plugin_reads(&codegen_part, &read) == 4);
  CHECK(read.fast == 1);
  CHECK(read.ratio == 0.5);
  CHECK(std::string_view(read.pass, read.pass_size) == "licm");
  CHECK(read.pass[read.pass_size] == '\0');
  CHECK(read.blob_size == 3);
  CHECK(static_cast<unsigned char const*>(read.blob)[2] == 255);
  CHECK(read.depth == 0);  // is inference's alone

  auto const inference_part = part_of<inference>(p);
  CHECK(plugin_reads(&inference_part, &read) == 2);
  CHECK(read.depth == -3);

  std::int64_t number = 5;
  CHECK(layerkey_extensions_get_int(&codegen_part, "depth", &number) == LAYERKEY_NOT_FOUND);
  CHECK(layerkey_extensions_get_int(&codegen_part, "fast", &number) == LAYERKEY_OTHER_KIND);
  CHECK(layerkey_extensions_get_int(nullptr, "fast", &number) == LAYERKEY_NULL_ARGUMENT);
  CHECK(layerkey_extensions_get_int(&inference_part, nullptr, &number) == LAYERKEY_NULL_ARGUMENT);
  CHECK(layerkey_extensions_get_int(&inference_part, "depth", nullptr) == LAYERKEY_NULL_ARGUMENT);
  CHECK(number == 5);
}

TEST_CASE("plugin: what is refused from C has a status and a sentence") {
  params p = with_plugin();
  layerkey_extensions handle(p.extra);
  auto const before = p.extra;
  CHECK(plugin_add_misspelt(&handle) == LAYERKEY_UNKNOWN_LAYER);
  CHECK(std::string(layerkey_extensions_message(&handle)) ==
        "extension \"width\": there is no layer \"linkng\"; the layers are inference, codegen");
  CHECK(plugin_add_options(&handle) == LAYERKEY_DUPLICATE_NAME);
  CHECK(layerkey_extensions_set_int(&handle, "", 1, "codegen") == LAYERKEY_EMPTY_NAME);
  CHECK(layerkey_extensions_set_int(&handle, "a", 1, "") == LAYERKEY_NO_LAYER);
  CHECK(layerkey_extensions_set_int(&handle, "a", 1, "codegen,,inference") ==
        LAYERKEY_UNKNOWN_LAYER);
  CHECK(layerkey_extensions_set_int(&handle, nullptr, 1, "codegen") == LAYERKEY_NULL_ARGUMENT);
  CHECK(layerkey_extensions_set_int(&handle, "a", 1, nullptr) == LAYERKEY_NULL_ARGUMENT);
  CHECK(layerkey_extensions_set_text(&handle, "a", nullptr, "codegen") == LAYERKEY_NULL_ARGUMENT);
  CHECK(layerkey_extensions_set_bytes(&handle, "a", nullptr, 1, "codegen") ==
        LAYERKEY_NULL_ARGUMENT);
  CHECK_FALSE(std::string(layerkey_extensions_message(&handle)).empty());
  CHECK(p.extra == before);

  CHECK(layerkey_extensions_set_int(nullptr, "a", 1, "codegen") == LAYERKEY_NULL_ARGUMENT);
  CHECK(std::string(layerkey_extensions_message(nullptr)).empty());
  CHECK(layerkey_extensions_set_bytes(&handle, "a", nullptr, 0, " codegen ") == LAYERKEY_OK);
  CHECK(std::string(layerkey_extensions_message(&handle)).empty());
}

TEST_CASE("plugin: C compares what a layer sees by bytes") {
  auto const p = with_plugin();
  auto q = with_plugin();
  REQUIRE(q.extra.remove("depth"));
  auto const p_codegen = part_of<codegen>(p), q_codegen = part_of<codegen>(q);
  auto const p_inference = part_of<inference>(p), q_inference = part_of<inference>(q);
  CHECK(plugin_parts_are_same(&p_codegen, &q_codegen) == 1);
  CHECK(plugin_parts_are_same(&p_inference, &q_inference) == 0);

  // The size is known before there is a place for it; what does not fit is left out.
  auto const size = layerkey_extensions_key(&p_codegen, nullptr, 0);
  CHECK(size > 20);
  std::string some(4, '!');
  CHECK(layerkey_extensions_key(&p_codegen, some.data(), 3) == size);
  CHECK(some[0] == 4);  // how many there are
  CHECK(some[3] == '!');
}
