// What URLs of Redis servers mean, and that nothing tells a password.
#include <layerkey/store/detail/redis_url.hpp>
#include <layerkey/store/redis_store.hpp>

#include <catch2/catch.hpp>

#include <string>

using layerkey::detail::read_redis_url;

namespace {

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the parts of a redis URL") {
  auto const url = read_redis_url("redis://joe:p%40s%2fs%25@cache.example:7000/3");
  CHECK(url.problem.empty());
  REQUIRE(url.places.size() == 1);
  CHECK(url.places[0].host == "cache.example");
  CHECK(url.places[0].port == 7000);
  CHECK(url.user == "joe");
  CHECK(url.password == "p@s/s%");
  CHECK(url.has_password);
  CHECK(url.database == 3);
  CHECK(url.name == "redis://cache.example:7000/3");
}

TEST_CASE("what a redis URL leaves out") {
  auto const url = read_redis_url("redis://h");
  CHECK(url.problem.empty());
  REQUIRE(url.places.size() == 1);
  CHECK(url.places[0].port == 6379);
  CHECK(!url.has_password);
  CHECK(url.user.empty());
  CHECK(url.database == 0);

  auto const password = read_redis_url("redis://:a:b@h/");
  CHECK(password.problem.empty());
  CHECK(password.user.empty());
  CHECK(password.password == "a:b");

  // Its password comes from elsewhere.
  auto const user = read_redis_url("redis://joe@h");
  CHECK(user.problem.empty());
  CHECK(user.user == "joe");
  CHECK(!user.has_password);
}

TEST_CASE("an IPv6 address in a redis URL") {
  auto const url = read_redis_url("redis://u:p@[::1]:7001/2");
  CHECK(url.problem.empty());
  REQUIRE(url.places.size() == 1);
  CHECK(url.places[0].host == "::1");
  CHECK(url.places[0].port == 7001);
  CHECK(url.name == "redis://[::1]:7001/2");
  CHECK(read_redis_url("redis://[::1]").places.at(0).port == 6379);
}

TEST_CASE("several nodes in a redis URL") {
  auto const url = read_redis_url("redis://:p@a:1,b,[::2]:3");
  CHECK(url.problem.empty());
  REQUIRE(url.places.size() == 3);
  CHECK(url.places[1].host == "b");
  CHECK(url.places[1].port == 6379);
  CHECK(url.places[2].host == "::2");
  CHECK(url.name == "redis://a:1,b:6379,[::2]:3");
}

TEST_CASE("a unix socket as a redis URL") {
  auto const url = read_redis_url("unix://joe:pw@/run/a%20b.sock?db=4");
  CHECK(url.problem.empty());
  REQUIRE(url.places.size() == 1);
  CHECK(url.places[0].path == "/run/a b.sock");
  CHECK(url.user == "joe");
  CHECK(url.password == "pw");
  CHECK(url.database == 4);
  CHECK(url.name == "unix:///run/a b.sock?db=4");
  CHECK(!read_redis_url("unix://run/x").problem.empty());
  CHECK(!read_redis_url("unix:///x?database=1").problem.empty());
  CHECK(!read_redis_url("unix:///" + std::string(200, 'x')).problem.empty());
}

TEST_CASE("redis URLs that are wrong say what to write instead") {
  CHECK(contains(read_redis_url("cache.example:6379").problem, "redis://"));
  CHECK(contains(read_redis_url("rediss://cache.example").problem, "tunnel"));
  CHECK(contains(read_redis_url("redis://u:%zz@h").problem, "%25"));
  CHECK(contains(read_redis_url("redis://u:%4@h").problem, "%25"));
  CHECK(contains(read_redis_url("redis://h/x").problem, "database"));
  CHECK(contains(read_redis_url("redis://u:@h").problem, "empty password"));
  for (char const* text : {"", "redis://", "redis://:6379", "redis://h:0", "redis://h:65536",
                           "redis://h:", "redis://h:x", "redis://[::1", "redis://[::1]x",
                           "redis://h:1:2", "redis://a,,b", "redis://h/1x", "redis://h/-1",
                           "redis://h/99999999999999999999", "redis://u:p@"}) {
    CAPTURE(text);
    CHECK(!read_redis_url(text).problem.empty());
    CHECK(read_redis_url(text).places.empty());
  }
}

TEST_CASE("no message quotes a password of a redis URL") {
  for (char const* text : {"redis://joe:sesame@h:x", "redis://joe:sesame@h/x",
                           "redis://joe:sesame/1@h", "redis://joe:6379/sesame@h", "redis://:sesame",
                           "redis://joe:sesame%@h", "sesame", "redis://joe:se@sesame@h/7/7",
                           "rediss://joe:sesame@h", "unix://joe:sesame@x", "http://joe:sesame@h"}) {
    CAPTURE(text);
    layerkey::redis_bytes store(text);
    CHECK(!store.problem().empty());
    CHECK(!contains(store.problem(), "sesame"));
    CHECK(store.read({}, [](std::string_view) { return true; }) ==
          layerkey::read_result::unavailable);
    CHECK(!store.write({}, "x"));
    CHECK(!store.remove({}));
    CHECK(!store.contains({}));
    CHECK(store.take_lease({}, std::chrono::seconds(1)));
    store.drop_lease({});
    CHECK(store.read_many({{}, {}}, [](std::size_t, std::string_view) { return true; }) ==
          std::vector<layerkey::read_result>(2, layerkey::read_result::unavailable));
  }
  // An @ in a password is not where it ends.
  CHECK(read_redis_url("redis://joe:se@same@h").password == "se@same");
}
