// Whatever the server does, nobody waits longer than the time-out, and what is said is right.
#include "redis_server.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace redis_test;
using layerkey::read_result;
using layerkey::redis_bytes;

namespace {

// Every operation, none of which may wait longer than its time-out or say what is not so.
void check_operations(redis_bytes& store, layerkey::redis_options const& options) {
  milliseconds const limit = options.time_out + slack;
  CHECK(time_of([&] { CHECK(is_unavailable(store, address(77))); }) < limit);
  CHECK(time_of([&] { CHECK(!store.write(address(77), noise(5000, 1))); }) < limit);
  CHECK(time_of([&] { CHECK(!store.contains(address(77))); }) < limit);
  CHECK(time_of([&] { CHECK(!store.remove(address(77))); }) < limit);
  CHECK(time_of([&] { CHECK(store.take_lease(address(77), std::chrono::seconds(9))); }) < limit);
  CHECK(time_of([&] { store.drop_lease(address(77)); }) < limit);
  CHECK(time_of([&] {
          CHECK(store.read_many({address(77), address(2)}, [](std::size_t, std::string_view) {
            return true;
          }) == std::vector(2, read_result::unavailable));
        }) < limit);
}

// A server that fails is soon asked no more, and what it costs then is nothing.
void check_paused(redis_bytes& store) {
  REQUIRE(soon([&] {
    auto const before = store.statistics();
    static_cast<void>(is_unavailable(store, address(1)));
    auto const after = store.statistics();
    return after.not_asked == before.not_asked + 1;
  }));
  CHECK(store.statistics().pauses > 0);
  auto const before = store.statistics();
  CHECK(time_of([&] {
          for (int i = 0; i != 20; ++i) {
            CHECK(is_unavailable(store, address(1)));
            CHECK(!store.write(address(1), "x"));
          }
        }) < at_once);
  auto const after = store.statistics();
  // At most one of them tried it again.
  CHECK(after.not_asked - before.not_asked >= 39);
}

// A server that pushes bytes without being asked, and then hangs.
void push(int socket, std::string_view bytes, std::atomic<bool> const& ends) {
  send_all(socket, bytes);
  while (await_command(socket, ends)) {
  }
}

}  // namespace

TEST_CASE("a redis server that is not there") {
  auto const options = impatient();
  std::uint16_t port = 0;
  int const socket = listen_somewhere(port);  // so that nobody else answers
  ::close(socket);
  redis_bytes store("redis://127.0.0.1:" + std::to_string(port), options);
  check_operations(store, options);
  check_paused(store);
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "redis://127.0.0.1:" + std::to_string(port)));
  CHECK(contains(store.problem(), "Connection refused"));
  CHECK(contains(store.problem(), "Start the server"));
}

TEST_CASE("a redis server whose name is not there") {
  auto const options = impatient();
  redis_bytes store("redis://no-such-host.invalid", options);
  check_operations(store, options);
  check_paused(store);
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "name was not found"));
}

TEST_CASE("a redis socket that is not there") {
  auto const options = impatient();
  temporary_folder folder;
  redis_bytes store("unix://" + folder.path("socket"), options);
  check_operations(store, options);
  CHECK(contains(store.problem(), "No such file"));
}

TEST_CASE("a redis server that is killed and restarted empty") {
  if (is_skipped()) return;
  server s;
  auto const options = impatient();
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  CHECK(is_there(store, address(1), "one"));
  s.kill();
  check_operations(store, options);
  check_paused(store);
  CHECK(!contains(store.problem(), "answers again"));
  s.start();
  REQUIRE(s.is_running());
  CHECK(soon([&] { return is_absent(store, address(1)); }));
  CHECK(store.write(address(1), "two"));
  CHECK(is_there(store, address(1), "two"));
  CHECK(contains(store.problem(), "answers again"));
}

TEST_CASE("a redis server that is restarted between two calls is not missed") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  CHECK(store.write(address(1), "one"));
  s.kill();
  s.start();
  REQUIRE(s.is_running());
  CHECK(is_absent(store, address(1)));
  CHECK(store.statistics().failed == 0);
  CHECK(store.statistics().connections == 2);
}

TEST_CASE("a redis server that hangs") {
  if (is_skipped()) return;
  server s;
  auto const options = impatient();
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  s.pause();
  CHECK(time_of([&] { CHECK(is_unavailable(store, address(1))); }) >= options.time_out);
  CHECK(contains(store.problem(), "in time"));
  check_operations(store, options);
  check_paused(store);
  CHECK(store.statistics().timed_out > 0);
  s.go_on();
  CHECK(soon([&] { return is_there(store, address(1), "one"); }));
  CHECK(contains(store.problem(), "answers again"));
}

TEST_CASE("a redis server that hangs while it is sent a large entry") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  s.pause();
  std::string const large = noise(50 << 20, 1);
  CHECK(time_of([&] { CHECK(!store.write(address(1), large)); }) < options.time_out + slack);
  s.go_on();
  // Not a part of it is there.
  CHECK(soon([&] { return is_there(store, address(1), "one"); }));
}

TEST_CASE("a redis server that is killed while it is sent a large entry") {
  if (is_skipped()) return;
  server s;
  // On a unix socket that raises SIGPIPE, which would end this program.
  bool const by_socket = GENERATE(true, false);
  std::string const url = by_socket ? "unix://" + s.socket() : s.url();
  redis_bytes store(url, patient());
  CHECK(store.write(address(1), "one"));
  s.pause();
  std::string const large = noise(20 << 20, 1);
  bool is_written = true;
  std::thread writer([&] { is_written = store.write(address(1), large); });
  std::this_thread::sleep_for(milliseconds(100));
  s.kill();
  writer.join();
  CHECK(!is_written);
  CAPTURE(store.problem());
  CHECK((contains(store.problem(), "lost") || contains(store.problem(), "closed")));
}

TEST_CASE("one thread tries a hanging redis server, the others do not wait") {
  if (is_skipped()) return;
  server s;
  auto options = impatient();
  options.first_pause = milliseconds(1);
  options.longest_pause = milliseconds(1);
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  s.pause();
  for (unsigned i = 0; i != options.failures; ++i) CHECK(is_unavailable(store, address(1)));
  std::this_thread::sleep_for(milliseconds(5));
  std::atomic<int> waited = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&] {
      if (time_of([&] { static_cast<void>(store.contains(address(1))); }) >= options.time_out)
        ++waited;
    });
  for (auto& each : threads) each.join();
  CHECK(waited == 1);
  s.go_on();
  CHECK(soon([&] { return is_there(store, address(1), "one"); }));
}

TEST_CASE("a slow redis server") {
  if (is_skipped()) return;
  server s;
  auto const options = impatient();
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(1), "one"); }));
  std::thread sleeper([&] { s.cli({"DEBUG", "SLEEP", "3"}); });
  CHECK(soon([&] { return is_unavailable(store, address(1)); }));
  check_operations(store, options);
  check_paused(store);
  sleeper.join();
  CHECK(soon([&] { return is_there(store, address(1), "one"); }));
}

TEST_CASE("a redis server whose answers drip") {
  auto const options = impatient();
  false_server s([](int socket, std::atomic<bool> const& ends) {
    await_command(socket, ends);
    send_all(socket, "$10000\r\n");
    while (!ends && send_all(socket, "x")) std::this_thread::sleep_for(milliseconds(10));
  });
  redis_bytes store(s.url(), options);
  milliseconds const time = time_of([&] { CHECK(is_unavailable(store, address(1))); });
  CHECK(time >= options.time_out);
  CHECK(time < options.time_out + slack);
  check_operations(store, options);
  check_paused(store);
}

TEST_CASE("a redis server that speaks before it is asked") {
  // The answer to what was not asked would be taken for one to what is asked next.
  false_server s([](int socket, std::atomic<bool> const& ends) {
    while (await_command(socket, ends)) send_all(socket, "$3\r\none\r\n$3\r\ntwo\r\n");
  });
  redis_bytes store(s.url(), patient());
  for (int i = 0; i != 5; ++i) CHECK(is_there(store, address(1), "one"));
  CHECK(store.statistics().connections == 5);
}

TEST_CASE("a redis server that answers garbage") {
  auto const answer =
      GENERATE(as<std::string>(),
               "HTTP/1.1 400 Bad Request\r\n\r\n",                        //
               "SSH-2.0-OpenSSH_9.2p1\r\n",                               //
               std::string("\0\0\0\0", 4),                                //
               "$9223372036854775807\r\n",                                //
               "$9223372036854775808\r\n",                                //
               "$-2\r\n",                                                 //
               "$5\r\nabc\r\n",                                           //
               "$x\r\n",                                                  //
               "$\r\n",                                                   //
               ":12x\r\n",                                                //
               "*2147483647\r\n",                                         //
               "*4294967296\r\n",                                         //
               "*1000000000\r\n$1\r\na\r\n",                              //
               "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",  //
               "$100000\r\n" + std::string(100'002, 'x'), "$100000\r\n" + std::string(99'000, 'x'),
               "+" + std::string(1000, 'x'),  //
               "*-1\r\n\r\n",                 //
               "%1\r\n", ",1.5\r\n", "#t\r\n", "_\r\n", "(12\r\n", "=5\r\ntxt:x\r\n");
  CAPTURE(answer);
  auto const options = impatient();
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    if (await_command(socket, ends)) push(socket, answer, ends);
  });
  redis_bytes store(s.url(), options);
  milliseconds const limit = options.time_out + slack;
  CHECK(time_of([&] { CHECK(read(store, address(1)).result != read_result::accepted); }) < limit);
  CHECK(time_of([&] { CHECK(!store.write(address(1), "x")); }) < limit);
  CHECK(time_of([&] { CHECK(!store.contains(address(1))); }) < limit);
}

TEST_CASE("a redis server that answers noise") {
  auto const options = impatient();
  std::atomic<std::uint64_t> seed = 0;
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    if (!await_command(socket, ends)) return;
    std::uint64_t const mine = ++seed;
    std::string bytes = noise(1 + mine * 7 % 300, mine);
    // Half of it begins like an answer.
    if (mine % 2 == 0) bytes.insert(0, 1, "+-:$*"[mine / 2 % 5]);
    for (std::size_t i = 0; i < bytes.size(); i += 9)
      if (mine % 3 == 0) bytes.replace(i, 1, "\r\n$1*");
    send_all(socket, bytes);
  });
  auto quick = options;
  quick.failures = 1'000'000;
  redis_bytes store(s.url(), quick);
  for (int i = 0; i != 500; ++i) CHECK(read(store, address(1)).result != read_result::accepted);
  CHECK(!store.problem().empty());
}

TEST_CASE("a redis server that answers what was not asked for") {
  // Of a right form, but to another question.
  auto const options = patient();
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    while (await_command(socket, ends)) send_all(socket, "*2\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n");
  });
  redis_bytes store(s.url(), options);
  CHECK(read(store, address(1)).result != read_result::accepted);
  CHECK(!store.write(address(1), "x"));
  CHECK(!store.contains(address(1)));
  CHECK(!store.remove(address(1)));
  CHECK(contains(store.problem(), "no Redis server"));
}

TEST_CASE("a redis server whose answer has no end") {
  auto options = impatient();
  options.time_out = std::chrono::seconds(20);
  options.greatest_entry = 4 << 20;
  std::atomic<std::size_t> sent = 0;
  auto const begin = GENERATE(as<std::string>(), "$1000000000\r\n", "+", "*10\r\n$1000000000\r\n");
  CAPTURE(begin);
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    if (!await_command(socket, ends) || !send_all(socket, begin)) return;
    std::string const some(65536, 'x');
    while (!ends && send_all(socket, some)) sent += some.size();
  });
  redis_bytes store(s.url(), options);
  CHECK(time_of([&] { CHECK(is_unavailable(store, address(1))); }) < options.time_out);
  CHECK(contains(store.problem(), "cut off"));
  // What lies in the buffers of the sockets was not read.
  CHECK(sent < (std::size_t{32} << 20));
}

TEST_CASE("a redis server that closes every connection") {
  auto const options = impatient();
  bool const listens = GENERATE(true, false);
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    if (listens) await_command(socket, ends);
  });
  redis_bytes store(s.url(), options);
  check_operations(store, options);
  check_paused(store);
  CAPTURE(store.problem());
  CHECK((contains(store.problem(), "closed") || contains(store.problem(), "lost")));
}

TEST_CASE("a redis server that echoes tells nobody the password") {
  false_server s([&](int socket, std::atomic<bool> const& ends) {
    while (await_command(socket, ends))
      send_all(socket, "-ERR unknown command `AUTH`, with args beginning with: `sesame`\r\n");
  });
  std::string url = s.url();
  url.insert(8, ":sesame@");
  redis_bytes store(url, impatient());
  CHECK(is_unavailable(store, address(1)));
  CHECK(contains(store.problem(), "refuses the login"));
  CHECK(!contains(store.problem(), "sesame"));
  false_server other([&](int socket, std::atomic<bool> const& ends) {
    await_command(socket, ends);
    send_all(socket, "+OK\r\n");
    while (await_command(socket, ends)) send_all(socket, "-ERR what is sesame?\r\n");
  });
  url = other.url();
  url.insert(8, ":sesame@");
  redis_bytes second(url, impatient());
  CHECK(is_unavailable(second, address(1)));
  CHECK(contains(second.problem(), "what is ***?"));
}

TEST_CASE("what a redis server refuses is said, with what to do") {
  struct refusal {
    std::string answer;
    std::string advice;
    bool of_writes;
  };
  auto const [answer, advice, of_writes] = GENERATE(
      refusal{"-LOADING Redis is loading the dataset in memory", "loading", false},
      refusal{"-CLUSTERDOWN The cluster is down", "slots", false},
      refusal{"-MASTERDOWN Link with MASTER is down", "primary", false},
      refusal{"-BUSY Redis is busy running a script", "SCRIPT KILL", false},
      refusal{"-NOAUTH Authentication required.", "password", false},
      refusal{"-ERR max number of clients reached", "see its log", false},
      refusal{"-OOM command not allowed when used memory > 'maxmemory'.", "maxmemory-policy", true},
      refusal{"-READONLY You can't write against a read only replica.", "primary", true},
      refusal{"-MISCONF Redis is configured to save RDB snapshots", "save", true});
  CAPTURE(answer);
  false_server s(
      [answer = answer, of_writes = of_writes](int socket, std::atomic<bool> const& ends) {
        char bytes[65536];
        while (!ends) {
          pollfd one{.fd = socket, .events = POLLIN, .revents = 0};
          if (::poll(&one, 1, 10) <= 0) continue;
          ssize_t const count = ::recv(socket, bytes, sizeof bytes, 0);
          if (count <= 0) return;
          std::string_view rest(bytes, static_cast<std::size_t>(count));
          bool const is_get = rest.find("GET") != rest.npos;
          do {
            send_all(socket, of_writes && is_get ? "$3\r\none\r\n" : answer + "\r\n");
            rest = rest.substr(1);
            rest = rest.substr(std::min(rest.find('*'), rest.size()));
          } while (!rest.empty());
        }
      });
  auto options = impatient();
  redis_bytes store(s.url(), options);
  if (!of_writes) {
    check_operations(store, options);
    check_paused(store);
  }
  // Where it refuses writes only, they are not even sent, and reads go on.
  for (int i = 0; of_writes && i != 10; ++i) {
    CHECK(!store.write(address(1), "x"));
    CHECK(store.take_lease(address(1), std::chrono::seconds(9)));
    CHECK(is_there(store, address(1), "one"));
  }
  if (of_writes) CHECK(store.statistics().not_asked > 10);
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), advice));
}

TEST_CASE("a redis server without memory") {
  if (is_skipped()) return;
  server s({"--maxmemory", "2mb", "--maxmemory-policy", "noeviction"});
  auto const options = impatient();
  redis_bytes store(s.url(), options);
  REQUIRE(soon([&] { return store.write(address(0), "one"); }));
  std::uint64_t kept = 0;
  while (kept < 100 && store.write(address(kept + 1), noise(100'000, kept))) ++kept;
  REQUIRE(kept < 100);
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "OOM"));
  CHECK(contains(store.problem(), "allkeys-lru"));
  auto const before = store.statistics();
  for (int i = 0; i != 10; ++i) {
    CHECK(!store.write(address(99), noise(100'000, 1)));
    CHECK(store.take_lease(address(99), std::chrono::seconds(9)));
    CHECK(is_there(store, address(0), "one"));
  }
  CHECK(store.statistics().not_asked >= before.not_asked + 10);
  // What makes room is not refused.
  for (std::uint64_t i = 0; i != kept; ++i) CHECK(store.remove(address(i + 1)));
  CHECK(soon([&] { return store.write(address(99), "two"); }));
  CHECK(is_there(store, address(99), "two"));
  CHECK(contains(store.problem(), "answers again"));
}

TEST_CASE("a redis replica serves and takes nothing") {
  if (is_skipped()) return;
  server primary({"--repl-diskless-sync-delay", "0"});
  server replica({"--replicaof", "127.0.0.1 " + std::to_string(primary.port())});
  redis_bytes writer(primary.url(), patient());
  redis_bytes store(replica.url(), impatient());
  CHECK(writer.write(address(1), "one"));
  REQUIRE(soon([&] { return is_there(store, address(1), "one"); }));
  for (int i = 0; i != 10; ++i) {
    CHECK(!store.write(address(1), "two"));
    CHECK(!store.remove(address(1)));
    CHECK(is_there(store, address(1), "one"));
  }
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "READONLY"));
}

TEST_CASE("a child that was forked has connections of its own") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  CHECK(store.write(address(1), "one"));
  CHECK(store.take_lease(address(5), std::chrono::seconds(100)));
  pid_t const child = ::fork();
  if (child == 0) {
    bool right = true;
    for (int i = 0; i != 200; ++i) right = right && is_there(store, address(1), "one");
    right = right && store.write(address(2), "two") && store.statistics().connections == 2;
    store.drop_lease(address(5));  // which is its parent's
    ::_exit(right ? 0 : 1);
  }
  std::size_t wrong = 0;
  for (int i = 0; i != 200; ++i) wrong += !is_there(store, address(1), "one");
  CHECK(wrong == 0);
  int status = -1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(is_there(store, address(2), "two"));
  CHECK(!store.take_lease(address(5), std::chrono::seconds(100)));
  CHECK(store.statistics().connections == 1);
}

TEST_CASE("a child of a process with busy threads can use a redis store") {
  if (is_skipped()) return;
  server s;
  redis_bytes store(s.url(), patient());
  CHECK(store.write(address(1), "one"));
  std::atomic<bool> ends = false;
  std::vector<std::thread> threads;
  for (int i = 0; i != 3; ++i)
    threads.emplace_back([&] {
      while (!ends) {
        static_cast<void>(is_there(store, address(1), "one"));
        static_cast<void>(store.problem());
      }
    });
  for (int i = 0; i != 50; ++i) {
    pid_t const child = ::fork();
    if (child == 0) {
      ::alarm(60);
      ::_exit(is_there(store, address(1), "one") ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  ends = true;
  for (auto& each : threads) each.join();
}
