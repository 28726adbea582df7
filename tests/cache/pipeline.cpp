// Pipelines: what runs, how often, and what it is given.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <latch>
#include <thread>

using namespace layerkey;
using toy::params;
using toy::runs_of;

using runs = std::vector<int>;

TEST_CASE("a pipeline lists its layers upstream first, whatever the order of its stages") {
  using shuffled = pipeline<params, stage<toy::run_join>, stage<toy::run_right>,
                            stage<toy::run_front>, stage<toy::run_left>>;
  std::vector<std::string> names;
  for (auto const& each : shuffled{}.statistics()) names.push_back(each.layer);
  CHECK(names == std::vector<std::string>{"front", "left", "right", "join"});
  CHECK(shuffled{}.get<toy::join>("f", params{}).value() == toy::expected_join("f", params{}));
}

TEST_CASE("artifacts are what the stages make one after the other") {
  toy::compiler compiler;
  params const p{.mode = toy::mode::split, .level = 2, .lines = true, .cpu = "new", .sm = 80};
  CHECK(compiler.get<toy::join>("f", p).value() ==
        "join(left(front(f 1) 2 2 lines) right(front(f 1) new) 80)");
  CHECK(compiler.get<toy::left>("f", p).value() == "left(front(f 1) 2 2 lines)");
  CHECK(compiler.get<toy::front>("g", {.mode = toy::mode::forward}).value() ==
        "front(g 1 forward)");
}

TEST_CASE("each key runs once, and every request is counted") {
  toy::compiler compiler;
  params const p;
  auto const first = compiler.get<toy::join>("f", p);
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, 1});
  auto const front = toy::of_layer(compiler.statistics(), "front");
  CHECK(front.requests == 2);  // by left and by right
  CHECK(front.served == 1);

  auto const second = compiler.get<toy::join>("f", p);
  CHECK(second.share() == first.share());  // the very artifact
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, 1});
  auto const join = toy::of_layer(compiler.statistics(), "join");
  CHECK(join.requests == 2);
  CHECK(join.served == 1);
  CHECK(toy::of_layer(compiler.statistics(), "front").requests == 2);  // not asked again

  CHECK(compiler.get<toy::join>("g", p).value() == toy::expected_join("g", p));
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2, 2});
  CHECK(toy::adds_up(compiler.statistics()));
}

namespace {

struct flip {
  char const* what;
  void (*apply)(params&);
  runs more;  // of front, left, right, join
};

flip const flips[] = {
    {"dialect", [](params& p) { p.dialect = 2; }, {1, 1, 1, 1}},
    {"mode to the other reverse one", [](params& p) { p.mode = toy::mode::split; }, {0, 1, 0, 1}},
    {"mode to forward", [](params& p) { p.mode = toy::mode::forward; }, {1, 1, 1, 1}},
    {"level", [](params& p) { p.level = 2; }, {0, 1, 0, 1}},
    {"lines while level is 0", [](params& p) { p.lines = true; }, {0, 0, 0, 0}},
    {"lines and level", [](params& p) { p.level = 2, p.lines = true; }, {0, 1, 0, 1}},
    {"cpu", [](params& p) { p.cpu = "new"; }, {0, 0, 1, 1}},
    {"sm", [](params& p) { p.sm = 80; }, {0, 0, 0, 1}},
    {"validate", [](params& p) { p.validate = false; }, {0, 0, 0, 0}},
    {"log", [](params& p) { p.log = &p; }, {0, 0, 0, 0}},
};

}  // namespace

TEST_CASE("a change of one member runs exactly the layers that depend on it") {
  for (auto const& each : flips) {
    CAPTURE(each.what);
    toy::compiler compiler;
    params p;
    static_cast<void>(compiler.get<toy::join>("f", p));
    each.apply(p);
    CHECK(compiler.get<toy::join>("f", p).value() == toy::expected_join("f", p));
    runs const expected{1 + each.more[0], 1 + each.more[1], 1 + each.more[2], 1 + each.more[3]};
    CHECK(runs_of(compiler.statistics()) == expected);
    CHECK(toy::adds_up(compiler.statistics()));
  }
}

TEST_CASE("a narrowed stage sees defaults where its layer has no tag") {
  static auto const seen = [](params const& p) { return *narrowed<toy::left, params>(p); };
  params const p{.dialect = 7, .mode = toy::mode::split, .level = 3, .cpu = "new", .sm = 80};
  CHECK(seen(p).mode == toy::mode::split);
  CHECK(seen(p).level == 3);
  CHECK(seen(p).dialect == params{}.dialect);
  CHECK(seen(p).cpu == params{}.cpu);
  CHECK(seen(p).sm == params{}.sm);
}

// ---- failures ----------------------------------------------------------------------------------

TEST_CASE("the diagnostics of the stage that failed reach whoever asked, and are not cached") {
  toy::compiler compiler;
  params const p;
  auto const answer = compiler.get<toy::join>("syntax", p);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().text == "cannot parse syntax");
  // Behind the failure of left, right is not even asked: front ran once, not once for each path.
  CHECK(runs_of(compiler.statistics()) == runs{1, 0, 0, 0});
  CHECK(toy::of_layer(compiler.statistics(), "front").failures == 1);
  CHECK(toy::of_layer(compiler.statistics(), "left").failures_without_run == 1);
  CHECK(toy::of_layer(compiler.statistics(), "right").requests == 0);
  CHECK(toy::of_layer(compiler.statistics(), "join").failures_without_run == 1);

  CHECK_FALSE(compiler.get<toy::join>("syntax", p));
  CHECK(runs_of(compiler.statistics()) == runs{2, 0, 0, 0});

  CHECK(compiler.get<toy::join>("f", p).value() == toy::expected_join("f", p));
  CHECK(runs_of(compiler.statistics()) == runs{3, 1, 1, 1});
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("a failure downstream leaves the upstream artifacts cached") {
  toy::compiler compiler;
  for (int i = 1; i != 4; ++i) {
    auto const answer = compiler.get<toy::join>("join fails", params{});
    CHECK(answer.error().text == "cannot join join fails");
    CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, i});
  }
  CHECK(toy::of_layer(compiler.statistics(), "join").failures == 3);
  CHECK(toy::adds_up(compiler.statistics()));
}

#if defined(__cpp_exceptions)
TEST_CASE("an exception of a stage reaches whoever asked, and is not cached") {
  toy::compiler compiler;
  for (int i = 1; i != 3; ++i) {
    CHECK_THROWS_WITH(compiler.get<toy::join>("throw join", params{}), "join threw on throw join");
    CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, i});
    CHECK(toy::of_layer(compiler.statistics(), "join").failures == static_cast<unsigned>(i));
  }
  // A stage whose upstream stage threw did not run.
  CHECK_THROWS_WITH(compiler.get<toy::join>("throw front", params{}), "front threw on throw front");
  CHECK(runs_of(compiler.statistics()) == runs{2, 1, 1, 2});
  CHECK(toy::of_layer(compiler.statistics(), "join").failures_without_run == 1);
  CHECK(compiler.get<toy::join>("f", params{}));
  CHECK(toy::adds_up(compiler.statistics()));
}
#endif

namespace {

// A stage that waits until it is let go.
struct gated : layer<> {
  static constexpr text name = "gated";
  using input = std::string;
  using artifact = int;
};
struct gated_params {
  int n = 0;
  using layerkey_fields = fields<field<&gated_params::n, affects<gated>>>;
};

}  // namespace

std::latch* gate = nullptr;  // external linkage, as the stage below

int wait_at_gate(std::string const& source, view<gated, gated_params> options) {
  gate->wait();
  if (source == "throw") toy::throw_error("thrown once");
  return options.get<&gated_params::n>();
}

TEST_CASE("one run or its exception serves all threads that ask for the key meanwhile") {
#if defined(__cpp_exceptions)
  auto const source = GENERATE(as<std::string>(), "f", "throw");
#else
  std::string const source = "f";
#endif
  constexpr int threads = 4;
  std::latch opened(1);
  gate = &opened;
  pipeline<gated_params, stage<wait_at_gate>> compiler;
  std::atomic<int> answers = 0, exceptions = 0;
  std::vector<std::thread> all;
  for (int i = 0; i != threads; ++i)
    all.emplace_back([&] {
#if defined(__cpp_exceptions)
      try {
        answers += compiler.get<gated>(source, {.n = 5}).value() == 5;
      } catch (std::runtime_error const& e) {
        exceptions += std::string(e.what()) == "thrown once";
      }
#else
      answers += compiler.get<gated>(source, {.n = 5}).value() == 5;
#endif
    });
  while (compiler.statistics()[0].requests != threads) std::this_thread::yield();
  opened.count_down();
  for (auto& each : all) each.join();

  auto const counted = compiler.statistics()[0];
  CHECK(counted.runs == 1);
  CHECK(toy::adds_up(counted));
  CHECK(answers == (source == "f" ? threads : 0));
  CHECK(exceptions == (source == "f" ? 0 : threads));
  CHECK(counted.served == (source == "f" ? threads - 1 : 0));
  CHECK(counted.failures_without_run == (source == "f" ? 0 : threads - 1));
}

// ---- wrappers, layers left out -----------------------------------------------------------------

namespace {

struct job {
  params config;
  std::string title;

  using layerkey_fields = fields<field<&job::config, per_member>, field<&job::title, runtime_only>>;
};

struct deeper {
  job inner;
  int priority = 0;

  using layerkey_fields =
      fields<field<&deeper::inner, per_member>, field<&deeper::priority, runtime_only>>;
};

}  // namespace

inline std::string join_of_job(std::string const&, std::string const& left,
                               std::string const& right, view<toy::join, job> options) {
  return left + right + std::to_string(options.get<&job::config, &params::sm>());
}

TEST_CASE("a stage over the inner struct works in a pipeline over its wrapper") {
  pipeline<deeper, stage<toy::run_front>, stage<toy::run_left>, stage<toy::run_right>,
           stage<toy::run_join>>
      compiler;
  deeper d{{params{.sm = 80}, "first"}, 1};
  auto const first = compiler.get<toy::join>("f", d);
  CHECK(first.value() == toy::expected_join("f", d.inner.config));
  d.inner.title = "second";
  d.priority = 2;
  CHECK(compiler.get<toy::join>("f", d).share() == first.share());
  d.inner.config.sm = 90;
  CHECK(compiler.get<toy::join>("f", d).value() == toy::expected_join("f", d.inner.config));
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, 2});
}

TEST_CASE("and so does one over the wrapper itself") {
  pipeline<job, stage<toy::run_front>, stage<toy::run_left>, stage<toy::run_right>,
           stage<join_of_job>>
      compiler;
  CHECK(compiler.get<toy::join>("f", {params{.sm = 80}, ""}).value() ==
        "left(front(f 1) 1 0)right(front(f 1) old)80");
}

TEST_CASE("a pipeline may ignore a layer that the tags name") {
  pipeline<params, stage<toy::run_front>, stage<toy::run_left>, stage<toy::run_right>,
           ignores<toy::join>>
      compiler;
  CHECK(compiler.get<toy::left>("f", {.sm = 80}).value() == toy::expected_left("f", params{}));
  CHECK(compiler.get<toy::left>("f", {.sm = 90}).value() == toy::expected_left("f", params{}));
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 0});
}

TEST_CASE("clear forgets every artifact, and those that are held live on") {
  toy::compiler compiler;
  auto const held = compiler.get<toy::join>("f", params{});
  compiler.clear();
  CHECK(held.value() == toy::expected_join("f", params{}));
  auto const again = compiler.get<toy::join>("f", params{});
  CHECK(again.value() == held.value());
  CHECK(again.share() != held.share());
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2, 2});
}

// ---- a stage that asks for itself --------------------------------------------------------------

namespace {

struct recursive : layer<> {
  static constexpr text name = "recursive";
  using input = std::string;
  using artifact = std::string;
};
struct no_options {
  using layerkey_fields = fields<>;
};

}  // namespace

outcome<std::string> (*ask)(std::string const&) = nullptr;

outcome<std::string> ask_for_callee(std::string const& source, view<recursive, no_options>) {
  if (source == "leaf") return source;
  return ask(source == "caller" ? "leaf" : source);
}

TEST_CASE("a stage that asks for its own artifact is told so in place of waiting for itself") {
  static pipeline<no_options, stage<ask_for_callee>> compiler;
  ask = [](std::string const& source) { return compiler.get<recursive>(source, {}); };
  CHECK(compiler.get<recursive>("caller", {}).value() == "leaf");
  auto const answer = compiler.get<recursive>("cyclic", {});
  REQUIRE_FALSE(answer);
  CHECK_THAT(answer.error().text, Catch::Matchers::StartsWith("cyclic request"));
  auto const counted = compiler.statistics()[0];
  CHECK(counted.requests == 4);
  CHECK(counted.runs == 3);
  CHECK(counted.failures == 1);
  CHECK(counted.failures_without_run == 1);
}
