// The cache of one layer in this process: each key is made once, whoever asks.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/statistics.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace layerkey {

// An artifact and what it took to make it.
template<class Artifact>
struct made {
  outcome<Artifact> result;
  std::chrono::nanoseconds spent{};  // in this layer's stage
  std::chrono::nanoseconds cost{};   // the same and all upstream stages
  bool ran = true;                   // false: an upstream stage failed, so the stage did not run
#if defined(__cpp_exceptions)
  std::exception_ptr thrown{};  // what the stage threw in place of a result
#endif

  // The result; throws what the stage threw.
  outcome<Artifact> deliver() && {
#if defined(__cpp_exceptions)
    if (thrown) std::rethrow_exception(std::move(thrown));
#endif
    return std::move(result);
  }
};

namespace detail {

// What make() returns, or throws, as a value.
template<class Artifact, class Make>
made<Artifact> caught(Make&& make) {
#if defined(__cpp_exceptions)
  try {
    return make();
  } catch (...) {
    made<Artifact> failure{diagnostics{}};
    failure.thrown = std::current_exception();
    return failure;
  }
#else
  return make();
#endif
}

}  // namespace detail

// Safe for any number of threads. While one thread makes the artifact of a key, others that ask for
// that key wait; other keys are never held up, and no lock is held while the artifact is made.
// Failures and exceptions reach every waiter and are not kept.
template<class Key, class Artifact>
class memory_cache {
 public:
  // The artifact of the key: stored, awaited, or made by `make()`, which returns made<Artifact>.
  // What make() throws comes back in made::thrown, to each who asked. `with_upstream` says whether
  // a hit also saves what the upstream stages took.
  template<class Make>
  made<Artifact> get(Key const& key, bool with_upstream, Make&& make) {
    std::unique_lock lock(mutex_);
    ++counters_.requests;
    if (auto const found = entries_.find(key); found != entries_.end()) {
      auto const entry = found->second;
      if (!entry->done && entry->maker == std::this_thread::get_id()) {
        ++counters_.failures_without_run;
        return failed("cyclic request: this stage asks, through others, for its own artifact");
      }
      done_.wait(lock, [&] { return entry->done; });
      return deliver(*entry, with_upstream);
    }
    auto const entry = std::make_shared<flight>();
    entry->maker = std::this_thread::get_id();
    entries_.emplace(key, entry);
    lock.unlock();
    entry->made = detail::caught<Artifact>(std::forward<Make>(make));
    lock.lock();
    return land(key, *entry);
  }

  // Counts a request that failed before its key could be known.
  made<Artifact> fail(made<Artifact> failure) {
    std::lock_guard const lock(mutex_);
    ++counters_.requests;
    ++counters_.failures_without_run;
    return failure;
  }

  layer_statistics counters() const {
    std::lock_guard const lock(mutex_);
    return counters_;
  }

  // How many artifacts are kept.
  std::size_t size() const {
    std::lock_guard const lock(mutex_);
    return entries_.size();
  }

  // Forgets what is kept. Runs under way still reach those who wait for them.
  void clear() {
    std::lock_guard const lock(mutex_);
    for (auto each = entries_.begin(); each != entries_.end();)
      each = each->second->done ? entries_.erase(each) : std::next(each);
  }

 private:
  struct flight {
    bool done = false;
    std::thread::id maker;
    layerkey::made<Artifact> made{diagnostics{}};
  };

  struct hash_of {
    std::size_t operator()(Key const& key) const { return key.hash(); }
  };

  static layerkey::made<Artifact> failed(char const* why) {
    layerkey::made<Artifact> result{diagnostics{why}};
    result.ran = false;
    return result;
  }

  layerkey::made<Artifact> deliver(flight const& entry, bool with_upstream) {
    if (entry.made.result) {
      ++counters_.served;
      counters_.saved += with_upstream ? entry.made.cost : entry.made.spent;
    } else
      ++counters_.failures_without_run;
    return entry.made;
  }

  layerkey::made<Artifact> land(Key const& key, flight& entry) {
    entry.done = true;
    done_.notify_all();
    if (entry.made.ran) {
      ++counters_.runs;
      counters_.spent += entry.made.spent;
    } else
      ++counters_.failures_without_run;
    if (!entry.made.result) {
      if (entry.made.ran) ++counters_.failures;
      entries_.erase(key);
    }
    return entry.made;
  }

  mutable std::mutex mutex_;
  std::condition_variable done_;
  std::unordered_map<Key, std::shared_ptr<flight>, hash_of> entries_;
  layer_statistics counters_;
};

}  // namespace layerkey
