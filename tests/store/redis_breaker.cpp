// When a Redis server is asked, and when not.
#include <layerkey/store/detail/redis_node.hpp>

#include <catch2/catch.hpp>

#include <chrono>

using namespace std::chrono_literals;
using layerkey::detail::redis_breaker;
using pass = redis_breaker::pass;

TEST_CASE("the circuit breaker of a redis server") {
  redis_breaker::limits const limits{.failures = 3, .first_pause = 10ms, .longest_pause = 35ms};
  redis_breaker breaker;
  layerkey::detail::redis_time now{1h};

  // Successes in between start the count again.
  for (int i = 0; i != 10; ++i) {
    CHECK(!breaker.failed(breaker.admit(now, limits), now, limits));
    CHECK(!breaker.failed(breaker.admit(now, limits), now, limits));
    CHECK(breaker.admit(now, limits) == pass::yes);
    breaker.succeeded();
  }

  // Six calls are under way; with the third failure a pause begins.
  for (int i = 0; i != 6; ++i) REQUIRE(breaker.admit(now, limits) == pass::yes);
  CHECK(!breaker.failed(pass::yes, now, limits));
  CHECK(!breaker.failed(pass::yes, now, limits));
  CHECK(!breaker.is_open(now, limits));
  CHECK(breaker.failed(pass::yes, now, limits));
  CHECK(breaker.is_open(now, limits));
  CHECK(breaker.admit(now + 9ms, limits) == pass::no);
  // What began before it does not make it longer.
  for (int i = 0; i != 3; ++i) CHECK(!breaker.failed(pass::yes, now + 9ms, limits));

  // After it one call gets through, and each time that fails the pause is twice as long.
  for (auto const pause : {10ms, 20ms, 35ms, 35ms}) {
    CHECK(breaker.admit(now + pause - 1ms, limits) == pass::no);
    now += pause;
    CHECK(breaker.admit(now, limits) == pass::probe);
    CHECK(breaker.admit(now + 1h, limits) == pass::no);
    CHECK(breaker.failed(pass::probe, now, limits));
  }

  now += 35ms;
  CHECK(breaker.admit(now, limits) == pass::probe);
  breaker.succeeded();
  for (int i = 0; i != 5; ++i) CHECK(breaker.admit(now, limits) == pass::yes);
  // The next pause is a first one.
  for (int i = 0; i != 3; ++i) breaker.failed(pass::yes, now, limits);
  CHECK(breaker.admit(now + 9ms, limits) == pass::no);
  CHECK(breaker.admit(now + 10ms, limits) == pass::probe);
}
