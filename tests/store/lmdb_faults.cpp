// What the machine may do to a store: no room, no rights, no folder, another time.
#include "lmdb_entries.hpp"

#include <sys/mount.h>
#include <sys/resource.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace lmdb_test;
using namespace std::chrono_literals;

namespace {

// The sanitizers take more address space than there is.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define LAYERKEY_TEST_SANITIZED
#endif
#endif
#if defined(LAYERKEY_TEST_SANITIZED) || defined(__SANITIZE_ADDRESS__) || \
    defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

void limit_files(rlimit const& limit) {
  // ThreadSanitizer delivers signals late, when nobody expects this one any more.
  if (sanitized) ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// What a store does where there is no room: what is there is read, what is written may be there or
// not, and why not is said.
int without_room(std::string const& path, lmdb_file_options const& options) {
  lmdb_bytes store(path, options);
  unsigned kept = 0;
  for (std::uint64_t i = 0; i != 300; ++i) {
    bool const done = write(store, i, 20'000);
    kept += done;
    read_result const result = read(store, i);
    if (done && result != read_result::accepted) return 10;
    if (result == read_result::rejected) return 11;
    if (!done && store.problem().empty()) return 12;
  }
  if (kept == 300) return 13;
  for (std::uint64_t i = 0; i != 300; ++i)
    if (read(store, i) == read_result::rejected) return 14;
  if (!store.take_lease(address(1000), 1s)) return 15;
  store.flush();
  return kept == 0 ? 16 : 0;
}

}  // namespace

TEST_CASE("lmdb: files that may not become larger") {
  folder const place("lmdb");
  CHECK(end_of(start([&] {
          rlimit const limit = {1'500'000, 1'500'000};
          limit_files(limit);
          return without_room(place / "s", {});
        })) == 0);
  // What was written is there for those who may.
  lmdb_bytes store(place / "s");
  CHECK(store.verify(check).right());
  CHECK(store.statistics().entries > 10);
  CHECK(write(store, 1, 100'000));
  // Where not even the list of readers may be made.
  CHECK(end_of(start([&] {
          rlimit const limit = {1000, 1000};
          limit_files(limit);
          lmdb_bytes none(place / "t");
          if (write(none, 1, 100)) return 1;
          if (read(none, 1) != read_result::unavailable) return 2;
          return none.problem().empty() ? 3 : 0;
        })) == 0);
  lmdb_bytes later(place / "t");
  CHECK(write(later, 1, 100));
}

TEST_CASE("lmdb: a full disk") {
  folder const place("lmdb");
  fs::create_directory(place / "disk");
  if (::mount("tmpfs", (place / "disk").c_str(), "tmpfs", 0, "size=2m,mode=0755") != 0) {
    // As anybody, and in most containers; the case before this one goes the same way then.
    WARN("no small file system can be mounted here");
    return;
  }
  CHECK(end_of(start([&] { return without_room(place / "disk/s", {}); })) == 0);
  {
    lmdb_bytes store(place / "disk/s");
    CHECK(store.verify(check).right());
    std::ofstream(place / "disk/rest") << std::string(2'000'000, 'x');
    (void)write(store, 1, 200'000);
  }
  {
    std::ofstream fill(place / "disk/more");
    while (fill << std::string(4096, 'x') << std::flush) {
    }
  }
  // Full before it is begun.
  CHECK(end_of(start([&] {
          lmdb_bytes none(place / "disk/t");
          if (write(none, 1, 100)) return 1;
          return none.problem().empty() ? 2 : 0;
        })) == 0);
  fs::remove(place / "disk/more");
  fs::remove(place / "disk/rest");
  fs::remove_all(place / "disk/s");
  {
    lmdb_bytes store(place / "disk/t");
    INFO(store.problem());
    CHECK(write(store, 1, 100));
  }
  CHECK(::umount((place / "disk").c_str()) == 0);
}

TEST_CASE("lmdb: a folder that may only be read") {
  folder const place("lmdb");
  {
    lmdb_bytes store(place / "s");
    for (std::uint64_t i = 0; i != 50; ++i) REQUIRE(write(store, i, 1000));
  }
  fs::create_directory(place / "empty");
  if (::geteuid() == 0) {
    // Of root, for somebody else.
    for (std::string const& file : files_in(place / "s", "")) ::chmod(file.c_str(), 0644);
    ::chmod((place / "s").c_str(), 0755);
    ::chmod(place.path().c_str(), 0755);
  } else {
    for (std::string const& file : files_in(place / "s", "")) ::chmod(file.c_str(), 0444);
    ::chmod((place / "s").c_str(), 0555);
    ::chmod((place / "empty").c_str(), 0555);
  }
  CHECK(end_of(start([&] {
          if (::geteuid() == 0 && ::setuid(12'345) != 0) return 1;
          lmdb_bytes store(place / "s");
          for (std::uint64_t i = 0; i != 50; ++i)
            if (read(store, i) != read_result::accepted) return 2;
          if (read(store, 50) != read_result::absent) return 3;
          if (write(store, 50, 100) || store.remove(address(1))) return 4;
          if (store.problem().find("reading only") == std::string::npos) return 5;
          if (!store.take_lease(address(1), 1s)) return 6;
          store.drop_lease(address(1));
          store.flush();
          if (store.statistics().entries != 50 || !store.verify(check).structure.empty()) return 7;
          lmdb_bytes empty(place / "empty");
          if (write(empty, 1, 100) || read(empty, 1) != read_result::unavailable) return 8;
          return empty.problem().empty() ? 9 : 0;
        })) == 0);
  CHECK(files_in(place / "s", "").size() == 3);
  ::chmod((place / "s").c_str(), 0755);
}

TEST_CASE("lmdb: a folder that is removed, or replaced, while it is used") {
  folder const place("lmdb");
  lmdb_bytes store(place / "a/s");
  std::atomic<bool> stop{false};
  std::atomic<unsigned> wrong{0};
  std::thread other([&] {
    std::mt19937_64 random(1);
    while (!stop) {
      if (random() % 2 == 0)
        (void)write(store, random() % 50, 1000);
      else
        wrong += read(store, random() % 50) == read_result::rejected;
    }
  });
  for (unsigned i = 0; i != 6; ++i) {
    CHECK(write(store, 100 + i, 1000));
    std::this_thread::sleep_for(5ms);
    std::error_code busy;
    if (i % 2 == 0)
      fs::remove_all(place / "a", busy);
    else
      fs::rename(place / "a/s", place / ("moved" + std::to_string(i)), busy);
    // It may be read until somebody looks; what is written goes into a new one.
    CHECK(read(store, 100 + i) != read_result::rejected);
    CHECK(write(store, 200 + i, 1000));
  }
  stop = true;
  other.join();
  CHECK(wrong == 0);
  CHECK(write(store, 300, 1000));
  CHECK(fs::exists(data_file(place / "a/s")));
  lmdb_bytes again(place / "a/s");
  CHECK(read(again, 300) == read_result::accepted);
  // Who only reads notices it after a while.
  fs::remove_all(place / "a");
  std::this_thread::sleep_for(600ms);
  CHECK(read(store, 300) == read_result::absent);
}

TEST_CASE("lmdb: single files that are removed while they are used") {
  folder const place("lmdb");
  for (unsigned kind = 0; kind != 3; ++kind) {
    INFO(kind);
    lmdb_bytes store(place / "s");
    CHECK(write(store, 1, 1000));
    std::string const file = data_file(place / "s");
    fs::remove(kind == 0 ? file : kind == 1 ? file + "-lock" : place / "s/lock");
    CHECK(end_of(start([&] {
            lmdb_bytes theirs(place / "s");
            if (read(theirs, 1) == read_result::rejected) return 1;
            return write(theirs, 2, 1000) ? 0 : 2;
          })) == 0);
    CHECK(write(store, 3, 1000));
    CHECK(read(store, 3) == read_result::accepted);
    CHECK(read(store, 2) == read_result::accepted);
    CHECK(store.verify(check).right());
  }
}

TEST_CASE("lmdb: clocks that go back or forth") {
  folder const place("lmdb");
  std::vector<timespec> const times = {{0, 0}, {1, 999'999'999}, {4'000'000'000, 0}};
  std::uint64_t n = 0;
  for (timespec const& time : times) {
    INFO(time.tv_sec);
    {
      lmdb_bytes store(place / "s");
      CHECK(write(store, ++n, 1000));
      // Files of another time, while they are open and before they are opened.
      timespec const set[2] = {time, time};
      for (std::string const& file : files_in(place / "s", ""))
        CHECK(::utimensat(AT_FDCWD, file.c_str(), set, 0) == 0);
      CHECK(write(store, ++n, 1000));
      for (std::string const& file : files_in(place / "s", ""))
        CHECK(::utimensat(AT_FDCWD, file.c_str(), set, 0) == 0);
    }
    lmdb_bytes store(place / "s");
    for (std::uint64_t i = 1; i <= n; ++i) CHECK(read(store, i) == read_result::accepted);
    CHECK(store.problem() == "");
  }
  CHECK(files_in(place / "s", "broken").empty());
}

TEST_CASE("lmdb: little address space, and few files") {
  folder const place("lmdb");
  CHECK(end_of(start([&] {
          // Beyond what the tests before this one took.
          std::uint64_t pages = 0;
          std::ifstream("/proc/self/statm") >> pages;
          rlim_t const most = pages * 4096 + (500u << 20);
          rlimit const space = {most, most};
          if (!sanitized) ::setrlimit(RLIMIT_AS, &space);
          lmdb_bytes store(place / "s", {.limit = std::uint64_t{100} << 30});
          for (std::uint64_t i = 0; i != 20; ++i)
            if (!write(store, i, 100'000)) return 1;
          return read(store, 3) == read_result::accepted ? 0 : 2;
        })) == 0);
  // The sanitizers want files of their own.
  if (!sanitized)
    CHECK(end_of(start([&] {
            rlimit const files = {4, 4};
            ::setrlimit(RLIMIT_NOFILE, &files);
            lmdb_bytes store(place / "s");
            if (read(store, 3) != read_result::unavailable) return 1;
            return store.problem().empty() ? 2 : 0;
          })) == 0);
  lmdb_bytes store(place / "s");
  CHECK(read(store, 3) == read_result::accepted);
}

TEST_CASE("lmdb: nothing stays open, however often a file is lost") {
  folder const place("lmdb");
  auto const files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  {
    lmdb_bytes first(place / "s");
    CHECK(write(first, 1, 1000));
  }
  auto const before = files();
  for (unsigned i = 0; i != 20; ++i) {
    lmdb_bytes store(place / "s");
    CHECK(write(store, 1, 1000));
    REQUIRE(::truncate(data_file(place / "s").c_str(), 4096 * (i % 4)) == 0);
    CHECK(read(store, 1) != read_result::rejected);
    CHECK(write(store, 1, 1000));
  }
  CHECK(files() == before);
}
