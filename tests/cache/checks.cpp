// What check_only members ask for.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

using namespace layerkey;

namespace {

struct optimize : layer<> {
  static constexpr text name = "optimize";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layer<optimize> {
  static constexpr text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  int sm = 90;
  bool validate = false;
  bool warn = false;
  void const* log = nullptr;

  using layerkey_fields =
      fields<field<&options::level, affects<optimize>>, field<&options::sm, affects<emit>>,
             field<&options::validate, check_only>, field<&options::warn, check_only>,
             field<&options::log, runtime_only>>;
};
static_assert(complete<options>);

std::atomic<int> optimized, emitted, validated;

}  // namespace

std::string run_optimize(std::string const& f, view<optimize, options> in) {
  ++optimized;
  return f + " O" + std::to_string(in.get<&options::level>());
}
std::string run_emit(std::string const&, std::string const& ir, view<emit, options> in) {
  ++emitted;
  return ir + " sm" + std::to_string(in.get<&options::sm>());
}

check_result validate_ir(std::string const& ir, checks_view<options> in) {
  ++validated;
  check_result said;
  if (in.get<&options::warn>()) said.messages.push_back("looked at " + ir);
  if (in.get<&options::validate>() && ir.find("bad") != std::string::npos)
    said.failure = diagnostics{"invalid: " + ir};
  return said;
}

namespace {

using compiler_type = pipeline<options, stage<run_optimize>, stage<run_emit>,
                               check<optimize, validate_ir>>;

}  // namespace

TEST_CASE("a check runs on every delivery, hit or miss, of its layer and what is made of it") {
  optimized = emitted = validated = 0;
  compiler_type compiler;
  CHECK(*compiler.get<emit>("bad", {}) == "bad O0 sm90");
  CHECK(validated == 1);
  CHECK(*compiler.get<emit>("bad", {}) == "bad O0 sm90");
  CHECK(validated == 2);
  // Turned on after everything was made: nothing runs again but the check.
  CHECK(compiler.get<emit>("bad", {.validate = true}).error().text == "invalid: bad O0");
  CHECK(compiler.get<optimize>("bad", {.validate = true}).error().text == "invalid: bad O0");
  CHECK(compiler.get<emit>("good", {.validate = true}));
  CHECK(validated == 5);
  CHECK(optimized == 2);
  CHECK(emitted == 2);
  // The artifact of a failed check is still there.
  CHECK(*compiler.get<emit>("bad", {}) == "bad O0 sm90");
  CHECK(emitted == 2);
}

TEST_CASE("nothing is made of what fails a check") {
  optimized = emitted = 0;
  compiler_type compiler;
  CHECK_FALSE(compiler.get<emit>("bad", {.validate = true}));
  CHECK(optimized == 1);
  CHECK(emitted == 0);
}

TEST_CASE("what a check says is said to who asked, each time, and never stored") {
  compiler_type compiler;
  using lines = std::vector<std::string>;
  CHECK(compiler.get<emit>("f", {}).messages().empty());
  CHECK(compiler.get<emit>("f", {.warn = true}).messages() == lines{"looked at f O0"});
  CHECK(compiler.get<emit>("f", {}).messages().empty());
  CHECK(compiler.get<emit>("bad", {.validate = true, .warn = true}).messages() ==
        lines{"looked at bad O0"});
}

// ---- a stage that checks -----------------------------------------------------------------------

namespace {

bool drifting = false;

}  // namespace

with_check<std::string> optimize_and_check(std::string const& f, view<optimize, options> in,
                                           checks_view<options> checks) {
  ++optimized;
  auto const ir_before = "<" + f + ">";  // which no artifact shows
  with_check<std::string> result{f + " O" + std::to_string(in.get<&options::level>()) +
                                 (drifting ? std::to_string(optimized) : "")};
  if (checks.get<&options::validate>()) {
    ++validated;
    if (f == "bad") result.result.failure = diagnostics{"invalid: " + ir_before};
    result.result.messages.push_back("checked " + ir_before);
  }
  return result;
}

namespace {

using checking_compiler = pipeline<options, stage<optimize_and_check>, stage<run_emit>>;

}  // namespace

TEST_CASE("a check that was not recorded with the entry runs its stage again and completes it") {
  optimized = emitted = validated = 0;
  drifting = false;
  checking_compiler compiler;
  CHECK(*compiler.get<emit>("bad", {}) == "bad O0 sm90");
  for (int i = 0; i != 3; ++i)
    CHECK(compiler.get<emit>("bad", {.validate = true}).error().text == "invalid: <bad>");
  CHECK(validated == 1);
  CHECK(optimized == 2);
  for (int i = 0; i != 3; ++i) {
    auto const good = compiler.get<emit>("good", {.validate = true});
    CHECK(*good == "good O0 sm90");
    CHECK(good.messages() == std::vector<std::string>{"checked <good>"});
  }
  CHECK(validated == 2);
  CHECK(*compiler.get<emit>("bad", {}) == "bad O0 sm90");
  CHECK(emitted == 2);
  // `log` is in no check either.
  CHECK(compiler.get<emit>("good", {.validate = true, .log = &compiler}));
  CHECK(optimized == 3);
  auto const counted = toy::of_layer(compiler.statistics(), "optimize");
  CHECK(counted.drifts == 0);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("an artifact that is made again for a check is the one that was there") {
  optimized = 0;
  drifting = false;
  checking_compiler compiler;
  auto const first = compiler.get<optimize>("f", {});
  auto const again = compiler.get<optimize>("f", {.validate = true});
  CHECK(optimized == 2);
  CHECK(&*first == &*again);
}

TEST_CASE("an artifact that drifts when it is made again is counted") {
  optimized = 0;
  drifting = true;
  checking_compiler compiler;
  CHECK(*compiler.get<optimize>("f", {}) == "f O01");
  CHECK(*compiler.get<optimize>("f", {.validate = true}) == "f O02");
  CHECK(toy::of_layer(compiler.statistics(), "optimize").drifts == 1);
  drifting = false;
}
