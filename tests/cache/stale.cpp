// Ways in which a cache of compiles comes to serve an artifact of something else: through what a
// stage sees, through what it asks for while it runs, and through what a member reads as while it
// does not count.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>
#include <layerkey/cache/call_site.hpp>

#include <atomic>
#include <functional>
#include <latch>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

using namespace layerkey;
using toy::of_layer;

// ---- what a stage sees -------------------------------------------------------------------------

namespace {

template<class... Upstream>
struct text_layer : layer<Upstream...> {
  using input = std::string;
  using artifact = std::string;
};
struct typing : text_layer<> {
  static constexpr text name = "typing";
};
struct lowering : text_layer<typing> {
  static constexpr text name = "lowering";
};
struct emission : text_layer<lowering> {
  static constexpr text name = "emission";
};

enum class direction : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(direction d) { return d == direction::forward; }

struct ad_options {
  direction mode = direction::reverse;
  bool inline_all = false;

  using layerkey_fields =
      fields<field<&ad_options::mode, affects<typing>, affects<lowering>::as<is_forward>>,
             field<&ad_options::inline_all, affects<typing>>>;
};

std::atomic<int> lowered;

}  // namespace

// Comes to the same for all options.
std::string type_check(std::string const& f, view<typing, ad_options> in) {
  static_cast<void>(in.get<&ad_options::mode>());
  static_cast<void>(in.get<&ad_options::inline_all>());
  return "typed " + f;
}

// Whatever the view gives goes into the artifact, in the form in which it gives it.
std::string lower_in_direction(std::string const&, std::string const& typed,
                               view<lowering, ad_options> in) {
  ++lowered;
  return typed + " " + std::to_string(static_cast<int>(in.get<&ad_options::mode>()));
}

TEST_CASE("a stage sees a member in its own layer's form, though one upstream keys all of it") {
  lowered = 0;
  pipeline<ad_options, stage<type_check>, early_cutoff<stage<lower_in_direction>>> compiler;
  for (auto const mode : {direction::split, direction::reverse, direction::forward}) {
    auto const expected = mode == direction::forward ? "typed f 1" : "typed f 0";
    CHECK(*compiler.get<lowering>("f", {.mode = mode}) == expected);
  }
  CHECK(of_layer(compiler.statistics(), "typing").runs == 3);
  CHECK(lowered == 2);
}

// ---- what a stage asks for ---------------------------------------------------------------------

namespace {

// A program whose definitions change. A body names callees with +, "1 +g" is 1 and g.
struct program {
  std::mutex mutex;
  std::map<std::string, std::string> bodies;

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
  static constexpr layerkey::text reason = "the epoch says what is read of it";
};

namespace {

struct options {
  int dialect = 1;
  int depth = 1;
  int level = 0;

  using layerkey_fields =
      fields<field<&options::dialect, affects<typing>>, field<&options::depth, affects<lowering>>,
             field<&options::level, affects<emission>>>;
};

std::atomic<int> typings, lowerings, emissions;

void count_anew() { typings = lowerings = emissions = 0; }

}  // namespace

with_validity<std::string, epoch_range> type_body(std::string const& name, view<typing, options> in,
                                                  requester<typing> ask, program& all) {
  ++typings;
  static_cast<void>(in.get<&options::dialect>());
  return {all.body(name), {ask.epoch(), ask.epoch()}};
}

// Adds up: so a callee may change without its sum doing so.
outcome<std::string> add_up(std::string const&, std::string const& body, view<lowering, options> in,
                            requester<lowering> ask) {
  ++lowerings;
  int sum = std::stoi(body);
  for (std::size_t at = 0; (at = body.find('+', at)) != std::string::npos; ++at) {
    auto const callee = ask.get<lowering>(body.substr(at + 1, 1));
    if (!callee) return callee.error();
    sum += in.get<&options::depth>() * std::stoi(*callee);
  }
  return std::to_string(sum);
}

std::string emit_sum(std::string const&, std::string const& sum, view<emission, options> in) {
  ++emissions;
  return "O" + std::to_string(in.get<&options::level>()) + " " + sum;
}

namespace {

using by_content =
    pipeline<options, stage<type_body>, early_cutoff<stage<add_up>>, early_cutoff<stage<emit_sum>>>;

}  // namespace

TEST_CASE("an entry is compared by what it requested, through any number of calls") {
  count_anew();
  program all;
  all.define("f", "1 +g");
  all.define("g", "1 +h");
  all.define("h", "1 +k");
  all.define("k", "1");
  by_content compiler{all};
  CHECK(*compiler.get<emission>("f", {}, {.epoch = 1}) == "O0 4");
  CHECK(lowerings == 4);
  // Only the last has changed; everything in front of it has the content that it had.
  all.define("k", "2");
  CHECK(*compiler.get<emission>("f", {}, {.epoch = 2}) == "O0 5");
  CHECK(lowerings == 8);
  CHECK(emissions == 2);
  // The last two have changed, and come to the same: nothing in front of them runs.
  all.define("h", "0 +k");
  all.define("k", "3");
  CHECK(*compiler.get<emission>("f", {}, {.epoch = 3}) == "O0 5");
  CHECK(lowerings == 10);
  CHECK(emissions == 2);
}

std::string emit_other(std::string const& name, std::string const& sum, view<emission, options> in,
                       requester<emission> ask) {
  ++emissions;
  options other;
  other.depth = in.get<&options::level>();  // from the view, so it may be asked with
  auto const deeper = ask.get<lowering>(name, other);
  return sum + "/" + (deeper ? *deeper : deeper.error().text);
}

TEST_CASE("what was requested with params of the stage's own is compared too") {
  count_anew();
  program all;
  all.define("f", "1 +g");
  all.define("g", "2 +h");
  all.define("h", "10");
  by_content::with<emit_other> compiler{all};
  CHECK(*compiler.get<emission>("f", {.level = 3}, {.epoch = 1}) == "13/97");
  // f by the request's params comes to the same, by the other params it does not.
  all.define("g", "1 +h");
  all.define("h", "11");
  CHECK(*compiler.get<emission>("f", {.level = 3}, {.epoch = 2}) == "13/103");
  CHECK(emissions == 2);
}

TEST_CASE("entries that need each other by now, made when neither needed the other, are a cycle") {
  program all;
  all.define("f", "1 +g");
  all.define("g", "2");
  by_content compiler{all};
  CHECK(*compiler.get<emission>("f", {}, {.epoch = 1}) == "O0 3");
  all.define("f", "1");
  all.define("g", "2 +f");
  CHECK(*compiler.get<emission>("g", {}, {.epoch = 2}) == "O0 3");
  // Each has the body of an entry that is there, and that entry asks for the other.
  all.define("f", "1 +g");
  for (std::string const each : {"f", "g"}) {
    auto const answer = compiler.get<emission>(each, {}, {.epoch = 3});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().kind == failure_kind::cyclic_request);
  }
  all.define("g", "2");
  CHECK(*compiler.get<emission>("f", {}, {.epoch = 4}) == "O0 3");
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("a longer circle of entries that are there ends in the time of a short one") {
  program all;
  std::string const names = "abcdefghijkl";
  by_content compiler{all};
  // Entry by entry, each with a callee that needs nothing just then.
  auto const next = [&](std::size_t i) { return std::string(1, names[(i + 1) % names.size()]); };
  std::uint64_t epoch = 0;
  for (std::size_t i = 0; i != names.size(); ++i) {
    for (char const each : names) all.define({each}, "1");
    all.define(std::string(1, names[i]), "1 +" + next(i));
    CHECK(*compiler.get<lowering>(std::string(1, names[i]), {}, {.epoch = ++epoch}) == "2");
  }
  // What each asked for was 1; in the circle nothing is.
  for (std::size_t i = 0; i != names.size(); ++i)
    all.define(std::string(1, names[i]), "1 +" + next(i));
  count_anew();
  auto const answer = compiler.get<lowering>("a", {}, {.epoch = ++epoch});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == failure_kind::cyclic_request);
  CHECK(lowerings < 1000);
}

// ---- requests that fail ------------------------------------------------------------------------

namespace {

std::atomic<bool> callee_fails = false;

}  // namespace

std::string throwing_callee(std::string const& name, std::string const&, view<lowering, options>,
                            requester<lowering> ask) {
  ++lowerings;
  if (name == "g") {
    if (callee_fails) throw std::runtime_error("out of memory");
    return "g";
  }
  try {
    auto const callee = ask.get<lowering>("g");
    return "with " + *callee;
  } catch (std::runtime_error const&) {
    return "without g";
  }
}

TEST_CASE("what a stage made although a request threw is not kept") {
  program all;
  all.define("f", "");
  all.define("g", "");
  auto const ask = [&](auto& compiler) {
    callee_fails = true;
    CHECK(*compiler.template get<emission>("f", {}) == "O0 without g");
    callee_fails = false;
    CHECK(*compiler.template get<emission>("f", {}) == "O0 with g");
  };
  pipeline<options, stage<type_body>, stage<throwing_callee>, stage<emit_sum>> plain{all};
  ask(plain);
  by_content::with<throwing_callee> cutoff{all};
  ask(cutoff);
}

outcome<std::string> failing_callee(std::string const& name, std::string const&,
                                    view<lowering, options>, requester<lowering> ask) {
  if (name == "g" && callee_fails) return diagnostics{"g is out of order"};
  if (name == "g") return name;
  return std::string(ask.get<lowering>("g") ? "with g" : "without g");
}

TEST_CASE("a call site does not remember what a failed request led to, nor what was made of it") {
  program all;
  all.define("f", "");
  all.define("g", "");
  // The artifact of emission is kept for the content that it was made of, which is right.
  pipeline<options, stage<type_body>, stage<failing_callee>, early_cutoff<stage<emit_sum>>>
      compiler{all};
  call_site<decltype(compiler), emission> site{compiler};
  callee_fails = true;
  CHECK(*site.get("f", {}) == "O0 without g");
  callee_fails = false;
  CHECK(*site.get("f", {}) == "O0 with g");
  callee_fails = true;
  CHECK(*site.get("f", {}) == "O0 with g");
  callee_fails = false;
}

// ---- requests of others, meanwhile -------------------------------------------------------------

namespace {

std::latch* inside = nullptr;    // counted down by the first run
std::latch* released = nullptr;  // what it waits for

struct meanwhile {
  std::latch in{1}, out{1};
  meanwhile() {
    inside = &in;
    released = &out;
    count_anew();
  }
};

void wait_in_first_run() {
  if (lowerings.fetch_add(1) != 0) return;
  inside->count_down();
  released->wait();
}

// One request runs, another one asks for the same key and waits, the first goes on.
template<class First, class Second, class Compiler>
void one_waits_for_the_other(meanwhile& gates, Compiler& compiler, First const& first,
                             Second const& second, std::uint64_t waits = 1) {
  std::thread one(first);
  gates.in.wait();
  std::thread other(second);
  auto const waited = [&] { return of_layer(compiler.statistics(), "lowering").waits; };
  while (waited() < waits) std::this_thread::yield();
  gates.out.count_down();
  one.join();
  other.join();
}

}  // namespace

std::string dialect_of(std::string const& name, view<typing, options> in) {
  return name == "g" ? "dialect " + std::to_string(in.get<&options::dialect>()) : "same";
}

outcome<std::string> only_in_dialect_2(std::string const& name, std::string const& typed,
                                       view<lowering, options>, requester<lowering> ask) {
  if (name == "g") {
    if (typed == "dialect 1") return diagnostics{"not in dialect 1"};
    return typed;
  }
  wait_in_first_run();
  auto const callee = ask.get<lowering>("g");
  return callee ? "with " + *callee : "without g";
}

TEST_CASE("who waits is not given what another's failed request led to") {
  meanwhile gates;
  pipeline<options, stage<dialect_of>, early_cutoff<stage<only_in_dialect_2>>, stage<emit_sum>>
      compiler;
  std::string first, second;
  one_waits_for_the_other(
      gates, compiler, [&] { first = *compiler.get<lowering>("f", {.dialect = 1}); },
      [&] { second = *compiler.get<lowering>("f", {.dialect = 2}); });
  CHECK(first == "without g");
  CHECK(second == "with dialect 2");
}

std::string name_of(std::string const& name, view<typing, options>) { return name; }

std::string goes_on_without(std::string const& name, std::string const&, view<lowering, options>,
                            requester<lowering> ask) {
  if (name == "g") return "g";
  wait_in_first_run();
  return ask.get<lowering>("g") ? "with g" : "without g";
}

TEST_CASE("who waits is not given what another's cancelled request led to") {
  meanwhile gates;
  pipeline<options, stage<name_of>, stage<goes_on_without>, stage<emit_sum>> compiler;
  std::stop_source stop;
  failure_kind first{};
  std::string second;
  one_waits_for_the_other(
      gates, compiler,
      [&] { first = compiler.get<lowering>("f", {}, {.stop = stop.get_token()}).error().kind; },
      [&] {
        stop.request_stop();
        second = *compiler.get<lowering>("f", {});
      });
  CHECK(first == failure_kind::cancelled);
  CHECK(second == "with g");
}

std::string throws_in_epoch_1(std::string const&, std::string const&, view<lowering, options>,
                              requester<lowering> ask) {
  wait_in_first_run();
  if (ask.epoch() == 1) throw std::runtime_error("no such method");
  return "in epoch " + std::to_string(ask.epoch());
}

TEST_CASE("who waits is not given an exception of another epoch") {
  meanwhile gates;
  pipeline<options, stage<name_of>, stage<throws_in_epoch_1>, stage<emit_sum>> compiler;
  bool thrown = false;
  std::string second;
  one_waits_for_the_other(
      gates, compiler,
      [&] {
        try {
          static_cast<void>(compiler.get<lowering>("f", {}, {.epoch = 1}));
        } catch (std::runtime_error const&) {
          thrown = true;
        }
      },
      [&] {
        try {
          second = *compiler.get<lowering>("f", {}, {.epoch = 2});
        } catch (std::runtime_error const&) {
        }
      });
  CHECK(thrown);
  CHECK(second == "in epoch 2");
}

std::string cyclic_in_epoch_1(std::string const& name, std::string const&, view<lowering, options>,
                              requester<lowering> ask) {
  wait_in_first_run();
  if (ask.epoch() == 1 && !ask.get<lowering>(name)) return "alone";
  return "in epoch " + std::to_string(ask.epoch());
}

TEST_CASE("who waits is not given a cycle of another epoch") {
  meanwhile gates;
  pipeline<options, stage<name_of>, stage<cyclic_in_epoch_1>, stage<emit_sum>> compiler;
  failure_kind first{};
  std::string second;
  one_waits_for_the_other(
      gates, compiler, [&] { first = compiler.get<lowering>("f", {}, {.epoch = 1}).error().kind; },
      [&] {
        auto const answer = compiler.get<lowering>("f", {}, {.epoch = 2});
        second = answer ? *answer : answer.error().text;
      });
  CHECK(first == failure_kind::cyclic_request);
  CHECK(second == "in epoch 2");
}

outcome<std::string> callee_is_cyclic_in_epoch_1(std::string const& name, std::string const&,
                                                 view<lowering, options>, requester<lowering> ask) {
  if (name == "g") return ask.epoch() == 1 ? ask.get<lowering>("g") : outcome<std::string>(name);
  wait_in_first_run();
  return std::string(ask.get<lowering>("g") ? "with g" : "without g");
}

TEST_CASE("who waits is not given what a cycle of another epoch led to") {
  meanwhile gates;
  pipeline<options, stage<name_of>, stage<callee_is_cyclic_in_epoch_1>, stage<emit_sum>> compiler;
  std::string first, second;
  one_waits_for_the_other(
      gates, compiler, [&] { first = *compiler.get<lowering>("f", {}, {.epoch = 1}); },
      [&] { second = *compiler.get<lowering>("f", {}, {.epoch = 2}); });
  CHECK(first == "without g");
  CHECK(second == "with g");
}

namespace {

std::latch* both_run = nullptr;

}  // namespace

// f needs g in epoch 1, g needs f in epoch 2. The first two runs wait for each other.
with_validity<outcome<std::string>, epoch_range> needs_by_epoch(std::string const& name,
                                                                std::string const&,
                                                                view<lowering, options>,
                                                                requester<lowering> ask) {
  if (lowerings.fetch_add(1) < 2) both_run->arrive_and_wait();
  epoch_range const now{ask.epoch(), ask.epoch()};
  if (name != (ask.epoch() == 1 ? "f" : "g")) return {name, now};
  auto const other = ask.get<lowering>(name == "f" ? "g" : "f");
  if (!other) return {other.error(), now};
  return {name + *other, now};
}

// h stands for its dialect. f needs g in dialect 1, g needs f in dialect 2, and both are found by
// their content, which does not say the dialect.
outcome<std::string> needs_by_callee(std::string const& name, std::string const& typed,
                                     view<lowering, options>, requester<lowering> ask) {
  if (name == "h") return typed;
  if (lowerings.fetch_add(1) < 2) both_run->arrive_and_wait();
  auto const dialect = ask.get<lowering>("h");
  if (name != (*dialect == "1" ? "f" : "g")) return name;
  auto const other = ask.get<lowering>(name == "f" ? "g" : "f");
  if (!other) return other.error();
  return name + *other;
}
std::string dialect_of_h(std::string const& name, view<typing, options> in) {
  return name == "h" ? std::to_string(in.get<&options::dialect>()) : "same";
}

TEST_CASE("runs that wait for each other, of which none needs itself, are no cycle") {
  for (int round = 0; round != 20; ++round) {
    auto const ask_for_both = [](auto& compiler, auto const& of_f, auto const& of_g) {
      count_anew();
      std::latch latch(2);
      both_run = &latch;
      std::string f, g;
      auto const text = [](auto const& answer) { return answer ? *answer : answer.error().text; };
      std::thread one([&] { f = text(of_f(compiler)); });
      std::thread other([&] { g = text(of_g(compiler)); });
      one.join();
      other.join();
      CHECK(f == "fg");
      CHECK(g == "gf");
      CHECK(toy::adds_up(compiler.statistics()));
    };
    pipeline<options, stage<name_of>, stage<needs_by_epoch>, stage<emit_sum>> plain;
    ask_for_both(
        plain, [](auto& c) { return c.template get<lowering>("f", {}, {.epoch = 1}); },
        [](auto& c) { return c.template get<lowering>("g", {}, {.epoch = 2}); });
    pipeline<options, stage<dialect_of_h>, early_cutoff<stage<needs_by_callee>>, stage<emit_sum>>
        cutoff;
    ask_for_both(
        cutoff, [](auto& c) { return c.template get<lowering>("f", {.dialect = 1}); },
        [](auto& c) { return c.template get<lowering>("g", {.dialect = 2}); });
  }
}

// f needs c, c needs e, e needs itself and f.
std::string circle_in_a_circle(std::string const& name, std::string const&, view<lowering, options>,
                               requester<lowering> ask) {
  if (name == "f") wait_in_first_run();
  for (char const each : std::string(name == "f" ? "c" : name == "c" ? "e" : "ef"))
    static_cast<void>(ask.get<lowering>(std::string(1, each)));
  return name;
}

TEST_CASE("one that takes part in two circles does not hide the larger one") {
  meanwhile gates;
  pipeline<options, stage<name_of>, early_cutoff<stage<circle_in_a_circle>>, stage<emit_sum>>
      compiler;
  failure_kind f{}, c{};
  // e waits for itself, in vain, and then for f.
  one_waits_for_the_other(
      gates, compiler, [&] { f = compiler.get<lowering>("f", {}).error().kind; },
      [&] { c = compiler.get<lowering>("c", {}).error().kind; }, 2);
  CHECK(f == failure_kind::cyclic_request);
  CHECK(c == failure_kind::cyclic_request);
}

// ---- made again for a check --------------------------------------------------------------------

namespace {

struct checked_options {
  bool validate = false;
  using layerkey_fields = fields<field<&checked_options::validate, check_only>>;
};

}  // namespace

std::string type_by_epoch(std::string const& f, view<typing, checked_options>) { return f; }

with_check<std::string> lower_and_check(std::string const& f, std::string const&,
                                        view<lowering, checked_options>,
                                        checks_view<checked_options> checks,
                                        requester<lowering> ask) {
  static_cast<void>(checks.get<&checked_options::validate>());
  if (f == "g") return {"g in " + std::to_string(ask.epoch())};
  return {"f with " + *ask.get<lowering>("g")};
}
with_validity<with_check<std::string>, epoch_range> lower_and_check_in_epoch(
    std::string const& f, std::string const& typed, view<lowering, checked_options> in,
    checks_view<checked_options> checks, requester<lowering> ask) {
  auto made = lower_and_check(f, typed, in, checks, ask);
  if (f != "g") return {made, {}};
  return {made, {ask.epoch(), ask.epoch()}};
}

TEST_CASE("an artifact of another epoch, or made of something else, is no drift") {
  auto const ask = [](auto& compiler) {
    for (std::uint64_t const epoch : {1u, 2u, 3u})
      for (bool const validate : {false, true, false, true})
        CHECK(*compiler.template get<lowering>("f", {.validate = validate}, {.epoch = epoch}) ==
              "f with g in " + std::to_string(epoch));
    CHECK(of_layer(compiler.statistics(), "lowering").drifts == 0);
  };
  pipeline<checked_options, stage<type_by_epoch>, stage<lower_and_check_in_epoch>> plain;
  ask(plain);
  pipeline<checked_options, stage<type_by_epoch>, early_cutoff<stage<lower_and_check_in_epoch>>>
      cutoff;
  ask(cutoff);
}

// ---- what a member reads as while it does not count --------------------------------------------

namespace {

int detected = 75;  // of the machine, or whatever else a process comes with

struct job {
  bool toplevel = true;
  bool optimize = true;
  int opt_level = 2;
  bool cleanup = true;
  int rounds = 1;
  bool kernel = true;
  int sm = detected;

  // The initialiser of `sm` is none that every process has.
  static job layerkey_defaults() { return {.sm = 0}; }

  // A nested job is not optimised, though `optimize` is on by default.
  using layerkey_fields =
      fields<field<&job::toplevel, affects<lowering>>,
             field<&job::optimize, affects<lowering>, only_if<&job::toplevel>::otherwise<false>>,
             field<&job::opt_level, affects<lowering>, only_if<&job::optimize>::otherwise<0>>,
             field<&job::cleanup, affects<lowering>, only_if<&job::toplevel>>,
             field<&job::rounds, affects<lowering>, only_if<&job::cleanup>>,
             field<&job::kernel, affects<lowering>>,
             field<&job::sm, affects<lowering>, only_if<&job::kernel>>>;
};

std::string seen(bool toplevel, bool optimize, int level, int sm, int rounds = 1) {
  return std::to_string(toplevel) + std::to_string(optimize) + std::to_string(level) + " sm" +
         std::to_string(sm) + " x" + std::to_string(rounds);
}

}  // namespace

std::string type_job(std::string const& f, view<typing, job>) { return f; }

std::string lower_job(std::string const&, std::string const&, view<lowering, job> in) {
  ++lowered;
  return seen(in.get<&job::toplevel>(), in.get<&job::optimize>(), in.get<&job::opt_level>(),
              in.get<&job::sm>(), in.get<&job::rounds>());
}
std::string lower_whole_job(std::string const&, std::string const&, narrowed<lowering, job> in) {
  ++lowered;
  return seen(in->toplevel, in->optimize, in->opt_level, in->sm, in->rounds);
}

TEST_CASE("a member that does not count reads no state of the process") {
  auto const ask = [](auto& compiler) {
    lowered = 0;
    for (int const machine : {75, 80}) {
      detected = machine;
      job p;
      CHECK(*compiler.template get<lowering>("f", p) == seen(true, true, 2, machine));
      p.kernel = false;
      CHECK(*compiler.template get<lowering>("f", p) == seen(true, true, 2, 0));
    }
    CHECK(lowered == 3);  // host code is the same on both
  };
  pipeline<job, stage<type_job>, stage<lower_job>> viewing;
  ask(viewing);
  pipeline<job, stage<type_job>, stage<lower_whole_job>> narrowing;
  ask(narrowing);
}

TEST_CASE("a member that does not count reads what its condition says, and so do those behind it") {
  auto const ask = [](auto& compiler) {
    lowered = 0;
    detected = 75;
    // The caller did not turn off what is off in a nested job. Rounds do not count either, although
    // `cleanup`, which they ask, reads as true where it does not count itself.
    for (bool const optimize : {true, false})
      for (int const level : {3, 1}) {
        job p;
        p.toplevel = false;
        p.optimize = optimize;
        p.opt_level = level;
        p.rounds = level;
        CHECK(*compiler.template get<lowering>("f", p) == seen(false, false, 0, 75));
      }
    CHECK(lowered == 1);
    job p;
    p.opt_level = 3;
    p.rounds = 5;
    CHECK(*compiler.template get<lowering>("f", p) == seen(true, true, 3, 75, 5));
    p.optimize = false;
    p.cleanup = false;
    CHECK(*compiler.template get<lowering>("f", p) == seen(true, false, 0, 75));
    CHECK(lowered == 3);
  };
  pipeline<job, stage<type_job>, stage<lower_job>> viewing;
  ask(viewing);
  pipeline<job, stage<type_job>, stage<lower_whole_job>> narrowing;
  ask(narrowing);
}
