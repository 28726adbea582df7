// A Redis Cluster of three nodes: who has which keys, while they move, and when a node is gone.
#include "redis_server.hpp"

#include <layerkey/store/detail/redis_cluster.hpp>

#include <catch2/catch.hpp>

#include <memory>

using namespace redis_test;
using layerkey::read_result;
using layerkey::redis_bytes;
namespace detail = layerkey::detail;

namespace {

// The node's second port is the usual one plus 10,000, which may be another's: any free one.
class cluster {
 public:
  explicit cluster(std::string const& needs_all_slots = "no") {
    for (int attempt = 0; attempt != 5; ++attempt) {
      nodes_.clear();
      for (int i = 0; i != 3; ++i)
        nodes_.push_back(std::make_unique<server>(std::vector<std::string>{
            "--cluster-enabled", "yes", "--cluster-port", std::to_string(free_port()),
            "--cluster-node-timeout", "1000", "--cluster-config-file", "nodes",
            "--cluster-require-full-coverage", needs_all_slots}));
      if (create()) return;
    }
    std::fprintf(stderr, "no cluster:\n%s\n", content_of(folder_.path("create")).c_str());
    std::abort();
  }

  server& operator[](std::size_t i) { return *nodes_[i]; }

  std::string id(std::size_t i) {
    std::string text = nodes_[i]->cli({"CLUSTER", "MYID"});
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

  std::size_t keys(std::size_t i) {
    return static_cast<std::size_t>(std::atoi(nodes_[i]->cli({"DBSIZE"}).c_str()));
  }

  // Which slots a node says are its own, such as " 0-100 200".
  std::string slots(std::size_t i) {
    std::string const shown = nodes_[i]->cli({"CLUSTER", "NODES"});
    auto const line = shown.find("myself");
    auto const begin = shown.find("connected", line) + 9;
    return shown.substr(begin, shown.find('\n', line) - begin);
  }

 private:
  bool create() {
    std::vector<std::string> words = {"redis-cli", "--cluster", "create"};
    for (auto const& each : nodes_) words.push_back(each->place());
    words.push_back("--cluster-yes");
    if (run_program(words, folder_.path("create")) != 0) return false;
    for (auto const& each : nodes_)
      if (!soon([&] { return contains(each->cli({"CLUSTER", "INFO"}), "cluster_state:ok"); }))
        return false;
    return true;
  }

  temporary_folder folder_;
  std::vector<std::unique_ptr<server>> nodes_;
};

std::string key_of(layerkey::entry_address const& at) {
  return "layerkey:1:" + std::string(reinterpret_cast<char const*>(at.data()), at.size());
}

bool has_slot(std::string const& ranges, unsigned slot) {
  for (std::size_t at = 0; at < ranges.size(); at = ranges.find(' ', at + 1)) {
    char* end = nullptr;
    unsigned long const first = std::strtoul(ranges.c_str() + at, &end, 10);
    unsigned long const last = *end == '-' ? std::strtoul(end + 1, &end, 10) : first;
    if (first <= slot && slot <= last) return true;
  }
  return false;
}

// An address of letters only, for redis-cli, whose slot a node has.
layerkey::entry_address address_at(cluster& c, std::size_t node, unsigned& slot) {
  std::string const slots = c.slots(node);
  for (std::uint64_t i = 0; i != 100'000; ++i) {
    layerkey::entry_address at = address(i);
    for (auto& byte : at) byte = static_cast<unsigned char>('a' + byte % 26);
    slot = detail::redis_slot_of(key_of(at));
    if (has_slot(slots, slot)) return at;
  }
  FAIL("node " << node << " has no slots but " << slots);
  return {};
}

detail::redis_reply array_of(std::vector<detail::redis_reply> items) {
  detail::redis_reply reply;
  reply.type = detail::redis_reply::kind::array;
  reply.items = std::move(items);
  return reply;
}
detail::redis_reply number(long long value) {
  detail::redis_reply reply;
  reply.type = detail::redis_reply::kind::integer;
  reply.integer = value;
  return reply;
}
detail::redis_reply text(std::string value) {
  detail::redis_reply reply;
  reply.type = detail::redis_reply::kind::bytes;
  reply.text = std::move(value);
  return reply;
}

}  // namespace

TEST_CASE("slots of redis keys") {
  // From the specification of Redis Cluster.
  CHECK(detail::redis_slot_of("123456789") == 0x31c3);
  CHECK(detail::redis_slot_of("{user1000}.following") ==
        detail::redis_slot_of("{user1000}.followers"));
  CHECK(detail::redis_slot_of("{user1000}.following") == detail::redis_slot_of("user1000"));
  CHECK(detail::redis_slot_of("foo{}{bar}") != detail::redis_slot_of("bar"));
  CHECK(detail::redis_slot_of("foo{{bar}}zap") == detail::redis_slot_of("{bar"));
  CHECK(detail::redis_slot_of("foo{bar}{zap}") == detail::redis_slot_of("bar"));
  CHECK(detail::redis_slot_of("") == 0);
}

TEST_CASE("slots of redis keys are the server's") {
  if (is_skipped()) return;
  server s({"--cluster-enabled", "yes", "--cluster-port", std::to_string(free_port())});
  for (std::uint64_t i = 0; i != 40; ++i) {
    std::string key = noise(i, i);
    for (char& c : key) c = "ab{}{}xyz"[static_cast<unsigned char>(c) % 9];
    CAPTURE(key);
    CHECK(static_cast<unsigned>(std::atoi(s.cli({"CLUSTER", "KEYSLOT", key}).c_str())) ==
          detail::redis_slot_of(key));
  }
}

TEST_CASE("redirections of a redis cluster") {
  detail::redis_place const asked{.host = "asked", .port = 1, .path = {}};
  auto const moved = detail::read_redirection("MOVED 3999 127.0.0.1:6381", asked);
  REQUIRE(moved);
  CHECK(!moved->is_ask);
  CHECK(moved->slot == 3999);
  CHECK(moved->to.host == "127.0.0.1");
  CHECK(moved->to.port == 6381);
  auto const ask = detail::read_redirection("ASK 0 ::1:7000", asked);
  REQUIRE(ask);
  CHECK(ask->is_ask);
  CHECK(ask->to.host == "::1");
  CHECK(ask->to.port == 7000);
  auto const same = detail::read_redirection("MOVED 1 :7000", asked);
  REQUIRE(same);
  CHECK(same->to.host == "asked");
  for (char const* wrong : {"", "MOVED", "MOVED ", "MOVED 1", "MOVED 1 ", "MOVED 16384 h:1",
                            "MOVED -1 h:1", "MOVED 1 h:", "MOVED 1 h:0", "MOVED 1 h:65536",
                            "MOVED 1 h:x", "MOVED x h:1", "ASK1 h:1", "ERR MOVED 1 h:1"}) {
    CAPTURE(wrong);
    CHECK(!detail::read_redirection(wrong, asked));
  }
}

TEST_CASE("the slot map of a redis cluster") {
  detail::redis_place const asked{.host = "asked", .port = 1, .path = {}};
  auto const node = [](std::string host, long long port) {
    return array_of({text(std::move(host)), number(port), text("id"), array_of({})});
  };
  auto const map = detail::read_slot_map(
      array_of({array_of({number(0), number(9), node("a", 1), node("replica", 9)}),
                array_of({number(11), number(11), node("", 2)}),
                array_of({number(16000), number(16383), node("a", 1)})}),
      asked);
  REQUIRE(map);
  REQUIRE(map->nodes.size() == 2);
  CHECK(map->nodes[1].name() == "asked:2");
  CHECK(map->owners[0] == 0);
  CHECK(map->owners[9] == 0);
  CHECK(map->owners[10] == detail::redis_slot_map::nobody);
  CHECK(map->owners[11] == 1);
  CHECK(map->owners[16383] == 0);

  for (auto const& wrong :
       {number(1), text("x"), array_of({number(1)}), array_of({array_of({})}),
        array_of({array_of({number(0), number(1)})}),
        array_of({array_of({number(0), number(16384), node("a", 1)})}),
        array_of({array_of({number(-1), number(1), node("a", 1)})}),
        array_of({array_of({number(5), number(4), node("a", 1)})}),
        array_of({array_of({number(0), number(1), node("a", 0)})}),
        array_of({array_of({number(0), number(1), array_of({text("a")})})}),
        array_of({array_of({number(0), number(1), array_of({text("a"), text("1")})})})})
    CHECK(!detail::read_slot_map(wrong, asked));
}

TEST_CASE("a redis cluster") {
  if (is_skipped()) return;
  cluster c;
  redis_bytes store(c[0].url(), patient());

  // Keys lie at all nodes.
  std::vector<layerkey::entry_address> at;
  for (std::uint64_t i = 0; i != 300; ++i) {
    at.push_back(address(i));
    REQUIRE(store.write(at.back(), noise(static_cast<std::size_t>(i), i)));
  }
  for (std::size_t i = 0; i != 3; ++i) CHECK(c.keys(i) > 50);
  CHECK(c.keys(0) + c.keys(1) + c.keys(2) == 300);
  // Each node was found once, not with every key.
  CHECK(store.statistics().redirections < 10);
  CHECK(store.statistics().connections == 3);

  redis_bytes other(c[2].url(), patient());
  std::size_t wrong = 0;
  for (int round = 0; round != 2; ++round) {
    auto const results = other.read_many(at, [&](std::size_t which, std::string_view entry) {
      wrong += entry != noise(which, which);
      return true;
    });
    CHECK(results == std::vector(300, read_result::accepted));
  }
  CHECK(wrong == 0);
  for (std::uint64_t i = 0; i != 300; i += 10) {
    CHECK(other.contains(at[i]));
    CHECK(other.take_lease(at[i], std::chrono::seconds(1000)));
    CHECK(!store.take_lease(at[i], std::chrono::seconds(1000)));
    other.drop_lease(at[i]);
    CHECK(store.take_lease(at[i], std::chrono::seconds(1000)));
    CHECK(other.remove(at[i]));
    CHECK(is_absent(store, at[i]));
  }
  CHECK(store.problem().empty());
  CHECK(other.problem().empty());

  // A slot is on its way: what is still at its old node, what is not, and what is new.
  unsigned slot = 0;
  auto const moving = address_at(c, 0, slot);
  CHECK(store.write(moving, "here"));
  std::string const slot_text = std::to_string(slot);
  CHECK(contains(c[1].cli({"CLUSTER", "SETSLOT", slot_text, "IMPORTING", c.id(0)}), "OK"));
  CHECK(contains(c[0].cli({"CLUSTER", "SETSLOT", slot_text, "MIGRATING", c.id(1)}), "OK"));
  CHECK(is_there(store, moving, "here"));
  CHECK(contains(
      c[0].cli({"MIGRATE", "127.0.0.1", std::to_string(c[1].port()), key_of(moving), "0", "5000"}),
      "OK"));
  auto before = store.statistics().redirections;
  CHECK(is_there(store, moving, "here"));
  CHECK(store.read_many({moving}, [](std::size_t, std::string_view entry) {
    return entry == "here";
  }) == std::vector{read_result::accepted});
  CHECK(store.write(moving, "there"));
  CHECK(is_there(store, moving, "there"));
  // ASK is for this time: it was asked where it used to be each time.
  CHECK(store.statistics().redirections >= before + 4);

  // It has arrived.
  for (std::size_t i : {1U, 0U, 2U})
    CHECK(contains(c[i].cli({"CLUSTER", "SETSLOT", slot_text, "NODE", c.id(1)}), "OK"));
  before = store.statistics().redirections;
  CHECK(is_there(store, moving, "there"));
  CHECK(store.statistics().redirections == before + 1);
  CHECK(is_there(store, moving, "there"));
  CHECK(store.statistics().redirections == before + 1);
  CHECK(store.problem().empty());

  // Many slots are moved by redis-cli, under way and after it every entry is there.
  temporary_folder folder;
  std::atomic<bool> ends = false;
  std::atomic<std::size_t> missed = 0;
  std::thread reader([&] {
    while (!ends)
      for (std::uint64_t i = 1; i < 300; i += 10)
        missed += !is_there(store, at[i], noise(static_cast<std::size_t>(i), i));
  });
  CHECK(run_program({"redis-cli", "--cluster", "reshard", c[0].place(), "--cluster-from", c.id(0),
                     "--cluster-to", c.id(2), "--cluster-slots", "1500", "--cluster-yes"},
                    folder.path("reshard")) == 0);
  ends = true;
  reader.join();
  CHECK(missed == 0);
  for (std::uint64_t i = 1; i < 300; i += 10)
    CHECK(is_there(store, at[i], noise(static_cast<std::size_t>(i), i)));
  CHECK(store.problem().empty());

  // One that hangs does not keep what the others have, nor are they thought to be at fault.
  {
    auto const slow = impatient();
    redis_bytes many(c[0].url(), slow);
    REQUIRE(soon([&] {
      return many.read_many(at, [](std::size_t, std::string_view) { return true; }) ==
             store.read_many(at, [](std::size_t, std::string_view) { return true; });
    }));
    c[1].pause();
    std::vector<read_result> found;
    for (int i = 0; i != 6; ++i)
      CHECK(time_of([&] {
              found = many.read_many(at, [](std::size_t, std::string_view) { return true; });
            }) < slow.time_out + slack);
    std::size_t unavailable = 0;
    for (auto const each : found) unavailable += each == read_result::unavailable;
    CHECK(unavailable > 30);
    CHECK(unavailable < 200);
    c[1].go_on();
    CHECK(soon([&] { return is_there(many, moving, "there"); }));
  }

  // A node is gone: the others go on.
  auto const options = impatient();
  redis_bytes quick(c[0].url(), options);
  REQUIRE(soon([&] { return is_there(quick, moving, "there"); }));
  unsigned ignored = 0;
  auto const at_first = address_at(c, 0, ignored);
  auto const at_third = address_at(c, 2, ignored);
  CHECK(soon([&] { return quick.write(at_first, "first") && quick.write(at_third, "third"); }));
  auto const gone = address_at(c, 1, ignored);
  c[1].kill();
  for (int i = 0; i != 5; ++i)
    CHECK(time_of([&] { CHECK(is_unavailable(quick, gone)); }) < options.time_out + slack);
  CHECK(contains(quick.problem(), c[1].place()));
  for (int i = 0; i != 5; ++i) {
    CHECK(is_there(quick, at_first, "first"));
    CHECK(is_there(quick, at_third, "third"));
  }
  auto const results = quick.read_many({gone, at_first, at_third},
                                       [](std::size_t, std::string_view) { return true; });
  CHECK(results ==
        std::vector{read_result::unavailable, read_result::accepted, read_result::accepted});
}

TEST_CASE("a redis cluster that wants all of its nodes") {
  if (is_skipped()) return;
  cluster c("yes");
  auto const options = impatient();
  redis_bytes store(c[0].url() + "," + c[2].place(), options);
  unsigned ignored = 0;
  auto const at = address_at(c, 0, ignored);
  REQUIRE(soon([&] { return store.write(at, "one"); }));
  c[1].kill();
  CHECK(soon([&] {
    CHECK(time_of([&] { static_cast<void>(read(store, at)); }) < options.time_out + slack);
    return contains(store.problem(), "CLUSTERDOWN");
  }));
  CAPTURE(store.problem());
  CHECK(contains(store.problem(), "cluster-require-full-coverage"));
  c[1].start();
  if (c[1].is_running()) CHECK(soon([&] { return is_there(store, at, "one"); }));
}

TEST_CASE("a redis cluster is found by the second address that is given") {
  if (is_skipped()) return;
  server s({"--cluster-enabled", "yes", "--cluster-port", std::to_string(free_port())});
  REQUIRE(contains(s.cli({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"}), "OK"));
  REQUIRE(soon([&] { return contains(s.cli({"CLUSTER", "INFO"}), "cluster_state:ok"); }));
  auto options = impatient();
  options.time_out = std::chrono::seconds(5);
  options.connect_time_out = std::chrono::seconds(5);
  options.first_pause = std::chrono::seconds(100);
  options.longest_pause = std::chrono::seconds(100);
  std::uint16_t port = 0;
  ::close(listen_somewhere(port));
  redis_bytes store("redis://127.0.0.1:" + std::to_string(port) + "," + s.place(), options);
  for (unsigned i = 0; i != options.failures; ++i) CHECK(!store.write(address(1), "one"));
  CHECK(store.write(address(1), "one"));
  CHECK(is_there(store, address(1), "one"));
}

TEST_CASE("a redis cluster that sends in circles") {
  false_server s([](int socket, std::atomic<bool> const& ends) {
    while (await_command(socket, ends)) send_all(socket, "-MOVED 1 :" + std::string("1\r\n"));
  });
  auto const options = impatient();
  redis_bytes store(s.url(), options);
  for (int i = 0; i != 5; ++i)
    CHECK(time_of([&] { CHECK(is_unavailable(store, address(1))); }) < options.time_out + slack);

  std::atomic<std::uint16_t> port = 0;
  false_server circle([&](int socket, std::atomic<bool> const& ends) {
    while (await_command(socket, ends))
      send_all(socket, "-MOVED 1 127.0.0.1:" + std::to_string(port) + "\r\n");
  });
  port = static_cast<std::uint16_t>(std::atoi(circle.url().c_str() + 18));
  redis_bytes lost(circle.url(), options);
  CHECK(is_unavailable(lost, address(1)));
  CHECK(contains(lost.problem(), "without an end"));
}
