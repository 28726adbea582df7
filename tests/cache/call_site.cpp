// Call sites: the last answer again, without a look into the cache.
#include <layerkey/cache/call_site.hpp>

#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace layerkey;
using toy::of_layer;
using toy::params;

namespace {

using site_of_join = call_site<toy::compiler, toy::join>;

}  // namespace

TEST_CASE("a call site answers what the pipeline answers") {
  toy::compiler compiler;
  site_of_join site(compiler);
  std::vector<params> const all = {
      params{},       params{},       {.sm = 80},      {.sm = 80},
      {.dialect = 2}, {.cpu = "new"}, {.lines = true}, {.level = 1, .lines = true}};
  for (int round = 0; round != 2; ++round)
    for (auto const& p : all)
      for (std::string const f : {"f", "f", "g"}) {
        auto const& at_site = site.get(f, p);
        CHECK(*at_site == toy::expected_join(f, p));
        CHECK(&*at_site == &*compiler.get<toy::join>(f, p));
      }
}

TEST_CASE("hits at a call site are counted when it asks again or goes away") {
  toy::compiler compiler;
  {
    site_of_join site(compiler);
    for (int i = 0; i != 10; ++i) CHECK(site.get("f", params{}));
    CHECK(of_layer(compiler.statistics(), "join").requests == 1);
    CHECK(site.get("g", params{}));
    CHECK(of_layer(compiler.statistics(), "join").requests == 11);
    CHECK(of_layer(compiler.statistics(), "join").served == 9);
    CHECK(site.get("g", params{}));
  }
  auto const join = of_layer(compiler.statistics(), "join");
  CHECK(join.requests == 12);
  CHECK(join.served == 10);
  CHECK(join.runs == 2);
  CHECK(join.saved.count() > 0);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("what is in no key makes no difference at a call site, what is does") {
  toy::compiler compiler;
  site_of_join site(compiler);
  auto const* const first = &*site.get("f", params{});
  int log = 0;
  CHECK(&*site.get("f", {.lines = true, .validate = false, .log = &log}) == first);
  CHECK(&*site.get("f", {.lines = true}) == first);  // while level is 0
  CHECK(of_layer(compiler.statistics(), "join").requests == 1);
  CHECK(&*site.get("f", {.sm = 80}) != first);
  CHECK(of_layer(compiler.statistics(), "join").requests == 4);
  CHECK(of_layer(compiler.statistics(), "join").runs == 2);
}

TEST_CASE("sealed and raw params are the same question") {
  toy::compiler compiler;
  site_of_join site(compiler);
  params const p{.mode = toy::mode::split, .cpu = "a name that is longer than any small string"};
  toy::compiler::sealed const sealed(p);
  layerkey::sealed<params, toy::front> const sealed_elsewhere(p);
  auto const* const first = &*site.get("f", sealed);
  CHECK(&*site.get("f", p) == first);
  CHECK(&*site.get("f", sealed_elsewhere) == first);
  CHECK(&*site.get("f", sealed) == first);
  CHECK(of_layer(compiler.statistics(), "join").requests == 1);
  CHECK(&*site.get("f", toy::compiler::sealed(params{})) != first);
}

TEST_CASE("a failure is not remembered") {
  toy::compiler compiler;
  site_of_join site(compiler);
  for (unsigned i = 1; i != 4; ++i) {
    CHECK(site.get("join fails", params{}).error().text == "cannot join join fails");
    CHECK(of_layer(compiler.statistics(), "join").runs == i);
  }
  CHECK(site.get("f", params{}));
  CHECK_FALSE(site.get("syntax", params{}));
  CHECK(*site.get("f", params{}) == toy::expected_join("f", params{}));
  CHECK(toy::adds_up(compiler.statistics()));
}

#if defined(__cpp_exceptions)
TEST_CASE("what a stage throws at a call site is thrown, and the site works on") {
  toy::compiler compiler;
  site_of_join site(compiler);
  CHECK(site.get("f", params{}));
  CHECK_THROWS_WITH(site.get("throw join", params{}), "join threw on throw join");
  CHECK(*site.get("f", params{}) == toy::expected_join("f", params{}));
  CHECK(toy::adds_up(compiler.statistics()));
}
#endif

TEST_CASE("what is erased or cleared is forgotten by call sites too") {
  toy::compiler compiler;
  site_of_join site(compiler);
  auto const again = [&] {
    auto const before = of_layer(compiler.statistics(), "join").runs;
    CHECK(*site.get("f", params{}) == toy::expected_join("f", params{}));
    return of_layer(compiler.statistics(), "join").runs != before;
  };
  CHECK(again());
  CHECK_FALSE(again());
  CHECK(compiler.erase_if<toy::join>(
            [](std::string const& code) { return code.find("(f ") != std::string::npos; }) == 1);
  CHECK(again());
  CHECK_FALSE(again());
  compiler.clear();
  CHECK(again());
  CHECK_FALSE(again());
}

TEST_CASE("a call site keeps its artifact over an eviction, and asks no one") {
  toy::compiler compiler;
  site_of_join site(compiler);
  compiler.limit<toy::join>({.entries = 1});
  auto const* const first = &*site.get("f", params{});
  CHECK(compiler.get<toy::join>("g", params{}));
  CHECK(of_layer(compiler.statistics(), "join").evictions == 1);
  CHECK(&*site.get("f", params{}) == first);
  CHECK(*site.get("f", params{}) == toy::expected_join("f", params{}));
  CHECK(of_layer(compiler.statistics(), "join").runs == 2);
}

TEST_CASE("an answer that was copied from a call site outlives it") {
  toy::compiler compiler;
  outcome<std::string> kept = diagnostics{"none"};
  {
    site_of_join site(compiler);
    kept = site.get("f", params{});
    CHECK(site.get("g", params{}));
  }
  compiler.clear();
  CHECK(*kept == toy::expected_join("f", params{}));
}

TEST_CASE("a call site of each thread ends with its thread, which leaves nothing behind") {
  static toy::compiler compiler;
  std::set<std::size_t> records;
  for (unsigned i = 1; i != 21; ++i) {
    std::thread([&] {
      static thread_local site_of_join site(compiler);
      static_cast<void>(site.get("f", params{}));
      static_cast<void>(site.get("f", params{}));
      records.insert(detail::pin_domain::here().index);
    }).join();
    CHECK(of_layer(compiler.statistics(), "join").requests == 2 * i);
  }
  CHECK(records.size() == 1);
}

// ---- validity ----------------------------------------------------------------------------------

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
  bool validate = false;

  using layerkey_fields =
      fields<field<&options::level, affects<emit>>, field<&options::validate, check_only>>;
};

std::string world_of(std::uint64_t epoch) { return epoch < 10 ? "old" : "new"; }

int checks_run = 0;

}  // namespace

with_validity<std::string, epoch_range> infer_in_world(std::string const& f, view<infer, options>,
                                                       requester<infer> ask) {
  return {f + " " + world_of(ask.epoch()),
          ask.epoch() < 10 ? epoch_range{0, 9} : epoch_range{.first = 10}};
}
std::string run_emit(std::string const&, std::string const& typed, view<emit, options> in) {
  return typed + " O" + std::to_string(in.get<&options::level>());
}
check_result refuse_bad(std::string const& typed, checks_view<options> in) {
  ++checks_run;
  if (in.get<&options::validate>() && typed.find("bad") != std::string::npos)
    return {.failure = diagnostics{"invalid: " + typed}};
  return {};
}

TEST_CASE("a call site asks again where its answer is not valid any more") {
  pipeline<options, stage<infer_in_world>, stage<run_emit>> compiler;
  call_site<decltype(compiler), emit> site(compiler);
  for (std::uint64_t epoch : {1u, 9u, 10u, 30u, 2u, 11u})
    CHECK(*site.get("f", {}, {.epoch = epoch}) == "f " + world_of(epoch) + " O0");
  auto const counted = of_layer(compiler.statistics(), "emit");
  CHECK(counted.runs == 2);
  CHECK(counted.requests == 6);  // 9 and 30 at the site
  CHECK(toy::adds_up(compiler.statistics()));
}

std::string emit_by_content(std::string const&, std::string const& typed, view<emit, options> in) {
  return typed + " O" + std::to_string(in.get<&options::level>());
}

TEST_CASE("so it does under early cutoff, where the entry itself is always valid") {
  pipeline<options, stage<infer_in_world>, early_cutoff<stage<emit_by_content>>> compiler;
  call_site<decltype(compiler), emit> site(compiler);
  for (int round = 0; round != 2; ++round)
    for (std::uint64_t epoch : {1u, 9u, 10u, 30u})
      CHECK(*site.get("f", {}, {.epoch = epoch}) == "f " + world_of(epoch) + " O0");
  CHECK(of_layer(compiler.statistics(), "emit").runs == 2);
  // Four times the other world: those alone asked upstream.
  CHECK(of_layer(compiler.statistics(), "infer").requests == 4);
}

TEST_CASE("a call site of a pipeline with checks runs them each time") {
  pipeline<options, stage<infer_in_world>, stage<run_emit>, check<infer, refuse_bad>> compiler;
  call_site<decltype(compiler), emit> site(compiler);
  checks_run = 0;
  CHECK(*site.get("bad", {}) == "bad old O0");
  CHECK(*site.get("bad", {}) == "bad old O0");
  CHECK(checks_run == 2);
  CHECK(site.get("bad", {.validate = true}).error().text == "invalid: bad old");
  CHECK(*site.get("bad", {}) == "bad old O0");
  CHECK(checks_run == 4);
  CHECK(of_layer(compiler.statistics(), "emit").runs == 1);
}
