// One folder, one process: what is written is read, within a limit, by whoever may.
#include "lmdb_entries.hpp"

#include <catch2/catch.hpp>
#include <layerkey/store/detail/lmdb_folder.hpp>

#include <atomic>
#include <fstream>
#include <set>
#include <thread>

using namespace lmdb_test;

TEST_CASE("lmdb: what is written is read, replaced and removed, and outlives the object") {
  folder const place("lmdb");
  std::string const path = place / "a/b";
  {
    lmdb_bytes store(path);
    CHECK(store.problem() == "");
    CHECK(read(store, 1) == read_result::absent);
    CHECK_FALSE(store.contains(address(1)));
    CHECK_FALSE(store.remove(address(1)));
    for (std::size_t size : {8u, 100u, 1988u, 1989u, 1990u, 4080u, 4081u, 70'000u, 3'000'000u}) {
      INFO(size);
      CHECK(write(store, size, size));
      CHECK(read(store, size) == read_result::accepted);
      CHECK(store.contains(address(size)));
    }
    CHECK(write(store, 100, 5000, 1));
    CHECK(store.read(address(100), [](std::string_view bytes) { return bytes.size() != 5000; }) ==
          read_result::rejected);
    CHECK(store.remove(address(8)));
    CHECK(read(store, 8) == read_result::absent);
    CHECK(store.write(address(8), ""));
    CHECK(store.read(address(8), [](std::string_view bytes) { return bytes.empty(); }) ==
          read_result::accepted);
    CHECK(store.remove(address(8)));
  }
  lmdb_bytes store(path + "/");
  CHECK(read(store, 8) == read_result::absent);
  CHECK(read(store, 70'000) == read_result::accepted);
  CHECK(read(store, 3'000'000) == read_result::accepted);
  lmdb_statistics const s = store.statistics();
  CHECK(s.entries == 8);
  CHECK(s.bytes == 5000 + 1988 + 1989 + 1990 + 4080 + 4081 + 70'000 + 3'000'000);
  CHECK(s.file_bytes == fs::file_size(data_file(path)));
  CHECK(s.oldest_use != 0);
  lmdb_verification const v = store.verify(check);
  CHECK(v.right());
  CHECK(v.entries == 8);
}

TEST_CASE("lmdb: a reader may read and write while it looks at an entry") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  CHECK(write(store, 1, 1000));
  CHECK(write(store, 2, 2000));
  bool inner = false;
  CHECK(store.read(address(1), [&](std::string_view bytes) {
    inner = read(store, 2) == read_result::accepted && write(store, 1, 3000, 7) &&
            store.remove(address(2));
    return inner && bytes.size() == 1000 && right(address(1), bytes);
  }) == read_result::accepted);
}

TEST_CASE("lmdb: folders and files are private, and those of others are refused") {
  folder const place("lmdb");
  auto const mode = [](std::string const& path) {
    struct stat is = {};
    return ::stat(path.c_str(), &is) == 0 ? is.st_mode & 07777 : 0u;
  };
  mode_t const before = ::umask(0);
  {
    lmdb_bytes store(place / "new");
    CHECK(write(store, 1, 100));
    CHECK(mode(place / "new") == 0700);
    for (std::string const& file : files_in(place / "new", "")) CHECK(mode(file) == 0600);
    lmdb_bytes shared_store(place / "shared", {.sharing = lmdb_sharing::group});
    CHECK(write(shared_store, 1, 100));
    CHECK((mode(place / "shared") & 0777) == 0770);
    for (std::string const& file : files_in(place / "shared", "")) CHECK(mode(file) == 0660);
  }
  fs::create_directory(place / "open");
  ::umask(before);
  {
    REQUIRE(::chmod((place / "open").c_str(), 0777) == 0);
    lmdb_bytes store(place / "open");
    CHECK(read(store, 1) == read_result::unavailable);
    CHECK_FALSE(write(store, 1, 100));
    CHECK_THAT(store.problem(), Catch::Contains(place / "open") && Catch::Contains("chmod go-w"));
    CHECK(files_in(place / "open", "").empty());
    lmdb_bytes asked(place / "open", {.sharing = lmdb_sharing::everyone});
    CHECK(write(asked, 1, 100));
  }
  {
    REQUIRE(::chmod((place / "new").c_str(), 0755) == 0);
    lmdb_bytes store(place / "new");
    CHECK(read(store, 1) == read_result::accepted);
  }
  fs::create_directory_symlink(place / "new", place / "link");
  {
    lmdb_bytes store(place / "link");
    CHECK(read(store, 1) == read_result::accepted);
  }
  if (::geteuid() == 0) {
    fs::create_directory(place / "other");
    REQUIRE(::chown((place / "other").c_str(), 12'345, 12'345) == 0);
    lmdb_bytes store(place / "other");
    CHECK_FALSE(write(store, 1, 100));
    CHECK_THAT(store.problem(), Catch::Contains("belongs to another user"));
    REQUIRE(::lchown((place / "link").c_str(), 12'345, 12'345) == 0);
    lmdb_bytes linked(place / "link");
    CHECK_FALSE(write(linked, 1, 100));
    CHECK_THAT(linked.problem(), Catch::Contains("symbolic link"));
  }
  std::ofstream(place / "file") << "no folder";
  lmdb_bytes store(place / "file");
  CHECK_FALSE(write(store, 1, 100));
  CHECK_THAT(store.problem(), Catch::Contains("cannot be used as a folder"));
  lmdb_bytes nowhere("");
  CHECK_FALSE(write(nowhere, 1, 100));
  CHECK(nowhere.problem() != "");
}

TEST_CASE("lmdb: network file systems are refused by name") {
  CHECK(layerkey::detail::lmdb_network_file_system(0x6969) == std::string_view("NFS"));
  CHECK(layerkey::detail::lmdb_network_file_system(0xFE534D42) == std::string_view("SMB2"));
  CHECK(layerkey::detail::lmdb_network_file_system(0xFFFFFFFFFE534D42u) ==
        std::string_view("SMB2"));
  CHECK(layerkey::detail::lmdb_network_file_system(0xEF53) == nullptr);      // ext4
  CHECK(layerkey::detail::lmdb_network_file_system(0x01021994) == nullptr);  // tmpfs
  // procfs is none, and nothing can be made there either.
  lmdb_bytes store("/proc/layerkey");
  CHECK_FALSE(write(store, 1, 100));
  CHECK_THAT(store.problem(), Catch::Contains("cannot be made"));
}

TEST_CASE("lmdb: the default folder is the user's cache") {
  std::string const home = std::getenv("HOME") ? std::getenv("HOME") : "";
  char const* const old = std::getenv("XDG_CACHE_HOME");
  std::string const before = old ? old : "";
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  CHECK(default_cache_folder("layerkey") == "/somewhere/layerkey");
  ::setenv("HOME", "/home/me", 1);
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  CHECK(default_cache_folder("layerkey") == "/home/me/.cache/layerkey");
  ::unsetenv("XDG_CACHE_HOME");
  CHECK(default_cache_folder("layerkey") == "/home/me/.cache/layerkey");
  ::unsetenv("HOME");
  CHECK(default_cache_folder("layerkey").find("/.cache/layerkey") != std::string::npos);
  if (!home.empty()) ::setenv("HOME", home.c_str(), 1);
  if (old) ::setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

TEST_CASE("lmdb: two objects on one folder share what is open, by whatever name") {
  folder const place("lmdb");
  lmdb_bytes a(place / "s");
  fs::create_directory_symlink(place / "s", place / "link");
  auto b = std::make_unique<lmdb_bytes>(place / "link");
  CHECK(write(a, 1, 100));
  CHECK(read(*b, 1) == read_result::accepted);
  CHECK(write(*b, 2, 100));
  b.reset();
  CHECK(read(a, 2) == read_result::accepted);
  CHECK(files_in(place / "s", "").size() == 3);
}

TEST_CASE("lmdb: objects come and go in many threads") {
  folder const place("lmdb");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i != 25; ++i) {
        lmdb_bytes store(place / "s");
        if (!write(store, t * 100 + i, 300)) ++wrong;
        if (read(store, t * 100 + i) != read_result::accepted) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
  lmdb_bytes store(place / "s");
  CHECK(store.problem() == "");
  CHECK(store.statistics().entries == 100);
}

TEST_CASE("lmdb: what was not used for longest goes first") {
  folder const place("lmdb");
  std::uint64_t const limit = 1 << 20;
  // 40 of these are within the limit.
  std::size_t const size = 16'000;
  lmdb_bytes store(place / "s", {.limit = limit});
  for (std::uint64_t i = 0; i != 40; ++i) REQUIRE(write(store, i, size));
  for (std::uint64_t i = 0; i != 40; ++i) REQUIRE(store.contains(address(i)));
  for (std::uint64_t i = 0; i != 20; ++i) CHECK(read(store, i) == read_result::accepted);
  std::uint64_t written = 40;
  auto const still = [&](std::uint64_t i) { return store.contains(address(i)); };
  while (still(20)) REQUIRE(write(store, written++, size));
  CHECK(written > 41);
  CHECK(written < 60);
  while (still(19)) {
    REQUIRE(write(store, written++, size));
    // In the order of their last use: from 20 to 39, then from 0 to 19.
    bool kept = false;
    for (std::uint64_t k = 0; k != 40; ++k) {
      bool const here = still((k + 20) % 40);
      CHECK((here || !kept));
      kept = here;
    }
  }
  CHECK(still(written - 1));
  CHECK(fs::file_size(data_file(place / "s")) <= limit);
  CHECK(store.verify(check).right());
}

TEST_CASE("lmdb: uses that were only read are known to the next process") {
  folder const place("lmdb");
  lmdb_file_options const options = {.limit = 1 << 20};
  {
    lmdb_bytes store(place / "s", options);
    for (std::uint64_t i = 0; i != 40; ++i) REQUIRE(write(store, i, 16'000));
  }
  {
    lmdb_bytes store(place / "s", options);
    CHECK(read(store, 0) == read_result::accepted);
  }
  lmdb_bytes store(place / "s", options);
  std::uint64_t written = 40;
  while (store.contains(address(1))) REQUIRE(write(store, written++, 16'000));
  CHECK(store.contains(address(0)));
}

TEST_CASE("lmdb: the file stays within its limit, whatever is written") {
  folder const place("lmdb");
  std::uint64_t const limit = 4 << 20;
  lmdb_bytes store(place / "s", {.limit = limit});
  std::mt19937_64 random(1);
  unsigned kept = 0;
  for (unsigned i = 0; i != 1500; ++i) {
    std::size_t const size = random() % 3 == 0 ? 8 + random() % 200'000 : 8 + random() % 3000;
    if (write(store, random() % 2000, size, i)) ++kept;
    if (random() % 4 == 0) (void)store.remove(address(random() % 2000));
    REQUIRE(fs::file_size(data_file(place / "s")) <= limit);
  }
  INFO(store.problem());
  CHECK(kept == 1500);
  CHECK(store.verify(check).right());
  lmdb_statistics const s = store.statistics();
  CHECK(s.bytes > limit / 4);
  CHECK(s.bytes <= limit);

  CHECK_FALSE(write(store, 1, limit / 4 + 1));
  CHECK_THAT(store.problem(), Catch::Contains("quarter"));
  CHECK(write(store, 1, limit / 4));
}

TEST_CASE("lmdb: the map grows without a restart, here and elsewhere") {
  folder const place("lmdb");
  lmdb_file_options const small = {.limit = 64 << 20, .first_map = 1 << 20};
  lmdb_bytes store(place / "s", small);
  CHECK(write(store, 0, 100'000));
  std::atomic<bool> stop{false};
  std::atomic<unsigned> wrong{0};
  std::thread reader([&] {
    while (!stop) wrong += read(store, 0) != read_result::accepted;
  });
  for (std::uint64_t i = 1; i != 100; ++i) CHECK(write(store, i, 100'000));
  stop = true;
  reader.join();
  CHECK(wrong == 0);
  // Another process does the same.
  CHECK(end_of(start([&] {
          lmdb_bytes theirs(place / "s", small);
          for (std::uint64_t i = 100; i != 300; ++i)
            if (!write(theirs, i, 100'000)) return 1;
          return 0;
        })) == 0);
  for (std::uint64_t i = 0; i != 300; ++i) REQUIRE(read(store, i) == read_result::accepted);
  CHECK(write(store, 300, 100'000));
  CHECK(store.problem() == "");
}

TEST_CASE("lmdb: prune gives room back") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  lmdb_bytes other(place / "s");
  for (std::uint64_t i = 0; i != 200; ++i) REQUIRE(write(store, i, 50'000));
  std::uint64_t const before = fs::file_size(data_file(place / "s"));
  CHECK(before > 200 * 50'000);
  CHECK(read(store, 3) == read_result::accepted);
  CHECK(store.prune(2'000'000));
  CHECK(fs::file_size(data_file(place / "s")) <= 2'100'000);
  CHECK(store.statistics().entries > 30);
  CHECK(read(store, 3) == read_result::accepted);
  CHECK(read(store, 199) == read_result::accepted);
  CHECK(read(store, 4) == read_result::absent);
  CHECK(read(other, 199) == read_result::accepted);
  CHECK(write(other, 500, 100));
  CHECK(read(store, 500) == read_result::accepted);
  CHECK(files_in(place / "s", "").size() == 3);
  CHECK(store.prune(0));
  CHECK(store.statistics().entries == 0);
  CHECK(store.verify(check).right());
}

TEST_CASE("lmdb: export and import") {
  folder const place("lmdb");
  std::string const file = place / "all";
  lmdb_bytes store(place / "s");
  for (std::uint64_t i = 0; i != 300; ++i) REQUIRE(write(store, i, 8 + i * 37));
  lmdb_transfer const out = store.export_to(file);
  CHECK(out.problem == "");
  CHECK(out.entries == 300);
  {
    lmdb_bytes other(place / "t");
    lmdb_transfer const in = other.import_from(file, check);
    CHECK(in.problem == "");
    CHECK(in.entries == 300);
    for (std::uint64_t i = 0; i != 300; ++i) REQUIRE(read(other, i) == read_result::accepted);
    lmdb_transfer const none = other.import_from(
        file, [](entry_address const&, std::string_view) { return std::string("no"); });
    CHECK(none.refused == 300);
    CHECK(none.entries == 0);
  }
  // Whatever is in the file, what comes in is right.
  std::ifstream from(file, std::ios::binary);
  std::string const bytes((std::istreambuf_iterator<char>(from)), {});
  std::mt19937_64 random(7);
  for (unsigned i = 0; i != 60; ++i) {
    std::string broken = bytes;
    if (i % 3 == 0) broken.resize(random() % broken.size());
    if (i % 3 == 1)
      for (unsigned k = 0; k != 5; ++k)
        broken[random() % broken.size()] ^= static_cast<char>(1u << random() % 8);
    if (i % 3 == 2)
      for (char& c : broken) c = static_cast<char>(random());
    std::string const path = place / "broken";
    std::ofstream(path, std::ios::binary) << broken;
    lmdb_bytes other(place / "u");
    lmdb_transfer const in = other.import_from(path, check);
    CHECK((in.refused != 0 || !in.problem.empty()));
    CHECK(other.verify(check).right());
  }
  CHECK(store.import_from(place / "nothing", check).problem != "");
  CHECK(store.export_to(place / "no/folder").problem != "");
  CHECK(store.import_from(place.path(), check).problem != "");
}

TEST_CASE("lmdb: a store for reading only writes nothing") {
  folder const place("lmdb");
  {
    lmdb_bytes none(place / "s", {}, true);
    CHECK(read(none, 1) == read_result::unavailable);
    CHECK(none.problem() != "");
    CHECK_FALSE(fs::exists(place / "s"));
    lmdb_bytes store(place / "s");
    CHECK(write(store, 1, 1000));
  }
  lmdb_bytes store(place / "s", {}, true);
  CHECK(read(store, 1) == read_result::accepted);
  CHECK_FALSE(write(store, 2, 100));
  CHECK_FALSE(store.remove(address(1)));
  CHECK_FALSE(store.prune(0));
  CHECK(store.take_lease(address(1), std::chrono::seconds(1)));
  CHECK(store.take_lease(address(1), std::chrono::seconds(1)));
  CHECK(store.import_from(place / "x", check).problem != "");
  CHECK(read(store, 1) == read_result::accepted);
  CHECK(store.statistics().entries == 1);
}

TEST_CASE("lmdb: a hundred threads") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  for (std::uint64_t i = 0; i != 100; ++i) REQUIRE(write(store, i, 8 + i * 100));
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  unsigned const rounds = full() ? 20'000 : 500;
  for (unsigned t = 0; t != 100; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (unsigned i = 0; i != rounds; ++i) {
        if (random() % 50 == 0)
          wrong += !write(store, random() % 100, 8 + random() % 20'000, i);
        else
          wrong += read(store, random() % 100) != read_result::accepted;
      }
    });
  for (std::thread& t : threads) t.join();
  INFO(store.problem());
  CHECK(wrong == 0);
  CHECK(store.verify(check).right());
}
