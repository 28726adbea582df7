// Where entries lie, and whether it goes back.
#include <layerkey/cache/detail/entry_memory.hpp>
#include <layerkey/cache/detail/entry_table.hpp>
#include <layerkey/cache/detail/large_memory.hpp>
#include <layerkey/cache/memory_cache.hpp>

#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using layerkey::detail::entry_slabs;
using layerkey::detail::large_memory;

namespace {

constexpr bool there = large_memory::is_for(large_memory::page);

// The thread sanitizer has memory of its own for what the program has.
#if defined(__SANITIZE_THREAD__)
constexpr bool is_measured = false;
#elif defined(__has_feature)
constexpr bool is_measured = !__has_feature(thread_sanitizer);
#else
constexpr bool is_measured = true;
#endif

std::size_t resident_bytes() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}
constexpr std::size_t megabytes = 1 << 20;

struct block {
  unsigned char* at;
  std::size_t size;
  unsigned char mark;

  block(entry_slabs& from, std::size_t n, std::size_t alignment = 64)
      : at(static_cast<unsigned char*>(from.allocate(n, alignment))),
        size(n),
        mark(static_cast<unsigned char>(reinterpret_cast<std::uintptr_t>(at) >> 6)) {
    std::memset(at, mark, size);
  }
  bool is_whole() const { return at[0] == mark && std::memcmp(at, at + 1, size - 1) == 0; }
  void free(entry_slabs& from, std::size_t alignment = 64) const {
    from.deallocate(at, size, alignment);
  }
};

// As blocks of the size of an entry, none over another.
std::vector<block> many(entry_slabs& from, std::size_t count, std::size_t size) {
  std::vector<block> all;
  all.reserve(count);
  for (std::size_t i = 0; i != count; ++i) all.emplace_back(from, size);
  return all;
}

struct alignas(64) plain_entry final : layerkey::detail::pinnable {
  std::uint64_t hash;

  explicit plain_entry(std::uint64_t h) : pinnable([](pinnable const*) {}), hash(h) {}
};

struct number {
  std::uint64_t n;

  friend bool operator==(number, number) = default;
  std::uint64_t hash() const { return (n + 1) * 0x9e37'79b9'7f4a'7c15u; }
};
using numbers = layerkey::memory_cache<number, std::uint64_t>;

numbers::found_type get(numbers& from, std::uint64_t n) {
  return from.get({n}, [n] { return numbers::made_type{n + 7}; });
}

}  // namespace

// ---- large memory ------------------------------------------------------------------------------

TEST_CASE("large memory is zeros, begins with a large page, and goes back") {
  if (!there) return;
  for (std::size_t const bytes : {large_memory::page, 3 * large_memory::page + 64}) {
    auto const before = resident_bytes();
    std::vector<unsigned char*> all;
    for (int i = 0; i != 8; ++i) {
      all.push_back(static_cast<unsigned char*>(large_memory::take(bytes)));
      REQUIRE(all.back());
      REQUIRE(reinterpret_cast<std::uintptr_t>(all.back()) % large_memory::page == 0);
      CHECK(std::all_of(all.back(), all.back() + bytes, [](auto each) { return each == 0; }));
      std::memset(all.back(), i + 1, bytes);
    }
    for (int i = 0; i != 8; ++i)
      CHECK(std::all_of(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i)] + bytes,
                        [i](auto each) { return each == i + 1; }));
    if (is_measured) CHECK(resident_bytes() >= before + 7 * bytes);
    for (auto* each : all) large_memory::give_back(each, bytes);
    if (is_measured) CHECK(resident_bytes() < before + bytes);
  }
}

TEST_CASE("memory of zeros goes back while others read it, and its beginning stays") {
  if (!there) return;
  constexpr std::size_t bytes = 16 * large_memory::page + 64, words = bytes / 8;
  auto const before = resident_bytes();
  auto* const at = static_cast<std::atomic<std::uint64_t>*>(large_memory::take(bytes));
  REQUIRE(at);
  for (std::size_t i = 0; i != words; ++i) at[i] = 0;
  at[0] = 5;
  if (is_measured) CHECK(resident_bytes() >= before + 30 * megabytes);
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> read = 0;
  std::thread reader([&] {
    while (!done)
      for (std::size_t i = 1; i < words && !done; i += 4099) read += at[i];
  });
  large_memory::give_zeros_back(at, bytes);
  done = true;
  reader.join();
  CHECK(read == 0);
  CHECK(at[0] == 5);
  large_memory::give_zeros_back(at, bytes);
  if (is_measured) CHECK(resident_bytes() < before + 8 * megabytes);
  large_memory::give_back(at, bytes);
}

TEST_CASE("a table that grows gives the memory of the arrays that it left back") {
  if (!there) return;
  std::deque<plain_entry> entries;
  for (std::uint64_t n = 0; n != 400'000; ++n) entries.emplace_back(number{n}.hash());
  layerkey::detail::entry_table<plain_entry> table;
  auto const before = resident_bytes();
  for (auto& each : entries) table.insert(&each);
  auto const after = resident_bytes();
  if (is_measured) {
    CHECK(after >= before + 15 * megabytes);
    CHECK(after < before + 20 * megabytes);  // together the others had 16 more
  }
  auto& pins = layerkey::detail::pin_domain::here();
  for (auto const& each : entries)
    REQUIRE(table.find(pins, each.hash, [&](plain_entry const& e) { return &e == &each; }));
}

// ---- slabs -------------------------------------------------------------------------------------

TEST_CASE("a few entries take no large page") {
  entry_slabs slabs;
  auto const all = many(slabs, entry_slabs::of_pool / 128, 128);
  CHECK(slabs.slabs() == 0);
  for (auto const& each : all) each.free(slabs);
}

TEST_CASE("what many entries lie in goes back, in whatever order they go") {
  if (!there) return;
  std::minstd_rand random(1);
  for (int order = 0; order != 3; ++order) {
    CAPTURE(order);
    entry_slabs slabs;
    auto const before = resident_bytes();
    auto all = many(slabs, 150'000, 128);
    CHECK(slabs.slabs() >= 8);
    CHECK(slabs.slabs() <= 10);
    if (is_measured) CHECK(resident_bytes() > before + 15 * megabytes);
    CHECK(std::all_of(all.begin(), all.end(), [](block const& each) { return each.is_whole(); }));
    if (order == 1) std::reverse(all.begin(), all.end());
    if (order == 2) std::shuffle(all.begin(), all.end(), random);
    for (auto const& each : all) each.free(slabs);
    CHECK(slabs.slabs() <= 1);
    if (is_measured)
      CHECK(resident_bytes() < before + 9 * megabytes);  // the list of blocks is 4 of them
  }
}

TEST_CASE("places are used again before there is another large page") {
  if (!there) return;
  entry_slabs slabs;
  auto all = many(slabs, 50'000, 192);
  auto const most = slabs.slabs();
  std::minstd_rand random(2);
  for (int i = 0; i != 200'000; ++i) {
    auto& each = all[random() % all.size()];
    REQUIRE(each.is_whole());
    each.free(slabs);
    each = block(slabs, 192);
    REQUIRE(slabs.slabs() <= most);
  }
  std::set<unsigned char*> places;
  for (auto const& each : all) places.insert(each.at);
  CHECK(places.size() == all.size());
  for (auto const& each : all) each.free(slabs);
  CHECK(slabs.slabs() <= 1);
}

TEST_CASE("one entry that stays keeps its large page, and no other") {
  if (!there) return;
  entry_slabs slabs;
  auto all = many(slabs, 100'000, 128);
  std::swap(all.back(), all[all.size() / 2]);
  for (std::size_t i = 0; i + 1 != all.size(); ++i) all[i].free(slabs);
  CHECK(slabs.slabs() <= 2);
  CHECK(all.back().is_whole());
  all.back().free(slabs);
}

TEST_CASE("of a hundred large pages each goes back") {
  if (!there) return;
  entry_slabs slabs;
  std::vector<void*> all;
  while (slabs.slabs() != 100) all.push_back(slabs.allocate(4096, 64));
  std::shuffle(all.begin(), all.end(), std::minstd_rand(4));
  for (auto* each : all) slabs.deallocate(each, 4096, 64);
  CHECK(slabs.slabs() <= 1);
}

TEST_CASE("sizes and alignments of all kinds are served") {
  entry_slabs slabs;
  std::minstd_rand random(3);
  std::vector<std::pair<block, std::size_t>> all;
  for (int i = 0; i != 20'000; ++i) {
    std::size_t const alignment = std::size_t{64} << random() % 3;
    // As those of objects are, a multiple of the alignment.
    std::size_t const size = alignment * (1 + random() % (random() % 16 == 0 ? 100 : 8));
    all.emplace_back(block(slabs, size, alignment), alignment);
    REQUIRE(reinterpret_cast<std::uintptr_t>(all.back().first.at) % alignment == 0);
  }
  std::shuffle(all.begin(), all.end(), random);
  for (auto const& [each, alignment] : all) {
    REQUIRE(each.is_whole());
    each.free(slabs, alignment);
  }
}

TEST_CASE("eight threads make and free what others made") {
  entry_slabs slabs;
  std::mutex mutex;
  std::vector<block> shared;
  std::atomic<int> broken = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t != 8; ++t)
    all.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      for (int i = 0; i != 5'000; ++i) {
        block mine(slabs, 64 * (1 + random() % 3));
        std::unique_lock lock(mutex);
        shared.push_back(mine);
        if (random() % 4 == 0) continue;
        std::swap(shared[random() % shared.size()], shared.back());
        auto const other = shared.back();
        shared.pop_back();
        lock.unlock();
        broken += !other.is_whole();
        other.free(slabs);
      }
    });
  for (auto& each : all) each.join();
  for (auto const& each : shared) {
    broken += !each.is_whole();
    each.free(slabs);
  }
  CHECK(broken == 0);
  CHECK(slabs.slabs() <= 3);
}

// ---- caches ------------------------------------------------------------------------------------

#ifndef LAYERKEY_ADDRESSES_ARE_CHECKED
TEST_CASE("a large cache that is cleared gives its memory back, but for what is held") {
  constexpr std::uint64_t count = 60'000;
  auto const& memory = layerkey::detail::entry_memory();
  auto const before = memory.slabs();
  {
    numbers cache;
    for (std::uint64_t n = 0; n != count; ++n) static_cast<void>(get(cache, n));
    CHECK(cache.size() == count);
    if (there) CHECK(memory.slabs() >= before + 3);
    auto const held = get(cache, 40'000).deliver();
    cache.clear();
    CHECK(cache.size() == 0);
    CHECK(memory.slabs() <= before + 2);
    for (std::uint64_t n = 0; n != count; ++n) static_cast<void>(get(cache, n + count));
    CHECK(*held == 40'007);
    CHECK(cache.size() == count);
  }
  CHECK(memory.slabs() <= before + 1);
}
#endif

TEST_CASE("threads that fill and evict leave what they hold whole") {
  numbers cache;
  layerkey::cache_limits limits;
  limits.entries = 9'000;  // more than the pool takes
  cache.limit(limits);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t != 4; ++t)
    all.emplace_back([&, t] {
      std::minstd_rand random(t + 1);
      std::vector<std::pair<std::uint64_t, layerkey::outcome<std::uint64_t>>> held;
      for (int i = 0; i != 15'000; ++i) {
        std::uint64_t const n = random() % 20'000;
        held.emplace_back(n, get(cache, n).deliver());
        if (held.size() < 100) continue;
        for (auto const& [number, outcome] : held) wrong += *outcome != number + 7;
        held.clear();
      }
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  CHECK(cache.size() <= 9'000);
}
