// What a key costs: its hash, its comparison, both, and all three layers, against keys packed by
// hand and against what is usual. Equal operations run one after the other, so compare within a
// run.
#include "keys/loops.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using namespace keys;

template<operation O, class Strategy, class Params>
void run(benchmark::State& state, prepared<Strategy, Params> const* on) {
  for (auto _ : state) benchmark::DoNotOptimize(loop<O>(*on, samples));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples));
}

template<class Strategy, class Params, class Sample>
bool add(std::string const& shape, std::vector<Sample> const& from) {
  static prepared<Strategy, Params> const on(from);
  if (!is_right(on)) return false;
  auto const add_one = [&]<operation O>(char const* what, std::integral_constant<operation, O>) {
    benchmark::RegisterBenchmark((shape + "/" + what + "/" + Strategy::name).c_str(),
                                 run<O, Strategy, Params>, &on);
  };
  add_one("hash", std::integral_constant<operation, operation::hash>{});
  add_one("equal", std::integral_constant<operation, operation::equal>{});
  add_one("hash_and_equal", std::integral_constant<operation, operation::both>{});
  add_one("three_layers", std::integral_constant<operation, operation::layers>{});
  return true;
}

template<class P>
bool add_shape(std::string const& shape) {
  auto const from = sample<P>();
  bool right = add<by_layerkey, P>(shape, from) && add<hand_packed, P>(shape, from) &&
               add<by_std_hash, P>(shape, from);
#ifdef LAYERKEY_BENCH_BOOST
  right = right && add<by_boost, P>(shape, from);
#endif
#ifdef LAYERKEY_BENCH_ABSL
  right = right && add<by_absl, P>(shape, from);
#endif
  return right && add<by_sealed, layerkey::sealed<P, inference, irgen, codegen>>(shape, from) &&
         add<hand_sealed, hand_sealed_params<P>>(shape, from);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  if (!add_shape<fixed_params>("fixed") || !add_shape<full_params>("full")) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
