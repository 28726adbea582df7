// Stages that ask for other artifacts while they run.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <functional>
#include <latch>
#include <map>
#include <mutex>
#include <thread>

using namespace layerkey;

namespace {

// Functions of a program: each has a body and names others. `summary` is an analysis that looks into
// callees, `lower` inlines their summaries.
struct program {
  std::mutex mutex;
  std::map<std::string, std::string> bodies;  // "1 +g" is 1 and the summary of g

  void define(std::string const& name, std::string const& body) {
    std::lock_guard const lock(mutex);
    bodies[name] = body;
  }
  std::string body(std::string const& name) {
    std::lock_guard const lock(mutex);
    return bodies.at(name);
  }
};

}  // namespace

template<>
struct layerkey::service<program> {
  static constexpr layerkey::text reason = "the input's content is what is read of it";
};

namespace {

struct parse : layer<> {
  static constexpr text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
struct summary : layer<parse> {
  static constexpr text name = "summary";
  using input = std::string;
  using artifact = std::string;
};
struct lower : layer<summary> {
  static constexpr text name = "lower";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int depth = 1;
  int level = 0;

  using layerkey_fields =
      fields<field<&options::depth, affects<summary>>, field<&options::level, affects<lower>>>;
};

// The definition is read anew in each request: `parse` is never kept across redefinitions here,
// since its validity is the epoch.
std::atomic<int> parses, summaries, lowers;

}  // namespace

with_validity<std::string, epoch_range> run_parse(std::string const& name, view<parse, options>,
                                                  requester<parse> ask, program& all) {
  ++parses;
  return {all.body(name), {ask.epoch(), ask.epoch()}};
}

// Reads of its callees only whether they are there: their parse, not their names.
std::string summarize(std::string const& name, std::string const& body, view<summary, options> in,
                      requester<summary> ask) {
  ++summaries;
  std::string result = name + ":" + std::to_string(in.get<&options::depth>());
  for (std::size_t at = 0; (at = body.find('+', at)) != std::string::npos; ++at) {
    auto const callee = ask.get<summary>(body.substr(at + 1, 1));
    result += callee ? "(" + *callee + ")" : "(?" + callee.error().text + ")";
  }
  return result + body.substr(0, body.find(' '));
}

std::string run_lower(std::string const&, std::string const& of, view<lower, options> in) {
  ++lowers;
  return "O" + std::to_string(in.get<&options::level>()) + " " + of;
}

namespace {

using by_content = pipeline<options, stage<run_parse>, early_cutoff<stage<summarize>>,
                            early_cutoff<stage<run_lower>>>;
using by_params = pipeline<options, stage<run_parse>, stage<summarize>, stage<run_lower>>;

struct fresh {
  program all;
  fresh() {
    parses = summaries = lowers = 0;
    all.define("f", "1 +g");
    all.define("g", "2");
  }
};

}  // namespace

TEST_CASE("an entry under early cutoff is served only while what it requested is the same") {
  fresh p;
  by_content compiler{p.all};
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 1}) == "O0 f:1(g:12)1");
  // Nothing changed: the next epoch parses again and finds the same content.
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 2}) == "O0 f:1(g:12)1");
  CHECK(summaries == 2);
  CHECK(lowers == 1);
  // The callee changed, f's own content did not.
  p.all.define("g", "3");
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 3}) == "O0 f:1(g:13)1");
  CHECK(summaries == 4);
  CHECK(lowers == 2);
  // And back: both entries are still there.
  p.all.define("g", "2");
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 4}) == "O0 f:1(g:12)1");
  CHECK(summaries == 4);
  CHECK(lowers == 2);
}

TEST_CASE("what is requested with the request's own params follows them") {
  fresh p;
  by_content compiler{p.all};
  CHECK(*compiler.get<summary>("f", {.depth = 1}) == "f:1(g:12)1");
  CHECK(*compiler.get<summary>("f", {.depth = 2}) == "f:2(g:22)1");
  CHECK(*compiler.get<summary>("f", {.depth = 1, .level = 3}) == "f:1(g:12)1");
  CHECK(summaries == 4);
}

TEST_CASE("an artifact inherits the validity of what its stage requested") {
  fresh p;
  by_params compiler{p.all};
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 1}) == "O0 f:1(g:12)1");
  p.all.define("g", "3");
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 1}) == "O0 f:1(g:12)1");  // asks about the old world
  CHECK(lowers == 1);
  CHECK(*compiler.get<lower>("f", {}, {.epoch = 2}) == "O0 f:1(g:13)1");
  CHECK(lowers == 2);
  auto const of = toy::of_layer(compiler.statistics(), "lower");
  CHECK(of.invalid == 1);
  CHECK(of.entries == 2);
  CHECK(toy::adds_up(compiler.statistics()));
}

// ---- params of a stage's own -------------------------------------------------------------------

std::string summarize_deeper(std::string const& name, std::string const& body,
                             view<summary, options> in, requester<summary> ask) {
  if (in.get<&options::depth>() == 0) return name;
  options deeper;
  deeper.depth = in.get<&options::depth>() - 1;
  deeper.level = 7;
  // Even of a layer downstream, since the answer follows from what it is asked with.
  auto const next = ask.get<lower>(name, deeper);
  return name + std::to_string(body.size()) + "<" + (next ? *next : next.error().text) + ">";
}

TEST_CASE("a stage may request any layer with params that it built from its view") {
  fresh p;
  pipeline<options, stage<run_parse>, stage<summarize_deeper>, stage<run_lower>> compiler{p.all};
  CHECK(*compiler.get<lower>("g", {.depth = 2}) == "O0 g1<O7 g1<O7 g>>");
  // depth 1 and 0 at level 7 are there now.
  auto const before = toy::of_layer(compiler.statistics(), "lower").runs;
  CHECK(*compiler.get<lower>("g", {.depth = 1, .level = 7}) == "O7 g1<O7 g>");
  CHECK(toy::of_layer(compiler.statistics(), "lower").runs == before);
}

namespace {
struct other_params {
  int x = 0;
  using layerkey_fields = fields<field<&other_params::x, affects<lower>>>;
};
}  // namespace

std::string summarize_with_strangers(std::string const& name, std::string const&,
                                     view<summary, options>, requester<summary> ask) {
  return ask.get<lower>(name, other_params{}).error().text;
}

TEST_CASE("a request with params that the pipeline does not have says so") {
  fresh p;
  pipeline<options, stage<run_parse>, stage<summarize_with_strangers>, stage<run_lower>> compiler{
      p.all};
  CHECK_THAT(*compiler.get<summary>("g", {}),
             Catch::Matchers::Contains("params that its pipeline does not have"));
}

// ---- failures ----------------------------------------------------------------------------------

namespace {
std::atomic<bool> callee_fails = false;
}

outcome<std::string> fragile(std::string const& name, std::string const& body,
                             view<summary, options>, requester<summary> ask) {
  ++summaries;
  if (name == "g" && callee_fails) return diagnostics{"g is out of order"};
  if (body.find('+') == std::string::npos) return name;
  auto const callee = ask.get<summary>("g");
  return callee ? "with " + *callee : "without g";
}

TEST_CASE("an artifact that was made although a request failed is not kept") {
  fresh p;
  pipeline<options, stage<run_parse>, stage<fragile>, stage<run_lower>> compiler{p.all};
  callee_fails = true;
  CHECK(*compiler.get<lower>("f", {}) == "O0 without g");
  callee_fails = false;
  CHECK(*compiler.get<lower>("f", {}) == "O0 with g");
  CHECK(*compiler.get<lower>("f", {}) == "O0 with g");
  CHECK(summaries == 4);
}

// ---- cycles ------------------------------------------------------------------------------------

TEST_CASE("a cyclic request is an error that lists the chain, and all that take part fail") {
  fresh p;
  p.all.define("a", "1 +b");
  p.all.define("b", "1 +c");
  p.all.define("c", "1 +a");
  p.all.define("d", "1 +a");
  for (std::string const first : {"a", "b", "c"}) {
    by_params compiler{p.all};
    auto const answer = compiler.get<summary>(first, {});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == failure_kind::cyclic_request);
    // From wherever it is asked for, each of them fails: none depends on who was first.
    for (std::string const each : {"a", "b", "c"})
      CHECK(compiler.get<summary>(each, {}).error().kind == failure_kind::cyclic_request);
    // d needs one of them, and is none of them: its stage may make of it what it likes.
    CHECK_THAT(*compiler.get<summary>("d", {}), Catch::Matchers::StartsWith("d:1(?cyclic request"));
    CHECK(toy::of_layer(compiler.statistics(), "summary").entries == 0);
    CHECK(toy::adds_up(compiler.statistics()));
  }
  by_params compiler{p.all};
  CHECK(compiler.get<summary>("a", {}).error().text ==
        "cyclic request: summary of \"c\" -> summary of \"a\" -> summary of \"b\" -> summary of "
        "\"c\"");
}

namespace {

std::latch* both_run = nullptr;

}  // namespace

// Each waits until both run, and then asks for the other.
outcome<std::string> ask_each_other(std::string const& name, std::string const&,
                                    view<summary, options>, requester<summary> ask) {
  both_run->arrive_and_wait();
  auto const other = ask.get<summary>(name == "f" ? "g" : "f");
  return name + (other ? " with " + *other : " alone");
}

TEST_CASE("a cycle across two threads is an error and no deadlock") {
  for (int round = 0; round != 50; ++round) {
    fresh p;
    std::latch latch(2);
    both_run = &latch;
    pipeline<options, stage<run_parse>, stage<ask_each_other>, stage<run_lower>> compiler{p.all};
    failure_kind kinds[2] = {};
    bool failed[2] = {};
    auto const ask = [&](int i) {
      auto const answer = compiler.get<summary>(i == 0 ? "f" : "g", {});
      failed[i] = !answer;
      kinds[i] = answer.error().kind;
    };
    std::thread one(ask, 0), other(ask, 1);
    one.join();
    other.join();
    for (int i : {0, 1}) {
      CHECK(failed[i]);
      CHECK(kinds[i] == failure_kind::cyclic_request);
    }
  }
}

namespace {

std::function<outcome<std::string>(std::string const&)> ask_the_pipeline;

}  // namespace

// Not through a requester: the pipeline knows all the same, by the thread.
outcome<std::string> ask_directly(std::string const& name, std::string const&,
                                  view<summary, options>) {
  auto const again = ask_the_pipeline(name == "f" ? "g" : "f");
  return again ? *again : "alone";
}

TEST_CASE("a stage that asks the pipeline itself is found out too") {
  fresh p;
  by_params::with<ask_directly> compiler{p.all};
  ask_the_pipeline = [&](std::string const& name) { return compiler.get<summary>(name, {}); };
  CHECK(compiler.get<summary>("f", {}).error().kind == failure_kind::cyclic_request);
}

// ---- many ways to one artifact -----------------------------------------------------------------

TEST_CASE("on the way through many calls each entry's requests are compared once") {
  fresh p;
  // Each function calls the two before it: as many ways to the first as there are rabbits.
  std::string const names = "abcdefghijklmnopqrstuvwx";
  for (std::size_t i = 0; i != names.size(); ++i)
    p.all.define({names[i]}, i < 2 ? "1" : std::string("1 +") + names[i - 1] + "+" + names[i - 2]);
  by_content compiler{p.all};
  REQUIRE(compiler.get<lower>("x", {}, {.epoch = 1}));
  for (std::uint64_t epoch : {1u, 2u, 3u}) {
    auto const before = toy::of_layer(compiler.statistics(), "summary").requests;
    REQUIRE(compiler.get<lower>("x", {}, {.epoch = epoch}));
    CHECK(toy::of_layer(compiler.statistics(), "summary").requests - before <= 2 * names.size());
  }
  CHECK(summaries == static_cast<int>(names.size()));
  // What changed at the far end is still seen.
  p.all.define("a", "2");
  auto const again = compiler.get<lower>("x", {}, {.epoch = 4});
  CHECK(summaries == 2 * static_cast<int>(names.size()) - 1);
}
