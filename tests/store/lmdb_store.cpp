// Artifacts in a folder: what entry_store promises, with a file under it.
#include <layerkey/store/lmdb_store.hpp>

#include "entries.hpp"
#include "lmdb_entries.hpp"

#include <catch2/catch.hpp>
#include <layerkey/store/entry_format.hpp>

#include <atomic>
#include <fstream>
#include <thread>

using namespace lmdb_test;
using namespace std::chrono_literals;

namespace {

provenance const tools = {{"tools", "1"}};

store_key key(std::string const& canonical, unsigned variant = 0) {
  return {.layer = "codegen",
          .canonical = canonical,
          .made_by = "",
          .kind = "bytes",
          .variant = variant};
}

std::string canonical(unsigned n) {
  return store_test::canonical_key("codegen", static_cast<char>(n % 256),
                                   static_cast<char>(n / 256));
}

// What is there, or nothing.
std::optional<std::string> load(artifact_store& store, store_key const& key) {
  std::optional<std::string> found;
  (void)store.load(key, [&](std::string_view content) {
    found = content;
    return load_verdict::serves;
  });
  return found;
}

}  // namespace

TEST_CASE("lmdb_store: artifacts outlive the process that made them") {
  folder const place("lmdb");
  CHECK(end_of(start([&] {
          lmdb_store store(place / "s", tools);
          for (unsigned n = 0; n != 50; ++n) {
            std::string const k = canonical(n);
            store.save(key(k), std::string(n * 100, 'a'));
          }
          return store.statistics().saved == 50 ? 0 : 1;
        })) == 0);
  lmdb_store store(place / "s", tools);
  for (unsigned n = 0; n != 50; ++n) {
    std::string const k = canonical(n);
    CHECK(load(store, key(k)) == std::string(n * 100, 'a'));
    CHECK_FALSE(load(store, key(k, 1)));
  }
  CHECK(store.problem() == "");
  CHECK(store.file_statistics().entries == 50);
  CHECK(store.verify().right());
  CHECK(store.folder() == place / "s");
  // Others do not share them.
  lmdb_store others(place / "s", {{"tools", "2"}});
  CHECK_FALSE(load(others, key(canonical(1))));
  lmdb_store none(place / "s", provenance());
  CHECK_FALSE(load(none, key(canonical(1))));
  CHECK(none.problem() != "");
}

TEST_CASE("lmdb_store: two processes, one artifact") {
  folder const place("lmdb");
  shared<std::atomic<unsigned>> compiled(1);
  std::vector<pid_t> processes;
  for (unsigned p = 0; p != 2; ++p)
    processes.push_back(start([&] {
      lmdb_store store(place / "s", tools);
      std::string const k = canonical(1);
      for (unsigned tries = 0; tries != 10; ++tries) {
        if (load(store, key(k)) == "made once") return 0;
        artifact_store::turn const turn = store.begin(key(k), true, {});
        if (turn == artifact_store::turn::own) {
          compiled[0].fetch_add(1);
          std::this_thread::sleep_for(150ms);
          store.save(key(k), "made once");
          store.end(key(k));
          return 0;
        }
      }
      return 1;
    }));
  for (pid_t const p : processes) CHECK(end_of(p) == 0);
  CHECK(compiled[0] == 1);
}

TEST_CASE("lmdb_store: entries that are wrong are found, and removed if asked") {
  folder const place("lmdb");
  lmdb_store store(place / "s", tools);
  for (unsigned n = 0; n != 10; ++n) store.save(key(canonical(n)), "content");
  {
    lmdb_bytes raw(place / "s");
    CHECK(raw.write(address(1), "no entry"));
    // A right one, where another one belongs.
    std::string entry;
    entry_heading const heading = {.layer = "codegen",
                                   .provenance = "x",
                                   .made_by = "",
                                   .canonical = "y",
                                   .kind = "bytes",
                                   .variant = 0};
    CHECK(encode_entry(entry, heading, "z", {}) == "");
    CHECK(raw.write(address(2), entry));
  }
  lmdb_verification v = store.verify();
  CHECK(v.entries == 12);
  CHECK(v.wrong == 2);
  CHECK(v.faults.size() == 2);
  CHECK(v.structure == "");
  v = store.verify(lmdb_bytes::on_wrong::remove);
  CHECK(v.wrong == 2);
  v = store.verify();
  CHECK(v.right());
  CHECK(v.entries == 10);
}

TEST_CASE("lmdb_store: with a secret, only what has its tag comes in") {
  folder const place("lmdb");
  lmdb_options signed_by_us;
  signed_by_us.entries.secret = store_secret::from_bytes("a secret of ours, long enough");
  lmdb_options signed_by_others;
  signed_by_others.entries.secret = store_secret::from_bytes("a secret of others, long enough");
  std::string const file = place / "all";
  {
    lmdb_store plain(place / "plain", tools);
    plain.save(key(canonical(1)), "plain");
    lmdb_store ours(place / "ours", tools, signed_by_us);
    ours.save(key(canonical(2)), "ours");
    CHECK(ours.export_to(file).entries == 1);
    CHECK(plain.import_from(file).entries == 1);
    CHECK(plain.export_to(file).entries == 2);
  }
  lmdb_store store(place / "s", tools, signed_by_us);
  lmdb_transfer const in = store.import_from(file);
  CHECK(in.problem == "");
  CHECK(in.entries == 1);
  CHECK(in.refused == 1);
  CHECK(load(store, key(canonical(2))) == "ours");
  CHECK_FALSE(load(store, key(canonical(1))));
  lmdb_store others(place / "t", tools, signed_by_others);
  CHECK(others.import_from(file).refused == 2);
  lmdb_options unknown;
  unknown.entries.secret = store_secret::from_file(place / "nothing");
  lmdb_store refused(place / "u", tools, unknown);
  CHECK(refused.import_from(file).entries == 0);
  CHECK(refused.import_from(file).problem != "");
  CHECK(refused.verify().problem != "");
}

TEST_CASE(
    "lmdb_store: a store for reading only, one that cannot be opened, one whose file breaks") {
  folder const place("lmdb");
  {
    lmdb_store store(place / "s", tools);
    store.save(key(canonical(1)), "content");
  }
  lmdb_options options;
  options.entries.read_only = true;
  lmdb_store store(place / "s", tools, options);
  CHECK(load(store, key(canonical(1))) == "content");
  store.save(key(canonical(2)), "content");
  CHECK_FALSE(load(store, key(canonical(2))));
  CHECK(store.begin(key(canonical(2)), true, {}) == artifact_store::turn::own);
  store.end(key(canonical(2)));

  lmdb_store nowhere("/proc/none", tools);
  nowhere.save(key(canonical(1)), "content");
  CHECK_FALSE(load(nowhere, key(canonical(1))));
  CHECK(nowhere.statistics().unavailable == 1);
  CHECK(nowhere.statistics().not_saved == 1);
  CHECK_THAT(nowhere.problem(), Catch::Contains("/proc/none"));

  lmdb_store broken(place / "b", tools);
  broken.save(key(canonical(1)), std::string(50'000, 'x'));
  REQUIRE(::truncate(data_file(place / "b").c_str(), 8192) == 0);
  CHECK_FALSE(load(broken, key(canonical(1))));
  CHECK_THAT(broken.problem(), Catch::Contains("set aside"));
  broken.save(key(canonical(1)), "again");
  CHECK(load(broken, key(canonical(1))) == "again");
}
