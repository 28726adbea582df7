// Strategies for the keys of a compiler's caches, on one struct of options: what a key costs, how
// many stages run in vain, and how often a stale artifact is served.
#include "strategies/strategies.hpp"
#include "strategies/params.hpp"
#include "strategies/workload.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>

namespace {

using namespace bench;

// ---- time --------------------------------------------------------------------------------------

constexpr std::size_t objects = 64;  // a power of two; all fit into the first cache

std::vector<request> const& sample() {
  static auto const all = [] {
    request_maker make(4);
    std::vector<request> some(objects);
    for (auto& each : some) {
      each.input = make.below(16);
      make.vary_inference(each.options);
      make.vary_irgen(each.options);
      make.vary_codegen(each.options);
    }
    return some;
  }();
  return all;
}

// From params to the hash that a lookup starts from.
template<class Strategy, layer L>
void key_and_hash(benchmark::State& state) {
  auto const& requests = sample();
  std::size_t i = 0;
  for (auto _ : state) {
    auto const& r = requests[i++ % objects];
    benchmark::DoNotOptimize(Strategy::template entry<L>(r.input, r.options).hash());
  }
}

// The same, and the comparison with the entry that was found: a hit, its table aside.
template<class Strategy, layer L>
void hit(benchmark::State& state) {
  auto const& requests = sample();
  std::vector<decltype(Strategy::template entry<L>(u64{}, params{}))> stored;
  for (auto const& r : requests) stored.push_back(Strategy::template entry<L>(r.input, r.options));
  std::size_t i = 0;
  for (auto _ : state) {
    auto const& r = requests[i % objects];
    auto const k = Strategy::template entry<L>(r.input, r.options);
    benchmark::DoNotOptimize(k.hash());
    benchmark::DoNotOptimize(k == stored[i % objects]);
    ++i;
  }
}

// ---- runs --------------------------------------------------------------------------------------

// The time is that of the lookups and of a bookkeeping that stands in for the stages; what a run of
// a stage costs is the compiler's affair, so what counts here is how many there are.
template<class Strategy>
void workload(benchmark::State& state, std::vector<request> (*requests)()) {
  auto const all = requests();
  for (auto _ : state) {
    cached_compiler<Strategy> compiler;
    for (auto const& r : all) benchmark::DoNotOptimize(compiler.compile(r));
  }
  auto const counted = judge<Strategy>(all);
  auto const needed = needed_runs(all);
  auto const number = [](std::size_t n) { return static_cast<double>(n); };
  state.counters["needed_runs"] = number(needed[0] + needed[1] + needed[2]);
  state.counters["runs"] = number(counted.all_runs());
  state.counters["redundant_runs"] = number(counted.redundant_runs);
  state.counters["stale_hits"] = number(counted.stale_hits);
  state.counters["wrong_answers"] = number(counted.wrong_answers);
}

// ---- all of them -------------------------------------------------------------------------------

template<class... Strategies, class Visit>
void for_each_strategy(Visit visit) {
  (visit(Strategies{}), ...);
}

template<class Visit>
void for_all_strategies(Visit visit) {
  for_each_strategy<whole_configuration, hash_only<64>, hash_only<32>, hash_only<16>, hand_packed,
                    hand_kept_forgot_member, hand_kept_on_inference, by_layerkey>(visit);
}

void register_all() {
  auto const time = []<class Strategy>(Strategy) {
    std::string const name = Strategy::name;
    benchmark::RegisterBenchmark(("key_and_hash/codegen/" + name).c_str(),
                                 key_and_hash<Strategy, layer::codegen>);
    benchmark::RegisterBenchmark(("hit/inference/" + name).c_str(),
                                 hit<Strategy, layer::inference>);
    benchmark::RegisterBenchmark(("hit/irgen/" + name).c_str(), hit<Strategy, layer::irgen>);
    benchmark::RegisterBenchmark(("hit/codegen/" + name).c_str(), hit<Strategy, layer::codegen>);
  };
  for_each_strategy<whole_configuration, hash_only<64>, hand_packed, by_layerkey>(time);

  for_all_strategies([]<class Strategy>(Strategy) {
    std::string const name = Strategy::name;
    benchmark::RegisterBenchmark(("tuning/" + name).c_str(), workload<Strategy>, tuning)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("option_grid/" + name).c_str(), workload<Strategy>, option_grid)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("sessions/" + name).c_str(), workload<Strategy>, sessions)
        ->Unit(benchmark::kMillisecond);
  });
}

// The usual table, and behind it the times in relation to keys packed by hand, from the same run.
class with_ratios : public benchmark::ConsoleReporter {
 public:
  with_ratios() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(std::vector<Run> const& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (auto const& each : runs)
      if (each.run_type == Run::RT_Iteration && !each.error_occurred)
        times_[each.benchmark_name()] = each.GetAdjustedCPUTime();
  }

  void Finalize() override {
    ConsoleReporter::Finalize();
    auto const last = std::string("/") + by_layerkey::name;
    for (auto const& [name, time] : times_) {
      if (name.size() < last.size() || !name.ends_with(last)) continue;
      auto const group = name.substr(0, name.size() - last.size() + 1);
      auto const packed = times_.find(group + hand_packed::name);
      auto const whole = times_.find(group + whole_configuration::name);
      if (packed != times_.end() && whole != times_.end())
        std::printf("%slayerkey takes %.2f x hand_packed, %.2f x whole_configuration\n",
                    group.c_str(), time / packed->second, time / whole->second);
    }
  }

 private:
  std::map<std::string, double> times_;
};

}  // namespace

int main(int argc, char** argv) {
  // Not too long by default; an option on the command line comes later and counts.
  std::string shorter = "--benchmark_min_time=0.15";
  std::vector<char*> arguments{argv[0], shorter.data()};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  register_all();
  with_ratios reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
}
