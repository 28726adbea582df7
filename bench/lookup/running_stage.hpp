// Whether hits wait for a stage that runs: their times beside one, and beside the same work that is
// no stage.
#pragma once

#include "compiler.hpp"
#include "measure.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace lookup {

inline void print_goal(std::string const& what, double ratio, char const* least_or_most,
                       double bound, bool met) {
  std::printf("%-88s %6.2f  %s %.2f%s\n", what.c_str(), ratio, least_or_most, bound,
              met ? "" : "  MISSED");
}

constexpr u64 slow_input = ~u64{0};
inline std::chrono::milliseconds slow_stage_takes{0};
inline std::atomic<unsigned> begun = 0;
inline std::atomic<unsigned> ended = 0;

inline void keep_busy() {
  ++begun;
  auto const end = clock::now() + slow_stage_takes;
  while (clock::now() < end) {
  }
  ++ended;
}

inline u64 emit_slowly(u64 const& input, u64 const& lowered,
                       layerkey::view<codegen, fixed_params> options) {
  if (input == slow_input) keep_busy();
  return emit(input, lowered, options);
}

// How often each time from 0 ns on was taken.
class time_counts {
 public:
  void add(clock::duration spent) {
    auto const ns = static_cast<std::size_t>(std::chrono::nanoseconds(spent).count());
    ++counts_[std::min(ns, counts_.size() - 1)];
    ++all_;
  }

  // A part of all took at most this long.
  double below(double part) const {
    auto const wanted = static_cast<u64>(part * static_cast<double>(all_));
    u64 sum = 0;
    std::size_t ns = 0;
    while (ns != counts_.size() - 1 && (sum += counts_[ns]) < wanted) ++ns;
    return static_cast<double>(ns);
  }

 private:
  std::vector<u64> counts_ = std::vector<u64>(100'000);
  u64 all_ = 0;
};

// One thread has hits, as long as the other is busy.
inline void compare_beside_stage(reader_pair& readers, std::chrono::milliseconds stage_takes) {
  using slow_compiler = compiler::with<emit_slowly>;
  slow_compiler caches;
  constexpr std::size_t entries = 1'000;
  auto const& params = options().params;
  for (std::size_t job = 0; job != entries; ++job)
    static_cast<void>(caches.get<codegen>(job / configurations, params[job % configurations]));
  auto const jobs = zipf(entries, 1);
  slow_stage_takes = stage_takes;

  auto const hits_while = [&](auto const& busy, auto const& hit) {
    time_counts times;
    unsigned const before = begun;
    readers.run(2, [&](int reader) {
      if (reader == 1) return busy();
      while (begun == before) {
      }
      for (std::size_t i = 0; ended == before; ++i) {
        auto const job = jobs[i % sequence_length];
        auto const start = clock::now();
        hit(job);
        times.add(clock::now() - start);
      }
    });
    return times.below(0.99);
  };
  u64 misses = 0;
  auto const hit = [&](std::size_t job) {
    misses += !caches.find<codegen>(job / configurations, params[job % configurations]);
  };

  std::vector<double> clock_alone, without, with;
  unsigned stages = 0;
  for (int round = 0; round != 3; ++round) {
    clock_alone.push_back(hits_while(keep_busy, [](std::size_t) {}));
    without.push_back(hits_while(keep_busy, hit));
    auto slow = params[0];
    slow.sm = static_cast<std::int32_t>(1'000 + stages++);
    with.push_back(
        hits_while([&] { static_cast<void>(caches.get<codegen>(slow_input, slow)); }, hit));
  }
  if (misses != 0) std::abort();
  double const clock_takes = median(clock_alone);
  std::printf(
      "\n99 of 100 hits on one thread, the time of the clock (%.0f ns) taken off, take at "
      "most\n  %.0f ns while another thread runs a stage of %lld ms, %.0f ns while it does "
      "the same outside\n",
      clock_takes, median(with) - clock_takes, static_cast<long long>(stage_takes.count()),
      median(without) - clock_takes);
  double const ratio = (median(with) - clock_takes) / (median(without) - clock_takes);
  print_goal("99th percentile of hits, beside a running stage / beside other work", ratio,
             "at most", 1.1, ratio <= 1.1);
}

}  // namespace lookup
