// Counters that each thread has for itself, so that counting a hit disturbs nobody.
#pragma once

#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/detail/inline.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace layerkey::detail {

struct alignas(64) thread_counters {
  using counter = std::atomic<std::uint64_t>;

  bool shared = false;
  counter hits{0};    // without a lock
  counter slow{0};    // other requests
  counter failed{0};  // hits of failures that are kept
  counter saved{0};   // nanoseconds
  counter served{0};  // of the other requests
  counter runs{0};
  counter failures{0};
  counter failures_without_run{0};
  counter spent{0};  // nanoseconds
  counter invalid{0};
  counter waits{0};
  counter drifts{0};
  counter loaded{0};
  counter unsaved{0};

  void add(counter& c, std::uint64_t n = 1) const {
    if (shared)
      c.fetch_add(n, std::memory_order_relaxed);
    else
      c.store(c.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }

  LAYERKEY_ALWAYS_INLINE void hit(bool with_artifact, std::uint64_t cost) {
    if (shared || !with_artifact) [[unlikely]]
      return other_hit(with_artifact, cost);
    hits.store(hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    saved.store(saved.load(std::memory_order_relaxed) + cost, std::memory_order_relaxed);
  }
  [[gnu::noinline, gnu::cold]] void other_hit(bool with_artifact, std::uint64_t cost) {
    add(hits);
    with_artifact ? add(saved, cost) : add(failed);
  }

  void serve(bool with_artifact, std::uint64_t cost) {
    if (!with_artifact) return add(failures_without_run);
    add(served);
    add(saved, cost);
  }
};

class counters_of_threads {
 public:
  counters_of_threads() { all_of_the_others_.shared = true; }
  counters_of_threads(counters_of_threads const&) = delete;
  counters_of_threads& operator=(counters_of_threads const&) = delete;
  ~counters_of_threads() {
    for (auto& each : own_) delete each.load(std::memory_order_relaxed);
  }

  LAYERKEY_ALWAYS_INLINE thread_counters& of(thread_pins const& thread) {
    if (thread.index < most) [[likely]]
      if (auto* const own = own_[thread.index].load(std::memory_order_relaxed)) [[likely]]
        return *own;
    return make(thread);
  }
  [[gnu::noinline, gnu::cold]] thread_counters& make(thread_pins const& thread) {
    if (thread.index >= most) return all_of_the_others_;
    auto* const made = new thread_counters;
    own_[thread.index].store(made, std::memory_order_release);
    return *made;
  }

  layer_statistics sum() const {
    layer_statistics all;
    std::uint64_t spent = 0, saved = 0;
    auto const add = [&](thread_counters const& of) {
      auto const n = [](thread_counters::counter const& c) {
        return c.load(std::memory_order_relaxed);
      };
      all.requests += n(of.hits) + n(of.slow);
      all.served += n(of.hits) - n(of.failed) + n(of.served);
      all.runs += n(of.runs);
      all.failures += n(of.failures);
      all.failures_without_run += n(of.failures_without_run) + n(of.failed);
      all.invalid += n(of.invalid);
      all.waits += n(of.waits);
      all.drifts += n(of.drifts);
      all.loaded += n(of.loaded);
      all.unsaved += n(of.unsaved);
      spent += n(of.spent);
      saved += n(of.saved);
    };
    add(all_of_the_others_);
    for (auto const& each : own_)
      if (auto const* own = each.load(std::memory_order_acquire)) add(*own);
    all.spent = std::chrono::nanoseconds(spent);
    all.saved = std::chrono::nanoseconds(saved);
    return all;
  }

 private:
  static constexpr std::size_t most = 64;

  std::atomic<thread_counters*> own_[most] = {};
  thread_counters all_of_the_others_;
};

}  // namespace layerkey::detail
