// The cache of one layer in this process: each key is made once, whoever asks.
#pragma once

#include <layerkey/cache/detail/cache_core.hpp>
#include <layerkey/cache/detail/entry_memory.hpp>
#include <layerkey/cache/detail/flights.hpp>
#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/cache/limits.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/detail/inline.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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

// No template, and not in line: it is compiled once, however many layers there are.
struct made_details {
  std::chrono::nanoseconds spent{};  // in this layer's stage
  std::chrono::nanoseconds cost{};   // what a hit saves: the same, and upstream stages
  bool ran = true;                   // false: an upstream stage failed, so the stage did not run
  bool keep = true;                  // false: for those who wait for it, and no one else
  bool loaded = false;               // from a store, in place of a run
  bool unsaved = false;              // a store may not keep it
  shared_messages messages{};        // those of upstream stages too; none: the result's own
#if defined(__cpp_exceptions)
  std::exception_ptr thrown{};  // what the stage threw in place of a result
#endif

  made_details() = default;
  LAYERKEY_COLD made_details(made_details&&) noexcept = default;
  LAYERKEY_COLD made_details& operator=(made_details&&) noexcept = default;
  LAYERKEY_COLD ~made_details() = default;
};

}  // namespace detail

// An artifact and what it took to make it. `Record`: what an entry says beside it. The result of
// one that is kept lives with its entry: found::deliver() gives an outcome that holds it.
template<class Artifact, class Record = nothing_recorded>
struct made : detail::made_details {
  outcome<Artifact> result;
  Record record{};

  made(outcome<Artifact> r) : result(std::move(r)) {}
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

template<class Artifact, class Record>
struct made_object : cached {
  struct details : made_facts {
    layerkey::made<Artifact, Record> made;
    outcome_details says;

    explicit details(layerkey::made<Artifact, Record> m)
        : made(std::move(m)),
          says{made.result.error(), made.messages.empty() ? outcome_access::messages(made.result)
                                                          : std::move(made.messages)} {
      spent = made.spent;
      failed = !made.result;
      ran = made.ran;
      keep = made.keep;
      loaded = made.loaded;
      unsaved = made.unsaved;
      kind = made.result.error().kind;
#if defined(__cpp_exceptions)
      if (made.thrown) keep = false;
#endif
    }
  };

  // Few bytes of artifact lie in the entry itself: where they are is known before it is read.
  static constexpr bool has_room = sizeof(Artifact) <= 64;
  struct elsewhere {};
  union {
    std::conditional_t<has_room, Artifact, elsewhere> own;
  };

  Artifact const* the_artifact() const { return static_cast<Artifact const*>(artifact); }
  details const& said() const { return static_cast<details const&>(*facts); }
  layerkey::made<Artifact, Record> const& made() const { return said().made; }

 protected:
  // `where` d is going to be.
  made_object(std::uint64_t hash, details const& d, details* where, destroyer destroy)
      : cached(destroy, hash, d.made.cost, where, d.made.record.always_serves(),
               !d.failed && d.says.messages.empty()) {
    artifact = outcome_access::artifact(d.made.result);
  }
  ~made_object() {}  // who made `own` destroys it
};

// What is in no cache.
template<class Artifact, class Record>
struct made_alone final : made_object<Artifact, Record> {
  using details = typename made_object<Artifact, Record>::details;

  details of_made;

  explicit made_alone(layerkey::made<Artifact, Record> m) : made_alone(details(std::move(m))) {}
  explicit made_alone(details d)
      : made_object<Artifact, Record>(
            0, d, &of_made,
            [](pinnable const* self) { delete static_cast<made_alone const*>(self); }),
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
  made<Artifact, Record> const& operator*() const { return behind()->made(); }
  made<Artifact, Record> const* operator->() const { return &behind()->made(); }

  detail::shared_messages const& messages() const { return behind()->said().says.messages; }

  // The result; throws what the stage threw.
  LAYERKEY_ALWAYS_INLINE outcome<Artifact> deliver() && {
    auto const* const o = behind();
    if constexpr (object::has_room) {
      if (o->is_plain) [[likely]]
        return detail::outcome_access::of(__builtin_addressof(o->own), nullptr, std::move(hold_));
    } else if (o->says_nothing) [[likely]]
      return detail::outcome_access::of(o->the_artifact(), nullptr, std::move(hold_));
    return std::move(*this).deliver_details();
  }

 private:
  object const* behind() const { return static_cast<object const*>(hold_.get()); }

  LAYERKEY_COLD outcome<Artifact> deliver_details() && {
    auto const* const o = behind();
#if defined(__cpp_exceptions)
    if (!o->artifact && o->made().thrown) std::rethrow_exception(o->made().thrown);
#endif
    auto const* const details = o->says_nothing ? nullptr : &o->said().says;
    return detail::outcome_access::of(o->the_artifact(), details, std::move(hold_));
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
    return find_for_sure(detail::asked_key<Key>{key}, detail::any_entry{});
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

  // As above, for what asks without being a key: `asked` has hash(), is(key) and key(). Of several
  // entries of the key, the first that `accepts(entry)` serves, whose made() says what it is. While
  // the table grows, an entry that is there may not be found; get_or_make() finds it.
  template<class Asked, class Accepts>
  LAYERKEY_ALWAYS_INLINE found_type find(Asked const& asked, Accepts const& accepts) const {
    auto& pins = detail::pin_domain::here();
    auto pinned = core_.table().find(pins, asked.hash(),
                                     [&](detail::cached const& c) LAYERKEY_ALWAYS_INLINE_LAMBDA {
                                       auto const& e = static_cast<entry const&>(c);
                                       return asked.is(e.key) && (e.always_serves || accepts(e));
                                     });
    if (!pinned) return {};
    auto const& e = *static_cast<detail::cached const*>(pinned.get());
    if (!e.recent.load(std::memory_order_relaxed)) e.recent.store(true, std::memory_order_relaxed);
    core_.counters().of(pins).hit(e.artifact != nullptr, e.cost);
    return found_type(std::move(pinned));
  }

  // The same, and a miss is one: looks a second time with the lock.
  template<class Asked, class Accepts>
  LAYERKEY_ALWAYS_INLINE found_type find_for_sure(Asked const& asked,
                                                  Accepts const& accepts) const {
    if (auto hit = find(asked, accepts)) [[likely]]
      return hit;
    return find_locked(asked, accepts);
  }

  // The same as find(), and counts nothing.
  template<class Asked, class Accepts>
  LAYERKEY_COLD found_type peek(Asked const& asked, Accepts const& accepts) const {
    return found_type(
        core_.table().find(detail::pin_domain::here(), asked.hash(), [&](detail::cached const& c) {
          auto const& e = static_cast<entry const&>(c);
          return asked.is(e.key) && accepts(e);
        }));
  }

  using description = detail::flight::description;

  // After find() found nothing. `parent`: the run whose stage asks, if one does. `make(flight&)`.
  template<class Asked, class Accepts, class Make>
  LAYERKEY_COLD found_type get_or_make(Asked const& asked, Accepts const& accepts,
                                       detail::flight* parent, std::stop_token const& stop,
                                       description const& what, Make&& make) {
    question_with<Accepts, Make> question(asked.hash(), asked.key(), accepts, make);
    return found_type(core_.get_or_make(question, parent, stop, what));
  }

  // Counts a request that failed before its key could be known.
  found_type fail(made_type failure) {
    auto& counters = core_.counters_here();
    counters.add(counters.slow);
    counters.add(counters.failures_without_run);
    return found_type(std::move(failure));
  }

  // Hits that somebody had of what was found here before.
  void count_hits(std::uint64_t n, std::chrono::nanoseconds cost) {
    auto& counters = core_.counters_here();
    counters.add(counters.hits, n);
    counters.add(counters.saved, n * static_cast<std::uint64_t>(cost.count()));
  }

  void count_drift() {
    auto& counters = core_.counters_here();
    counters.add(counters.drifts);
  }

  layer_statistics counters() const { return core_.statistics(); }

  // How many entries are kept.
  std::size_t size() const { return core_.size(); }

  // Drops at once what is too much.
  void limit(cache_limits const& limits) { core_.limit(limits); }

  // Forgets what is kept. Runs under way still reach those who wait for them, and are kept then.
  void clear() {
    erase_if([](Key const&, made_type const&) { return true; });
  }

  // Forgets entries for which `erased(key, made)`. Calls it without a lock, so an entry that comes
  // meanwhile may be missed.
  template<class Erased>
  LAYERKEY_COLD std::size_t erase_if(Erased const& erased) {
    auto const all = core_.all();
    std::vector<detail::cached const*> chosen;
    for (auto const& each : all) {
      auto const& e = *static_cast<entry const*>(each.get());
      if (erased(e.key, e.made())) chosen.push_back(&e);
    }
    return core_.erase(chosen);
  }

  // Grows with each erase_if() and clear(), not with evictions: what was found before stays right.
  std::uint64_t erasures() const { return core_.erasures(); }

 private:
  using object = detail::made_object<Artifact, Record>;

  // What a hit reads, and no more: where artifact and key are short it touches two cache lines, and
  // entries lie close together.
  struct entry final : object {
    Key key;

    // Takes `d` over.
    entry(Key const& k, std::uint64_t hash, typename object::details* d)
        : object(hash, *d, d,
                 [](detail::pinnable const* self) { delete static_cast<entry const*>(self); }),
          key(k) {
      if constexpr (object::has_room)
        if (auto* const fresh = detail::outcome_access::fresh(d->made.result)) {
          auto* const own = __builtin_addressof(this->own);
          this->artifact = ::new (static_cast<void*>(own)) Artifact(std::move(*fresh));
          this->is_plain = this->says_nothing;
          d->made.result = detail::outcome_access::of<Artifact>(own, nullptr, {});
        }
      d->bytes = this->artifact ? artifact_size<Artifact>::of(*this->the_artifact()) : 0;
    }
    ~entry() {
      delete static_cast<typename object::details*>(this->facts);
      if constexpr (object::has_room)
        if (this->artifact == __builtin_addressof(this->own)) this->own.~Artifact();
    }

    static void* operator new(std::size_t size) {
      return detail::entry_memory().allocate(size, alignof(entry));
    }
    static void operator delete(void* at, std::size_t size) {
      detail::entry_memory().deallocate(at, size, alignof(entry));
    }
  };

  static constexpr detail::key_functions keys{
      [](detail::cached const& e) -> void const* { return &static_cast<entry const&>(e).key; },
      [](void const* a, void const* b) {
        return *static_cast<Key const*>(a) == *static_cast<Key const*>(b);
      }};

  template<class Accepts, class Make>
  struct question_with final : detail::question {
    Key const own_key;
    Accepts const& accepting;
    std::remove_reference_t<Make>& making;

    question_with(std::uint64_t hash, Key k, Accepts const& a, std::remove_reference_t<Make>& m)
        : question(hash, &own_key), own_key(std::move(k)), accepting(a), making(m) {}

    bool accepts(detail::cached const& e) override {
      return accepting(static_cast<object const&>(e));
    }
    LAYERKEY_COLD detail::cached* make(detail::flight& own) override {
      auto said = std::make_unique<typename object::details>(
          detail::caught<made_type>([&] { return making(own); }));
      auto* const made = new entry(own_key, hash, said.get());
      said.release();
      return made;
    }
    LAYERKEY_COLD detail::cached* refuse(diagnostics why,
                                         detail::made_facts const& of_run) override {
      made_type failed{std::move(why)};
      failed.ran = of_run.ran;
      failed.spent = of_run.spent;
      failed.keep = false;
      return new detail::made_alone<Artifact, Record>(std::move(failed));
    }
  };

  template<class Asked, class Accepts>
  LAYERKEY_COLD found_type find_locked(Asked const& asked, Accepts const& accepts) const {
    Key const key = asked.key();
    for (auto& each : core_.find_all(asked.hash(), &key)) {
      auto const& e = *static_cast<entry const*>(each.get());
      if (!e.always_serves && !accepts(e)) continue;
      core_.counters_here().hit(e.artifact != nullptr, e.cost);
      return found_type(std::move(each));
    }
    return {};
  }

  detail::cache_core core_{keys};
};

}  // namespace layerkey
