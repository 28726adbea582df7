// What is the same for the caches of all keys and artifacts, compiled once: everything but a hit.
#pragma once

#include <layerkey/cache/detail/entry_table.hpp>
#include <layerkey/cache/detail/flights.hpp>
#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/cache/detail/thread_counters.hpp>
#include <layerkey/cache/limits.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/detail/inline.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace layerkey::detail {

// Of what was made, for the cache that keeps it or not.
struct made_facts {
  std::chrono::nanoseconds spent{};
  bool failed = false;
  bool ran = true;
  bool loaded = false;  // from a store
  bool unsaved = false;
  bool keep = true;
  failure_kind kind = failure_kind::stage_failed;
  std::size_t bytes = 0;
  std::uint64_t number = 0;  // in the order in which entries came
};

// An entry. What a hit reads of it lies in one cache line; a short artifact and the key follow.
struct alignas(64) cached : pinnable {
  std::uint64_t const hash;
  std::uint64_t const cost;  // nanoseconds
  made_facts* const facts;
  void const* artifact;      // null for a failure
  bool const always_serves;  // sets no conditions
  bool const says_nothing;   // there is an artifact, and there are no messages
  bool is_plain = false;     // the same, and the artifact is in the entry
  mutable std::atomic<bool> recent{false};

 protected:
  cached(destroyer destroy, std::uint64_t h, std::chrono::nanoseconds what_a_hit_saves,
         made_facts* where, bool serves, bool silent)
      : pinnable(destroy),
        hash(h),
        cost(static_cast<std::uint64_t>(what_a_hit_saves.count())),
        facts(where),
        artifact(nullptr),
        always_serves(serves),
        says_nothing(silent) {}
  ~cached() = default;
};

// Keys as a cache compares them, words with words.
struct key_functions {
  void const* (*key_of)(cached const& entry);
  bool (*equal)(void const* key, void const* other);
};

// What is asked, where nothing was found.
class question {
 public:
  std::uint64_t const hash;
  void const* const key;

  // Of an entry of this key; anything of the user's may run.
  virtual bool accepts(cached const& e) = 0;
  // A new object with one owner. What the user's code throws is in it.
  virtual cached* make(flight& own) = 0;
  virtual cached* refuse(diagnostics why, made_facts const& of_run) = 0;

 protected:
  question(std::uint64_t h, void const* k) : hash(h), key(k) {}
  ~question() = default;
};

class cache_core {
 public:
  explicit cache_core(key_functions const& keys) : keys_(keys) {}
  cache_core(cache_core const&) = delete;
  cache_core& operator=(cache_core const&) = delete;

  entry_table<cached const> const& table() const { return table_; }
  counters_of_threads& counters() const { return counters_; }
  thread_counters& counters_here() const { return counters_.of(pin_domain::here()); }

  // After nothing was found. `parent`: the run whose stage asks, if one does.
  hold get_or_make(question& asked, flight* parent, std::stop_token const& stop,
                   flight::description const& what) {
    auto& counters = counters_here();
    counters.add(counters.slow);
    std::vector<hold> rejected;
    bool may_wait = true;
    for (;;) {
      std::unique_lock lock(mutex_);
      if (auto newer = entries_of(asked.hash, asked.key, rejected); !newer.empty()) {
        lock.unlock();
        for (auto& each : newer) {
          auto const& e = *static_cast<cached const*>(each.get());
          if (asked.accepts(e)) {
            counters.serve(!e.facts->failed, e.cost);
            return std::move(each);
          }
          rejected.push_back(std::move(each));
        }
        continue;
      }
      if (auto const other = run_of(asked, parent, what.epoch, may_wait)) {
        lock.unlock();
        counters.add(counters.waits);
        hold awaited;
        if (auto why = await(*other, parent, stop, what.epoch, may_wait, awaited)) {
          counters.add(counters.failures_without_run);
          return refused(asked, std::move(*why));
        }
        if (!awaited) continue;
        auto const& e = *static_cast<cached const*>(awaited.get());
        if (e.facts->kind == failure_kind::cancelled || !asked.accepts(e)) continue;
        counters.serve(!e.facts->failed, e.cost);
        return awaited;
      }
      if (!rejected.empty()) counters.add(counters.invalid);
      return run(std::move(lock), asked, counters, parent, what);
    }
  }

  // The entries of a key.
  std::vector<hold> find_all(std::uint64_t hash, void const* key) const {
    std::lock_guard const lock(mutex_);
    return entries_of(hash, key, {});
  }

  std::vector<hold> all() const {
    std::vector<hold> every;
    std::lock_guard const lock(mutex_);
    table_.sweep(0, [&every](cached const& e) {
      every.push_back(hold::own(&e));
      return true;
    });
    return every;
  }

  // How many of these were still there.
  std::size_t erase(std::vector<cached const*> const& some) {
    std::vector<cached const*> dropped;
    for (auto const* each : some) {
      std::lock_guard const lock(mutex_);
      if (take_out(each)) dropped.push_back(each);
    }
    erasures_.fetch_add(1, std::memory_order_release);
    drop(dropped);
    return dropped.size();
  }

  std::uint64_t erasures() const { return erasures_.load(std::memory_order_acquire); }

  layer_statistics statistics() const {
    auto sum = counters_.sum();
    std::lock_guard const lock(mutex_);
    sum.evictions = evictions_;
    sum.entries = table_.size();
    sum.bytes = bytes_;
    return sum;
  }

  std::size_t size() const {
    std::lock_guard const lock(mutex_);
    return table_.size();
  }

  void limit(cache_limits const& limits) {
    std::vector<cached const*> dropped;
    {
      std::lock_guard const lock(mutex_);
      limits_ = limits;
      evict(nullptr, dropped);
    }
    drop(dropped);
  }

 private:
  // One that the same request needs, or else any if that may be waited for. Few at a time, locked.
  std::shared_ptr<run_under_way> run_of(question const& asked, flight const* parent,
                                        std::uint64_t epoch, bool any) const {
    std::shared_ptr<run_under_way> found;
    for (auto const& each : runs_)
      if (each->hash == asked.hash && keys_.equal(each->key, asked.key)) {
        bool const together = flights_under_way::together(*each, parent, epoch);
        if (together || (any && !found)) found = each;
        if (together) break;
      }
    return found;
  }

  // Entries of this key that were not looked at, locked.
  std::vector<hold> entries_of(std::uint64_t hash, void const* key,
                               std::vector<hold> const& rejected) const {
    std::vector<hold> every;
    table_.for_each_of(hash, [&](cached const& e) {
      if (!keys_.equal(keys_.key_of(e), key)) return;
      for (auto const& each : rejected)
        if (each.get() == &e) return;
      every.push_back(hold::own(&e));
    });
    return every;
  }

  // What the other run made goes to `result`, which stays empty where it came to no end. Returned
  // is why that cannot be waited for.
  static std::optional<diagnostics> await(run_under_way& other, flight* parent,
                                          std::stop_token const& stop, std::uint64_t epoch,
                                          bool& may_wait, hold& result) {
    waiting const wait(parent, other, epoch);
    if (wait.result() == flights_under_way::needs_itself)
      return cyclic(flights_under_way::get().cycle_of(*parent));
    if (wait.result() == flights_under_way::only_meanwhile) {
      may_wait = false;
      return std::nullopt;
    }
    if (!other.wait(stop))
      return diagnostics{"cancelled while waiting for another run", failure_kind::cancelled};
    result = other.result;
    if (result &&
        static_cast<cached const*>(result.get())->facts->kind == failure_kind::cyclic_request) {
      // Not for another circle's sake: who asked for the parent may be in this one.
      if (parent && flights_under_way::get().in_one_circle(*parent, other))
        return cyclic(flights_under_way::get().cycle_of(*parent));
      result = {};  // in another epoch there may be none
    }
    return std::nullopt;
  }

  static diagnostics cyclic(std::string const& chain) {
    return {"cyclic request: " + chain, failure_kind::cyclic_request};
  }

  static hold refused(question& asked, diagnostics why) {
    made_facts nothing_ran;
    nothing_ran.ran = false;
    return hold::adopt(asked.refuse(std::move(why), nothing_ran));
  }

  // Also when something threw on the way: who waits asks again then.
  struct end_of_run {
    cache_core& cache;
    run_under_way& own;

    ~end_of_run() {
      std::shared_ptr<void> keep;
      {
        std::lock_guard const lock(cache.mutex_);
        keep = take_run(cache.runs_, own);
      }
      own.end();
    }
  };

  hold run(std::unique_lock<std::mutex> lock, question& asked, thread_counters& counters,
           flight* parent, flight::description const& what) {
    auto const own = std::make_shared<run_under_way>(what, parent, asked.key, asked.hash);
    runs_.push_back(own);
    lock.unlock();
    end_of_run const end{*this, *own};

    auto result = [&] {
      waiting const wait(parent, *own, what.epoch);
      flight_on_this_thread const here(own.get());
      return hold::adopt(asked.make(*own));
    }();
    if (auto const chain = flights_under_way::get().cycle_of(*own); !chain.empty())
      result = hold::adopt(
          asked.refuse(cyclic(chain), *static_cast<cached const*>(result.get())->facts));
    finish(*static_cast<cached const*>(result.get()), counters);
    own->result = result;
    return result;
  }

  void finish(cached const& made, thread_counters& counters) {
    auto& facts = *made.facts;
    if (facts.loaded) {
      counters.add(counters.loaded);
      counters.serve(true, made.cost);
    } else if (facts.ran) {
      if (facts.unsaved) counters.add(counters.unsaved);
      counters.add(counters.runs);
      counters.add(counters.spent, static_cast<std::uint64_t>(facts.spent.count()));
      if (facts.failed) counters.add(counters.failures);
    } else
      counters.add(counters.failures_without_run);
    if (!facts.keep || facts.kind != failure_kind::stage_failed) return;

    std::vector<cached const*> dropped;
    {
      std::lock_guard const lock(mutex_);
      if (!facts.failed || (limits_.keep_failures && facts.ran)) insert(made, dropped);
    }
    drop(dropped);
  }

  // The rest is locked.

  void insert(cached const& made, std::vector<cached const*>& dropped) {
    if (limits_.entries == 0 || made.facts->bytes > limits_.bytes) {
      ++evictions_;
      return;
    }
    cached const* oldest = nullptr;
    std::size_t of_this_key = 0;
    table_.for_each_of(made.hash, [&](cached const& e) {
      if (!keys_.equal(keys_.key_of(e), keys_.key_of(made))) return;
      ++of_this_key;
      if (!oldest || e.facts->number < oldest->facts->number) oldest = &e;
    });
    if (oldest && of_this_key >= limits_.entries_of_a_key && take_out(oldest)) {
      dropped.push_back(oldest);
      ++evictions_;
    }
    made.facts->number = ++inserted_;
    const_cast<cached&>(made).publish();
    made.add_owner();
    bytes_ += made.facts->bytes;
    table_.insert(&made);
    evict(&made, dropped);
  }

  bool take_out(cached const* e) {
    if (!table_.remove(e)) return false;
    bytes_ -= e->facts->bytes;
    return true;
  }

  // Second chance: who was asked for since the hand last came by stays for another round. The
  // newest, which fits by itself, stays.
  void evict(cached const* newest, std::vector<cached const*>& dropped) {
    auto const too_much = [this] {
      return table_.size() > limits_.entries || bytes_ > limits_.bytes;
    };
    while (too_much() && table_.size() != 0) {
      cached const* victim = nullptr;
      // Twice around at most: the first may only take marks away.
      for (int round = 0; round != 2 && !victim; ++round)
        hand_ = table_.sweep(hand_, [&](cached const& e) {
          if (&e == newest) return true;
          if (e.recent.exchange(false, std::memory_order_relaxed) && round == 0) return true;
          victim = &e;
          return false;
        });
      if (!victim) return;
      take_out(victim);
      dropped.push_back(victim);
      ++evictions_;
    }
  }

  // Not locked: destroys artifacts.
  static void drop(std::vector<cached const*> const& dropped) {
    for (auto const* each : dropped) each->drop_owner();
  }

  key_functions const& keys_;
  entry_table<cached const> table_;
  mutable counters_of_threads counters_;
  std::atomic<std::uint64_t> erasures_{0};

  mutable std::mutex mutex_;
  runs_under_way runs_;
  cache_limits limits_;
  std::size_t hand_ = 0;
  std::uint64_t inserted_ = 0;
  std::uint64_t evictions_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace layerkey::detail
