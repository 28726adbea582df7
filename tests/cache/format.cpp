#define FMT_HEADER_ONLY
#include <layerkey/cache/format.hpp>
#include <layerkey/fmt.hpp>

#include <catch2/catch.hpp>

#include <sstream>
#include <string>

#if defined(__cpp_lib_format)
#include <format>
#endif

using namespace std::chrono_literals;

TEST_CASE("format: statistics are a table") {
  layerkey::layer_statistics optimization, codegen;
  optimization.layer = "optimization";
  optimization.requests = 12;
  optimization.served = 9;
  optimization.runs = 2;
  optimization.failures = 1;
  optimization.failures_without_run = 1;
  optimization.spent = 1'250us;
  optimization.saved = 12s;
  codegen.layer = "codegen";
  layerkey::statistics const rows = {optimization, codegen};
  std::string const text =
      "layer         requests  served  run  failed   spent       saved\n"
      "optimization        12       9    2       2  1.3 ms  12000.0 ms\n"
      "codegen              0       0    0       0  0.0 ms      0.0 ms\n";
  CHECK(layerkey::to_text(rows) == text);
  std::ostringstream out;
  out << rows;
  CHECK(out.str() == text);
#if defined(__cpp_lib_format)
  CHECK(std::format("{}", rows) == text);
#endif
  CHECK(layerkey::to_text(layerkey::statistics{}) ==
        "layer  requests  served  run  failed  spent  saved\n");
}

TEST_CASE("format: diagnostics are their text") {
  layerkey::diagnostics const d{"no such cpu"};
  std::ostringstream out;
  out << d;
  CHECK(out.str() == d.text);
#if defined(__cpp_lib_format)
  CHECK(std::format("{}", d) == d.text);
#endif
#if __has_include(<fmt/format.h>)
  CHECK(fmt::format("{}", d) == d.text);
#endif
}
