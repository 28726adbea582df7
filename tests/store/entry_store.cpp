// Any store of bytes as a store of artifacts: what is loaded and saved, counted, waited for.
#include <layerkey/store/entry_store.hpp>

#include "entries.hpp"
#include "map_bytes.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace layerkey;
using namespace store_test;
using namespace std::chrono_literals;

namespace {

using result = artifact_store::load_result;
using turn = artifact_store::turn;
using clock_type = std::chrono::steady_clock;

std::shared_ptr<map_bytes> new_bytes() { return std::make_shared<map_bytes>(); }

entry_store store_in(std::shared_ptr<map_bytes> bytes, store_options options = {},
                     provenance made_by = {{"clang", "19.1.7"}}) {
  return entry_store(std::make_unique<shared_bytes>(std::move(bytes)), std::move(made_by),
                     std::move(options));
}

std::optional<std::string> loaded(entry_store& store, store_key const& key) {
  std::string seen;
  auto const read = [&seen](std::string_view found) {
    seen = found;
    return load_verdict::serves;
  };
  if (store.load(key, read) != result::served) return {};
  return seen;
}

// A key of its own for each number.
struct numbered {
  std::string canonical;
  std::string layer = "codegen";
  std::string made_by = "emit";

  explicit numbered(int n) : canonical(canonical_key("codegen", 0, 'x') + number(n, 4)) {}
  static std::string number(int n, unsigned bytes) {
    return store_test::number(static_cast<std::uint64_t>(n), bytes);
  }
  store_key key(unsigned variant = 0) const {
    return {.layer = layer,
            .canonical = canonical,
            .made_by = made_by,
            .kind = "text",
            .variant = variant};
  }
};

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

// ---- loading and saving ------------------------------------------------------------------------

TEST_CASE("entry store: what was saved is loaded") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  numbered const one(1);
  CHECK(loaded(store, one.key()) == std::nullopt);
  store.save(one.key(), "first");
  CHECK(loaded(store, one.key()) == "first");
  store.save(one.key(), "second");
  CHECK(loaded(store, one.key()) == "second");
  store.save(one.key(1), "");
  CHECK(loaded(store, one.key(1)) == "");
  CHECK(loaded(store, one.key()) == "second");
  CHECK(loaded(store, one.key(2)) == std::nullopt);
  CHECK(loaded(store, numbered(2).key()) == std::nullopt);
  CHECK(bytes->size() == 2);
  CHECK(store.problem() == "");

  entry_store another = store_in(bytes);
  CHECK(loaded(another, one.key()) == "second");
  entry_store moved = std::move(another);
  CHECK(loaded(moved, one.key()) == "second");
  CHECK(moved.statistics().served == 2);
  moved = store_in(new_bytes());
  CHECK(loaded(moved, one.key()) == std::nullopt);
}

TEST_CASE("entry store: what is kept apart") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  numbered const one(1);
  store.save(one.key(), "right");
  auto const misses = [&](auto&& change) {
    store_key other = one.key();
    change(other);
    return loaded(store, other) == std::nullopt && loaded(store, one.key()) == "right";
  };
  CHECK(misses([](store_key& k) { k.layer = "linking"; }));
  CHECK(misses([](store_key& k) { k.layer = "kodegen"; }));
  CHECK(misses([](store_key& k) { k.made_by = "emit2"; }));
  CHECK(misses([](store_key& k) { k.made_by = "emiT"; }));
  CHECK(misses([](store_key& k) { k.canonical = "other"; }));
  CHECK(misses([](store_key& k) { k.variant = 1; }));
  CHECK(store.statistics().all_faults() == 0);

  // On one thread, which remembers what both have in common.
  entry_store older = store_in(bytes, {}, {{"clang", "19.1.6"}});
  for (int i = 0; i != 3; ++i) {
    CHECK(loaded(older, one.key()) == std::nullopt);
    CHECK(loaded(store, one.key()) == "right");
  }
  older.save(one.key(), "of the older one");
  CHECK(loaded(older, one.key()) == "of the older one");
  CHECK(loaded(store, one.key()) == "right");
  CHECK(bytes->size() == 2);
}

TEST_CASE("entry store: many layers on one thread") {
  entry_store store = store_in(new_bytes());
  std::vector<numbered> all;
  for (int i = 0; i != 200; ++i) {
    all.emplace_back(i);
    all.back().layer = "layer" + std::to_string(i % 50);
    all.back().made_by = std::string(static_cast<std::size_t>(i % 7), 'm');
  }
  for (int i = 0; i != 200; ++i)
    store.save(all[static_cast<std::size_t>(i)].key(), std::to_string(i));
  for (int i = 0; i != 200; ++i)
    CHECK(loaded(store, all[static_cast<std::size_t>(i)].key()) == std::to_string(i));
}

TEST_CASE("entry store: an entry of another kind is a fault and is replaced") {
  entry_store store = store_in(new_bytes());
  numbered const one(1);
  store.save(one.key(), "text");
  store_key other = one.key();
  other.kind = "text/2";
  CHECK(loaded(store, other) == std::nullopt);
  CHECK(store.statistics()[entry_fault::other_kind].count == 1);
  store.save(other, "text 2");
  CHECK(loaded(store, other) == "text 2");
}

TEST_CASE("entry store: what the reader says") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  numbered const one(1);
  store.save(one.key(), "text");
  CHECK(store.load(one.key(), [](std::string_view) { return load_verdict::not_valid; }) ==
        result::not_valid);
  CHECK(bytes->size() == 1);
  CHECK(store.load(one.key(), [](std::string_view) { return load_verdict::not_readable; }) ==
        result::missed);
  CHECK(bytes->size() == 0);
  store_statistics const s = store.statistics();
  CHECK(s.loads == 2);
  CHECK(s.not_valid == 1);
  CHECK(s.faulty == 1);
  CHECK(s.repaired == 1);
}

TEST_CASE("entry store: contents of all sizes, compressed and signed or not") {
  for (bool const is_signed : {false, true})
    for (std::size_t const compress_from : {0u, 100u}) {
      auto const bytes = new_bytes();
      store_options options{.compress_from = compress_from};
      if (is_signed) options.secret = store_secret::from_bytes(secret_text);
      entry_store store = store_in(bytes, options);
      std::string content;
      for (std::size_t const size : {0u, 1u, 99u, 100u, 5000u, 100'000u, 6'000'000u, 10u}) {
        while (content.size() < size) content += "line " + std::to_string(content.size()) + "\n";
        content.resize(size);
        numbered const one(static_cast<int>(size));
        store.save(one.key(), content);
        CHECK((loaded(store, one.key()) == content));
      }
      CHECK(store.statistics().served == 8);
      CHECK((store.statistics().bytes_written < 4'000'000) == (compress_from != 0));
      CHECK(store.statistics().bytes_read == store.statistics().bytes_written);
    }
}

TEST_CASE("entry store: a reader that loads in turn") {
  entry_store store = store_in(new_bytes(), {.compress_from = 1});
  std::string const outer(1000, 'o');
  std::string const inner(5000, 'i');
  store.save(numbered(1).key(), outer);
  store.save(numbered(2).key(), inner);
  std::string seen;
  CHECK(store.load(numbered(1).key(), [&](std::string_view content) {
    CHECK(loaded(store, numbered(2).key()) == inner);
    seen = content;
    return load_verdict::serves;
  }) == result::served);
  CHECK(seen == outer);
}

TEST_CASE("entry store: many at once") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  std::vector<numbered> all;
  for (int i = 0; i != 5; ++i) all.emplace_back(i);
  for (int i : {0, 2, 3, 4}) store.save(all[static_cast<std::size_t>(i)].key(), std::to_string(i));
  bytes->write(address_of({.layer = "codegen",
                           .provenance = "clang=19.1.7",
                           .made_by = "emit",
                           .canonical = all[4].canonical,
                           .kind = "",
                           .variant = 0}),
               "damaged");
  std::vector<store_key> keys;
  for (auto const& each : all) keys.push_back(each.key());
  std::string seen;
  auto const results = store.load_many(keys, [&seen](std::size_t which, std::string_view content) {
    seen += std::to_string(which) + "=" + std::string(content) + " ";
    return which == 3 ? load_verdict::not_valid : load_verdict::serves;
  });
  CHECK(results == std::vector{result::served, result::missed, result::served, result::not_valid,
                               result::missed});
  CHECK(seen == "0=0 2=2 3=3 ");
  store_statistics const s = store.statistics();
  CHECK(s.loads == 5);
  CHECK(s.served == 2);
  CHECK(s.absent == 1);
  CHECK(s.not_valid == 1);
  CHECK(s[entry_fault::too_short].count == 1);
  CHECK(s.repaired == 1);
  CHECK(store.load_many({}, {}).empty());
  entry_store refused = store_in(bytes, {}, {});
  CHECK(refused.load_many(keys, {}) == std::vector<result>(5, result::missed));
  CHECK(refused.statistics().unavailable == 5);
}

// ---- stores that cannot be used ----------------------------------------------------------------

TEST_CASE("entry store: without a provenance nothing is kept") {
  struct {
    provenance made_by;
    store_secret secret;
    std::string_view says;
  } const all[] = {
      {{}, {}, "its provenance is empty"},
      {this_build({"liblayerkey_none"}), {}, "no library of the name liblayerkey_none"},
      {{{"", "1"}}, {}, "a value without a name"},
      {{{"a", "1"}}, store_secret::from_bytes("short"), "a secret has at least 16"},
      {{{"a", "1"}}, store_secret::from_file("/layerkey/none"), "/layerkey/none: cannot be read"},
  };
  for (auto const& each : all) {
    CAPTURE(each.says);
    auto const bytes = new_bytes();
    entry_store store = store_in(bytes, {.secret = each.secret}, each.made_by);
    CHECK(has(store.problem(), each.says));
    numbered const one(1);
    store.save(one.key(), "text");
    CHECK(bytes->size() == 0);
    CHECK(loaded(store, one.key()) == std::nullopt);
    CHECK(store.begin(one.key(), true, {}) == turn::own);
    store.end(one.key());
    store.flush();
    CHECK(bytes->leases() == 0);
    CHECK(store.statistics().unavailable == 1);
    CHECK(store.statistics().not_saved == 1);
    CHECK(has(store.statistics().why_not_saved, each.says));
  }
}

TEST_CASE("entry store: without a place for bytes") {
  entry_store store(nullptr, {{"a", "1"}});
  CHECK(has(store.problem(), "no place for its bytes"));
  store.save(numbered(1).key(), "text");
  CHECK(loaded(store, numbered(1).key()) == std::nullopt);
  store.flush();
}

TEST_CASE("entry store: while its bytes cannot be had") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  numbered const one(1);
  store.save(one.key(), "text");
  bytes->set_gone(true);
  CHECK(loaded(store, one.key()) == std::nullopt);
  store.save(one.key(), "text");
  CHECK(store.begin(one.key(), true, {}) == turn::own);
  store.end(one.key());
  CHECK(has(store.problem(), "map_bytes: gone"));
  bytes->set_gone(false);
  CHECK(loaded(store, one.key()) == "text");
  store_statistics const s = store.statistics();
  CHECK(s.unavailable == 1);
  CHECK(s.saved == 1);
  CHECK(s.not_saved == 1);
  CHECK(s.why_not_saved == "layer codegen: map_bytes: gone. Wait until the test brings it back");
}

TEST_CASE("entry store: what does not fit is not saved and says so") {
  entry_store store = store_in(new_bytes());
  std::string const long_name(70'000, 'n');
  numbered const one(1);
  store_key key = one.key();
  key.kind = long_name;
  store.save(key, "text");
  CHECK(store.statistics().not_saved == 1);
  CHECK(has(store.problem(), "more than 65,535 bytes"));
}

TEST_CASE("entry store: one that only reads") {
  auto const bytes = new_bytes();
  entry_store writer = store_in(bytes);
  numbered const one(1);
  writer.save(one.key(), "text");
  entry_store reader = store_in(bytes, {.read_only = true});
  CHECK(loaded(reader, one.key()) == "text");
  reader.save(one.key(), "other");
  reader.save(numbered(2).key(), "other");
  CHECK(loaded(writer, one.key()) == "text");
  CHECK(bytes->size() == 1);
  CHECK(reader.begin(numbered(2).key(), true, {}) == turn::own);
  CHECK(bytes->leases() == 0);
  reader.end(numbered(2).key());
  CHECK(reader.statistics().saved == 0);
  CHECK(reader.statistics().not_saved == 0);
}

// ---- one makes it, others wait -----------------------------------------------------------------

TEST_CASE("entry store: the first has the turn, the second gets what it made") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes);
  entry_store other = store_in(bytes);
  numbered const one(1);
  CHECK(loaded(maker, one.key()) == std::nullopt);
  CHECK(loaded(other, one.key()) == std::nullopt);
  CHECK(maker.begin(one.key(), true, {}) == turn::own);

  std::atomic<bool> saved = false;
  auto const before = clock_type::now();
  std::thread waiter([&] {
    CHECK(other.begin(one.key(), true, {}) == turn::look_again);
    CHECK(saved);
    CHECK(loaded(other, one.key()) == "made");
  });
  std::this_thread::sleep_for(30ms);
  saved = true;
  maker.save(one.key(), "made");
  waiter.join();
  CHECK(clock_type::now() - before < 5s);  // before the lease is over
  maker.end(one.key());
  CHECK(bytes->leases() == 0);
  CHECK(other.statistics().waits == 1);
  CHECK(other.statistics().leases_timed_out == 0);
  CHECK(maker.statistics().waits == 0);
}

TEST_CASE("entry store: who waits makes it if the first gives up") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes);
  entry_store other = store_in(bytes);
  numbered const one(1);
  CHECK(maker.begin(one.key(), true, {}) == turn::own);
  std::thread gives_up([&] {
    std::this_thread::sleep_for(20ms);
    maker.end(one.key());
  });
  CHECK(other.begin(one.key(), true, {}) == turn::own);
  gives_up.join();
  CHECK(bytes->leases() == 1);  // of the other one
  other.end(one.key());
  CHECK(bytes->leases() == 0);
}

TEST_CASE("entry store: nobody waits longer than a lease") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes, {.lease_time = 10min});
  entry_store other = store_in(bytes, {.lease_time = 60ms});
  numbered const one(1);
  CHECK(maker.begin(one.key(), true, {}) == turn::own);
  auto const before = clock_type::now();
  CHECK(other.begin(one.key(), true, {}) == turn::own);
  auto const waited = clock_type::now() - before;
  CHECK(waited >= 60ms);
  CHECK(waited < 5s);
  CHECK(other.statistics().waits == 1);
  CHECK(other.statistics().leases_timed_out == 1);
  // What another one holds is left to it.
  other.end(one.key());
  CHECK(bytes->leases() == 1);
  maker.end(one.key());
  CHECK(bytes->leases() == 0);
}

TEST_CASE("entry store: the lease of one that died is over after its time") {
  auto const bytes = new_bytes();
  numbered const one(1);
  {
    entry_store dies = store_in(bytes, {.lease_time = 50ms});
    CHECK(dies.begin(one.key(), true, {}) == turn::own);
  }
  entry_store other = store_in(bytes, {.lease_time = 10min});
  auto const before = clock_type::now();
  CHECK(other.begin(one.key(), true, {}) == turn::own);
  CHECK(clock_type::now() - before < 5s);
  CHECK(other.statistics().leases_timed_out == 0);
}

TEST_CASE("entry store: without leases, and where waiting is not wanted") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes, {.lease_time = 10min});
  entry_store hasty = store_in(bytes, {.lease_time = 0ms});
  numbered const one(1);
  CHECK(hasty.begin(one.key(), true, {}) == turn::own);
  CHECK(bytes->leases() == 0);
  CHECK(maker.begin(one.key(), false, {}) == turn::own);
  CHECK(bytes->leases() == 1);
  auto const before = clock_type::now();
  CHECK(hasty.begin(one.key(), true, {}) == turn::own);
  entry_store other = store_in(bytes, {.lease_time = 10min});
  CHECK(other.begin(one.key(), false, {}) == turn::own);
  CHECK(clock_type::now() - before < 5s);
  other.end(one.key());
  hasty.end(one.key());
  CHECK(bytes->leases() == 1);
  maker.end(one.key());
  CHECK(bytes->leases() == 0);
}

TEST_CASE("entry store: who is asked to stop does not wait") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes, {.lease_time = 10min});
  entry_store other = store_in(bytes, {.lease_time = 10min});
  numbered const one(1);
  CHECK(maker.begin(one.key(), true, {}) == turn::own);
  std::stop_source source;
  std::thread stops([&] {
    std::this_thread::sleep_for(20ms);
    source.request_stop();
  });
  auto const before = clock_type::now();
  CHECK(other.begin(one.key(), true, source.get_token()) == turn::own);
  CHECK(other.begin(one.key(), true, source.get_token()) == turn::own);
  CHECK(clock_type::now() - before < 5s);
  stops.join();
  other.end(one.key());
  CHECK(bytes->leases() == 1);
}

TEST_CASE("entry store: what is there and of no use is waited for once and not for ever") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes);
  entry_store other = store_in(bytes);
  numbered const one(1);
  maker.save(one.key(), "not valid");
  auto const refuses = [](std::string_view) { return load_verdict::not_valid; };
  CHECK(other.load(one.key(), refuses) == result::not_valid);
  // Nobody makes it, so there is nothing to look at again.
  CHECK(other.begin(one.key(), true, {}) == turn::own);
  other.end(one.key());

  CHECK(maker.begin(one.key(), true, {}) == turn::own);
  std::atomic<bool> saved = false;
  std::thread makes([&] {
    std::this_thread::sleep_for(20ms);
    maker.save(one.key(), "valid");
    saved = true;
    maker.end(one.key());
  });
  CHECK(other.begin(one.key(), true, {}) == turn::look_again);
  CHECK(saved);
  makes.join();
  CHECK(loaded(other, one.key()) == "valid");
  CHECK(bytes->leases() == 0);
}

TEST_CASE("entry store: what was made between the look and the turn is looked at once") {
  auto const bytes = new_bytes();
  entry_store maker = store_in(bytes);
  entry_store other = store_in(bytes);
  numbered const one(1);
  CHECK(loaded(other, one.key()) == std::nullopt);
  maker.save(one.key(), "made");
  CHECK(other.begin(one.key(), true, {}) == turn::look_again);
  CHECK(bytes->leases() == 0);
  CHECK(other.begin(one.key(), true, {}) == turn::own);
  other.end(one.key());
  CHECK(bytes->leases() == 0);
}

TEST_CASE("entry store: each key is made once, however many want it") {
  auto const bytes = new_bytes();
  constexpr int keys = 50;
  std::atomic<int> made[keys] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      entry_store store = store_in(bytes);  // as in a process of its own
      for (int i = 0; i != keys; ++i) {
        int const n = (i * 7 + t * 13) % keys;
        numbered const wanted(n);
        for (;;) {
          auto const found = loaded(store, wanted.key());
          if (found) {
            if (*found != std::to_string(n)) std::abort();
            break;
          }
          if (store.begin(wanted.key(), true, {}) == turn::look_again) continue;
          ++made[n];
          std::this_thread::sleep_for(1ms);
          store.save(wanted.key(), std::to_string(n));
          store.end(wanted.key());
          break;
        }
      }
    });
  for (auto& each : threads) each.join();
  for (int n = 0; n != keys; ++n) CHECK(made[n] == 1);
  CHECK(bytes->leases() == 0);
}

// ---- threads -----------------------------------------------------------------------------------

TEST_CASE("entry store: threads that load, save and damage") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes, {.compress_from = 64});
  constexpr int keys = 16;
  auto const content = [](int n) { return std::string(static_cast<std::size_t>(n) * 20, 'c'); };
  std::atomic<int> wrong = 0;
  std::atomic<int> served = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      std::uint64_t state = static_cast<std::uint64_t>(t) + 1;
      for (int i = 0; i != 3000; ++i) {
        state = state * 6364136223846793005 + 1442695040888963407;
        int const n = static_cast<int>(state >> 40) % keys;
        int const what = static_cast<int>(state >> 50) % 8;
        numbered const one(n);
        if (what == 0) {
          store.save(one.key(), content(n));
        } else if (what == 1) {
          entry_address const at = address_of({.layer = one.layer,
                                               .provenance = "clang=19.1.7",
                                               .made_by = one.made_by,
                                               .canonical = one.canonical,
                                               .kind = "",
                                               .variant = 0});
          bytes->write(at, std::string(static_cast<std::size_t>(i % 300), 'x'));
        } else if (auto const found = loaded(store, one.key())) {
          ++served;
          if (*found != content(n)) ++wrong;
        }
      }
    });
  for (auto& each : threads) each.join();
  CHECK(wrong == 0);
  CHECK(served > 100);
  store_statistics const s = store.statistics();
  CHECK(s.served == static_cast<std::uint64_t>(served.load()));
  CHECK(s.loads == s.served + s.absent + s.not_valid + s.faulty + s.unavailable);
  CHECK(s.faulty == s.all_faults());
  CHECK(s.faulty > 100);
  CHECK(s.repaired <= s.faulty);
  CHECK(store.problem() == "");
}

// ---- which code --------------------------------------------------------------------------------

namespace {
int stage(int x) { return x; }
}  // namespace

TEST_CASE("entry store: code by name, and by build where the provenance is the build") {
  void const* const function = reinterpret_cast<void const*>(&stage);
  entry_store const by_name = store_in(new_bytes());
  CHECK(by_name.code_identity(function, "stage") == "stage");
  entry_store const by_build = store_in(new_bytes(), {}, this_build());
  CHECK(by_build.code_identity(function, "stage") == build_id_of_code(function));
  entry_store const by_both = store_in(new_bytes(), {}, this_build().add("ptxas", "12"));
  CHECK(by_both.code_identity(function, "stage") == build_id_of_code(function));
}

// ---- statistics --------------------------------------------------------------------------------

TEST_CASE("entry store: statistics as a table") {
  auto const bytes = new_bytes();
  entry_store store = store_in(bytes);
  CHECK(to_text(store.statistics()) == "loads  0\n");
  numbered const one(1);
  loaded(store, one.key());
  store.save(one.key(), "text");
  for (int i = 0; i != 10; ++i) loaded(store, one.key());
  bytes->write(bytes->only_address(), "damaged");
  loaded(store, one.key());
  std::ostringstream out;
  out << store.statistics();
  std::string const size = std::to_string(store.statistics().bytes_written);
  std::string const read = std::to_string(10 * store.statistics().bytes_written + 7);
  auto const row = [](std::string name, std::string number, std::string words = {}) {
    name.resize(13, ' ');
    return name + "  " + std::string(4 - number.size(), ' ') + number +
           (words.empty() ? "" : "  " + words) + "\n";
  };
  CHECK(out.str() == row("loads", "12") + row("served", "10") + row("absent", "1") +
                         row("faulty", "1") +
                         row("too_short", "1", store.statistics()[entry_fault::too_short].last) +
                         row("repaired", "1") + row("saved", "1") + row("bytes read", read) +
                         row("bytes written", size));
}
