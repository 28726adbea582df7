// Runs of stages under way, and who waits for whom.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace layerkey::detail {

// One run of a stage.
class flight {
 public:
  // Says what it makes, while it runs: "inference of f". `what` stays alive that long.
  using describer = std::string (*)(void const* what);

  flight(describer describe, void const* what) : describe_(describe), what_(what) {}
  flight(flight const&) = delete;
  flight& operator=(flight const&) = delete;

 private:
  friend class flights_under_way;

  describer describe_;
  void const* what_;
  std::vector<flight*> needs_;  // runs that its stage asked for and waits for
  std::string cycle_;
};

// The run of a stage on this thread, innermost; null outside of stages. By it a request that does
// not come through a requester is known to be one of the stage.
inline constinit thread_local flight* flight_of_this_thread = nullptr;

class flight_on_this_thread {
 public:
  explicit flight_on_this_thread(flight* now)
      : before_(std::exchange(flight_of_this_thread, now)) {}
  flight_on_this_thread(flight_on_this_thread const&) = delete;
  flight_on_this_thread& operator=(flight_on_this_thread const&) = delete;
  ~flight_on_this_thread() { flight_of_this_thread = before_; }

 private:
  flight* before_;
};

// Of the process, since a stage may ask another pipeline. Its lock is taken where a run begins,
// ends or is waited for, never by a hit.
class flights_under_way {
 public:
  static flights_under_way& get() {
    static auto& all = *new flights_under_way;
    return all;
  }

  // From now on `from` waits for `to`, unless that waits for `from` already: then false, and each
  // that takes part in the circle fails, whatever its stage makes of the answer. Otherwise results
  // would depend on which was asked for first.
  bool wait(flight& from, flight& to) {
    std::lock_guard const lock(mutex_);
    std::vector<flight*> path;
    if (find(to, from, path)) {
      // path: to ... from, without from
      std::string chain = from.describe_(from.what_);
      for (auto* each : path) (chain += " -> ") += each->describe_(each->what_);
      (chain += " -> ") += from.describe_(from.what_);
      path.push_back(&from);
      for (auto* each : path)
        if (each->cycle_.empty()) each->cycle_ = chain;
      return false;
    }
    from.needs_.push_back(&to);
    return true;
  }

  void wait_no_more(flight& from, flight& to) {
    std::lock_guard const lock(mutex_);
    from.needs_.erase(std::find(from.needs_.begin(), from.needs_.end(), &to));
  }

  // The chain of the circle that it took part in, or empty.
  std::string cycle_of(flight const& f) {
    std::lock_guard const lock(mutex_);
    return f.cycle_;
  }

 private:
  // The way from `at` to `to` along what each waits for. Terminates, since no circle is let in.
  static bool find(flight& at, flight const& to, std::vector<flight*>& path) {
    if (&at == &to) return true;
    path.push_back(&at);
    for (auto* each : at.needs_)
      if (find(*each, to, path)) return true;
    path.pop_back();
    return false;
  }

  std::mutex mutex_;
};

// Says that `from`, if there is one, waits for `to` as long as this lives.
class waiting {
 public:
  waiting(flight* from, flight& to)
      : from_(from), to_(to), allowed_(!from || flights_under_way::get().wait(*from, to)) {}
  waiting(waiting const&) = delete;
  waiting& operator=(waiting const&) = delete;
  ~waiting() {
    if (from_ && allowed_) flights_under_way::get().wait_no_more(*from_, to_);
  }

  bool allowed() const { return allowed_; }

 private:
  flight* from_;
  flight& to_;
  bool allowed_;
};

// ---- of one cache ------------------------------------------------------------------------------

// A run that others may wait for.
struct run_under_way : flight {
  std::uint64_t const hash;  // of its key
  std::mutex mutex;
  std::condition_variable_any landed;
  bool ended = false;

  run_under_way(describer describe, void const* what, std::uint64_t h)
      : flight(describe, what), hash(h) {}

  // False where the wait was given up.
  bool wait(std::stop_token const& stop) {
    std::unique_lock lock(mutex);
    return landed.wait(lock, stop, [this] { return ended; });
  }
  void end() {
    {
      std::lock_guard const lock(mutex);
      ended = true;
    }
    landed.notify_all();
  }
};

using runs_under_way = std::vector<std::shared_ptr<run_under_way>>;

inline std::shared_ptr<run_under_way> take_run(runs_under_way& from, run_under_way const& one) {
  auto const at = std::find_if(from.begin(), from.end(),
                               [&one](auto const& each) { return each.get() == &one; });
  auto taken = std::move(*at);
  *at = std::move(from.back());
  from.pop_back();
  return taken;
}

}  // namespace layerkey::detail
