// Runs each loop under callgrind, which writes one count a loop; check.sh compares them. Exits with
// 4 where it was compiled without valgrind's header.
#include "../keys/loops.hpp"

#include <cstdio>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS return 4
#define CALLGRIND_DUMP_STATS_AT(name) static_cast<void>(name)
#endif

namespace {

using namespace keys;

constexpr std::size_t runs = samples * 20;

u64 total = 0;  // printed, so that no loop is in vain

template<operation O, class Strategy, class Params>
int count(char const* shape, char const* what, prepared<Strategy, Params> const& on) {
  total += loop<O>(on, samples);  // once outside the count, for symbols that are bound late
  std::string const name = std::string(shape) + '/' + what + '/' + Strategy::name;
  CALLGRIND_ZERO_STATS;
  total += loop<O>(on, runs);
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  return 0;
}

template<class Strategy, class Params, class Sample>
int count_all(char const* shape, std::vector<Sample> const& from) {
  prepared<Strategy, Params> const on(from);
  if (!is_right(on)) {
    std::fprintf(stderr, "%s/%s is wrong\n", shape, Strategy::name);
    return 1;
  }
  if (int const failed = count<operation::hash>(shape, "hash", on)) return failed;
  count<operation::equal>(shape, "equal", on);
  count<operation::both>(shape, "both", on);
  return count<operation::layers>(shape, "layers", on);
}

template<class P>
int count_shape(char const* shape) {
  auto const from = sample<P>();
  if (int const failed = count_all<hand_packed, P>(shape, from)) return failed;
  if (int const failed = count_all<by_layerkey, P>(shape, from)) return failed;
#ifdef LAYERKEY_BENCH_OTHERS
  count_all<by_std_hash, P>(shape, from);
#ifdef LAYERKEY_BENCH_ABSL
  count_all<by_absl, P>(shape, from);
#endif
#endif
  if (int const failed = count_all<hand_sealed, hand_sealed_params<P>>(shape, from)) return failed;
  return count_all<by_sealed, layerkey::sealed<P, inference, irgen, codegen>>(shape, from);
}

}  // namespace

int main() {
  int failed = count_shape<fixed_params>("fixed");
  if (failed == 0) failed = count_shape<full_params>("full");
  std::printf("%llu\n", static_cast<unsigned long long>(total));
  return failed;
}
