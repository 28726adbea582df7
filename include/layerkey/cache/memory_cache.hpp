// The cache of one layer in this process: each key is made once, whoever asks.
#pragma once

#include <layerkey/cache/detail/entry_table.hpp>
#include <layerkey/cache/detail/flights.hpp>
#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/cache/detail/thread_counters.hpp>
#include <layerkey/cache/limits.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/statistics.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace layerkey {

struct nothing_recorded {
  bool always_serves() const { return true; }
};

namespace detail {

struct move_only {
  move_only() = default;
  move_only(move_only&&) = default;
  move_only& operator=(move_only&&) = default;
};

}  // namespace detail

// An artifact and what it took to make it. `Record`: what an entry says beside it. The result of
// one that is kept lives with its entry: found::deliver() gives an outcome that holds it.
template<class Artifact, class Record = nothing_recorded>
struct made {
  outcome<Artifact> result;
  std::chrono::nanoseconds spent{};    // in this layer's stage
  std::chrono::nanoseconds cost{};     // what a hit saves: the same, and upstream stages
  bool ran = true;                     // false: an upstream stage failed, so the stage did not run
  bool keep = true;                    // false: for those who wait for it, and no one else
  detail::shared_messages messages{};  // those of upstream stages too; none: the result's own
  Record record{};
#if defined(__cpp_exceptions)
  std::exception_ptr thrown{};  // what the stage threw in place of a result
#endif
  [[no_unique_address]] detail::move_only not_copied{};
};

namespace detail {

// What make() returns, or throws, as a value.
template<class Made, class Make>
Made caught(Make&& make) {
#if defined(__cpp_exceptions)
  try {
    return make();
  } catch (...) {
    Made failure{diagnostics{}};
    failure.thrown = std::current_exception();
    return failure;
  }
#else
  return make();
#endif
}

// What a hit reads comes first.
template<class Artifact, class Record>
struct made_object : pinnable {
  struct details_of_made {
    layerkey::made<Artifact, Record> made;
    outcome_details says;
  };

  Artifact const* artifact;
  std::uint64_t const cost;  // nanoseconds
  details_of_made const* const details;
  bool const always_serves;  // its record sets no conditions
  bool const says_nothing;   // there is an artifact, and there are no messages
  mutable std::atomic<bool> recent{false};

 protected:
  // `where` d is going to be.
  made_object(details_of_made const& d, details_of_made const* where, destroyer destroy)
      : pinnable(destroy),
        artifact(outcome_access::artifact(d.made.result)),
        cost(static_cast<std::uint64_t>(d.made.cost.count())),
        details(where),
        always_serves(d.made.record.always_serves()),
        says_nothing(artifact && d.says.messages.empty()) {}

  static details_of_made with_details(layerkey::made<Artifact, Record> m) {
    auto error = m.result.error();
    auto messages = m.messages.empty() ? outcome_access::messages(m.result) : std::move(m.messages);
    return {std::move(m), {std::move(error), std::move(messages)}};
  }
};

template<class Artifact, class Record>
struct made_alone final : made_object<Artifact, Record> {
  using details_of_made = typename made_object<Artifact, Record>::details_of_made;

  details_of_made const of_made;

  explicit made_alone(layerkey::made<Artifact, Record> m)
      : made_alone(made_alone::with_details(std::move(m))) {}
  explicit made_alone(details_of_made d)
      : made_object<Artifact, Record>(
            d, &of_made, [](pinnable const* self) { delete static_cast<made_alone const*>(self); }),
        of_made(std::move(d)) {}
};

// Looks like a key, and is one.
template<class Key>
struct asked_key {
  Key const& asked;

  std::uint64_t hash() const { return asked.hash(); }
  bool is(Key const& other) const { return asked == other; }
  Key key() const { return asked; }
};

struct any_entry {
  template<class Made>
  bool operator()(Made const&) const {
    return true;
  }
};

}  // namespace detail

// What a cache found or made, kept alive as long as this lives.
template<class Artifact, class Record = nothing_recorded>
class found {
  using object = detail::made_object<Artifact, Record>;

 public:
  found() = default;
  explicit found(detail::hold hold) : hold_(std::move(hold)) {}
  explicit found(made<Artifact, Record> alone)
      : hold_(detail::hold::adopt(new detail::made_alone<Artifact, Record>(std::move(alone)))) {}

  explicit operator bool() const { return static_cast<bool>(hold_); }
  made<Artifact, Record> const& operator*() const { return behind()->details->made; }
  made<Artifact, Record> const* operator->() const { return &behind()->details->made; }

  detail::shared_messages const& messages() const { return behind()->details->says.messages; }

  // The result; throws what the stage threw.
  LAYERKEY_ALWAYS_INLINE outcome<Artifact> deliver() && {
    auto const* const o = behind();
    if (o->says_nothing) [[likely]]
      return detail::outcome_access::of(o->artifact, nullptr, std::move(hold_));
    return std::move(*this).deliver_details();
  }

 private:
  object const* behind() const { return static_cast<object const*>(hold_.get()); }

  [[gnu::noinline]] outcome<Artifact> deliver_details() && {
    auto const* const o = behind();
#if defined(__cpp_exceptions)
    if (!o->artifact && o->details->made.thrown) std::rethrow_exception(o->details->made.thrown);
#endif
    return detail::outcome_access::of(o->artifact, &o->details->says, std::move(hold_));
  }

  detail::hold hold_;
};

// Safe for any number of threads. A hit takes no lock, does not allocate, and writes nothing that
// another thread reads or writes. While one thread makes the artifact of a key, others that ask for
// that key wait; other keys are never held up, and no lock is held while anything of the user's
// runs. Failures and exceptions reach every waiter.
template<class Key, class Artifact, class Record = nothing_recorded>
class memory_cache {
 public:
  using made_type = made<Artifact, Record>;
  using found_type = layerkey::found<Artifact, Record>;

  memory_cache() = default;
  memory_cache(memory_cache const&) = delete;
  memory_cache& operator=(memory_cache const&) = delete;
  ~memory_cache() { clear(); }

  // The entry of the key, if one is kept. Not empty for a failure that is kept.
  found_type find(Key const& key) const {
    return find(detail::asked_key<Key>{key}, detail::any_entry{});
  }

  // The same as find() with these, and counts nothing.
  template<class Asked, class Accepts>
  found_type peek(Asked const& asked, Accepts const& accepts) const {
    return found_type(table_.find(detail::pin_domain::here(), asked.hash(), [&](entry const& e) {
      return asked.is(e.key) && accepts(e.details->made);
    }));
  }

  // The artifact of the key: kept, awaited, or made by `make()`, which returns made_type. What
  // make() throws comes back in made::thrown, to each who asked.
  template<class Make>
  found_type get(Key const& key, Make&& make) {
    detail::asked_key<Key> const asked{key};
    if (auto hit = find(asked, detail::any_entry{})) return hit;
    auto const describe = [](void const*) -> std::string { return "an entry of a memory_cache"; };
    return get_or_make(asked, detail::any_entry{}, detail::flight_of_this_thread, {},
                       {describe, nullptr}, [&make](detail::flight&) { return make(); });
  }

  // The same, and a miss is one: looks a second time with the lock.
  template<class Asked, class Accepts>
  LAYERKEY_ALWAYS_INLINE found_type find_for_sure(Asked const& asked,
                                                  Accepts const& accepts) const {
    if (auto hit = find(asked, accepts)) [[likely]]
      return hit;
    return find_locked(asked, accepts);
  }

  // As above, for what asks without being a key: `asked` has hash(), is(key) and key(). Of several
  // entries of the key, the first that `accepts(made)` serves.
  template<class Asked, class Accepts>
  LAYERKEY_ALWAYS_INLINE found_type find(Asked const& asked, Accepts const& accepts) const {
    auto& pins = detail::pin_domain::here();
    auto pinned =
        table_.find(pins, asked.hash(), [&](entry const& e) LAYERKEY_ALWAYS_INLINE_LAMBDA {
          return asked.is(e.key) && (e.always_serves || accepts(e.details->made));
        });
    if (!pinned) return {};
    auto const& e = *static_cast<entry const*>(pinned.get());
    if (!e.recent.load(std::memory_order_relaxed)) e.recent.store(true, std::memory_order_relaxed);
    counters_.of(pins).hit(e.artifact != nullptr, e.cost);
    return found_type(std::move(pinned));
  }

  using description = detail::flight::description;

  // After find() found nothing. `parent`: the run whose stage asks, if one does. `make(flight&)`.
  template<class Asked, class Accepts, class Make>
  found_type get_or_make(Asked const& asked, Accepts const& accepts, detail::flight* parent,
                         std::stop_token const& stop, description what, Make&& make) {
    auto& counters = counters_.of(detail::pin_domain::here());
    counters.add(counters.slow);
    Key const key = asked.key();
    std::vector<detail::hold> rejected;
    bool may_wait = true;
    for (;;) {
      std::unique_lock lock(mutex_);
      if (auto newer = entries_of(key, asked.hash(), rejected); !newer.empty()) {
        lock.unlock();
        for (auto& each : newer) {
          auto const& e = *static_cast<entry const*>(each.get());
          if (accepts(e.details->made)) {
            counters.serve(e.artifact != nullptr, e.details->made.cost);
            return found_type(std::move(each));
          }
          rejected.push_back(std::move(each));
        }
        continue;
      }
      if (auto const other = run_of(key, asked.hash(), parent, what.epoch, may_wait)) {
        lock.unlock();
        counters.add(counters.waits);
        found_type awaited;
        if (auto failed = await(*other, parent, stop, what.epoch, may_wait, awaited)) {
          counters.add(counters.failures_without_run);
          return found_type(std::move(*failed));
        }
        if (!awaited) continue;
        if (awaited->result.error().kind == failure_kind::cancelled || !accepts(*awaited)) continue;
        if (awaited->result)
          counters.serve(true, awaited->cost);
        else
          counters.add(counters.failures_without_run);
        return awaited;
      }
      if (!rejected.empty()) counters.add(counters.invalid);
      return fly(std::move(lock), key, asked.hash(), counters, parent, what,
                 std::forward<Make>(make));
    }
  }

  // Counts a request that failed before its key could be known.
  found_type fail(made_type failure) {
    auto& counters = counters_.of(detail::pin_domain::here());
    counters.add(counters.slow);
    counters.add(counters.failures_without_run);
    return found_type(std::move(failure));
  }

  // Hits that somebody had of what was found here before.
  void count_hits(std::uint64_t n, std::chrono::nanoseconds cost) {
    auto& counters = counters_.of(detail::pin_domain::here());
    counters.add(counters.hits, n);
    counters.add(counters.saved, n * static_cast<std::uint64_t>(cost.count()));
  }

  void count_drift() {
    auto& counters = counters_.of(detail::pin_domain::here());
    counters.add(counters.drifts);
  }

  layer_statistics counters() const {
    auto all = counters_.sum();
    std::lock_guard const lock(mutex_);
    all.evictions = evictions_;
    all.entries = table_.size();
    all.bytes = bytes_;
    return all;
  }

  // How many entries are kept.
  std::size_t size() const {
    std::lock_guard const lock(mutex_);
    return table_.size();
  }

  // Drops at once what is too much.
  void limit(cache_limits const& limits) {
    std::vector<entry const*> dropped;
    {
      std::lock_guard const lock(mutex_);
      limits_ = limits;
      evict(nullptr, dropped);
    }
    drop(dropped);
  }

  // Forgets what is kept. Runs under way still reach those who wait for them, and are kept then.
  void clear() {
    erase_if([](Key const&, made_type const&) { return true; });
  }

  // Forgets entries for which `erased(key, made)`. Calls it without a lock, so an entry that comes
  // meanwhile may be missed.
  template<class Erased>
  std::size_t erase_if(Erased const& erased) {
    std::vector<detail::hold> all;
    {
      std::lock_guard const lock(mutex_);
      table_.sweep(0, [&all](entry const& e) {
        all.push_back(detail::hold::own(&e));
        return true;
      });
    }
    std::vector<entry const*> dropped;
    for (auto const& each : all) {
      auto const& e = *static_cast<entry const*>(each.get());
      if (!erased(e.key, e.details->made)) continue;
      std::lock_guard const lock(mutex_);
      if (take_out(&e)) dropped.push_back(&e);
    }
    erasures_.fetch_add(1, std::memory_order_release);
    drop(dropped);
    return dropped.size();
  }

  // Grows with each erase_if() and clear(), not with evictions: what was found before stays right.
  std::uint64_t erasures() const { return erasures_.load(std::memory_order_acquire); }

 private:
  template<class Asked, class Accepts>
  [[gnu::noinline]] found_type find_locked(Asked const& asked, Accepts const& accepts) const {
    Key const key = asked.key();
    std::vector<detail::hold> all;
    {
      std::lock_guard const lock(mutex_);
      all = entries_of(key, asked.hash(), {});
    }
    for (auto& each : all) {
      auto const& e = *static_cast<entry const*>(each.get());
      if (!e.always_serves && !accepts(e.details->made)) continue;
      counters_.of(detail::pin_domain::here()).hit(e.artifact != nullptr, e.cost);
      return found_type(std::move(each));
    }
    return {};
  }

  using object = detail::made_object<Artifact, Record>;

  // Few bytes of artifact are worth a cache line less for each hit.
  static constexpr std::size_t most_bytes_within = 64;
  using within = std::conditional_t<sizeof(Artifact) <= most_bytes_within, std::optional<Artifact>,
                                    nothing_recorded>;

  // Key and artifact come before the details, so that a hit touches two cache lines where they are
  // short.
  struct keyed : object {
    Key key;
    within own;
    std::uint64_t hash;
    std::uint64_t number = 0;
    std::size_t bytes;

    keyed(Key k, std::uint64_t h, typename object::details_of_made& d,
          typename object::details_of_made const* where, detail::pinnable::destroyer destroy)
        : object(d, where, destroy), key(std::move(k)), hash(h) {
      if constexpr (!std::is_same_v<within, nothing_recorded>) {
        own = detail::outcome_access::take(d.made.result);
        if (own) {
          this->artifact = &*own;
          d.made.result = detail::outcome_access::of(this->artifact, nullptr, {});
        }
      }
      bytes = this->artifact ? artifact_size<Artifact>::of(*this->artifact) : 0;
    }
  };

  struct alignas(64) entry final : keyed {
    typename object::details_of_made const of_made;

    entry(Key k, std::uint64_t h, made_type m)
        : entry(std::move(k), h, entry::with_details(std::move(m))) {}
    entry(Key k, std::uint64_t h, typename object::details_of_made d)
        : keyed(std::move(k), h, d, &of_made,
                [](detail::pinnable const* self) { delete static_cast<entry const*>(self); }),
          of_made(std::move(d)) {}
  };

  struct run final : detail::run_under_way {
    Key const& key;  // of the request that runs
    found_type result;

    run(description const& of, detail::flight* parent, Key const& k, std::uint64_t h)
        : run_under_way(of, parent, h), key(k) {}
  };

  // One that the same request needs, or else any if that may be waited for. Few at a time, locked.
  std::shared_ptr<run> run_of(Key const& key, std::uint64_t hash, detail::flight const* parent,
                              std::uint64_t epoch, bool any) const {
    std::shared_ptr<run> found;
    for (auto const& each : runs_)
      if (each->hash == hash && static_cast<run const&>(*each).key == key) {
        bool const together = detail::flights_under_way::together(*each, parent, epoch);
        if (together || (any && !found)) found = std::static_pointer_cast<run>(each);
        if (together) break;
      }
    return found;
  }

  // Entries of this key that were not looked at, locked.
  std::vector<detail::hold> entries_of(Key const& key, std::uint64_t hash,
                                       std::vector<detail::hold> const& rejected) const {
    std::vector<detail::hold> all;
    table_.for_each_of(hash, [&](entry const& e) {
      if (!(e.key == key)) return;
      for (auto const& each : rejected)
        if (each.get() == &e) return;
      all.push_back(detail::hold::own(&e));
    });
    return all;
  }

  // What the other run made goes to `result`, which stays empty where it came to no end. Returned
  // is why that cannot be waited for.
  static std::optional<made_type> await(run& other, detail::flight* parent,
                                        std::stop_token const& stop, std::uint64_t epoch,
                                        bool& may_wait, found_type& result) {
    detail::waiting const wait(parent, other, epoch);
    if (wait.result() == detail::flights_under_way::needs_itself)
      return cyclic(detail::flights_under_way::get().cycle_of(*parent));
    if (wait.result() == detail::flights_under_way::only_meanwhile) {
      may_wait = false;
      return std::nullopt;
    }
    if (!other.wait(stop))
      return without_run({"cancelled while waiting for another run", failure_kind::cancelled});
    result = other.result;
    if (result && result->result.error().kind == failure_kind::cyclic_request) {
      if (parent)
        if (auto const chain = detail::flights_under_way::get().cycle_of(*parent); !chain.empty())
          return cyclic(chain);
      result = {};  // in another epoch there may be none
    }
    return std::nullopt;
  }

  static made_type without_run(diagnostics why) {
    made_type failed{std::move(why)};
    failed.ran = false;
    failed.keep = false;
    return failed;
  }

  static made_type cyclic(std::string const& chain) {
    return without_run({"cyclic request: " + chain, failure_kind::cyclic_request});
  }

  template<class Make>
  found_type fly(std::unique_lock<std::mutex> lock, Key const& key, std::uint64_t hash,
                 detail::thread_counters& counters, detail::flight* parent, description what,
                 Make&& make) {
    auto const own = std::make_shared<run>(what, parent, key, hash);
    runs_.push_back(own);
    lock.unlock();
    end_of_run const end{*this, *own};

    auto result = [&] {
      detail::waiting const wait(parent, *own, what.epoch);
      detail::flight_on_this_thread const here(own.get());
      return detail::caught<made_type>([&] { return make(*own); });
    }();
    if (auto const chain = detail::flights_under_way::get().cycle_of(*own); !chain.empty()) {
      auto failed = cyclic(chain);
      failed.ran = result.ran;
      failed.spent = result.spent;
      result = std::move(failed);
    }
    return land(key, hash, counters, *own, std::move(result));
  }

  // Also when something threw on the way: who waits asks again then.
  struct end_of_run {
    memory_cache& cache;
    run& own;

    ~end_of_run() {
      std::shared_ptr<void> keep;
      {
        std::lock_guard const lock(cache.mutex_);
        keep = detail::take_run(cache.runs_, own);
      }
      own.end();
    }
  };

  found_type land(Key const& key, std::uint64_t hash, detail::thread_counters& counters, run& own,
                  made_type result) {
    if (result.ran) {
      counters.add(counters.runs);
      counters.add(counters.spent, static_cast<std::uint64_t>(result.spent.count()));
      if (!result.result) counters.add(counters.failures);
    } else
      counters.add(counters.failures_without_run);

    bool keep = result.keep;
    bool const failed = !result.result;
#if defined(__cpp_exceptions)
    if (result.thrown) keep = false;
#endif
    if (result.result.error().kind != failure_kind::stage_failed) keep = false;
    auto* const made = new entry(key, hash, std::move(result));
    found_type mine(detail::hold::adopt(made));

    std::vector<entry const*> dropped;
    {
      std::lock_guard const lock(mutex_);
      if (keep && (!failed || (limits_.keep_failures && made->details->made.ran)))
        insert(made, dropped);
    }
    drop(dropped);
    own.result = mine;
    return mine;
  }

  // The rest is locked.

  void insert(entry* made, std::vector<entry const*>& dropped) {
    if (limits_.entries == 0 || made->bytes > limits_.bytes) {
      ++evictions_;
      return;
    }
    entry const* oldest = nullptr;
    std::size_t of_this_key = 0;
    table_.for_each_of(made->hash, [&](entry const& e) {
      if (!(e.key == made->key)) return;
      ++of_this_key;
      if (!oldest || e.number < oldest->number) oldest = &e;
    });
    if (oldest && of_this_key >= limits_.entries_of_a_key && take_out(oldest)) {
      dropped.push_back(oldest);
      ++evictions_;
    }
    made->number = ++inserted_;
    made->publish();
    made->add_owner();
    bytes_ += made->bytes;
    table_.insert(made);
    evict(made, dropped);
  }

  bool take_out(entry const* e) {
    if (!table_.remove(e)) return false;
    bytes_ -= e->bytes;
    return true;
  }

  // Second chance: who was asked for since the hand last came by stays for another round. The
  // newest, which fits by itself, stays.
  void evict(entry const* newest, std::vector<entry const*>& dropped) {
    auto const too_much = [this] {
      return table_.size() > limits_.entries || bytes_ > limits_.bytes;
    };
    while (too_much() && table_.size() != 0) {
      entry const* victim = nullptr;
      // Twice around at most: the first may only take marks away.
      for (int round = 0; round != 2 && !victim; ++round)
        hand_ = table_.sweep(hand_, [&](entry const& e) {
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
  static void drop(std::vector<entry const*> const& all) {
    for (auto const* each : all) each->drop_owner();
  }

  detail::entry_table<entry> table_;
  mutable detail::counters_of_threads counters_;
  std::atomic<std::uint64_t> erasures_{0};

  mutable std::mutex mutex_;
  detail::runs_under_way runs_;
  cache_limits limits_;
  std::size_t hand_ = 0;
  std::uint64_t inserted_ = 0;
  std::uint64_t evictions_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace layerkey
