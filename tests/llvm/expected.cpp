// llvm::Expected as what a stage returns.
#include <layerkey/llvm/expected.hpp>

#include "../cache/toy_compiler.hpp"

#include <llvm/Support/Error.h>
#include <catch2/catch.hpp>

#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace layerkey;
using toy::of_layer;

namespace {

struct parse : layer<> {
  static constexpr text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
// An artifact that cannot be copied.
struct linking : layer<parse> {
  static constexpr text name = "linking";
  using input = std::string;
  using artifact = std::unique_ptr<std::string>;
};

struct options {
  int level = 0;
  using layerkey_fields = fields<field<&options::level, affects<linking>>>;
};

std::atomic<int> parsed, linked;
std::latch* gate = nullptr;

}  // namespace

llvm::Expected<std::string> run_parse(std::string const& f, view<parse, options>) {
  ++parsed;
  if (gate) gate->wait();
  if (f == "syntax") return llvm::createStringError("line 3: unexpected token");
  if (f == "two")
    return llvm::joinErrors(llvm::createStringError("first"), llvm::createStringError("second"));
  return f + " parsed";
}

llvm::Expected<std::unique_ptr<std::string>> run_link(std::string const& f, std::string const& tree,
                                                      view<linking, options> in) {
  ++linked;
  if (f == "undefined") return llvm::createStringError("undefined symbol: main");
  return std::make_unique<std::string>(tree + " O" + std::to_string(in.get<&options::level>()));
}

namespace {

using compiler_type = pipeline<options, stage<run_parse>, stage<run_link>>;

struct fresh {
  compiler_type compiler;
  fresh() {
    parsed = linked = 0;
    gate = nullptr;
  }
};

}  // namespace

TEST_CASE("expected: a value is the artifact, and is served again") {
  fresh f;
  auto const made = f.compiler.get<linking>("f", {});
  REQUIRE(made);
  CHECK(**made == "f parsed O0");
  CHECK(&*f.compiler.get<linking>("f", {}) == &*made);
  CHECK(**f.compiler.get<linking>("f", {.level = 2}) == "f parsed O2");
  CHECK(parsed == 1);
  CHECK(linked == 2);
}

TEST_CASE("expected: the text of an error is the diagnostics, and is not kept") {
  fresh f;
  for (int i = 1; i != 3; ++i) {
    auto const answer = f.compiler.get<linking>("syntax", {});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().text == "line 3: unexpected token");
    CHECK(answer.error().kind == failure_kind::stage_failed);
    CHECK(f.compiler.get<linking>("undefined", {}).error().text == "undefined symbol: main");
    CHECK(linked == i);
  }
  CHECK(f.compiler.get<parse>("two", {}).error().text == "first\nsecond");
  CHECK(toy::adds_up(f.compiler.statistics()));
}

TEST_CASE("expected: the text of one error reaches each that waits for it") {
  constexpr unsigned threads = 4;
  fresh f;
  std::latch opened(1);
  gate = &opened;
  std::atomic<int> told = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t != threads; ++t)
    all.emplace_back([&] {
      auto const answer = f.compiler.get<linking>("syntax", {});
      told += !answer && answer.error().text == "line 3: unexpected token";
    });
  while (of_layer(f.compiler.statistics(), "linking").requests != threads)
    std::this_thread::yield();
  opened.count_down();
  for (auto& each : all) each.join();
  gate = nullptr;
  CHECK(told == threads);
  CHECK(parsed == 1);
  CHECK(of_layer(f.compiler.statistics(), "linking").failures_without_run == threads);
}

TEST_CASE("expected: a failure that is kept says the same text again") {
  fresh f;
  f.compiler.limit<parse>({.keep_failures = true});
  for (int i = 0; i != 3; ++i)
    CHECK(f.compiler.get<parse>("syntax", {}).error().text == "line 3: unexpected token");
  CHECK(parsed == 1);
}

// ---- within others -----------------------------------------------------------------------------

with_validity<llvm::Expected<std::string>, epoch_range> parse_in_world(std::string const& f,
                                                                       view<parse, options>,
                                                                       requester<parse> ask) {
  ++parsed;
  epoch_range const now{ask.epoch(), ask.epoch()};
  if (ask.epoch() == 1) return {llvm::createStringError("not in this world"), now};
  return {f + " of " + std::to_string(ask.epoch()), now};
}

TEST_CASE("expected: in with_validity it is the same") {
  fresh f;
  compiler_type::with<parse_in_world> compiler;
  CHECK(compiler.get<linking>("f", {}, {.epoch = 1}).error().text == "not in this world");
  CHECK(**compiler.get<linking>("f", {}, {.epoch = 2}) == "f of 2 O0");
  CHECK(**compiler.get<linking>("f", {}, {.epoch = 3}) == "f of 3 O0");
  CHECK(**compiler.get<linking>("f", {}, {.epoch = 2}) == "f of 2 O0");
  CHECK(parsed == 3);
}

with_check<llvm::Expected<std::string>> parse_and_check(std::string const& f, view<parse, options>,
                                                        checks_view<options>) {
  if (f == "syntax") return {llvm::createStringError("line 3"), {}};
  return {f, {.messages = {"looked at " + f}}};
}

TEST_CASE("expected: in with_check it is the same") {
  fresh f;
  compiler_type::with<parse_and_check> compiler;
  CHECK(compiler.get<parse>("syntax", {}).error().text == "line 3");
  auto const answer = compiler.get<linking>("f", {});
  CHECK(**answer == "f O0");
  CHECK(answer.messages() == std::vector<std::string>{"looked at f"});
}
