// Runs of stages under way, and who waits for whom.
#pragma once

#include <layerkey/cache/detail/pins.hpp>

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

  struct description {
    describer describe;
    void const* what;
    std::uint64_t epoch = 0;
    bool by_content = false;  // its requests do not follow from its key
  };

  // `parent`: the run whose stage asks, if one does.
  flight(description const& of, flight* parent) : of_(of), first_(parent ? parent->first_ : this) {}
  flight(flight const&) = delete;
  flight& operator=(flight const&) = delete;

 private:
  friend class flights_under_way;

  description of_;
  flight const* first_;         // of those that need each other on the way to this one
  std::vector<flight*> needs_;  // runs that its stage asked for and waits for
  std::string cycle_;
  std::uint64_t circle_ = 0;  // which one that is
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

  enum wait_result : std::uint8_t {
    waits,
    needs_itself,
    only_meanwhile,  // a circle that is none where `from` does not wait for what others asked for
  };

  // From now on `from`, which asks about `epoch`, waits for `to`, unless that waits for `from`
  // already. Where what is made needs itself, each that takes part in the circle fails, whatever
  // its stage makes of the answer. Otherwise results would depend on which was asked for first.
  wait_result wait(flight& from, flight& to, std::uint64_t epoch) {
    std::lock_guard const lock(mutex_);
    std::vector<flight*> path;
    if (!find(to, from, path)) {
      from.needs_.push_back(&to);
      return waits;
    }
    // path: to ... from, without from
    path.push_back(&from);
    // Among several requests only where all that waits in them takes part. Elsewhere each finds its
    // own circles, or one that is needed on the way would not be told.
    bool const real =
        to.first_ == from.first_
            ? to.of_.epoch == epoch
            : std::all_of(path.begin(), path.end(), [&](flight const* each) {
                return each->of_.epoch == epoch && !each->of_.by_content &&
                       std::find(path.begin(), path.end(), each->first_) != path.end();
              });
    if (!real) return only_meanwhile;
    auto const describe = [](flight const& f) { return f.of_.describe(f.of_.what); };
    std::string chain = describe(from);
    for (auto* each : path) (chain += " -> ") += describe(*each);
    ++circles_;
    for (auto* each : path)
      if (each->cycle_.empty()) {
        each->cycle_ = chain;
        each->circle_ = circles_;
      }
    return needs_itself;
  }

  // Whether they are needed by the same request of somebody's, and about the same epoch.
  static bool together(flight const& f, flight const* parent, std::uint64_t epoch) {
    return parent && f.first_ == parent->first_ && f.of_.epoch == epoch;
  }

  void wait_no_more(flight& from, flight& to) {
    std::lock_guard const lock(mutex_);
    from.needs_.erase(std::find(from.needs_.begin(), from.needs_.end(), &to));
  }

  bool in_one_circle(flight const& a, flight const& b) {
    std::lock_guard const lock(mutex_);
    return a.circle_ != 0 && a.circle_ == b.circle_;
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
  std::uint64_t circles_ = 0;  // so far
};

// Says that `from`, if there is one, waits for `to` as long as this lives.
class waiting {
 public:
  waiting(flight* from, flight& to, std::uint64_t epoch)
      : from_(from),
        to_(to),
        result_(from ? flights_under_way::get().wait(*from, to, epoch) : flights_under_way::waits) {
  }
  waiting(waiting const&) = delete;
  waiting& operator=(waiting const&) = delete;
  ~waiting() {
    if (from_ && result_ == flights_under_way::waits)
      flights_under_way::get().wait_no_more(*from_, to_);
  }

  flights_under_way::wait_result result() const { return result_; }

 private:
  flight* from_;
  flight& to_;
  flights_under_way::wait_result result_;
};

// ---- entries that are compared -----------------------------------------------------------------

// An entry whose dependencies are being requested again on this thread, to see whether it serves.
// One that comes to itself on the way needs itself by now: it does not serve, so that its stage
// runs and the circle shows.
class comparing {
 public:
  explicit comparing(void const* entry)
      : entry_(entry), outer_(std::exchange(innermost_, this)), all_(outer_ ? outer_->all_ : this) {
    auto const& known = all_->circular_;
    circles_ = std::find(known.begin(), known.end(), entry) != known.end();
    for (auto* each = outer_; each && !circles_; each = each->outer_)
      if (each->entry_ == entry) {
        circles_ = true;
        for (auto* in = outer_; in != each->outer_; in = in->outer_)
          all_->circular_.push_back(in->entry_);
      }
  }
  comparing(comparing const&) = delete;
  comparing& operator=(comparing const&) = delete;
  ~comparing() { innermost_ = outer_; }

  bool circles() const { return circles_; }

 private:
  static inline constinit thread_local comparing* innermost_ = nullptr;

  void const* entry_;
  comparing* outer_;
  comparing* all_;                     // the outermost
  std::vector<void const*> circular_;  // there: so that each of a circle is compared once
  bool circles_ = false;
};

// ---- of one cache ------------------------------------------------------------------------------

// A run that others may wait for.
struct run_under_way : flight {
  void const* const key;  // of the request that runs
  std::uint64_t const hash;
  hold result;  // once it has ended; empty where something threw on the way

  run_under_way(description const& of, flight* parent, void const* k, std::uint64_t h)
      : flight(of, parent), key(k), hash(h) {}

  // False where the wait was given up.
  bool wait(std::stop_token const& stop) {
    std::unique_lock lock(mutex_);
    return has_ended_.wait(lock, stop, [this] { return ended_; });
  }
  void end() {
    {
      std::lock_guard const lock(mutex_);
      ended_ = true;
    }
    has_ended_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any has_ended_;
  bool ended_ = false;
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
