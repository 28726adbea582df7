// Several places as one store: what is found where, what goes where, and what one of them that is
// gone or slow changes.
#include "map_bytes.hpp"

#include <catch2/catch.hpp>

#include <layerkey/store/lmdb_store.hpp>
#include <layerkey/store/tiered_store.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using layerkey::artifact_store;
using layerkey::entry_store;
using layerkey::load_verdict;
using layerkey::tiered_options;
using layerkey::tiered_store;
using store_test::map_bytes;
using store_test::shared_bytes;
using namespace std::chrono_literals;

namespace {

layerkey::provenance const by{{"test", "1"}};

layerkey::store_key key_of(std::string_view canonical) {
  return {.layer = "codegen", .canonical = canonical, .made_by = "emit", .kind = "bytes"};
}

std::string loaded(artifact_store& store, std::string_view canonical) {
  std::string found = "nothing";
  store.load(key_of(canonical), [&found](std::string_view content) {
    found = content;
    return load_verdict::serves;
  });
  return found;
}

entry_store store_over(std::shared_ptr<map_bytes> const& place,
                       layerkey::store_options options = {}) {
  return {std::make_unique<shared_bytes>(place), by, std::move(options)};
}

struct two_places {
  std::shared_ptr<map_bytes> near = std::make_shared<map_bytes>();
  std::shared_ptr<map_bytes> far = std::make_shared<map_bytes>();

  tiered_store store(tiered_options options = {}) const {
    return {store_over(near), store_over(far), options};
  }
};

// Lets nothing through until it is opened.
class gate : public map_bytes {
 public:
  bool write(address const& at, std::string_view entry) override {
    {
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_open_; });
    }
    return map_bytes::write(at, entry);
  }
  void open() {
    std::lock_guard const lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void wait_for_a_write() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ != 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int waiting_ = 0;
};

}  // namespace

TEST_CASE(
    "tiered store: what is saved goes to each place, and what is found goes to the near one") {
  two_places const places;
  {
    auto store = places.store();
    store.save(key_of("a"), "artifact of a");
    CHECK(places.near->size() == 1);
    store.flush();
    CHECK(places.far->size() == 1);
    CHECK(loaded(store, "a") == "artifact of a");
    CHECK(loaded(store, "b") == "nothing");
  }
  CHECK(places.near->only_entry() == places.far->only_entry());

  auto const elsewhere = std::make_shared<map_bytes>();
  tiered_store other(store_over(elsewhere), store_over(places.far));
  CHECK(loaded(other, "a") == "artifact of a");
  CHECK(elsewhere->only_entry() == places.far->only_entry());
  places.far->set_gone(true);
  CHECK(loaded(other, "a") == "artifact of a");
  CHECK(other.statistics().served == 2);
}

TEST_CASE("tiered store: what is wrong in the near place is mended from the far one") {
  two_places const places;
  auto store = places.store();
  store.save(key_of("a"), "artifact of a");
  store.flush();
  auto damaged = places.near->only_entry();
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  places.near->write(places.near->only_address(), damaged);
  CHECK(loaded(store, "a") == "artifact of a");
  CHECK(places.near->only_entry() == places.far->only_entry());
  CHECK(store.statistics().all_faults() == 1);

  // Wrong in both: gone from both.
  places.near->write(places.near->only_address(), damaged);
  places.far->write(places.far->only_address(), damaged);
  CHECK(loaded(store, "a") == "nothing");
  CHECK(places.near->size() == 0);
  CHECK(places.far->size() == 0);
}

TEST_CASE("tiered store: an entry that is not valid here may be another one in the far place") {
  two_places const places;
  auto near = store_over(places.near);
  near.save(key_of("a"), "made for another file");
  auto far = store_over(places.far);
  far.save(key_of("a"), "made for this file");
  auto store = places.store();
  std::string found;
  auto const result = store.load(key_of("a"), [&found](std::string_view content) {
    if (content != "made for this file") return load_verdict::not_valid;
    found = content;
    return load_verdict::serves;
  });
  CHECK(result == artifact_store::load_result::served);
  CHECK(found == "made for this file");
}

TEST_CASE("tiered store: a place that is gone is passed over") {
  two_places const places;
  auto store = places.store();
  bool const near_is_gone = GENERATE(true, false);
  auto const& gone = near_is_gone ? places.near : places.far;
  auto const& left = near_is_gone ? places.far : places.near;
  gone->set_gone(true);
  store.save(key_of("a"), "artifact of a");
  store.flush();
  CHECK(left->size() == 1);
  CHECK(loaded(store, "a") == "artifact of a");
  CHECK(loaded(store, "b") == "nothing");
  CHECK(store.problem().find("gone") != std::string::npos);
  CHECK(store.begin(key_of("b"), true, {}) == artifact_store::turn::own);
  store.end(key_of("b"));
  CHECK(left->leases() == 0);

  left->set_gone(true);
  CHECK(loaded(store, "a") == "nothing");
  CHECK(store.statistics().unavailable == 1);
  CHECK(store.begin(key_of("a"), true, {}) == artifact_store::turn::own);
  store.end(key_of("a"));
}

TEST_CASE(
    "tiered store: saving does not wait for a slow place, and no more than so much is pending") {
  auto const near = std::make_shared<map_bytes>();
  auto const slow = std::make_shared<gate>();
  bool const by_count = GENERATE(true, false);
  tiered_options const options =
      by_count ? tiered_options{.pending_entries = 3} : tiered_options{.pending_bytes = 4000};
  {
    tiered_store store(store_over(near), store_over(slow), options);
    store.save(key_of("first"), std::string(1000, 'x'));
    slow->wait_for_a_write();
    for (int i = 0; i != 10; ++i)
      store.save(key_of("a" + std::to_string(i)), std::string(1000, 'x'));
    CHECK(near->size() == 11);
    CHECK(store.dropped() == 7);
    slow->open();
    store.flush();
    CHECK(slow->size() == 4);
    CHECK(store.problem().empty());
  }
  CHECK(slow->size() == 4);
}

TEST_CASE("tiered store: the end waits for what is pending, but not for ever") {
  auto const near = std::make_shared<map_bytes>();
  {
    auto const far = std::make_shared<map_bytes>();
    {
      tiered_store store(store_over(near), store_over(far));
      for (int i = 0; i != 100; ++i) store.save(key_of(std::to_string(i)), "x");
    }
    CHECK(far->size() == 100);
  }
  auto const slow = std::make_shared<gate>();
  std::thread opener;
  {
    tiered_store store(store_over(near), store_over(slow), {.linger = 1ms});
    for (int i = 0; i != 100; ++i) store.save(key_of(std::to_string(i)), "x");
    slow->wait_for_a_write();
    opener = std::thread([&slow] {
      std::this_thread::sleep_for(100ms);
      slow->open();
    });
  }
  opener.join();
  CHECK(slow->size() == 1);
}

TEST_CASE("tiered store: whoever shares one of the places waits for whoever makes it") {
  auto const far = std::make_shared<map_bytes>();
  auto const here = std::make_shared<map_bytes>();
  tiered_store one(store_over(here), store_over(far));
  tiered_store same_machine(store_over(here), store_over(std::make_shared<map_bytes>()));
  tiered_store other_machine(store_over(std::make_shared<map_bytes>()), store_over(far));
  REQUIRE(loaded(one, "a") == "nothing");
  REQUIRE(one.begin(key_of("a"), true, {}) == artifact_store::turn::own);
  std::string found[2];
  std::vector<std::thread> others;
  for (auto* each : {&same_machine, &other_machine})
    others.emplace_back([each, &to = found[each == &same_machine]] {
      if (loaded(*each, "a") == "nothing" &&
          each->begin(key_of("a"), true, {}) == artifact_store::turn::own)
        to = "its own";
      else
        to = loaded(*each, "a");
    });
  std::this_thread::sleep_for(50ms);
  one.save(key_of("a"), "artifact of a");
  one.end(key_of("a"));
  for (auto& each : others) each.join();
  for (auto const& each : found) CHECK(each == "artifact of a");
  one.flush();
  CHECK(far->leases() == 0);
  CHECK(here->leases() == 0);
}

TEST_CASE("tiered store: the lease in the far place lasts until what was made is there") {
  auto const near = std::make_shared<map_bytes>();
  auto const slow = std::make_shared<gate>();
  tiered_store store(store_over(near), store_over(slow));
  REQUIRE(store.begin(key_of("a"), true, {}) == artifact_store::turn::own);
  store.save(key_of("a"), "artifact of a");
  slow->wait_for_a_write();
  store.end(key_of("a"));
  CHECK(near->leases() == 0);
  CHECK(slow->leases() == 1);
  slow->open();
  store.flush();
  CHECK(slow->leases() == 0);
}

TEST_CASE("tiered store: stores that differ in what they believe are not joined") {
  auto const near = std::make_shared<map_bytes>();
  auto const far = std::make_shared<map_bytes>();
  auto const refused = [&](tiered_store store, char const* why) {
    CHECK(store.problem().find(why) != std::string::npos);
    store.save(key_of("a"), "artifact of a");
    store.flush();
    CHECK(loaded(store, "a") == "nothing");
    CHECK(near->size() + far->size() == 0);
  };
  refused({store_over(near), entry_store(std::make_unique<shared_bytes>(far), {{"test", "2"}})},
          "provenance");
  refused({store_over(near),
           store_over(far, {.secret = layerkey::store_secret::from_bytes("0123456789abcdef")})},
          "secret");
  refused({store_over(near), entry_store(std::make_unique<shared_bytes>(far), {})}, "empty");
}

TEST_CASE("tiered store: a child writes itself") {
  two_places const places;
  auto store = places.store();
  store.save(key_of("a"), "x");
  store.flush();
  pid_t const child = fork();
  if (child == 0) {
    alarm(20);
    {
      auto inner = std::move(store);
      inner.save(key_of("b"), "y");
      inner.flush();
      if (places.far->size() != 2) _exit(1);
    }
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  store.save(key_of("c"), "z");
  store.flush();
  CHECK(places.far->size() == 2);
}
