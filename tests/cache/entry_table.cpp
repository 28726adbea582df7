// The table of a memory cache by itself.
#include "allocations.hpp"

#include <layerkey/cache/detail/entry_table.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

using layerkey::detail::entry_table;
using layerkey::detail::hold;
using layerkey::detail::pin_domain;
using layerkey::detail::pinnable;

namespace {

struct alignas(64) entry final : pinnable {
  static inline std::atomic<int> alive = 0;

  int n;
  std::uint64_t hash;

  entry(int number, std::uint64_t h)
      : pinnable([](pinnable const* self) { delete static_cast<entry const*>(self); }),
        n(number),
        hash(h) {
    ++alive;
  }
  ~entry() { --alive; }
};

// A table that owns what is in it, as memory_cache does.
struct owning_table {
  entry_table<entry> table;

  owning_table() = default;
  owning_table(owning_table const&) = delete;
  owning_table& operator=(owning_table const&) = delete;
  ~owning_table() {
    std::vector<entry const*> all;
    table.sweep(0, [&](entry const& e) {
      all.push_back(&e);
      return true;
    });
    for (auto const* each : all) remove(each);
  }

  entry* insert(int n, std::uint64_t hash) {
    auto* const e = new entry(n, hash);
    e->publish();
    table.insert(e);
    return e;
  }
  bool remove(entry const* e) {
    if (!table.remove(e)) return false;
    e->drop_owner();
    return true;
  }
  hold find(int n, std::uint64_t hash) const {
    return table.find(pin_domain::here(), hash, [n](entry const& e) { return e.n == n; });
  }
  bool has(int n, std::uint64_t hash) const { return static_cast<bool>(find(n, hash)); }

  // Of the array: of entries whose hashes are almost all ones, one lies in its last slots.
  std::size_t slots() {
    std::size_t last = 0;
    for (std::uint64_t k = 0; k != 8; ++k) {
      auto const* const e = insert(-1, ~k);
      last = std::max(last, table.sweep(0, [](entry const& each) { return each.n != -1; }));
      remove(e);
    }
    return std::bit_ceil(last + 1);
  }
};

std::uint64_t spread(int n) { return static_cast<std::uint64_t>(n + 1) * 0x9e37'79b9'7f4a'7c15u; }

}  // namespace

TEST_CASE("an empty table finds nothing") {
  owning_table t;
  CHECK_FALSE(t.has(1, 0));
  CHECK(t.table.size() == 0);
  CHECK(t.table.sweep(7, [](entry const&) { return true; }) == 0);
  t.table.for_each_of(1, [](entry const&) { FAIL("there is none"); });
  entry const stranger(1, 1);
  CHECK_FALSE(t.table.remove(&stranger));
}

TEST_CASE("what was inserted is found by hash and by what it is, until it is removed") {
  owning_table t;
  std::vector<entry*> all;
  for (int n = 0; n != 1000; ++n) all.push_back(t.insert(n, spread(n)));
  CHECK(t.table.size() == 1000);
  for (int n = 0; n != 1000; ++n) {
    CHECK(t.find(n, spread(n)).get() == all[static_cast<std::size_t>(n)]);
    CHECK_FALSE(t.has(n, spread(n + 1)));
    CHECK_FALSE(t.has(n + 1, spread(n)));
  }
  for (int n = 0; n < 1000; n += 2) CHECK(t.remove(all[static_cast<std::size_t>(n)]));
  CHECK(t.table.size() == 500);
  CHECK(entry::alive == 500);
  for (int n = 0; n != 1000; ++n) CHECK(t.has(n, spread(n)) == (n % 2 != 0));
}

TEST_CASE("the table owns nothing that was removed") { CHECK(entry::alive == 0); }

TEST_CASE("entries of one hash are all found") {
  owning_table t;
  for (std::uint64_t const hash : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
    for (int n = 0; n != 100; ++n) t.insert(n, hash);
  for (std::uint64_t const hash : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
    for (int n = 0; n != 100; ++n) CHECK(t.has(n, hash));
  int of_zero = 0, of_last = 0;
  t.table.for_each_of(0, [&](entry const&) { ++of_zero; });
  t.table.for_each_of(~std::uint64_t{0}, [&](entry const&) { ++of_last; });
  CHECK(of_zero == 100);
  CHECK(of_last == 100);
}

TEST_CASE("an entry is removed once, and only itself") {
  owning_table t;
  auto* const one = t.insert(1, 5);
  auto* const other = t.insert(1, 5);
  CHECK(t.table.remove(one));
  CHECK_FALSE(t.table.remove(one));
  CHECK(t.find(1, 5).get() == other);
  CHECK(t.table.size() == 1);
  t.table.insert(one);
  CHECK(t.table.size() == 2);
}

TEST_CASE("what is pinned outlives its removal") {
  owning_table t;
  auto* const e = t.insert(1, 5);
  auto pinned = t.find(1, 5);
  CHECK(t.remove(e));
  CHECK_FALSE(t.has(1, 5));
  CHECK(entry::alive == 1);
  CHECK(static_cast<entry const*>(pinned.get())->n == 1);
  pinned = {};
  CHECK(entry::alive == 0);
}

TEST_CASE("a sweep visits each entry once from anywhere, and ends where it is told") {
  owning_table t;
  for (int n = 0; n != 100; ++n) t.insert(n, spread(n));
  for (std::size_t from : {0u, 1u, 17u, 255u, 1000u}) {
    std::map<int, int> visits;
    t.table.sweep(from, [&](entry const& e) {
      ++visits[e.n];
      return true;
    });
    CHECK(visits.size() == 100);
    for (auto const& each : visits) CHECK(each.second == 1);
  }
  // One after the other, from where the last one ended.
  std::vector<int> one_by_one, at_once;
  std::size_t hand = 0;
  for (int i = 0; i != 100; ++i)
    hand = 1 + t.table.sweep(hand, [&](entry const& e) {
      one_by_one.push_back(e.n);
      return false;
    });
  t.table.sweep(0, [&](entry const& e) {
    at_once.push_back(e.n);
    return true;
  });
  CHECK(one_by_one == at_once);
}

TEST_CASE("random insertions and removals leave what they should") {
  owning_table t;
  std::minstd_rand random(9);
  std::multimap<std::pair<std::uint64_t, int>, entry*> model;
  for (int i = 0; i != 50'000; ++i) {
    int const n = static_cast<int>(random() % 300);
    std::uint64_t const hash = random() % 2 == 0 ? spread(n) : static_cast<std::uint64_t>(n % 7);
    auto const there = model.find({hash, n});
    REQUIRE(t.has(n, hash) == (there != model.end()));
    if (there == model.end() || random() % 8 == 0)
      model.emplace(std::pair{hash, n}, t.insert(n, hash));
    else if (random() % 2 == 0) {
      REQUIRE(t.remove(there->second));
      model.erase(there);
    }
    REQUIRE(t.table.size() == model.size());
  }
  REQUIRE(entry::alive == static_cast<int>(model.size()));
}

// So that nearly each lies where it is looked for first.
TEST_CASE("at most a third of the slots is used, and no less than a sixth of many") {
  for (std::size_t const entries : {10u, 1'000u, 20'000u, 80'000u, 100'000u}) {
    CAPTURE(entries);
    owning_table t;
    for (std::size_t n = 0; n != entries; ++n)
      t.insert(static_cast<int>(n), spread(static_cast<int>(n)));
    auto const slots = t.slots();
    CHECK(3 * entries <= slots);
    CHECK(slots <= 6 * (entries + 8));
  }
}

// ---- memory ------------------------------------------------------------------------------------

TEST_CASE("a million insertions and removals leave a small table") {
  owning_table t;
  std::vector<entry*> kept;
  for (int n = 0; n != 10; ++n) kept.push_back(t.insert(n, spread(n)));
  std::ptrdiff_t const before = counted::bytes;
  for (int n = 0; n != 1'000'000; ++n) {
    auto* const e = t.insert(n, spread(n));
    t.remove(e);
  }
  CHECK(t.slots() == 64);
  CHECK(entry::alive == 10);
  // A spare array and what is not collected yet; it would be 16 MB with a slot for each.
  CHECK(counted::bytes - before < 4096);
  for (auto const* each : kept) CHECK(t.find(each->n, each->hash).get() == each);
}

TEST_CASE("so do a thousand entries that come and go") {
  owning_table t;
  std::vector<entry*> ring(1000, nullptr);
  std::ptrdiff_t before = 0;
  for (int n = 0; n != 1'000'000; ++n) {
    if (n == 100'000) before = counted::bytes;
    auto& place = ring[static_cast<std::size_t>(n) % ring.size()];
    if (place) t.remove(place);
    place = t.insert(n, spread(n));
  }
  CHECK(t.table.size() == 1000);
  CHECK(t.slots() == 4096);
  CHECK(counted::bytes - before < 128 * 1024);
  for (auto const* each : ring) CHECK(t.find(each->n, each->hash).get() == each);
}

// ---- threads -----------------------------------------------------------------------------------

// Few entries for many threads, and as many for two as make the table leave arrays whose memory
// goes back to the system.
TEST_CASE("while the table grows threads find what is in it") {
  auto const [readers, entries] = GENERATE(std::pair{8u, 30'000}, std::pair{2u, 100'000});
  {
    owning_table t;
    std::mutex writers;
    std::atomic<int> inserted = 0;
    std::atomic<int> wrong = 0, missed_under_lock = 0;
    std::vector<std::thread> all;
    for (unsigned r = 0; r != readers; ++r)
      all.emplace_back([&, r, count = entries] {
        std::minstd_rand random(r + 1);
        for (int last = 0; last != count;) {
          last = inserted.load(std::memory_order_acquire);
          if (last == 0) continue;
          int const n = static_cast<int>(random() % static_cast<unsigned>(last));
          auto const found = t.find(n, spread(n));
          if (found)
            wrong += static_cast<entry const*>(found.get())->n != n;
          else {
            // On its way from one array to the next: who holds the lock finds it.
            std::lock_guard const lock(writers);
            missed_under_lock += !t.has(n, spread(n));
          }
          wrong += t.has(n, spread(count + n));
        }
      });
    for (int n = 0; n != entries; ++n) {
      std::lock_guard const lock(writers);
      t.insert(n, spread(n));
      inserted.store(n + 1, std::memory_order_release);
    }
    for (auto& each : all) each.join();
    CHECK(wrong == 0);
    CHECK(missed_under_lock == 0);
    CHECK(entry::alive == entries);
  }
  pin_domain::get().collect();
  CHECK(entry::alive == 0);
}

TEST_CASE("while entries come and go eight threads never find what is another's") {
  {
    owning_table t;
    std::mutex writers;
    std::vector<entry*> there(64, nullptr);
    std::atomic<bool> done = false;
    std::atomic<int> wrong = 0;
    std::atomic<int> found_some = 0;
    std::vector<std::thread> all;
    for (unsigned r = 0; r != 8; ++r)
      all.emplace_back([&, r] {
        std::minstd_rand random(r + 1);
        std::vector<hold> held;
        while (!done || found_some == 0) {
          int const n = static_cast<int>(random() % 64);
          auto found = t.find(n, spread(n % 5));
          if (!found) continue;
          ++found_some;
          wrong += static_cast<entry const*>(found.get())->n != n;
          held.push_back(std::move(found));
          if (held.size() < 30) continue;
          for (auto const& each : held) {
            auto const* const e = static_cast<entry const*>(each.get());
            wrong += e->hash != spread(e->n % 5);
          }
          held.clear();
        }
      });
    std::minstd_rand random(100);
    for (int i = 0; i != 100'000; ++i) {
      std::lock_guard const lock(writers);
      int const n = static_cast<int>(random() % 64);
      auto& place = there[static_cast<std::size_t>(n)];
      if (place) {
        t.remove(place);
        place = nullptr;
      } else
        place = t.insert(n, spread(n % 5));
    }
    for (int n = 0; n != 64; ++n)
      if (!there[static_cast<std::size_t>(n)]) t.insert(n, spread(n % 5));
    done = true;
    for (auto& each : all) each.join();
    CHECK(wrong == 0);
    CHECK(t.table.size() == 64);
  }
  pin_domain::get().collect();
  CHECK(entry::alive == 0);
}
