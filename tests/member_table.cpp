#include <layerkey/member_table.hpp>

#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

#include <catch2/catch.hpp>

namespace {

using layerkey::codegen, layerkey::field, layerkey::fields, layerkey::inference, layerkey::irgen;

enum class mode { forward, reverse };
constexpr bool is_forward(mode m) { return m == mode::forward; }
constexpr int clamped(int v) { return v < 0 ? 0 : v; }
constexpr bool has_debug_info(int level) { return level > 0; }

struct target {
  int sm = 90;
  int const* sink = nullptr;
  using layerkey_fields = fields<field<&target::sm, layerkey::affects_codegen>,
                                 field<&target::sink, layerkey::runtime_only>>;
};

struct nothing {
  using layerkey_fields = fields<>;
};

struct options {
  mode direction = mode::reverse;
  int debug_level = 0;
  bool line_tables = false;
  bool trace : 1 = false;
  target device;
  bool verify = true;

  static constexpr bool get_trace(options const& p) { return p.trace; }

  using layerkey_fields =
      fields<field<&options::direction, layerkey::affects_inference::as<is_forward>,
                   layerkey::affects_irgen>,
             field<&options::debug_level, layerkey::affects_irgen,
                   layerkey::affects_codegen::as<has_debug_info>, layerkey::canonical<clamped>>,
             field<&options::line_tables, layerkey::affects_irgen,
                   layerkey::only_if<has_debug_info, &options::debug_level>>,
             field<layerkey::accessor<options::get_trace>, layerkey::affects_irgen,
                   layerkey::only_if<&options::line_tables>,
                   layerkey::only_if<&options::debug_level>::otherwise<true>>,
             field<&options::device, layerkey::per_member>,
             field<&options::verify, layerkey::check_only>>;
};
static_assert(layerkey::complete<options>);

}  // namespace

TEST_CASE("the table has a row a member, a column a layer, and notes") {
  CHECK(layerkey::tabulate<options, inference, irgen, codegen>().to_text() ==
        "member       inference        irgen         codegen\n"
        "direction    is_forward(key)  key           -\n"
        "debug_level  -                clamped(key)  has_debug_info(clamped(key))\n"
        "line_tables  -                key           -                             "
        "only if has_debug_info(debug_level)\n"
        "get_trace    -                key           -                             "
        "only if line_tables, only if debug_level\n"
        "device.sm    -                -             key\n"
        "device.sink  -                -             -                             "
        "runtime only\n"
        "verify       -                -             -                             "
        "checks only\n");
}

TEST_CASE("the columns are the layers that are asked for, in that order") {
  auto const table = layerkey::tabulate<target, codegen, layerkey::loading>();
  CHECK(table.heading == std::vector<std::string>{"member", "codegen", "loading", ""});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"sm", "key", "-", ""},
                                                            {"sink", "-", "-", "runtime only"}});
}

TEST_CASE("a struct without members has a heading only") {
  CHECK(layerkey::tabulate<nothing, irgen>().to_text() == "member  irgen\n");
}
