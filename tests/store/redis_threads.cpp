// Many threads and few connections.
#include "redis_server.hpp"

#include <catch2/catch.hpp>

using namespace redis_test;
using layerkey::read_result;
using layerkey::redis_bytes;

namespace {

std::size_t rounds() {
  char const* const full = std::getenv("LAYERKEY_FULL");
  return full != nullptr && std::string_view(full) == "1" ? 5000 : 200;
}

// Each entry says which address it is for; gives how many said something else.
std::size_t use(redis_bytes& store, std::uint64_t seed, std::size_t count) {
  std::size_t wrong = 0;
  auto const entry_of = [](std::uint64_t number) {
    return noise(static_cast<std::size_t>(number * 997 % 50'000), number);
  };
  for (std::size_t i = 0; i != count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    std::uint64_t const number = (seed >> 33) % 50;
    auto const at = address(number);
    switch ((seed >> 60) % 7) {
      case 0:
        store.write(at, entry_of(number));
        break;
      case 1:
        store.remove(at);
        break;
      case 2:
        store.contains(at);
        break;
      case 3:
        if (store.take_lease(at, std::chrono::seconds(10))) store.drop_lease(at);
        break;
      case 4:
        static_cast<void>(store.problem());
        store.read_many({address(number), address(number + 1), address(number + 2)},
                        [&](std::size_t which, std::string_view entry) {
                          wrong += entry != entry_of(number + which);
                          return true;
                        });
        break;
      default:
        store.read(at, [&](std::string_view entry) {
          wrong += entry != entry_of(number);
          return true;
        });
    }
  }
  return wrong;
}

std::size_t in_threads(redis_bytes& store, std::size_t count) {
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i != 8; ++i)
    threads.emplace_back([&, i] { wrong += use(store, i + 1, count); });
  for (auto& each : threads) each.join();
  return wrong;
}

}  // namespace

TEST_CASE("8 threads share few redis connections") {
  if (is_skipped()) return;
  server s;
  auto options = patient();
  options.connections = 3;
  redis_bytes store(s.url(), options);
  CHECK(in_threads(store, rounds()) == 0);
  auto const statistics = store.statistics();
  CAPTURE(store.problem());
  CHECK(statistics.connections <= 3);
  CHECK(statistics.failed == 0);
  CHECK(statistics.answered == statistics.operations);
}

TEST_CASE("8 threads and a redis server that comes, hangs and goes") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  options.first_pause = milliseconds(5);
  options.longest_pause = milliseconds(20);
  options.time_out = milliseconds(100);
  options.connections = 3;
  redis_bytes store(s.url(), options);
  std::atomic<bool> ends = false;
  std::atomic<std::size_t> wrong = 0;
  std::atomic<long long> longest = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i != 8; ++i)
    threads.emplace_back([&, i] {
      for (std::uint64_t round = 0; !ends; ++round) {
        long long const time = time_of([&] { wrong += use(store, i + round * 8, 1); }).count();
        long long before = longest;
        while (before < time && !longest.compare_exchange_weak(before, time)) {
        }
      }
    });
  for (int i = 0; i != 3; ++i) {
    std::this_thread::sleep_for(milliseconds(200));
    s.pause();
    std::this_thread::sleep_for(milliseconds(300));
    s.go_on();
    std::this_thread::sleep_for(milliseconds(200));
    s.kill();
    std::this_thread::sleep_for(milliseconds(200));
    s.start();
    if (!s.is_running()) break;  // another has its port: it just is gone
  }
  bool const is_running = s.is_running();
  bool const recovers = soon([&] { return store.write(address(1000), "one"); });
  ends = true;
  for (auto& each : threads) each.join();
  CHECK(recovers == is_running);
  CHECK(wrong == 0);
  // Taking a lease and dropping it are two calls.
  CHECK(milliseconds(longest) < 2 * (options.time_out + slack));
  CHECK(store.statistics().pauses > 0);
}
