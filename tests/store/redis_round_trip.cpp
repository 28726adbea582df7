// What a Redis server keeps is what it was given.
#include "redis_server.hpp"

#include <catch2/catch.hpp>

using namespace redis_test;
using layerkey::read_result;
using layerkey::redis_bytes;

namespace {

void check_everything(redis_bytes& store) {
  CAPTURE(store.problem());
  CHECK(is_absent(store, address(1)));
  CHECK(!store.contains(address(1)));
  CHECK(store.write(address(1), "one"));
  CHECK(store.write(address(2), "two"));
  CHECK(store.contains(address(1)));
  CHECK(is_there(store, address(1), "one"));
  CHECK(is_there(store, address(2), "two"));
  CHECK(store.write(address(1), "another"));
  CHECK(is_there(store, address(1), "another"));
  CHECK(store.read(address(1), [](std::string_view) { return false; }) == read_result::rejected);
  CHECK(store.remove(address(1)));
  CHECK(!store.remove(address(1)));
  CHECK(is_absent(store, address(1)));
  CHECK(is_there(store, address(2), "two"));
  CHECK(store.take_lease(address(1), std::chrono::seconds(100)));
  CHECK(!store.take_lease(address(1), std::chrono::seconds(100)));
  store.drop_lease(address(1));
  CHECK(store.take_lease(address(1), std::chrono::seconds(100)));
  store.drop_lease(address(1));
  CHECK(store.problem().empty());
}

struct variable {
  char const* name;
  variable(char const* n, char const* value) : name(n) { ::setenv(n, value, 1); }
  ~variable() { ::unsetenv(name); }
};

void write_file(std::string const& path, std::string const& content) {
  std::ofstream(path, std::ios::binary) << content;
}

}  // namespace

TEST_CASE("redis keeps entries and leases") {
  if (is_skipped()) return;
  server s;
  SECTION("by TCP") {
    redis_bytes store(s.url(), patient());
    check_everything(store);
    CHECK(store.statistics().connections == 1);
    CHECK(contains(to_text(store.statistics()), "server answered: "));
  }
  SECTION("by name") {
    redis_bytes store("redis://localhost:" + std::to_string(s.port()), patient());
    check_everything(store);
  }
  SECTION("by a unix socket") {
    redis_bytes store("unix://" + s.socket(), patient());
    check_everything(store);
  }
}

TEST_CASE("redis keeps entries of all sizes and of any bytes") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  CHECK(store.write(address(0), ""));
  CHECK(is_there(store, address(0), ""));
  std::uint64_t seed = 1;
  for (std::size_t size = 1; size <= (std::size_t{2} << 20); size *= 2)
    for (std::size_t const near : {size - 1, size, size + 1}) {
      std::string const entry = noise(near, ++seed);
      REQUIRE(store.write(address(seed), entry));
      REQUIRE(is_there(store, address(seed), entry));
    }
  std::string every;
  for (int i = 0; i != 256; ++i) every += static_cast<char>(i);
  every += "\r\n$-1\r\n*3\r\n";
  CHECK(store.write(address(9), every));
  CHECK(is_there(store, address(9), every));
  // Addresses are bytes too, with what has a meaning in the protocol and in hash tags.
  layerkey::entry_address strange = {};
  for (std::size_t i = 0; i != strange.size(); ++i)
    strange[i] = static_cast<unsigned char>("\0\r\n{}*$ \xff"[i % 9]);
  CHECK(store.write(strange, every));
  CHECK(is_there(store, strange, every));
  CHECK(store.problem().empty());
}

TEST_CASE("redis reads many entries in few round trips") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  std::vector<layerkey::entry_address> at;
  for (std::uint64_t i = 0; i != 500; ++i) {
    at.push_back(address(i));
    if (i % 3 != 0) REQUIRE(store.write(at.back(), noise(static_cast<std::size_t>(i * 97), i)));
  }
  std::size_t wrong = 0;
  auto const results = store.read_many(at, [&](std::size_t which, std::string_view entry) {
    wrong += entry != noise(which * 97, which);
    return which % 2 == 0;
  });
  CHECK(wrong == 0);
  REQUIRE(results.size() == at.size());
  for (std::size_t i = 0; i != at.size(); ++i) {
    auto const expected = i % 3 == 0   ? read_result::absent
                          : i % 2 == 0 ? read_result::accepted
                                       : read_result::rejected;
    if (results[i] != expected) FAIL_CHECK("entry " << i);
  }
  CHECK(store.read_many({}, [](std::size_t, std::string_view) { return true; }).empty());
  CHECK(store.statistics().connections == 1);
  CHECK(store.problem().empty());
}

TEST_CASE("what is done with redis entries does not count as waiting for them") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  redis_bytes store(s.url(), options);
  std::vector<layerkey::entry_address> at;
  for (std::uint64_t i = 0; i != 80; ++i) {
    at.push_back(address(i));
    REQUIRE(soon([&] { return store.write(at.back(), noise(100'000, i)); }));
  }
  auto const results = store.read_many(at, [&](std::size_t, std::string_view) {
    std::this_thread::sleep_for(options.time_out / 20);
    return true;
  });
  CHECK(results == std::vector(80, read_result::accepted));
}

TEST_CASE("redis passwords come from URL, file or environment, and are in no message") {
  if (is_skipped()) return;
  server s({"--requirepass", "open sesame@/:%"});
  auto options = impatient();
  temporary_folder folder;
  std::string const file = folder.path("password");
  auto const check_refused = [](redis_bytes& store, std::string_view why) {
    CHECK(is_unavailable(store, address(1)));
    CHECK(!store.write(address(1), "x"));
    CHECK(store.take_lease(address(1), std::chrono::seconds(100)));
    CAPTURE(store.problem());
    CHECK(contains(store.problem(), why));
    CHECK(!contains(store.problem(), "sesame"));
  };

  SECTION("in the URL") {
    redis_bytes store("redis://:open%20sesame%40%2F%3A%25@" + s.place(), patient());
    check_everything(store);
  }
  SECTION("in a file") {
    write_file(file, "open sesame@/:%\n");
    options = patient();
    options.password_file = file;
    redis_bytes store(s.url(), options);
    check_everything(store);
  }
  SECTION("in the environment") {
    variable const set("LAYERKEY_TEST_REDIS_PASSWORD", "open sesame@/:%");
    options = patient();
    options.password_variable = "LAYERKEY_TEST_REDIS_PASSWORD";
    redis_bytes store(s.url(), options);
    check_everything(store);
  }
  SECTION("nowhere") {
    redis_bytes store(s.url(), options);
    check_refused(store, "NOAUTH");
    // Entries are not unavailable for ever: with a pause in between it is tried again.
    CHECK(contains(store.problem(), "Give one in a file") + contains(store.problem(), "give one"));
  }
  SECTION("nowhere, with a database") {
    redis_bytes store(s.url() + "/1", options);
    check_refused(store, "NOAUTH");
  }
  SECTION("a wrong one") {
    redis_bytes store("redis://:close%20sesame@" + s.place(), options);
    check_refused(store, "WRONGPASS");
  }
  SECTION("a file that is not there") {
    options.password_file = folder.path("nothing");
    redis_bytes store(s.url(), options);
    check_refused(store, "cannot be read");
  }
  SECTION("a file that is empty") {
    write_file(file, "\n");
    options.password_file = file;
    redis_bytes store(s.url(), options);
    check_refused(store, "is empty");
  }
  SECTION("a user without one") {
    redis_bytes store("redis://joe@" + s.place(), options);
    check_refused(store, "without a password");
  }
}

TEST_CASE("a redis password that no server asked for") {
  if (is_skipped()) return;
  server s;
  redis_bytes store("redis://:sesame@" + s.place(), impatient());
  CHECK(is_unavailable(store, address(1)));
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "Give none"));
  CHECK(!contains(store.problem(), "sesame"));
}

TEST_CASE("a redis user") {
  if (is_skipped()) return;
  server s;
  // What the header says is enough.
  REQUIRE(contains(s.cli({"ACL", "SETUSER", "joe", "on", ">pass", "~layerkey:1:*", "+get", "+set",
                          "+del", "+exists", "+eval", "+cluster|slots"}),
                   "OK"));
  {
    redis_bytes store("redis://joe:pass@" + s.place(), patient());
    check_everything(store);
  }
  REQUIRE(contains(
      s.cli({"ACL", "SETUSER", "reader", "on", ">pass", "~layerkey:1:*", "+get", "+exists"}),
      "OK"));
  redis_bytes store("redis://reader:pass@" + s.place(), impatient());
  for (int i = 0; i != 10; ++i) {
    CHECK(is_there(store, address(2), "two"));
    CHECK(!store.write(address(2), "three"));
    CHECK(store.take_lease(address(2), std::chrono::seconds(100)));
    store.drop_lease(address(2));
    CHECK(!store.remove(address(2)));
    CAPTURE(store.problem());
    CHECK(contains(store.problem(), "NOPERM"));
  }
  CHECK(is_there(store, address(2), "two"));
}

TEST_CASE("a redis database") {
  if (is_skipped()) return;
  server s;
  redis_bytes first(s.url(), patient());
  redis_bytes third(s.url() + "/3", patient());
  CHECK(third.write(address(1), "one"));
  CHECK(is_absent(first, address(1)));
  CHECK(is_there(third, address(1), "one"));
  CHECK(contains(s.cli({"-n", "3", "DBSIZE"}), "1"));
  redis_bytes other("unix://" + s.socket() + "?db=3", patient());
  CHECK(is_there(other, address(1), "one"));
  redis_bytes none(s.url() + "/5000", impatient());
  CHECK(is_unavailable(none, address(1)));
  CAPTURE(none.problem());
  CHECK(contains(none.problem(), "refuses database 5000"));
}

TEST_CASE("a redis store that only reads") {
  if (is_skipped()) return;
  server s;
  redis_bytes writer(s.url(), patient());
  CHECK(writer.write(address(1), "one"));
  auto options = patient();
  options.entries.read_only = true;
  redis_bytes store(s.url(), options);
  CHECK(!store.write(address(1), "two"));
  CHECK(!store.remove(address(1)));
  CHECK(store.take_lease(address(1), std::chrono::seconds(100)));
  CHECK(is_there(store, address(1), "one"));
  CHECK(contains(s.cli({"DBSIZE"}), "1"));
}

TEST_CASE("redis entries that expire") {
  if (is_skipped()) return;
  server s;
  auto options = patient();
  options.expires_after = std::chrono::seconds(1);
  redis_bytes store(s.url(), options);
  CHECK(store.write(address(1), "one"));
  redis_bytes lasting(s.url(), patient());
  CHECK(lasting.write(address(2), "two"));
  CHECK(soon([&] { return !store.contains(address(1)); }));
  CHECK(is_absent(store, address(1)));
  CHECK(is_there(lasting, address(2), "two"));
}

TEST_CASE("redis entries that are too large are not sent") {
  if (is_skipped()) return;
  server s;
  auto options = patient();
  options.greatest_entry = 1000;
  redis_bytes store(s.url(), options);
  CHECK(store.write(address(1), noise(1000, 1)));
  CHECK(!store.write(address(2), noise(1001, 1)));
  CHECK(contains(store.problem(), "greatest_entry"));
  CHECK(is_there(store, address(1), noise(1000, 1)));

  // Nor is one of somebody else believed.
  redis_bytes other(s.url(), patient());
  std::string const large = noise(300'000, 3);
  CHECK(other.write(address(3), large));
  CHECK(is_unavailable(store, address(3)));
  CHECK(contains(store.problem(), "cut off"));
  CHECK(is_there(store, address(1), noise(1000, 1)));
}

TEST_CASE("redis entries beyond the server's own limit") {
  if (is_skipped()) return;
  server s({"--proto-max-bulk-len", "1mb"});
  redis_bytes store(s.url(), patient());
  CHECK(!store.write(address(1), noise(3 << 20, 1)));
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "proto-max-bulk-len"));
  CHECK(store.write(address(1), noise(1 << 20, 1)));
  CHECK(is_there(store, address(1), noise(1 << 20, 1)));
  CHECK(contains(store.problem(), "answers again"));
}

TEST_CASE("something else under the key of a redis entry is a miss and can be replaced") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), impatient());
  layerkey::entry_address at;
  at.fill('a');
  REQUIRE(contains(s.cli({"RPUSH", "layerkey:1:" + std::string(32, 'a'), "x"}), "1"));
  for (int i = 0; i != 5; ++i) {
    CHECK(is_unavailable(store, at));
    CHECK(contains(store.problem(), "WRONGTYPE"));
    CHECK(is_absent(store, address(1)));
  }
  CHECK(store.read_many({at, address(1)}, [](std::size_t, std::string_view) { return true; }) ==
        std::vector{read_result::unavailable, read_result::absent});
  CHECK(store.write(at, "one"));
  CHECK(is_there(store, at, "one"));
}
