// Pins by themselves: what is pinned is there, what is not goes.
#include <layerkey/cache/detail/pins.hpp>

#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

using layerkey::detail::hold;
using layerkey::detail::pin_domain;
using layerkey::detail::pinnable;
using layerkey::detail::thread_pins;

namespace {

constexpr std::size_t block = thread_pins::slots_of_a_block;

struct object final : pinnable {
  static inline std::atomic<int> alive = 0;

  int n;
  hold inner;  // of another object
  std::atomic<bool> whole{true};

  explicit object(int number, hold other = {})
      : pinnable([](pinnable const* self) { delete static_cast<object const*>(self); }),
        n(number),
        inner(std::move(other)) {
    ++alive;
  }
  ~object() {
    whole = false;
    --alive;
  }
};

// Where readers find an object; it is one of its owners.
class place {
 public:
  explicit place(object* o = nullptr) { put(o); }
  place(place const&) = delete;
  place& operator=(place const&) = delete;
  ~place() { put(nullptr); }

  void put(object* o) {
    if (o) o->publish();
    auto const before = where_.exchange(reinterpret_cast<std::uintptr_t>(o));
    if (before != 0) object_of(before)->drop_owner();
  }
  hold pin() const {
    auto const word = where_.load(std::memory_order_acquire);
    return word == 0 ? hold() : hold::pin(pin_domain::here(), object_of(word), where_, word);
  }

 private:
  static object* object_of(std::uintptr_t word) { return reinterpret_cast<object*>(word); }

  std::atomic<std::uintptr_t> where_{0};
};

int number_of(hold const& h) { return static_cast<object const*>(h.get())->n; }

}  // namespace

TEST_CASE("an object that nobody could find goes with its last owner") {
  auto* const o = new object(1);
  {
    auto const mine = hold::adopt(o);
    auto const other = hold::own(o);
    auto const copy = other;
    CHECK(object::alive == 1);
  }
  CHECK(object::alive == 0);
}

TEST_CASE("a pin keeps an object that was taken away, and its end destroys it") {
  place p(new object(1));
  auto pin = p.pin();
  CHECK(pin);
  p.put(nullptr);
  CHECK(object::alive == 1);
  CHECK(number_of(pin) == 1);
  CHECK_FALSE(p.pin());
  pin = {};
  CHECK(object::alive == 0);
}

TEST_CASE("a place that holds another object, or none, leaves what was pinned there") {
  place p(new object(1));
  auto const first = p.pin();
  p.put(new object(2));
  auto const second = p.pin();
  p.put(nullptr);
  CHECK(number_of(first) == 1);
  CHECK(number_of(second) == 2);
  CHECK(object::alive == 2);
}

TEST_CASE("all that was pinned has gone") { CHECK(object::alive == 0); }

TEST_CASE("a copy of a pin is an owner, and a moved one is the same pin") {
  place p(new object(1));
  auto pin = p.pin();
  auto copy = pin;
  auto moved = std::move(pin);
  CHECK_FALSE(pin);
  p.put(nullptr);
  moved = {};
  CHECK(object::alive == 1);
  CHECK(number_of(copy) == 1);
  copy = copy.get() ? std::move(copy) : hold();
  CHECK(object::alive == 1);
  copy = {};
  CHECK(object::alive == 0);
}

TEST_CASE("a thread has as many pins as it needs, released in any order") {
  constexpr std::size_t count = 4 * block + 3;
  std::minstd_rand random(1);
  for (int order = 0; order != 3; ++order) {
    std::vector<std::unique_ptr<place>> places;
    std::vector<hold> pins;
    for (std::size_t i = 0; i != count; ++i) {
      places.push_back(std::make_unique<place>(new object(static_cast<int>(i))));
      pins.push_back(places.back()->pin());
    }
    places.clear();
    CHECK(object::alive == static_cast<int>(count));
    for (std::size_t i = 0; i != count; ++i) CHECK(number_of(pins[i]) == static_cast<int>(i));
    if (order == 1) std::reverse(pins.begin(), pins.end());
    if (order == 2) std::shuffle(pins.begin(), pins.end(), random);
    while (!pins.empty()) {
      pins.pop_back();
      CHECK(object::alive == static_cast<int>(pins.size()));  // few enough to be exact
    }
  }
}

TEST_CASE("pins that live long hold up nothing else, and little more is kept than they pin") {
  for (int pinned : {1, 10, 300}) {
    CAPTURE(pinned);
    std::vector<hold> long_lived;
    for (int i = 0; i != pinned; ++i) {
      place p(new object(i));
      long_lived.push_back(p.pin());
    }
    int most = 0;
    place p;
    for (int i = 0; i != 20'000; ++i) {
      p.put(new object(i));
      CHECK(number_of(p.pin()) == i);
      most = std::max(most, object::alive.load());
    }
    CHECK(most <= 3 * pinned + 3);
    for (int i = 0; i != pinned; ++i)
      CHECK(number_of(long_lived[static_cast<std::size_t>(i)]) == i);
  }
  CHECK(object::alive == 0);
}

TEST_CASE("an object may hold another, whose end comes with its own") {
  hold chain;
  for (int i = 0; i != 60; ++i) {
    place p(new object(i, std::move(chain)));
    chain = p.pin();
  }
  CHECK(object::alive == 60);
  chain = {};
  CHECK(object::alive == 0);
}

TEST_CASE("the order with a fence on the reader's side works too") {
  auto& pins = pin_domain::here();
  bool const before = std::exchange(pins.fence, true);
  {
    place p(new object(1));
    auto const pin = p.pin();
    p.put(nullptr);
    CHECK(number_of(pin) == 1);
  }
  CHECK(object::alive == 0);
  pins.fence = before;
}

// ---- threads -----------------------------------------------------------------------------------

TEST_CASE("a thread that ends leaves its pins, and its record to the next thread") {
  std::set<std::size_t> records;
  std::vector<hold> pins;
  for (int i = 0; i != 100; ++i) {
    place p(new object(i));
    std::thread([&] {
      records.insert(pin_domain::here().index);
      pins.push_back(p.pin());
    }).join();
  }
  CHECK(records.size() == 1);  // one thread at a time
  CHECK(object::alive == 100);
  for (int i = 0; i != 100; ++i) CHECK(number_of(pins[static_cast<std::size_t>(i)]) == i);
  pins.clear();
  CHECK(object::alive == 0);
}

TEST_CASE("threads at one time have records of their own") {
  std::mutex mutex;
  std::set<std::size_t> records;
  std::atomic<int> here = 0;
  std::vector<std::thread> all;
  for (int t = 0; t != 8; ++t)
    all.emplace_back([&] {
      {
        std::lock_guard const lock(mutex);
        records.insert(pin_domain::here().index);
      }
      ++here;
      while (here != 8) std::this_thread::yield();
    });
  for (auto& each : all) each.join();
  CHECK(records.size() == 8);
}

TEST_CASE("a pin may be released by another thread while its own pins go on") {
  place p(new object(1));
  for (int i = 0; i != 200; ++i) {
    auto pin = p.pin();
    std::thread releaser([mine = std::move(pin)]() mutable { mine = {}; });
    std::vector<hold> more;
    for (std::size_t k = 0; k != block + 2; ++k) more.push_back(p.pin());
    releaser.join();
    for (auto const& each : more) REQUIRE(number_of(each) == 1);
  }
  p.put(nullptr);
  CHECK(object::alive == 0);
}

TEST_CASE("while places change under readers, what a reader pinned is whole") {
  constexpr int places = 4, changes = 20'000, readers = 8;
  {
    place all[places];
    std::atomic<bool> done = false;
    std::atomic<int> wrong = 0;
    std::atomic<long> read = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t != readers; ++t)
      threads.emplace_back([&, t] {
        std::minstd_rand random(static_cast<unsigned>(t + 1));
        std::vector<hold> held;
        while (!done) {
          auto pin = all[random() % places].pin();
          if (!pin) continue;
          wrong += !static_cast<object const*>(pin.get())->whole;
          ++read;
          if (random() % 4 == 0) {
            if (random() % 2 == 0)
              held.push_back(pin);  // an owner
            else
              held.push_back(std::move(pin));
          }
          if (held.size() < 20) continue;
          for (auto const& each : held) wrong += !static_cast<object const*>(each.get())->whole;
          held.clear();
        }
      });
    std::thread writers[2];
    for (auto& each : writers)
      each = std::thread([&, seed = static_cast<unsigned>(&each - writers + 1)] {
        std::minstd_rand random(seed);
        for (int i = 0; i != changes; ++i) all[random() % places].put(new object(i));
      });
    for (auto& each : writers) each.join();
    while (read < readers) std::this_thread::yield();
    done = true;
    for (auto& each : threads) each.join();
    CHECK(wrong == 0);
  }
  // A release that a look for it missed is found by the next one.
  pin_domain::get().collect();
  CHECK(object::alive == 0);
}

TEST_CASE("pins work in a child of fork") {
  place p(new object(1));
  auto const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto pin = p.pin();
    p.put(nullptr);
    bool const kept = object::alive == 1 && number_of(pin) == 1;
    pin = {};
    _exit(kept && object::alive == 0 ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(object::alive == 1);
}
