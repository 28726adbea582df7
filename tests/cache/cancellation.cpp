// Requests that are not wanted any more.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace layerkey;
using toy::of_layer;

namespace {

struct infer : layer<> {
  static constexpr text name = "infer";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layer<infer> {
  static constexpr text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  using layerkey_fields = fields<field<&options::level, affects<emit>>>;
};

std::latch* started = nullptr;
std::latch* released = nullptr;
std::atomic<int> inferred, emitted;

// For each test anew.
struct gate {
  std::latch begun{1}, opened{1};
  gate() {
    started = &begun;
    released = &opened;
    inferred = emitted = 0;
  }
};

}  // namespace

std::string run_infer(std::string const& f, view<infer, options>) {
  ++inferred;
  return f + " typed";
}
std::string run_emit(std::string const&, std::string const& typed, view<emit, options>) {
  ++emitted;
  return typed + " code";
}

// The first run waits until it is released, and says so when nobody wants it.
outcome<std::string> infer_at_gate(std::string const& f, view<infer, options>,
                                   requester<infer> ask) {
  if (++inferred == 1) {
    started->count_down();
    released->wait();
  }
  if (ask.stop_requested()) return diagnostics{"stopped", failure_kind::cancelled};
  return f + " typed";
}

namespace {

using compiler_type = pipeline<options, stage<run_infer>, stage<run_emit>>;
using gated_compiler = pipeline<options, stage<infer_at_gate>, stage<run_emit>>;

std::stop_token stopped() {
  std::stop_source source;
  source.request_stop();
  return source.get_token();
}

}  // namespace

TEST_CASE("a request that is not wanted when it comes runs nothing and says so") {
  gate const fresh;
  compiler_type compiler;
  auto const answer = compiler.get<emit>("f", {}, {.stop = stopped()});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == failure_kind::cancelled);
  CHECK(answer.error().text == "cancelled before infer of \"f\"");
  CHECK(inferred == 0);
  for (auto const* layer : {"infer", "emit"}) {
    auto const counted = of_layer(compiler.statistics(), layer);
    CHECK(counted.requests == 1);
    CHECK(counted.failures_without_run == 1);
    CHECK(counted.runs == 0);
    CHECK(counted.entries == 0);
  }
}

TEST_CASE("a cancelled request is kept in no case") {
  gate const fresh;
  compiler_type compiler;
  compiler.limit<infer>({.keep_failures = true});
  compiler.limit<emit>({.keep_failures = true});
  CHECK_FALSE(compiler.get<emit>("f", {}, {.stop = stopped()}));
  CHECK(*compiler.get<emit>("f", {}) == "f typed code");
  CHECK(emitted == 1);
}

TEST_CASE("what is there is served to whoever asks, wanted or not") {
  gate const fresh;
  compiler_type compiler;
  auto const made = compiler.get<emit>("f", {});
  CHECK(&*compiler.get<emit>("f", {}, {.stop = stopped()}) == &*made);
  // And nothing is made of it.
  auto const answer = compiler.get<emit>("f", {.level = 1}, {.stop = stopped()});
  CHECK(answer.error().text == "cancelled before emit of \"f\"");
  CHECK(emitted == 1);
}

TEST_CASE("who waits goes when it is told to, and the run goes on") {
  gate fresh;
  gated_compiler compiler;
  outcome<std::string> of_runner = diagnostics{"none"};
  std::thread runner([&] { of_runner = compiler.get<emit>("f", {}); });
  fresh.begun.wait();

  std::stop_source stop;
  outcome<std::string> of_waiter = diagnostics{"none"};
  std::thread waiter([&] { of_waiter = compiler.get<emit>("f", {}, {.stop = stop.get_token()}); });
  while (of_layer(compiler.statistics(), "emit").waits != 1) std::this_thread::yield();
  stop.request_stop();
  waiter.join();  // although the run has not ended
  REQUIRE_FALSE(of_waiter);
  CHECK(of_waiter.error().kind == failure_kind::cancelled);
  CHECK(of_waiter.error().text == "cancelled while waiting for another run");

  fresh.opened.count_down();
  runner.join();
  CHECK(*of_runner == "f typed code");
  CHECK(&*compiler.get<emit>("f", {}) == &*of_runner);
  CHECK(inferred == 1);
  CHECK(of_layer(compiler.statistics(), "emit").failures_without_run == 1);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("where the one that runs is cancelled, one of those that wait runs anew for all") {
  constexpr unsigned waiters = 4;
  gate fresh;
  gated_compiler compiler;
  std::stop_source stop;
  outcome<std::string> of_runner = diagnostics{"none"};
  std::thread runner([&] { of_runner = compiler.get<infer>("f", {}, {.stop = stop.get_token()}); });
  fresh.begun.wait();
  std::vector<outcome<std::string>> answers(waiters, diagnostics{"none"});
  std::vector<std::thread> all;
  for (auto& each : answers) all.emplace_back([&] { each = compiler.get<infer>("f", {}); });
  while (of_layer(compiler.statistics(), "infer").waits != waiters) std::this_thread::yield();

  stop.request_stop();
  fresh.opened.count_down();
  runner.join();
  for (auto& each : all) each.join();
  CHECK(of_runner.error().kind == failure_kind::cancelled);
  CHECK(of_runner.error().text == "stopped");
  for (auto const& each : answers) {
    REQUIRE(each);
    CHECK(*each == "f typed");
    CHECK(&*each == &*answers[0]);
  }
  CHECK(inferred == 2);
  auto const counted = of_layer(compiler.statistics(), "infer");
  CHECK(counted.runs == 2);
  CHECK(counted.failures == 1);
  CHECK(counted.served == waiters - 1);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("a cancelled run upstream is run anew for those that wait downstream") {
  gate fresh;
  gated_compiler compiler;
  std::stop_source stop;
  outcome<std::string> of_runner = diagnostics{"none"};
  std::thread runner([&] { of_runner = compiler.get<emit>("f", {}, {.stop = stop.get_token()}); });
  fresh.begun.wait();
  outcome<std::string> same = diagnostics{"none"}, other = diagnostics{"none"};
  std::thread waiter([&] { same = compiler.get<emit>("f", {}); });
  std::thread beside([&] { other = compiler.get<emit>("f", {.level = 1}); });
  while (of_layer(compiler.statistics(), "emit").waits != 1 ||
         of_layer(compiler.statistics(), "infer").waits != 1)
    std::this_thread::yield();
  stop.request_stop();
  fresh.opened.count_down();
  for (auto* each : {&runner, &waiter, &beside}) each->join();
  CHECK(of_runner.error().text == "stopped");
  CHECK(of_runner.error().kind == failure_kind::cancelled);
  REQUIRE(same);
  REQUIRE(other);
  CHECK(*same == "f typed code");
  CHECK(*other == "f typed code");
  CHECK(inferred == 2);
  CHECK(emitted == 2);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("where all that wait are cancelled nobody runs anew") {
  gate fresh;
  gated_compiler compiler;
  std::stop_source stop;
  std::vector<std::thread> all;
  std::atomic<int> cancelled = 0;
  for (int i = 0; i != 3; ++i)
    all.emplace_back([&] {
      auto const answer = compiler.get<infer>("f", {}, {.stop = stop.get_token()});
      cancelled += !answer && answer.error().kind == failure_kind::cancelled;
    });
  fresh.begun.wait();
  while (of_layer(compiler.statistics(), "infer").waits != 2) std::this_thread::yield();
  stop.request_stop();
  fresh.opened.count_down();
  for (auto& each : all) each.join();
  CHECK(cancelled == 3);
  CHECK(inferred == 1);
  CHECK(toy::adds_up(compiler.statistics()));
}

// ---- early cutoff ------------------------------------------------------------------------------

std::string emit_by_content(std::string const& typed, view<emit, options>) {
  ++emitted;
  return typed + " code";
}

TEST_CASE("under early cutoff it is the same") {
  gate const fresh;
  pipeline<options, stage<run_infer>, early_cutoff<stage<emit_by_content>>> compiler;
  CHECK(compiler.get<emit>("f", {}, {.stop = stopped()}).error().text ==
        "cancelled before infer of \"f\"");
  CHECK(compiler.get<infer>("f", {}));
  CHECK(compiler.get<emit>("f", {}, {.stop = stopped()}).error().text ==
        "cancelled before emit of \"f\"");
  CHECK(emitted == 0);
  CHECK(*compiler.get<emit>("f", {}) == "f typed code");
  CHECK(compiler.get<emit>("f", {}, {.stop = stopped()}));
  CHECK(emitted == 1);
  CHECK(toy::adds_up(compiler.statistics()));
}

namespace {

std::stop_source* stop_now = nullptr;

}  // namespace

outcome<std::string> infer_asking(std::string const& f, view<infer, options>,
                                  requester<infer> ask) {
  if (f == "g") return f;
  if (stop_now) stop_now->request_stop();
  auto const callee = ask.get<infer>("g");
  if (!callee && f == "f") return callee.error();
  return callee ? f + " with g" : f + " without g";
}

TEST_CASE("a request of a stage is cancelled with the request that it runs for") {
  for (std::string const f : {"f", "takes it lightly"}) {
    std::stop_source stop;
    stop_now = &stop;
    compiler_type::with<infer_asking> compiler;
    auto const answer = compiler.get<infer>(f, {}, {.stop = stop.get_token()});
    CHECK(answer.error().kind == failure_kind::cancelled);
    CHECK(answer.error().text == "cancelled during infer of \"" + f + "\"");
    CHECK(of_layer(compiler.statistics(), "infer").entries == 0);
    stop_now = nullptr;
    CHECK(*compiler.get<infer>(f, {}) == f + " with g");
    CHECK(toy::adds_up(compiler.statistics()));
  }
}
