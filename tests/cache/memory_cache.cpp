// The memory cache by itself, and under threads.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <future>
#include <latch>
#include <memory>
#include <random>
#include <thread>

using namespace layerkey;
using namespace std::chrono_literals;

namespace {

struct number_key {
  int n;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(n % 8); }  // many collisions
  friend bool operator==(number_key const&, number_key const&) = default;
};

using cache = memory_cache<number_key, int>;

made<int> square(int n) { return {n * n}; }

}  // namespace

TEST_CASE("memory_cache makes each key once and counts") {
  cache c;
  for (int round = 0; round != 3; ++round)
    for (int n = 0; n != 50; ++n)
      CHECK(c.get({n}, [n] { return square(n); })->result.value() == n * n);
  CHECK(c.size() == 50);
  CHECK(c.counters().requests == 150);
  CHECK(c.counters().runs == 50);
  CHECK(c.counters().served == 100);
  CHECK(toy::adds_up(c.counters()));
}

TEST_CASE("memory_cache keeps no failure and no exception") {
  cache c;
  auto const failing = [] { return made<int>{diagnostics{"no"}}; };
  CHECK(c.get({1}, failing)->result.error().text == "no");
#if defined(__cpp_exceptions)
  auto const throwing = []() -> made<int> { throw std::runtime_error("thrown"); };
  CHECK_THROWS_WITH(c.get({1}, throwing).deliver(), "thrown");
#else
  CHECK_FALSE(c.get({1}, failing)->result);
#endif
  CHECK(c.size() == 0);
  CHECK(c.get({1}, [] { return square(1); })->result.value() == 1);
  CHECK(c.counters().requests == 3);
  CHECK(c.counters().runs == 3);
  CHECK(c.counters().failures == 2);
  CHECK(toy::adds_up(c.counters()));
}

TEST_CASE("memory_cache answers a thread that waits for itself") {
  cache c;
  auto const outer = c.get({1}, [&c] { return made<int>{c.get({1}, [] { return square(1); }).deliver()}; });
  REQUIRE_FALSE(outer->result);
  CHECK_THAT(outer->result.error().text, Catch::Matchers::StartsWith("cyclic request"));
  CHECK(c.counters().requests == 2);
  CHECK(toy::adds_up(c.counters()));
}

TEST_CASE("a waiter on one key does not hold up another key") {
  cache c;
  std::latch started(1), released(1);
  auto const slow = [&] {
    started.count_down();
    released.wait();
    return square(1);
  };
  std::thread maker([&] { static_cast<void>(c.get({1}, slow)); });
  started.wait();
  std::thread waiter([&] { static_cast<void>(c.get({1}, slow)); });
  while (c.counters().requests != 2) std::this_thread::yield();

  // With the same hash, even. The time limit only ends a run of this test that has failed.
  auto other =
      std::async(std::launch::async, [&c] { return c.get({9}, [] { return square(9); }); });
  CHECK(other.wait_for(60s) == std::future_status::ready);
  CHECK(c.counters().runs == 1);

  released.count_down();
  maker.join();
  waiter.join();
  CHECK(other.get()->result.value() == 81);
  CHECK(c.counters().runs == 2);
  CHECK(c.counters().served == 1);
}

TEST_CASE("clear does not touch a run under way") {
  cache c;
  std::latch started(1), released(1);
  std::atomic<int> right = 0;
  auto const ask = [&] {
    auto const answer = c.get({1}, [&] {
      started.count_down();
      released.wait();
      return square(1);
    });
    right += answer->result.value() == 1;
  };
  std::thread maker(ask);
  started.wait();
  c.clear();
  std::thread waiter(ask);
  while (c.counters().requests != 2) std::this_thread::yield();
  c.clear();
  released.count_down();
  maker.join();
  waiter.join();
  CHECK(right == 2);
  CHECK(c.counters().runs == 1);
  CHECK(c.size() == 1);
  c.clear();
  CHECK(c.size() == 0);
}

// ---- many threads ------------------------------------------------------------------------------

namespace {

enum class kind { good, fails, throws };

constexpr kind kind_of(int n) {
#if defined(__cpp_exceptions)
  if (n % 7 != 3 && n % 11 == 5) return kind::throws;
#endif
  return n % 7 == 3 ? kind::fails : kind::good;
}

constexpr int keys = 97;
constexpr int threads = 8;
constexpr int requests_of_a_thread = 2000;

struct storm {
  cache c;
  std::atomic<int> made_of[keys] = {};
  std::atomic<int> wrong = 0;

  void ask(int n) {
    auto const answer = c.get({n}, [this, n] {
      ++made_of[n];
      if (kind_of(n) == kind::fails) return made<int>{diagnostics{std::to_string(n)}};
#if defined(__cpp_exceptions)
      if (kind_of(n) == kind::throws) throw n;
#endif
      return square(n);
    });
    bool right = false;
    switch (kind_of(n)) {
      case kind::good:
        right = answer->result && answer->result.value() == n * n;
        break;
      case kind::fails:
        right = !answer->result && answer->result.error().text == std::to_string(n);
        break;
      case kind::throws:
#if defined(__cpp_exceptions)
        try {
          static_cast<void>(found<int>(answer).deliver());
        } catch (int thrown) {
          right = thrown == n;
        }
#endif
        break;
    }
    wrong += !right;
  }

  void run(bool with_clear) {
    std::latch together(threads);
    std::vector<std::thread> all;
    for (unsigned t = 0; t != threads; ++t)
      all.emplace_back([this, t, with_clear, &together] {
        std::minstd_rand random(t + 1);
        together.arrive_and_wait();
        for (int i = 0; i != requests_of_a_thread; ++i) {
          ask(static_cast<int>(random() % keys));
          if (with_clear && t == 0 && i % 100 == 0) c.clear();
        }
      });
    for (auto& each : all) each.join();
  }
};

}  // namespace

TEST_CASE("under eight threads each key is made once, failures each time") {
  auto const s = std::make_unique<storm>();
  s->run(false);
  CHECK(s->wrong == 0);
  int good = 0, failures = 0;
  for (int n = 0; n != keys; ++n)
    if (kind_of(n) == kind::good) {
      CHECK(s->made_of[n] == 1);
      ++good;
    } else
      failures += s->made_of[n];
  auto const counted = s->c.counters();
  CHECK(counted.requests == threads * requests_of_a_thread);
  CHECK(counted.runs == static_cast<unsigned>(good + failures));
  CHECK(counted.failures == static_cast<unsigned>(failures));
  CHECK(s->c.size() == static_cast<unsigned>(good));
  CHECK(toy::adds_up(counted));
}

TEST_CASE("and with clear at the same time every answer is still right") {
  auto const s = std::make_unique<storm>();
  s->run(true);
  CHECK(s->wrong == 0);
  int runs = 0;
  for (int n = 0; n != keys; ++n) {
    CHECK(s->made_of[n] >= 1);
    runs += s->made_of[n];
  }
  CHECK(s->c.counters().requests == threads * requests_of_a_thread);
  CHECK(s->c.counters().runs == static_cast<unsigned>(runs));
  CHECK(toy::adds_up(s->c.counters()));
}
