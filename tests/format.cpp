#define FMT_HEADER_ONLY
#include <layerkey/fmt.hpp>
#include <layerkey/format.hpp>
#include <layerkey/layerkey.hpp>

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace {

struct front : layerkey::layer<> {};
struct back : layerkey::layer<front> {
  static constexpr layerkey::text name = "back";
};

struct params {
  bool fast = true;
  int sm = 90;
  layerkey::extensions extra;

  using layerkey_fields = layerkey::fields<layerkey::field<&params::fast, layerkey::affects<front>>,
                                           layerkey::field<&params::sm, layerkey::affects<back>>,
                                           layerkey::extensions_field<&params::extra, back>>;
};
static_assert(layerkey::complete<params>);

template<class T>
void check_text(T const& v, std::string const& text) {
  std::ostringstream out;
  out << v;
  CHECK(out.str() == text);
#if defined(__cpp_lib_format)
  CHECK(std::format("{}", v) == text);
  CHECK(std::format("{:>100}", v) == std::string(100 - text.size(), ' ') + text);
#endif
#if __has_include(<fmt/format.h>)
  CHECK(fmt::format("{}", v) == text);
  CHECK(fmt::format("{:>100}", v) == std::string(100 - text.size(), ' ') + text);
#endif
}

}  // namespace

TEST_CASE("format: keys are what they hold, a member a line") {
  params p;
  check_text(layerkey::make_key<back>(p), "fast = true\nsm = 90\nextra = {}\n");
  check_text(layerkey::make_own_key<front>(p), "fast = true\n");
}

TEST_CASE("format: differences and extensions are one line") {
  params p;
  REQUIRE(p.extra.add<back>("size", 3));
  check_text(layerkey::difference{"sm", "back", "90", "80"}, "sm: 90 -> 80");
  check_text(p.extra, "{\"size\": 3 (back)}");
  check_text(layerkey::extensions_part(p.extra, "back"), "{\"size\": 3}");
}
