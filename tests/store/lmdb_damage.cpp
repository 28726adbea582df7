// Whatever happens to the file: nobody dies, nothing wrong comes out, and it goes on.
#include "lmdb_entries.hpp"

#include <catch2/catch.hpp>
#include <layerkey/store/detail/lmdb_guard.hpp>
#include <layerkey/store/detail/lmdb_structure.hpp>

#include <atomic>
#include <functional>
#include <thread>

using namespace lmdb_test;
namespace detail = layerkey::detail;

namespace {

// A file of a tree of some depth, with large values and free pages.
void fill(lmdb_bytes& store) {
  for (std::uint64_t i = 0; i != 400; ++i)
    REQUIRE(write(store, i, i % 5 == 0 ? 3000 + i * 30 : 8 + i * 3));
  for (std::uint64_t i = 0; i < 400; i += 7) REQUIRE(store.remove(address(i)));
}

std::string bytes_of(std::string const& path) {
  std::string bytes(fs::file_size(path), '\0');
  int const file = ::open(path.c_str(), O_RDONLY);
  bool const all = ::read(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  ::close(file);
  return all ? bytes : std::string();
}

// In place, as damage is.
void overwrite(std::string const& path, std::string_view bytes) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  REQUIRE(file >= 0);
  for (std::size_t done = 0; done != bytes.size();) {
    ssize_t const n = ::write(file, bytes.data() + done, bytes.size() - done);
    REQUIRE(n > 0);
    done += static_cast<std::size_t>(n);
  }
  REQUIRE(::ftruncate(file, static_cast<off_t>(bytes.size())) == 0);
  ::close(file);
}

// Writes where nobody may.
void touch_nothing() {
  static void* const forbidden =
      ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<int volatile*>(forbidden) = 1;
}

constexpr unsigned kinds = 9;

// Damage of a kind, anywhere.
std::string damaged(std::string const& good, unsigned kind, std::mt19937_64& random) {
  std::string bytes = good;
  std::size_t const pages = bytes.size() / 4096;
  auto const noise = [&](std::size_t from, std::size_t size) {
    for (std::size_t i = from; i != from + size; ++i) bytes[i] = static_cast<char>(random());
  };
  switch (kind) {
    case 0:
      bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
      break;
    case 1:
      for (unsigned i = 0; i != 40; ++i)
        bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
      break;
    case 2:
      bytes.resize(random() % bytes.size());
      break;
    case 3:
      bytes.resize(random() % pages * 4096);
      break;
    case 4:
      std::memset(bytes.data() + random() % pages * 4096, 0, 4096);
      break;
    case 5:
      noise(random() % pages * 4096, 4096);
      break;
    case 6: {
      // One page where another was.
      std::size_t const from = random() % pages * 4096;
      bytes.replace(random() % pages * 4096, 4096, bytes, from, 4096);
      break;
    }
    case 7:
      if (random() % 2 == 0)
        bytes.clear();
      else
        noise(0, bytes.size());
      break;
    // Where LMDB looks first: what pages and states say of themselves.
    default:
      for (unsigned i = 0; i != 3; ++i) {
        std::size_t const page = random() % pages * 4096;
        noise(page + random() % 16, 1 + random() % 4);
      }
      break;
  }
  return bytes;
}

// Reads all, writes, reads again. Gives how many were there.
unsigned use(lmdb_bytes& store, std::uint64_t version) {
  unsigned found = 0;
  for (std::uint64_t i = 0; i != 400; ++i) {
    read_result const result = read(store, i);
    if (result == read_result::accepted) ++found;
    // As stores do.
    if (result == read_result::rejected) (void)store.remove(address(i));
  }
  for (std::uint64_t i = 0; i != 40; ++i) {
    std::uint64_t const n = i * 11 % 440;
    bool const kept = write(store, n, 8 + n * 20, version);
    INFO(store.problem());
    CHECK(kept);
    CHECK(read(store, n) == read_result::accepted);
  }
  return found;
}

// Entries that nobody asks for, as their address was damaged, may be there; and pages that nobody
// came to, where the damage left no trace.
bool sound(lmdb_bytes& store, bool traced = true) {
  lmdb_verification const first = store.verify(check, lmdb_bytes::on_wrong::remove);
  lmdb_verification const then = store.verify(check);
  INFO(first.structure << first.problem << then.structure << then.problem);
  if (traced) CHECK(first.structure == "");
  CHECK(first.problem == "");
  CHECK(first.wrong <= 40);
  CHECK(then.entries == first.entries - first.wrong);
  return then.right();
}

}  // namespace

TEST_CASE("lmdb: a signal ends a guarded call, and nothing else") {
  detail::lmdb_install_guard();
  auto const fault = [](void*) { touch_nothing(); };
  auto const fine = [](void* with) { *static_cast<int*>(with) = 1; };
  int done = 0;
  CHECK(detail::lmdb_guarded(fault, nullptr) == SIGSEGV);
  CHECK(detail::lmdb_guarded(fine, &done) == 0);
  CHECK(done == 1);
  CHECK(detail::lmdb_guarded([](void*) { detail::lmdb_assertion_failed("x"); }, nullptr) ==
        detail::lmdb_assertion);
  // Inside one another.
  CHECK(detail::lmdb_guarded(
            [](void* with) {
              if (detail::lmdb_guarded([](void*) { touch_nothing(); }, nullptr) == SIGSEGV)
                *static_cast<int*>(with) = 2;
              touch_nothing();
            },
            &done) == SIGSEGV);
  CHECK(done == 2);
  // Elsewhere it is what it was: here, the end of a process, or the handler that was there before.
  CHECK(end_of(start([] {
          ::signal(SIGSEGV, SIG_DFL);
          detail::lmdb_install_guard();
          touch_nothing();
          return 0;
        })) == -1 - SIGSEGV);
  CHECK(end_of(start([] {
          ::signal(SIGSEGV, [](int) { ::_exit(7); });
          detail::lmdb_install_guard();
          touch_nothing();
          return 0;
        })) == 7);
  CHECK(end_of(start([] {
          ::signal(SIGSEGV, SIG_DFL);
          detail::lmdb_install_guard();
          ::raise(SIGSEGV);
          return 0;
        })) == -1 - SIGSEGV);
  CHECK(end_of(start([] {
          ::signal(SIGBUS, SIG_IGN);
          detail::lmdb_install_guard();
          ::raise(SIGBUS);
          return 3;
        })) == 3);
}

TEST_CASE("lmdb: the structure of good files is good, and its damage is seen") {
  folder const place("lmdb");
  std::string file;
  {
    lmdb_bytes store(place / "s");
    fill(store);
    file = data_file(place / "s");
  }
  int const open = ::open(file.c_str(), O_RDONLY);
  detail::lmdb_structure const good = detail::lmdb_check_structure(open);
  CHECK(good.fault == "");
  CHECK(good.records > 600);
  CHECK(good.large_pages > 100);
  CHECK(good.free_pages > 0);
  ::close(open);
  std::string const bytes = bytes_of(file);
  // Of a page of a tree, every byte of its head matters, and of the first pages, those of the
  // newest state.
  unsigned heads = 0;
  std::string const copy = place / "copy";
  for (std::size_t page = 2; page != bytes.size() / 4096; ++page) {
    auto const flags = static_cast<unsigned char>(bytes[page * 4096 + 10]);
    if (flags != 1 && flags != 2) continue;
    std::string broken = bytes;
    std::size_t const at = page * 4096 + (page % 16 == 8 || page % 16 == 9 ? 10 : page % 16);
    broken[at] ^= 1;
    overwrite(copy, broken);
    int const again = ::open(copy.c_str(), O_RDONLY);
    // Pages that are free look like any other.
    if (!detail::lmdb_check_structure(again).right()) ++heads;
    ::close(again);
  }
  CHECK(heads > good.tree_pages / 2);
  CHECK(heads <= good.tree_pages);
}

TEST_CASE("lmdb: files that were damaged while nobody had them open") {
  std::mt19937_64 random(11);
  unsigned const rounds = full() ? 900 : 63;
  folder const place("lmdb");
  {
    lmdb_bytes store(place / "s");
    fill(store);
  }
  std::string const name = data_file(place / "s");
  std::string const good = bytes_of(name);
  struct stat is = {};
  REQUIRE(::stat(name.c_str(), &is) == 0);
  // Traced: as anybody writes to a file. Else as bits rot, with the mark that says that all is
  // well.
  for (bool const traced : {true, false}) {
    unsigned set_aside = 0, kept = 0;
    for (unsigned i = 0; i != rounds; ++i) {
      INFO("round " << i << ", kind " << i % kinds << ", traced " << traced);
      fs::remove_all(place / "s");
      REQUIRE(::mkdir((place / "s").c_str(), 0700) == 0);
      std::string const bytes = damaged(good, i % kinds, random);
      overwrite(name, bytes);
      timespec const times[2] = {is.st_mtim, is.st_mtim};
      if (!traced) REQUIRE(::utimensat(AT_FDCWD, name.c_str(), times, 0) == 0);
      ::alarm(120);
      int const file = ::open(name.c_str(), O_RDONLY);
      bool const whole = bytes.empty() || detail::lmdb_check_structure(file).right();
      ::close(file);
      lmdb_bytes store(place / "s");
      // Before anybody reads or writes.
      if (traced) CHECK(files_in(place / "s", "broken").empty() == whole);
      unsigned const found = use(store, i);
      if (!files_in(place / "s", "broken").empty())
        ++set_aside;
      else
        CHECK((found > 250 || bytes.empty()));
      kept += found != 0;
      CHECK(sound(store, traced));
    }
    ::alarm(0);
    // Neither everything nor nothing.
    CHECK(set_aside > rounds / 3);
    CHECK(kept > rounds / 5);
  }
}

TEST_CASE("lmdb: a page that would make LMDB write over memory is seen before it is changed") {
  folder const place("lmdb");
  {
    lmdb_bytes store(place / "s");
    fill(store);
  }
  std::string const name = data_file(place / "s");
  struct stat is = {};
  REQUIRE(::stat(name.c_str(), &is) == 0);
  std::string bytes = bytes_of(name);
  // Leaves with entries, with their space ending far behind them. The others, of free pages, are
  // looked at whenever a file is opened.
  for (std::size_t page = 2 * 4096; page != bytes.size(); page += 4096) {
    if (bytes[page + 10] != 2) continue;
    std::size_t const first = static_cast<unsigned char>(bytes[page + 16]) +
                              256u * static_cast<unsigned char>(bytes[page + 17]);
    if (first < 4080 && std::strchr("aeu", bytes[page + first + 8])) bytes[page + 15] = '\x7f';
  }
  overwrite(name, bytes);
  timespec const times[2] = {is.st_mtim, is.st_mtim};
  REQUIRE(::utimensat(AT_FDCWD, name.c_str(), times, 0) == 0);
  lmdb_bytes store(place / "s");
  CHECK(files_in(place / "s", "broken").empty());
  CHECK(write(store, 1000, 100));
  CHECK(read(store, 1000) == read_result::accepted);
  CHECK_THAT(store.problem(),
             Catch::Contains("a page has no bounds") && Catch::Contains("set aside"));
}

TEST_CASE("lmdb: what a power cut leaves of commits that were not synced") {
  // Pages reach the disk in any order, or do not: each page of the file is of one of several
  // moments. The mark of the file is of any of them, too, but for those of this start of the
  // machine, which nobody finds after the next.
  std::mt19937_64 random(17);
  unsigned const rounds = full() ? 600 : 40;
  folder const place("lmdb");
  std::vector<std::string> moments;
  std::string name;
  timespec synced = {};
  {
    lmdb_bytes store(place / "s");
    fill(store);
    name = data_file(place / "s");
    for (unsigned m = 0; m != 5; ++m) {
      moments.push_back(bytes_of(name));
      if (m == 0) {
        store.flush();
        struct stat is = {};
        REQUIRE(::stat(name.c_str(), &is) == 0);
        synced = is.st_mtim;
      }
      for (std::uint64_t i = 0; i != 1 + m * 5; ++i) {
        REQUIRE(write(store, (m * 61 + i * 7) % 420, 8 + (i * 977 + m) % 9000, m));
        (void)store.remove(address((m * 31 + i * 13) % 400));
      }
    }
    moments.push_back(bytes_of(name));
  }
  unsigned whole = 0, set_aside = 0;
  for (unsigned i = 0; i != rounds; ++i) {
    INFO("round " << i);
    std::size_t const first = random() % (moments.size() - 1);
    std::string const& before = moments[first];
    std::string const& after = moments[first + 1 + random() % (moments.size() - 1 - first)];
    std::string mixed = after;
    std::uint64_t const share = 1 + random() % 8;
    for (std::size_t page = 0; page < mixed.size(); page += 4096) {
      std::size_t const size = std::min<std::size_t>(4096, mixed.size() - page);
      if (random() % 8 < share) continue;
      // What was never written reads as zeros.
      std::string old = page < before.size() ? before.substr(page, size) : "";
      old.resize(size);
      mixed.replace(page, size, old);
    }
    fs::remove_all(place / "s");
    REQUIRE(::mkdir((place / "s").c_str(), 0700) == 0);
    overwrite(name, mixed);
    if (first != 0 && i % 2 == 0) {
      timespec const times[2] = {synced, synced};
      REQUIRE(::utimensat(AT_FDCWD, name.c_str(), times, 0) == 0);
    }
    lmdb_bytes store(place / "s");
    if (files_in(place / "s", "broken").empty())
      ++whole;
    else
      ++set_aside;
    (void)use(store, i);
    CHECK(sound(store));
  }
  CHECK(whole > 0);
  CHECK(set_aside > rounds / 4);
}

TEST_CASE("lmdb: files that are damaged while they are open, by reads and by writes") {
  std::mt19937_64 random(12);
  unsigned const rounds = full() ? 900 : 54;
  folder const place("lmdb");
  unsigned lost = 0;
  for (unsigned i = 0; i != rounds; ++i) {
    INFO("round " << i << ", kind " << i % kinds);
    fs::remove_all(place / "s");
    ::alarm(120);
    lmdb_bytes store(place / "s");
    fill(store);
    std::string const file = data_file(place / "s");
    overwrite(file, damaged(bytes_of(file), i % kinds, random));
    if (random() % 2 == 0) {
      CHECK(write(store, random() % 500, 500));
    }
    // What was damaged and is not seen by its structure is seen by who reads it.
    lost += use(store, i) < 300;
    CHECK(sound(store));
    CHECK(files_in(place / "s", "broken").size() <= 2);
  }
  ::alarm(0);
  CHECK(lost > rounds / 3);
}

TEST_CASE("lmdb: a file that is cut again and again under threads that read and write") {
  folder const place("lmdb");
  lmdb_bytes store(place / "s");
  fill(store);
  std::atomic<bool> stop{false};
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937_64 own(t);
      while (!stop) {
        std::uint64_t const n = own() % 400;
        if (own() % 4 == 0)
          (void)write(store, n, 8 + own() % 20'000, own());
        else
          (void)store.read(address(n), [&](std::string_view bytes) {
            // Nobody damages single entries here.
            bool const good = right(address(n), bytes);
            wrong += !good;
            return good;
          });
      }
    });
  for (unsigned i = 0; i != (full() ? 200u : 12u); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::string const file = data_file(place / "s");
    if (!file.empty()) (void)!::truncate(file.c_str(), i % 3 == 0 ? 0 : 4096 * (1 + i % 40));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  stop = true;
  for (std::thread& t : threads) t.join();
  INFO(store.problem());
  CHECK(write(store, 1, 1000));
  CHECK(read(store, 1) == read_result::accepted);
  CHECK(store.verify(check).right());
}

TEST_CASE("lmdb: the list of readers and the lock damaged") {
  std::mt19937_64 random(13);
  for (unsigned i = 0; i != 24; ++i) {
    INFO("round " << i);
    folder const place("lmdb");
    {
      lmdb_bytes store(place / "s");
      CHECK(write(store, 1, 3000));
    }
    std::string const readers = data_file(place / "s") + "-lock";
    std::string const lock = place / "s/lock";
    std::string noise(i % 2 == 0 ? 70'000 : random() % 300, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    if (i % 4 == 0) fs::remove(readers);
    if (i % 4 == 1) overwrite(readers, noise);
    if (i % 4 == 2) overwrite(lock, noise);
    if (i % 4 == 3) {
      fs::remove(lock);
      if (i % 8 == 3)
        fs::create_directory(lock);
      else
        fs::create_symlink("/etc/passwd", lock);
    }
    lmdb_bytes store(place / "s");
    INFO(store.problem());
    CHECK(write(store, 2, 3000));
    CHECK(read(store, 2) == read_result::accepted);
    CHECK(read(store, 1) == read_result::accepted);
  }
}

TEST_CASE("lmdb: something else where the file should be") {
  folder const place("lmdb");
  std::string const name = place / "s/entries-0123456789abcdef.mdb";
  for (unsigned kind = 0; kind != 4; ++kind) {
    INFO(kind);
    fs::remove_all(place / "s");
    REQUIRE(::mkdir((place / "s").c_str(), 0700) == 0);
    if (kind == 0) REQUIRE(::mkdir(name.c_str(), 0700) == 0);
    if (kind == 1) REQUIRE(::symlink("/etc/passwd", name.c_str()) == 0);
    if (kind == 2) REQUIRE(::mkfifo(name.c_str(), 0600) == 0);
    if (kind == 3) overwrite(name, std::string(100'000, 'x'));
    lmdb_bytes store(place / "s");
    CHECK(write(store, 1, 1000));
    CHECK(read(store, 1) == read_result::accepted);
    CHECK_THAT(store.problem(), Catch::Contains("set aside"));
    CHECK(files_in(place / "s", "broken").size() == 1);
  }
}

TEST_CASE("lmdb: of files that were set aside, two are kept") {
  folder const place("lmdb");
  for (unsigned i = 0; i != 5; ++i) {
    lmdb_bytes store(place / "s");
    CHECK(write(store, 1, 1000));
    overwrite(data_file(place / "s"), std::string(50'000, 'x'));
  }
  lmdb_bytes store(place / "s");
  CHECK(files_in(place / "s", "broken-").size() == 2);
  CHECK(files_in(place / "s", "broken-5").size() == 1);
}
