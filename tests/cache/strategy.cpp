// Pipelines under other keys than the exact ones.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

using namespace layerkey;
using toy::params;
using toy::runs_of;

using runs = std::vector<int>;

namespace {

// Of all layers the same: all that any of them reads.
struct whole {
  template<class Layer, class P>
  static auto key(P const& p) {
    return make_key<toy::join>(p);
  }
};

// What a key that is kept by hand looks like when a member was forgotten.
struct without_level {
  struct key_type {
    int dialect, mode, sm;

    std::uint64_t hash() const {
      return static_cast<std::uint64_t>(dialect * 1000 + mode * 100 + sm);
    }
    friend bool operator==(key_type const&, key_type const&) = default;
  };

  template<class Layer, class P>
  static key_type key(P const& p) {
    return {p.dialect, static_cast<int>(p.mode), p.sm};
  }
};

// Nothing at all.
struct input_alone {
  struct key_type {
    std::uint64_t hash() const { return 0; }
    friend bool operator==(key_type, key_type) { return true; }
  };

  template<class Layer, class P>
  static key_type key(P const&) {
    return {};
  }
};

template<class S>
using compiler_by = pipeline<params, stage<toy::run_front>, stage<toy::run_left>, strategy<S>,
                             stage<toy::run_right>, stage<toy::run_join>>;

}  // namespace

TEST_CASE("exact is the strategy of a pipeline that names none") {
  compiler_by<exact> named;
  toy::compiler unnamed;
  for (params const& p : {params{}, params{.level = 1}, params{.sm = 80}, params{.lines = true},
                          params{.cpu = "new"}}) {
    CHECK(*named.get<toy::join>("f", p) == toy::expected_join("f", p));
    CHECK(*unnamed.get<toy::join>("f", p) == toy::expected_join("f", p));
  }
  CHECK(runs_of(named.statistics()) == runs{1, 2, 2, 4});
  CHECK(runs_of(unnamed.statistics()) == runs_of(named.statistics()));
}

TEST_CASE("whole params as keys are right, and run what nobody needs") {
  compiler_by<whole> compiler;
  for (params const& p : {params{}, params{.level = 1}, params{.sm = 80}, params{.cpu = "new"}})
    CHECK(*compiler.get<toy::join>("f", p) == toy::expected_join("f", p));
  CHECK(runs_of(compiler.statistics()) == runs{4, 4, 4, 4});
  CHECK(compiler.get<toy::join>("f", {.sm = 80, .validate = false}));
  CHECK(runs_of(compiler.statistics()) == runs{4, 4, 4, 4});
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("a key that lacks a member serves what is stale") {
  compiler_by<without_level> compiler;
  CHECK(*compiler.get<toy::join>("f", params{}) == toy::expected_join("f", params{}));
  CHECK(*compiler.get<toy::join>("f", {.level = 1}) == toy::expected_join("f", params{}));
  CHECK(*compiler.get<toy::join>("f", {.level = 1, .sm = 80}) ==
        toy::expected_join("f", {.level = 1, .sm = 80}));
  CHECK(*compiler.get<toy::join>("g", {.level = 1}) == toy::expected_join("g", {.level = 1}));
}

TEST_CASE("the input is in the key under any strategy") {
  compiler_by<input_alone> compiler;
  CHECK(*compiler.get<toy::join>("f", {.sm = 70}) == toy::expected_join("f", {.sm = 70}));
  CHECK(*compiler.get<toy::join>("f", {.sm = 80}) == toy::expected_join("f", {.sm = 70}));
  CHECK(*compiler.get<toy::join>("g", {.sm = 80}) == toy::expected_join("g", {.sm = 80}));
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2, 2});
}

TEST_CASE("sealed params are asked for the strategy's key too") {
  compiler_by<without_level> compiler;
  using sealed_type = compiler_by<without_level>::sealed;
  auto const first = compiler.get<toy::join>("f", sealed_type(params{}));
  CHECK(&*compiler.get<toy::join>("f", sealed_type(params{.level = 1})) == &*first);
  CHECK(&*compiler.get<toy::join>("f", params{.cpu = "new"}) == &*first);
  CHECK(&*compiler.get<toy::join>("f", sealed_type(params{.sm = 80})) != &*first);
}

TEST_CASE("clear, limits and failures are as without a strategy") {
  compiler_by<without_level> compiler;
  for (int i = 1; i != 3; ++i) {
    CHECK(compiler.get<toy::join>("join fails", params{}).error().text == "cannot join join fails");
    CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, i});
  }
  compiler.limit<toy::front>({.entries = 0});
  CHECK(compiler.get<toy::front>("f", params{}));
  CHECK(compiler.get<toy::front>("f", params{}));
  CHECK(toy::of_layer(compiler.statistics(), "front").runs == 3);
  compiler.clear();
  CHECK(toy::of_layer(compiler.statistics(), "join").entries == 0);
}

// ---- early cutoff ------------------------------------------------------------------------------

std::string join_by_strategy(std::string const& left, std::string const& right,
                             view<toy::join, params> options) {
  return left + " " + right + " " + std::to_string(options.get<&params::sm>());
}
std::string join_with_input(std::string const&, std::string const& left, std::string const& right,
                            view<toy::join, params> options) {
  return join_by_strategy(left, right, options);
}

TEST_CASE("early cutoff under a strategy is as the stage alone") {
  pipeline<params, strategy<whole>, stage<toy::run_front>, stage<toy::run_left>,
           stage<toy::run_right>, early_cutoff<stage<join_with_input>>>
      compiler;
  for (int i = 0; i != 2; ++i) {
    CHECK(compiler.get<toy::join>("f", params{}));
    // `lines` is read by nobody while level is 0; `cpu` gives right other content.
    CHECK(compiler.get<toy::join>("f", {.lines = true}));
    CHECK(compiler.get<toy::join>("f", {.cpu = "new"}));
  }
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2, 2});
  // Hits ask nobody upstream, as they would under early cutoff.
  CHECK(toy::of_layer(compiler.statistics(), "left").requests == 2);
}

TEST_CASE("early cutoff that leaves the input out is right under a strategy") {
  pipeline<params, strategy<whole>, stage<toy::run_front>, stage<toy::run_left>,
           stage<toy::run_right>, early_cutoff<stage<join_by_strategy>>>
      compiler;
  CHECK(*compiler.get<toy::join>("f", params{}) ==
        toy::expected_left("f", params{}) + " " + toy::expected_right("f", params{}) + " 90");
  CHECK(*compiler.get<toy::join>("g", params{}) ==
        toy::expected_left("g", params{}) + " " + toy::expected_right("g", params{}) + " 90");
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2, 2});
}

// ---- shared layers -----------------------------------------------------------------------------

TEST_CASE("a shared layer stays exact in a pipeline with a strategy") {
  using front = shared_layer<stage<toy::run_front>>;
  front shared;
  pipeline<params, front, strategy<input_alone>, stage<toy::run_left>, ignores<toy::right>,
           ignores<toy::join>>
      compiler{shared};
  CHECK(*compiler.get<toy::left>("f", {.dialect = 1}) == "left(front(f 1) 1 0)");
  CHECK(*compiler.get<toy::left>("f", {.dialect = 2}) == "left(front(f 1) 1 0)");  // left is stale
  CHECK(*compiler.get<toy::front>("f", {.dialect = 2}) == "front(f 2)");
  CHECK(shared.counters().runs == 2);
}
