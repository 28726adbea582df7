// Entries in a Redis store, and compiling without a server.
#include "redis_server.hpp"

#include <catch2/catch.hpp>

using namespace redis_test;
using layerkey::artifact_store;
using layerkey::load_verdict;
using layerkey::redis_store;

namespace {

layerkey::provenance made_by() { return {{"test", "1"}}; }

layerkey::store_key key(std::string const& canonical) {
  return {.layer = "codegen", .canonical = canonical, .made_by = {}, .kind = "bytes"};
}

std::string load(redis_store& store, std::string const& canonical) {
  std::string content = "nothing";
  store.load(key(canonical), [&content](std::string_view found) {
    content = found;
    return load_verdict::serves;
  });
  return content;
}

// What a compile asks of a store.
std::string compile(redis_store& store, std::string const& canonical, std::string const& made) {
  if (std::string found = load(store, canonical); found != "nothing") return found;
  while (store.begin(key(canonical), true, {}) == artifact_store::turn::look_again)
    if (std::string found = load(store, canonical); found != "nothing") return found;
  store.save(key(canonical), made);
  store.end(key(canonical));
  return made;
}

}  // namespace

TEST_CASE("artifacts in a redis store") {
  if (is_skipped()) return;
  server s;
  redis_store store(s.url(), made_by(), patient());
  std::string const large = noise(2 << 20, 1);
  CHECK(compile(store, "a", "made") == "made");
  CHECK(compile(store, "a", "made again") == "made");
  CHECK(compile(store, "b", large) == large);
  CHECK(load(store, "b") == large);
  CHECK(store.statistics().served == 2);
  CHECK(store.statistics().saved == 2);
  CHECK(store.server_statistics().answered > 0);
  CHECK(store.problem().empty());

  redis_store other(s.url(), made_by(), patient());
  CHECK(load(other, "a") == "made");
  redis_store foreign(s.url(), {{"test", "2"}}, patient());
  CHECK(load(foreign, "a") == "nothing");
}

TEST_CASE("compressed and signed artifacts in a redis store") {
  if (is_skipped()) return;
  server s;
  auto options = patient();
  options.entries.secret = layerkey::store_secret::from_bytes("0123456789abcdef");
  options.entries.compress_from = 100;
  redis_store store(s.url(), made_by(), options);
  std::string text;
  for (int i = 0; i != 100; ++i) text += noise(1000, 1);
  CHECK(compile(store, "a", text) == text);
  CHECK(load(store, "a") == text);
  CHECK(store.statistics().bytes_written < 10'000);
  options.entries.secret = layerkey::store_secret::from_bytes("another secret..");
  redis_store foreign(s.url(), made_by(), options);
  CHECK(load(foreign, "a") == "nothing");
}

TEST_CASE("an artifact that is damaged on a redis server is made again") {
  if (is_skipped()) return;
  server s;
  redis_store store(s.url(), made_by(), patient());
  CHECK(compile(store, "a", "made") == "made");
  s.cli({"EVAL",
         "for _, k in ipairs(redis.call('keys', '*')) do redis.call('setrange', k, 60, 'x') end",
         "0"});
  CHECK(load(store, "a") == "nothing");
  CHECK(store.statistics().faulty == 1);
  CHECK(store.statistics().repaired == 1);
  CHECK(contains(s.cli({"DBSIZE"}), "0"));
  CHECK(compile(store, "a", "again") == "again");
  CHECK(load(store, "a") == "again");
}

TEST_CASE("of two processes with a redis store one makes an artifact") {
  if (is_skipped()) return;
  server s;
  redis_store store(s.url(), made_by(), patient());
  REQUIRE(store.begin(key("a"), true, {}) == artifact_store::turn::own);
  pid_t const child = ::fork();
  if (child == 0) {
    redis_store other(s.url(), made_by(), patient());
    bool const right = compile(other, "a", "made twice") == "made" && other.statistics().waits == 1;
    ::_exit(right ? 0 : 1);
  }
  std::this_thread::sleep_for(milliseconds(100));
  store.save(key("a"), "made");
  store.end(key("a"));
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("compiles go on at local speed without a redis server") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  options.first_pause = std::chrono::seconds(10);
  options.longest_pause = std::chrono::seconds(10);
  redis_store store(s.url(), made_by(), options);
  bool const hangs = GENERATE(true, false);
  if (hangs)
    s.pause();
  else
    s.kill();
  auto const time = time_of([&] {
    for (int i = 0; i != 1000; ++i) {
      std::string const n = std::to_string(i);
      CHECK(compile(store, n, "made " + n) == "made " + n);
    }
  });
  // Those that were not asked waited for nothing.
  CHECK(time < static_cast<int>(options.failures) * options.time_out + slack);
  CHECK(store.statistics().unavailable == 1000);
  CHECK(store.statistics().not_saved == 1000);
  CHECK(!store.statistics().why_not_saved.empty());
  CHECK(store.server_statistics().not_asked > 2900);
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), s.url()));
  if (hangs) s.go_on();
}

TEST_CASE("a redis store without a provenance or with a wrong URL keeps nothing") {
  redis_store nobody("redis://127.0.0.1", {});
  CHECK(compile(nobody, "a", "made") == "made");
  CHECK(contains(nobody.problem(), "provenance"));
  redis_store nowhere("http://127.0.0.1", made_by());
  CHECK(compile(nowhere, "a", "made") == "made");
  CHECK(contains(nowhere.problem(), "redis://"));
  CHECK(nowhere.statistics().unavailable == 1);
}
