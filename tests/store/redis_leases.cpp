// A lease on a Redis server belongs to one at a time, in any process.
#include "redis_server.hpp"

#include <catch2/catch.hpp>

using namespace redis_test;
using layerkey::redis_bytes;

namespace {

// A process that does something, and what it gives.
template<class Function>
pid_t in_child(Function&& f) {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(f());
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

constexpr auto long_time = std::chrono::seconds(1000);

}  // namespace

TEST_CASE("of several processes one has the redis lease") {
  if (is_skipped()) return;
  server s;
  for (std::uint64_t round = 0; round != 20; ++round) {
    std::vector<pid_t> children;
    for (int i = 0; i != 4; ++i)
      children.push_back(in_child([&] {
        redis_bytes store(s.url(), patient());
        return store.take_lease(address(round), long_time) ? 1 : 0;
      }));
    int took = 0;
    for (pid_t const child : children) took += wait_for(child);
    CHECK(took == 1);
  }
}

TEST_CASE("a redis lease goes from process to process") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  REQUIRE(store.take_lease(address(1), long_time));
  pid_t const child = in_child([&] {
    redis_bytes other(s.url(), patient());
    if (other.take_lease(address(1), long_time)) return 1;
    if (!other.write(address(9), "I wait")) return 2;
    return soon([&] { return other.take_lease(address(1), long_time); }) ? 0 : 3;
  });
  REQUIRE(soon([&] { return store.contains(address(9)); }));
  store.drop_lease(address(1));
  CHECK(wait_for(child) == 0);
  CHECK(!store.take_lease(address(1), long_time));
}

TEST_CASE("a redis lease whose holder was killed is free after its time") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  auto const lease_time = std::chrono::milliseconds(700);
  pid_t const child = in_child([&] {
    redis_bytes other(s.url(), patient());
    if (!other.take_lease(address(1), lease_time)) return 1;
    other.write(address(9), "I have it");
    for (;;) ::pause();
  });
  REQUIRE(soon([&] { return store.contains(address(9)); }));
  ::kill(child, SIGKILL);
  wait_for(child);
  auto const time =
      time_of([&] { CHECK(soon([&] { return store.take_lease(address(1), long_time); })); });
  CHECK(time < lease_time + slack);
}

TEST_CASE("nobody drops the redis lease of another") {
  if (is_skipped()) return;
  server s;
  redis_bytes slow(s.url(), patient());
  redis_bytes quick(s.url(), patient());
  redis_bytes third(s.url(), patient());
  REQUIRE(slow.take_lease(address(1), std::chrono::milliseconds(1)));
  REQUIRE(soon([&] { return quick.take_lease(address(1), long_time); }));
  slow.drop_lease(address(1));  // which was over
  third.drop_lease(address(1));
  CHECK(!third.take_lease(address(1), long_time));
  quick.drop_lease(address(1));
  CHECK(third.take_lease(address(1), long_time));

  // In one process, too.
  REQUIRE(slow.take_lease(address(2), std::chrono::milliseconds(1)));
  REQUIRE(soon([&] { return slow.take_lease(address(2), long_time); }));
  slow.drop_lease(address(2));
  CHECK(!third.take_lease(address(2), long_time));
  slow.drop_lease(address(2));
  CHECK(third.take_lease(address(2), long_time));
}

TEST_CASE("redis leases and entries do not mix") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  CHECK(store.take_lease(address(1), long_time));
  CHECK(!store.contains(address(1)));
  CHECK(store.write(address(1), "one"));
  CHECK(!store.take_lease(address(1), long_time));
  CHECK(store.remove(address(1)));
  CHECK(!store.take_lease(address(1), long_time));
  store.drop_lease(address(1));
  CHECK(contains(s.cli({"DBSIZE"}), "0"));
}

TEST_CASE("a redis lease that was taken while nobody listened is dropped") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  options.failures = 1000;
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  s.pause();
  CHECK(store.take_lease(address(2), long_time));  // there is nothing to wait for
  s.go_on();
  REQUIRE(soon([&] { return store.contains(address(1)); }));
  redis_bytes other(s.url(), patient());
  CHECK(!other.take_lease(address(2), long_time));
  store.drop_lease(address(2));
  CHECK(soon([&] { return other.take_lease(address(2), long_time); }));
}
