// One layer's cache for several pipelines, whatever they wrap the same options in.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace layerkey;
using toy::of_layer;
using toy::runs_of;

using runs = std::vector<int>;

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

struct config {
  bool strict = false;
  int level = 0;

  using layerkey_fields =
      fields<field<&config::strict, affects<infer>>, field<&config::level, affects<emit>>>;
};

// Three kinds of jobs over one config, as in EnzymeAD/Enzyme.jl#3499, where each kind inferred the
// same functions again.
struct thunk_job {
  config options;
  std::string title;

  using layerkey_fields =
      fields<field<&thunk_job::options, per_member>, field<&thunk_job::title, runtime_only>>;
};
struct deferred_job {
  int ticket = 0;
  thunk_job inner;

  using layerkey_fields =
      fields<field<&deferred_job::ticket, runtime_only>, field<&deferred_job::inner, per_member>>;
};
struct wide_job {
  int width = 1;
  config options;

  using layerkey_fields =
      fields<field<&wide_job::width, affects<emit>>, field<&wide_job::options, per_member>>;
};

}  // namespace

std::string infer_types(std::string const& f, view<infer, config> in) {
  return f + (in.get<&config::strict>() ? " strict" : " typed");
}
std::string emit_plain(std::string const&, std::string const& typed, view<emit, config> in) {
  return typed + " O" + std::to_string(in.get<&config::level>());
}
std::string emit_wide(std::string const&, std::string const& typed, view<emit, wide_job> in) {
  return typed + " x" + std::to_string(in.get<&wide_job::width>()) + " O" +
         std::to_string(in.get<&wide_job::options, &config::level>());
}

namespace {

using shared_inference = shared_layer<stage<infer_types>>;
using of_thunks = pipeline<thunk_job, shared_inference, stage<emit_plain>>;
using of_deferred = pipeline<deferred_job, stage<emit_plain>, shared_inference>;
using of_wide = pipeline<wide_job, shared_inference, stage<emit_wide>>;

std::vector<std::string> functions() {
  std::vector<std::string> all;
  for (int i = 0; i != 406; ++i) all.push_back("f" + std::to_string(i));
  return all;
}

}  // namespace

TEST_CASE("three job types over one config infer each function once") {
  shared_inference shared;
  of_thunks thunks{shared};
  of_deferred deferred{shared};
  of_wide wide{shared};
  for (auto const& f : functions()) {
    CHECK(*thunks.get<emit>(f, {{}, "a"}) == f + " typed O0");
    CHECK(*deferred.get<emit>(f, {7, {{}, "b"}}) == f + " typed O0");
    CHECK(*wide.get<emit>(f, {.width = 2, .options = {}}) == f + " typed x2 O0");
  }
  CHECK(shared.counters().runs == 406);
  CHECK(shared.counters().requests == 3 * 406);
  CHECK(shared.counters().served == 2 * 406);
  CHECK(shared.counters().entries == 406);
  CHECK(shared.counters().layer == "infer");
  // What is not shared is each pipeline's own.
  CHECK(runs_of(thunks.statistics()) == runs{406, 406});
  CHECK(runs_of(deferred.statistics()) == runs{406, 406});
  CHECK(runs_of(wide.statistics()) == runs{406, 406});
  CHECK(toy::adds_up(wide.statistics()));
}

TEST_CASE("a shared artifact is one object, and other options have another") {
  shared_inference shared;
  of_thunks thunks{shared};
  of_deferred deferred{shared};
  of_wide wide{shared};
  auto const first = thunks.get<infer>("f", {});
  CHECK(&*deferred.get<infer>("f", {}) == &*first);
  CHECK(&*wide.get<infer>("f", {.width = 3, .options = {.level = 2}}) == &*first);
  auto const strict = wide.get<infer>("f", {.options = {.strict = true}});
  CHECK(*strict == "f strict");
  CHECK(&*deferred.get<infer>("f", {1, {{.strict = true}, ""}}) == &*strict);
  CHECK(shared.counters().runs == 2);
}

TEST_CASE("the last layer can be shared too, over shared or own upstream layers") {
  shared_layer<stage<emit_plain>> code;
  pipeline<thunk_job, stage<infer_types>, shared_layer<stage<emit_plain>>> one{code};
  pipeline<config, shared_layer<stage<emit_plain>>, stage<infer_types>> other{code};
  auto const made = one.get<emit>("f", {{.level = 2}, "t"});
  CHECK(*made == "f typed O2");
  CHECK(&*other.get<emit>("f", {.level = 2}) == &*made);
  CHECK(runs_of(one.statistics()) == runs{1, 1});
  CHECK(runs_of(other.statistics()) == runs{0, 1});  // infer is its own, and was not asked

  shared_inference types;
  shared_layer<stage<emit_plain>> all;
  pipeline<thunk_job, shared_inference, shared_layer<stage<emit_plain>>> a{types, all};
  pipeline<deferred_job, shared_inference, shared_layer<stage<emit_plain>>> b{all, types};
  CHECK(&*a.get<emit>("f", {}) == &*b.get<emit>("f", {}));
  CHECK(runs_of(b.statistics()) == runs{1, 1});
}

TEST_CASE("sealed params ask a shared layer as raw ones do") {
  shared_inference shared;
  of_thunks thunks{shared};
  of_wide wide{shared};
  auto const raw = thunks.get<infer>("f", {{.strict = true}, ""});
  of_wide::sealed const sealed(wide_job{.width = 4, .options = {.strict = true}});
  CHECK(&*wide.get<infer>("f", sealed) == &*raw);
  CHECK(shared.counters().runs == 1);
}

TEST_CASE("clear and limits of a shared layer are for all of its pipelines") {
  shared_inference shared;
  of_thunks thunks{shared};
  of_wide wide{shared};
  static_cast<void>(thunks.get<emit>("f", {}));
  static_cast<void>(wide.get<emit>("f", {}));
  thunks.clear();
  CHECK(shared.counters().entries == 0);
  CHECK(of_layer(wide.statistics(), "emit").entries == 1);  // its own
  static_cast<void>(wide.get<infer>("f", {}));
  CHECK(shared.counters().runs == 2);
  shared.clear();
  CHECK(of_layer(thunks.statistics(), "infer").entries == 0);

  shared.limit({.entries = 2});
  for (std::string const f : {"a", "b", "c"}) static_cast<void>(thunks.get<infer>(f, {}));
  CHECK(shared.counters().entries == 2);
  wide.limit<infer>({.entries = 1});
  CHECK(shared.counters().entries == 1);
  CHECK(of_layer(thunks.statistics(), "infer").evictions == 2);
  CHECK(wide.erase_if<infer>([](std::string const&) { return true; }) == 1);
  CHECK(of_layer(thunks.statistics(), "infer").entries == 0);
}

TEST_CASE("what a pipeline was answered lives on when the pipeline has gone") {
  shared_inference shared;
  outcome<std::string> kept = diagnostics{"nothing yet"};
  {
    of_thunks thunks{shared};
    kept = thunks.get<infer>("f", {});
  }
  of_wide wide{shared};
  CHECK(&*wide.get<infer>("f", {}) == &*kept);
  CHECK(shared.counters().runs == 1);
}

// ---- early cutoff ------------------------------------------------------------------------------

std::string emit_by_content(std::string const& typed, view<emit, config> in) {
  return typed + " O" + std::to_string(in.get<&config::level>());
}
// The same for every option.
std::string infer_nothing(std::string const& f, view<infer, config> in) {
  return f + (in.get<&config::strict>() ? "" : " ") + "any";
}

TEST_CASE("a shared layer under early cutoff is kept by content, whoever made that") {
  using code = shared_layer<early_cutoff<stage<emit_by_content>>>;
  code shared;
  pipeline<thunk_job, stage<infer_types>, code> thunks{shared};
  pipeline<deferred_job, stage<infer_types>, code> deferred{shared};
  pipeline<config, stage<infer_nothing>, code> other{shared};
  auto const first = thunks.get<emit>("f", {{.level = 1}, ""});
  CHECK(*first == "f typed O1");
  CHECK(&*deferred.get<emit>("f", {3, {{.level = 1}, ""}}) == &*first);
  CHECK(runs_of(deferred.statistics()) == runs{1, 1});
  // Another stage upstream, and so another content; then the same content from another input.
  CHECK(*other.get<emit>("f", {.level = 1}) == "f any O1");
  CHECK(&*other.get<emit>("f ", {.strict = true, .level = 1}) ==
        &*other.get<emit>("f", {.level = 1}));
  CHECK(shared.counters().runs == 2);
  CHECK(toy::adds_up(shared.counters()));
}

// ---- requests ----------------------------------------------------------------------------------

std::string infer_with_callee(std::string const& f, view<infer, config> in, requester<infer> ask) {
  if (f == "leaf") return "leaf" + std::string(in.get<&config::strict>() ? "!" : "");
  auto const callee = ask.get<infer>("leaf");
  return f + "(" + (callee ? *callee : callee.error().text) + ")";
}

TEST_CASE("a stage of a shared layer requests with the params of whichever pipeline runs it") {
  using recursive = shared_layer<stage<infer_with_callee>>;
  recursive shared;
  pipeline<thunk_job, recursive, stage<emit_plain>> thunks{shared};
  pipeline<wide_job, recursive, stage<emit_wide>> wide{shared};
  CHECK(*thunks.get<infer>("f", {{.strict = true}, ""}) == "f(leaf!)");
  CHECK(*wide.get<infer>("f", {.options = {.strict = true}}) == "f(leaf!)");
  CHECK(*wide.get<infer>("g", {.options = {.strict = true}}) == "g(leaf!)");
  CHECK(*wide.get<infer>("g", {}) == "g(leaf)");
  CHECK(shared.counters().runs == 5);  // f and g and leaf, and g and leaf
}

TEST_CASE("one run serves all pipelines that ask for a shared artifact at the same time") {
  shared_inference shared;
  of_thunks thunks{shared};
  of_deferred deferred{shared};
  of_wide wide{shared};
  std::vector<std::thread> all;
  std::atomic<int> wrong = 0;
  for (int t = 0; t != 6; ++t)
    all.emplace_back([&, t] {
      for (auto const& f : functions()) {
        auto const typed = t % 3 == 0   ? thunks.get<infer>(f, {})
                           : t % 3 == 1 ? deferred.get<infer>(f, {})
                                        : wide.get<infer>(f, {});
        wrong += !typed || *typed != f + " typed";
      }
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  CHECK(shared.counters().runs == 406);
  CHECK(shared.counters().requests == 6 * 406);
  CHECK(toy::adds_up(shared.counters()));
}
