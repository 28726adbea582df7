// Requests by sealed params, and what a hit costs: no key, no allocation.
#include <layerkey/cache/call_site.hpp>
#include <layerkey/sealed.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include "allocations.hpp"
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <vector>

using namespace layerkey;
using toy::of_layer;

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

int sorted_lists = 0;

}  // namespace

std::vector<std::string> sorted(std::vector<std::string> list) {
  ++sorted_lists;
  std::sort(list.begin(), list.end());
  return list;
}

namespace {

struct options {
  int level = 2;
  std::string entry = "main";
  std::vector<std::string> features = {};
  std::optional<int> limit = std::nullopt;
  bool validate = false;

  using layerkey_fields =
      fields<field<&options::level, affects<optimize>>, field<&options::entry, affects<optimize>>,
             field<&options::features, affects<emit>, canonical<sorted>>,
             field<&options::limit, affects<emit>>, field<&options::validate, check_only>>;
};
static_assert(complete<options>);

}  // namespace

std::string run_optimize(std::string const& f, view<optimize, options> in) {
  return f + " O" + std::to_string(in.get<&options::level>()) + " " + in.get<&options::entry>();
}
std::string run_emit(std::string const&, std::string const& ir, view<emit, options> in) {
  std::string code = ir;
  for (auto const& each : in.get<&options::features>()) code += " " + each;
  if (auto const limit = in.get<&options::limit>()) code += " <" + std::to_string(*limit);
  return code;
}

namespace {

using compiler_type = pipeline<options, stage<run_optimize>, stage<run_emit>>;

options long_options(int level = 2) {
  options o;
  o.level = level;
  o.entry.assign(1000, 'e');
  o.features = {std::string(40, 'z'), std::string(40, 'b'), "a"};
  o.limit = 7;
  return o;
}

std::string const long_input(2000, 'f');

// How often `ask` allocates once everything is there.
template<class Ask>
std::size_t allocations_of(Ask const& ask) {
  ask();
  ask();
  auto const before = counted::allocations;
  for (int i = 0; i != 100; ++i) ask();
  return counted::allocations - before;
}

}  // namespace

TEST_CASE("sealed and raw params have the same answers and the same entries") {
  compiler_type compiler;
  for (int level = 0; level != 5; ++level)
    for (std::string const f : {"f", "g"}) {
      auto const raw = long_options(level);
      compiler_type::sealed const all(raw);
      sealed<options, emit> const one(raw);
      sealed<options, optimize> const other(raw);
      sealed<options> const none(raw);
      auto const made = level % 2 == 0 ? compiler.get<emit>(f, raw) : compiler.get<emit>(f, all);
      CHECK(&*compiler.get<emit>(f, raw) == &*made);
      CHECK(&*compiler.get<emit>(f, all) == &*made);
      CHECK(&*compiler.get<emit>(f, one) == &*made);
      CHECK(&*compiler.get<emit>(f, other) == &*made);
      CHECK(&*compiler.get<emit>(f, none) == &*made);
      CHECK(&**compiler.find<emit>(f, one) == &*made);
      CHECK(&*compiler.get<optimize>(f, other) == &*compiler.get<optimize>(f, raw));
    }
  CHECK(toy::runs_of(compiler.statistics()) == std::vector<int>{10, 10});
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("sealed params that differ have other answers") {
  compiler_type compiler;
  auto changed = long_options();
  changed.features.back() = "c";
  CHECK(*compiler.get<emit>("f", compiler_type::sealed(long_options())) !=
        *compiler.get<emit>("f", compiler_type::sealed(changed)));
  CHECK_FALSE(compiler.find<emit>("g", compiler_type::sealed(changed)));
  CHECK(toy::runs_of(compiler.statistics()) == std::vector<int>{1, 2});
}

TEST_CASE("a stage sees of sealed params what it sees of raw ones") {
  compiler_type by_sealed, by_raw;
  auto const p = long_options(3);
  CHECK(*by_sealed.get<emit>("f", compiler_type::sealed(p)) == *by_raw.get<emit>("f", p));
}

TEST_CASE("a hit by sealed params makes no canonical form again") {
  compiler_type compiler;
  auto const raw = long_options();
  compiler_type::sealed const params(raw);
  CHECK(compiler.get<emit>("f", params));
  sorted_lists = 0;
  for (int i = 0; i != 10; ++i) CHECK(compiler.get<emit>("f", params));
  CHECK(sorted_lists == 0);
  CHECK(compiler.get<emit>("f", raw));
  CHECK(sorted_lists > 0);
}

TEST_CASE("a hit by sealed params allocates nothing") {
  compiler_type compiler;
  compiler_type::sealed const params(long_options());
  bool right = true;
  CHECK(allocations_of([&] { right = right && compiler.get<emit>(long_input, params); }) == 0);
  CHECK(allocations_of([&] { right = right && compiler.find<emit>(long_input, params); }) == 0);
  CHECK(allocations_of([&] { right = right && compiler.get<optimize>(long_input, params); }) == 0);
  call_site<compiler_type, emit> site(compiler);
  CHECK(allocations_of([&] { right = right && site.get(long_input, params); }) == 0);
  CHECK(right);
  CHECK(of_layer(compiler.statistics(), "emit").runs == 1);
}

TEST_CASE("a hit by raw params allocates nothing, whatever length its input and its texts have") {
  toy::compiler compiler;
  toy::params p;
  p.cpu.assign(1000, 'c');
  bool right = true;
  CHECK(allocations_of([&] { right = right && compiler.get<toy::join>(long_input, p); }) == 0);
  CHECK(allocations_of([&] { right = right && compiler.find<toy::join>(long_input, p); }) == 0);
  // What is read of these options has no canonical form.
  compiler_type other;
  auto const o = long_options();
  CHECK(allocations_of([&] { right = right && other.get<optimize>(long_input, o); }) == 0);
  CHECK(right);
  if (counted::counts)
    CHECK(allocations_of([&] { static_cast<void>(make_key<optimize>(o)); }) != 0);
}

TEST_CASE("an answer that is held makes the next hits allocate no more than a block of pins") {
  compiler_type compiler;
  compiler_type::sealed const params(long_options());
  std::vector<outcome<std::string>> held;
  held.reserve(200);
  CHECK(compiler.get<emit>("f", params));
  auto const before = counted::allocations;
  for (int i = 0; i != 200; ++i) held.push_back(compiler.get<emit>("f", params));
  CHECK(counted::allocations - before <= 200 / 14 + 1);
  held.clear();
  auto const again = counted::allocations;
  for (int i = 0; i != 200; ++i) held.push_back(compiler.get<emit>("f", params));
  CHECK(counted::allocations == again);
  for (auto const& each : held) CHECK(&*each == &*held.front());
}

TEST_CASE("params that were sealed do not follow what they were made from") {
  compiler_type compiler;
  auto p = long_options();
  compiler_type::sealed const params(p);
  auto const first = compiler.get<emit>("f", params);
  p.level = 0;
  p.features.clear();
  CHECK(&*compiler.get<emit>("f", params) == &*first);
  compiler.clear();
  CHECK(*compiler.get<emit>("f", params) == *first);  // made again, of what was sealed
}

// ---- early cutoff and checks -------------------------------------------------------------------

std::string emit_by_content(std::string const& ir, view<emit, options> in) {
  return ir + (in.get<&options::features>().empty() ? "" : " " + in.get<&options::features>()[0]);
}
check_result check_code(std::string const& code, checks_view<options> in) {
  if (in.get<&options::validate>() && code[0] == 'b') return {.failure = diagnostics{"bad"}};
  return {};
}

TEST_CASE("sealed params ask layers under early cutoff and with checks as raw ones do") {
  pipeline<options, stage<run_optimize>, early_cutoff<stage<emit_by_content>>,
           check<emit, check_code>>
      compiler;
  using sealed_type = decltype(compiler)::sealed;
  auto p = long_options();
  auto const raw = compiler.get<emit>("b", p);
  CHECK(&*compiler.get<emit>("b", sealed_type(p)) == &*raw);
  p.validate = true;
  CHECK(compiler.get<emit>("b", p).error().text == "bad");
  CHECK(compiler.get<emit>("b", sealed_type(p)).error().text == "bad");
  CHECK(toy::runs_of(compiler.statistics()) == std::vector<int>{1, 1});
}
