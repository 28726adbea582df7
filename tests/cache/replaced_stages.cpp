// Other stages in a pipeline's place, as tests want them.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <type_traits>

using namespace layerkey;
using toy::params;
using toy::runs_of;

using runs = std::vector<int>;

std::string fake_front(std::string const& source, view<toy::front, params>) {
  return "[" + source + "]";
}
std::string fake_join(std::string const&, std::string const& left, std::string const& right,
                      view<toy::join, params> options) {
  return left + "&" + right + std::to_string(options.get<&params::sm>());
}
std::string fake_right(std::string const&, std::string const&, view<toy::right, params>) {
  return "r";
}
std::string fake_left_of_content(std::string const& front, narrowed<toy::left, params> options) {
  return front + std::to_string(options->level);
}
std::string left_of_content(std::string const& front, narrowed<toy::left, params> options) {
  return "left(" + front + std::to_string(options->level) + ")";
}

TEST_CASE("with<f> puts f in the place of its layer's stage, and leaves the others") {
  toy::compiler::with<fake_front> compiler;
  CHECK(*compiler.get<toy::join>("f", params{}) == "join(left([f] 1 0) right([f] old) 90)");
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 1, 1});
  // The pipeline itself is as it was.
  CHECK(*toy::compiler{}.get<toy::front>("f", params{}) == "front(f 1)");
}

TEST_CASE("several stages can be replaced, each again") {
  toy::compiler::with<fake_front>::with<fake_right>::with<fake_join> compiler;
  CHECK(*compiler.get<toy::join>("f", {.sm = 80}) == "left([f] 1 0)&r80");
  toy::compiler::with<fake_front>::with<toy::run_front> as_before;
  CHECK(*as_before.get<toy::join>("f", params{}) == toy::expected_join("f", params{}));
  CHECK(std::is_same_v<decltype(as_before), toy::compiler>);
}

TEST_CASE("a fake under early cutoff stays under early cutoff") {
  using compiler_type =
      pipeline<params, stage<toy::run_front>, early_cutoff<stage<left_of_content>>,
               ignores<toy::right>, ignores<toy::join>>;
  using faked = compiler_type::with<fake_left_of_content>;
  CHECK(std::is_same_v<
        faked, pipeline<params, stage<toy::run_front>, early_cutoff<stage<fake_left_of_content>>,
                        ignores<toy::right>, ignores<toy::join>>>);
  faked compiler;
  CHECK(*compiler.get<toy::left>("f", params{}) == "front(f 1)0");
  compiler_type::with<fake_left_of_content>::with<fake_front> other;
  CHECK(*other.get<toy::left>("f", params{}) == "[f]0");
  // The front end makes the same of another dialect, and the fake does not run again.
  CHECK(*other.get<toy::left>("f", {.dialect = 2}) == "[f]0");
  CHECK(runs_of(other.statistics()) == runs{2, 1});
}

TEST_CASE("a fake of a shared layer is shared with those that have the same fake") {
  using compiler_type = pipeline<params, shared_layer<stage<toy::run_front>>, stage<toy::run_left>,
                                 ignores<toy::right>, ignores<toy::join>>;
  shared_layer<stage<fake_front>> fakes;
  compiler_type::with<fake_front> one{fakes}, other{fakes};
  CHECK(*one.get<toy::left>("f", params{}) == "left([f] 1 0)");
  CHECK(*other.get<toy::left>("f", params{}) == "left([f] 1 0)");
  CHECK(fakes.counters().runs == 1);
}

check_result refuse_brackets(std::string const& front, checks_view<params> options) {
  if (options.get<&params::validate>() && front[0] == '[')
    return {.failure = diagnostics{"a fake: " + front}};
  return {};
}

TEST_CASE("the checks of a pipeline stay with a fake") {
  using compiler_type = pipeline<params, stage<toy::run_front>, check<toy::front, refuse_brackets>,
                                 ignores<toy::left>, ignores<toy::right>, ignores<toy::join>>;
  CHECK(compiler_type{}.get<toy::front>("f", params{}));
  compiler_type::with<fake_front> compiler;
  CHECK(compiler.get<toy::front>("f", params{}).error().text == "a fake: [f]");
  CHECK(*compiler.get<toy::front>("f", {.validate = false}) == "[f]");
  CHECK(runs_of(compiler.statistics()) == runs{1});
}
