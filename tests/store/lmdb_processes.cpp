// Many processes on one folder, some of which are killed.
#include "lmdb_entries.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

using namespace lmdb_test;
using namespace std::chrono_literals;

TEST_CASE("lmdb: writers are killed at any moment, and what was committed is there") {
  folder const place("lmdb");
  unsigned const rounds = full() ? 1000 : 30;
  std::uint64_t const entries = 300;
  shared<std::atomic<unsigned>> written(entries);
  std::mt19937_64 random(5);
  unsigned kills = 0;
  std::uint64_t total = 0;
  for (unsigned round = 0; round != rounds; ++round) {
    INFO("round " << round);
    std::vector<pid_t> writers;
    for (unsigned w = 0; w != 3; ++w) {
      std::uint64_t const seed = random();
      writers.push_back(start([&, seed] {
        std::mt19937_64 own(seed);
        lmdb_bytes store(place / "s");
        for (;;) {
          std::uint64_t const n = own() % entries;
          std::size_t const size = own() % 8 == 0 ? 8 + own() % 300'000 : 8 + own() % 5000;
          if (own() % 4 == 0) {
            if (read(store, n) == read_result::rejected) return 3;
            continue;
          }
          if (!write(store, n, size, own())) return 2;
          written[n].fetch_add(1);
        }
      }));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    for (pid_t const w : writers) ::kill(w, SIGKILL);
    for (pid_t const w : writers) kills += end_of(w) == -1 - SIGKILL;
    ::alarm(60);
    lmdb_bytes store(place / "s");
    for (std::uint64_t n = 0; n != entries; ++n) {
      read_result const result = read(store, n);
      bool const committed = written[n].load() != 0;
      if (result == read_result::accepted) continue;
      INFO(n << ": " << store.problem());
      CHECK(result == read_result::absent);
      CHECK_FALSE(committed);
    }
    ::alarm(0);
    CHECK(store.problem() == "");
    CHECK(files_in(place / "s", "broken").empty());
    if (round % 10 == 9) CHECK(store.verify(check).right());
  }
  for (std::uint64_t n = 0; n != entries; ++n) total += written[n].load();
  // All of them, by the signal: nobody gave up or found anything wrong.
  CHECK(kills == 3 * rounds);
  CHECK(total > 10 * rounds);
}

TEST_CASE("lmdb: four processes under a limit that makes them evict") {
  folder const place("lmdb");
  std::uint64_t const limit = 8 << 20;
  unsigned const operations = full() ? 10'000 : 1000;
  std::vector<pid_t> processes;
  for (unsigned p = 0; p != 4; ++p)
    processes.push_back(start([&, p] {
      std::mt19937_64 random(p);
      lmdb_bytes store(place / "s", {.limit = limit});
      unsigned unkept = 0;
      for (unsigned i = 0; i != operations; ++i) {
        std::uint64_t const n = random() % 1500;
        std::uint64_t const what = random() % 100;
        if (what < 55) {
          if (read(store, n) == read_result::rejected) return 1;
        } else if (what < 90) {
          std::size_t const size = random() % 10 == 0 ? random() % 200'000 : random() % 8000;
          unkept += !write(store, n, 8 + size, random());
        } else if (what < 95) {
          (void)store.remove(address(n));
        } else if (what < 97) {
          store.flush();
        } else {
          if (store.take_lease(address(n), 1s)) store.drop_lease(address(n));
        }
        if (i % 16 == 0 && fs::file_size(data_file(place / "s")) > limit) return 2;
      }
      if (!store.problem().empty()) return 3;
      return unkept == 0 ? 0 : 4;
    }));
  for (pid_t const p : processes) CHECK(end_of(p) == 0);
  lmdb_bytes store(place / "s", {.limit = limit});
  CHECK(store.verify(check).right());
  CHECK(store.statistics().bytes > limit / 8);
  CHECK(fs::file_size(data_file(place / "s")) <= limit);
}

TEST_CASE("lmdb: one process makes an entry, and the others wait for it") {
  folder const place("lmdb");
  shared<std::atomic<unsigned>> made(1);
  std::vector<pid_t> processes;
  for (unsigned p = 0; p != 3; ++p)
    processes.push_back(start([&] {
      lmdb_bytes store(place / "s");
      auto const end = std::chrono::steady_clock::now() + 20s;
      while (std::chrono::steady_clock::now() < end) {
        if (read(store, 1) == read_result::accepted) return 0;
        if (store.take_lease(address(1), 30s)) {
          // Whoever had it may have written in between.
          if (read(store, 1) != read_result::accepted) {
            made[0].fetch_add(1);
            std::this_thread::sleep_for(200ms);
            if (!write(store, 1, 1000)) return 2;
          }
          store.drop_lease(address(1));
          return 0;
        }
        std::this_thread::sleep_for(2ms);
      }
      return 1;
    }));
  for (pid_t const p : processes) CHECK(end_of(p) == 0);
  CHECK(made[0] == 1);
}

TEST_CASE("lmdb: leases are had by one process at a time, and end with it or with their time") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  lmdb_bytes other(place / "s");
  CHECK(store.take_lease(address(1), 30s));
  CHECK_FALSE(store.take_lease(address(1), 30s));
  CHECK_FALSE(other.take_lease(address(1), 30s));
  CHECK(other.take_lease(address(2), 30s));
  auto const elsewhere = [&](std::function<int(lmdb_bytes&)> const& body) {
    return end_of(start([&] {
      lmdb_bytes theirs(place / "s");
      return body(theirs);
    }));
  };
  CHECK(elsewhere([](lmdb_bytes& theirs) {
          // Not theirs to drop.
          theirs.drop_lease(address(1));
          return theirs.take_lease(address(1), 30s) ? 1 : 0;
        }) == 0);
  store.drop_lease(address(1));
  CHECK(elsewhere([](lmdb_bytes& theirs) { return theirs.take_lease(address(1), 30s) ? 0 : 1; }) ==
        0);
  // It ended without dropping it.
  CHECK(store.take_lease(address(1), 50ms));
  CHECK_FALSE(store.take_lease(address(1), 50ms));
  std::this_thread::sleep_for(60ms);
  CHECK(store.take_lease(address(1), 30s));

  // One that lives, and one that was killed and is not waited for yet.
  shared<std::atomic<unsigned>> has(1);
  pid_t const holder = start([&] {
    lmdb_bytes theirs(place / "s");
    has[0] = theirs.take_lease(address(3), 30s) ? 1 : 2;
    ::pause();
    return 0;
  });
  while (has[0] == 0) std::this_thread::sleep_for(1ms);
  CHECK(has[0] == 1);
  CHECK_FALSE(store.take_lease(address(3), 30s));
  ::kill(holder, SIGKILL);
  siginfo_t info = {};
  ::waitid(P_PID, static_cast<id_t>(holder), &info, WEXITED | WNOWAIT);
  CHECK(store.take_lease(address(3), 30s));
  CHECK(end_of(holder) == -1 - SIGKILL);
}

TEST_CASE("lmdb: a child does not use what its parent opened") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  CHECK(write(store, 1, 1000));
  CHECK(store.take_lease(address(9), 30s));
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    std::uint64_t i = 100;
    for (; !stop; ++i) (void)write(store, i % 100 + 100, 2000, i);
  });
  for (unsigned i = 0; i != 20; ++i) {
    CHECK(end_of(start([&] {
            // The same object: it opens the file for itself.
            if (read(store, 1) != read_result::accepted) return 1;
            if (!write(store, 2 + i, 1000)) return 2;
            if (store.take_lease(address(9), 30s)) return 3;
            store.flush();
            lmdb_bytes own(place / "s");
            return read(own, 2 + i) == read_result::accepted ? 0 : 4;
          })) == 0);
    CHECK(read(store, 2 + i) == read_result::accepted);
  }
  stop = true;
  busy.join();
  CHECK(write(store, 500, 1000));
  CHECK(store.verify(check).right());
}

TEST_CASE("lmdb: a child that lives on holds no lock of its parent") {
  folder const place("lmdb");
  // Children that do nothing are forked while another thread writes; then all but they are killed.
  shared<std::atomic<int>> children(64);
  pid_t const parent = start([&] {
    lmdb_bytes store(place / "s");
    std::thread busy([&] {
      for (std::uint64_t i = 0;; ++i) (void)write(store, i % 100, 20'000, i);
    });
    for (unsigned i = 0; i != 20; ++i) {
      children[i] = start([] {
        std::this_thread::sleep_for(60s);
        return 0;
      });
      std::this_thread::sleep_for(1ms);
    }
    ::kill(::getpid(), SIGKILL);
    busy.join();
    return 0;
  });
  CHECK(end_of(parent) == -1 - SIGKILL);
  {
    lmdb_bytes store(place / "s");
    INFO(store.problem());
    CHECK(write(store, 1, 1000));
    CHECK(read(store, 1) == read_result::accepted);
  }
  for (unsigned i = 0; i != 20; ++i)
    if (children[i] > 0) ::kill(children[i], SIGKILL);
}

TEST_CASE("lmdb: readers that were killed keep no room") {
  folder const place("lmdb");
  std::uint64_t const limit = 1 << 20;
  lmdb_bytes store(place / "s", {.limit = limit});
  CHECK(write(store, 1, 100'000));
  for (unsigned i = 0; i != 5; ++i) {
    shared<std::atomic<unsigned>> reading(1);
    pid_t const reader = start([&] {
      lmdb_bytes theirs(place / "s", {.limit = limit});
      for (;;) {
        (void)read(theirs, 1);
        reading[0] = 1;
      }
      return 0;
    });
    while (reading[0] == 0) std::this_thread::sleep_for(1ms);
    ::kill(reader, SIGKILL);
    CHECK(end_of(reader) == -1 - SIGKILL);
  }
  for (std::uint64_t i = 0; i != 300; ++i) REQUIRE(write(store, i % 20, 30'000, i));
}
