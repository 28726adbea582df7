// The strategies of the benchmark: layerkey runs what is needed and serves nothing stale, and the
// others fail in the ways that the benchmark is to show.
#include "../../bench/strategies/workload.hpp"

#include <catch2/catch.hpp>

#include <vector>

namespace {

std::vector<bench::request> random_requests() {
  bench::request_maker make(5);
  std::vector<bench::request> all(3000);
  for (auto& each : all) {
    each.input = make.below(3);
    if (make.coin()) make.vary_inference(each.options);
    if (make.coin()) make.vary_irgen(each.options);
    if (make.coin()) make.vary_codegen(each.options);
    make.vary_runtime(each.options);
  }
  return all;
}

std::vector<std::vector<bench::request>> workloads() {
  return {bench::tuning(), bench::option_grid(), bench::sessions(), random_requests()};
}

// Of a strategy in all workloads together.
template<class Strategy>
bench::counts total() {
  bench::counts sum;
  for (auto const& requests : workloads()) {
    auto const each = bench::judge<Strategy>(requests);
    for (std::size_t i = 0; i != bench::layers; ++i) sum.runs[i] += each.runs[i];
    sum.redundant_runs += each.redundant_runs;
    sum.stale_hits += each.stale_hits;
    sum.wrong_answers += each.wrong_answers;
  }
  return sum;
}

}  // namespace

TEST_CASE("layerkey runs each stage as often as needed, and serves nothing stale") {
  for (auto const& requests : workloads()) {
    auto const counted = bench::judge<bench::by_layerkey>(requests);
    CHECK(counted.runs == bench::needed_runs(requests));
    CHECK(counted.redundant_runs == 0);
    CHECK(counted.stale_hits == 0);
    CHECK(counted.wrong_answers == 0);
  }
}

TEST_CASE("so do keys that are packed by hand with care") {
  for (auto const& requests : workloads()) {
    auto const counted = bench::judge<bench::hand_packed>(requests);
    CHECK(counted.runs == bench::needed_runs(requests));
    CHECK(counted.stale_hits == 0);
    CHECK(counted.wrong_answers == 0);
  }
}

TEST_CASE("whole configurations are never stale and run stages in vain") {
  for (auto const& requests : workloads()) {
    auto const counted = bench::judge<bench::whole_configuration>(requests);
    auto const needed = bench::needed_runs(requests);
    CHECK(counted.stale_hits == 0);
    CHECK(counted.wrong_answers == 0);
    CHECK(counted.redundant_runs == counted.all_runs() - needed[0] - needed[1] - needed[2]);
    CHECK(counted.redundant_runs > 0);
  }
}

TEST_CASE("a hash alone is stale as soon as two keys share it") {
  CHECK(total<bench::hash_only<64>>().stale_hits == 0);
  auto const narrow = total<bench::hash_only<16>>();
  CHECK(narrow.stale_hits > 0);
  CHECK(narrow.wrong_answers > 0);
}

TEST_CASE("keys that are kept by hand and not kept up are stale") {
  CHECK(total<bench::hand_kept_forgot_member>().stale_hits > 0);
  CHECK(total<bench::hand_kept_forgot_member>().wrong_answers > 0);
  CHECK(total<bench::hand_kept_on_inference>().stale_hits > 0);
  CHECK(total<bench::hand_kept_on_inference>().wrong_answers > 0);
}
