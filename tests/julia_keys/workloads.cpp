// The requests are those of the model that the table is held against.
#include "workloads.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace julia;

TEST_CASE("workloads have the size of the model's", "[julia]") {
  CHECK(matrix().size() == 1'440);
  CHECK(autotune().size() == 1'200);
  CHECK(session().size() == 20'000);
  CHECK(release().size() == 2'400);
  CHECK(derivatives().size() == 28'800);
}

TEST_CASE("no request contradicts itself", "[julia]") {
  for (auto const& request : derivatives())
    REQUIRE(layerkey::broken_invariants(request.config).empty());
}

TEST_CASE("the session is that of the model", "[julia]") {
  auto const all = session();
  auto const count = [&all](bool (*is)(kernel_request const&)) {
    return std::count_if(all.begin(), all.end(), is);
  };
  using request = kernel_request;
  CHECK(count([](request const& r) { return r.config.config.name.has_value(); }) == 2'025);
  CHECK(count([](request const& r) { return r.config.config.target.maxthreads.has_value(); }) ==
        6'043);
  CHECK(count([](request const& r) {
          auto const& n = r.config.config.target.maxthreads;
          return n && n->rank > 0;
        }) == 4'046);
  CHECK(count([](request const& r) { return !r.config.config.validate; }) == 1'027);
  CHECK(count([](request const& r) { return r.config.config.always_inline; }) == 997);
  CHECK(count([](request const& r) { return r.config.context == 1; }) == 9'906);
  CHECK(count([](request const& r) { return r.source.type == element_type::f64; }) == 9'908);

  std::uint64_t methods = 0, definitions = 0, callables = 0;
  for (auto const& each : all) {
    methods += each.source.method;
    definitions += each.source.definition;
    callables += each.config.callable;
  }
  CHECK(methods == 81'732);
  CHECK(definitions == 2'322);
  CHECK(callables == 100'295);
  CHECK(all.back().world == 62);
}

}  // namespace
