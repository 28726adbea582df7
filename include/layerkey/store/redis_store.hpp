// A store on a Redis server or a Redis Cluster, for teams and fleets.
//
//   redis_store store{"redis://cache.example:6379", this_build()};
//
// The URL: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or unix://[USER:PASSWORD@]/PATH[?db=N].
// IPv6 addresses in brackets; what has another meaning there as % and two hexadecimal digits. Of a
// cluster one node is enough, HOST:PORT,HOST:PORT,... names more to begin with; that it is one is
// learned from its first answer. It has no databases but 0.
//
// A password in a URL on a command line can be read by every user of the machine: better give it in
// a file or in the environment, see redis_options. It is in no message.
//
// TLS is left to a tunnel: let stunnel (`client = yes`, `accept = 127.0.0.1:6379`,
// `connect = cache.example:6380`, `verifyChain = yes`, `checkHost = cache.example`) or ssh
// (`ssh -L 6379:localhost:6379 cache.example`) carry the connection, and give the near end. To a
// cluster, whose nodes announce their addresses, each node needs a tunnel under that address.
//
// On the server: `maxmemory` with `maxmemory-policy allkeys-lru`, which makes it a cache; no
// persistence is needed. Whoever can write to it can give you any artifact, if no secret is set
// (store_options). A user for it needs `~layerkey:1:* +get +set +del +exists +eval +cluster|slots`.
//
// An entry is a string under "layerkey:1:" and its address, 32 bytes. A lease is one under
// "layerkey:1:lease:" and the address, with a time after which the server drops it.
#pragma once

#include <layerkey/store/byte_store.hpp>
#include <layerkey/store/entry_store.hpp>
#include <layerkey/store/provenance.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

struct redis_options {
  store_options entries = {};  // their secret, compression and leases; whether nothing is written

  // Where the password comes from if the URL has none: a file, one end of line at its end is not
  // part of it; or else this environment variable, if it is set. Both are read once.
  std::string password_file = {};
  std::string password_variable = "LAYERKEY_REDIS_PASSWORD";

  // The longest that any call takes, whatever the server does. What is not there by then is a miss,
  // or not written.
  std::chrono::milliseconds time_out = std::chrono::seconds(1);

  // Of that, the longest to wait for a new connection.
  std::chrono::milliseconds connect_time_out = std::chrono::milliseconds(500);

  // A server that failed so often in a row is not asked for a while: calls return at once. Then one
  // of them tries it again; whenever that fails, the pause is twice as long.
  unsigned failures = 3;
  std::chrono::milliseconds first_pause = std::chrono::milliseconds(500);
  std::chrono::milliseconds longest_pause = std::chrono::seconds(30);

  // To one server at once; further threads wait for one of these.
  unsigned connections = 8;

  // Larger entries are not sent, and answers that are larger are cut off. No more than the server's
  // proto-max-bulk-len, which is 512 MiB by default.
  std::size_t greatest_entry = std::size_t{64} << 20;

  // How long after it was written the server drops an entry. 0: when it needs the memory.
  std::chrono::seconds expires_after = std::chrono::seconds(0);
};

// Of one store object in one process, since it was made.
struct redis_statistics {
  std::uint64_t operations = 0;  // calls that had a reason to ask a server
  std::uint64_t answered = 0;    // of those, the ones that the server did
  std::uint64_t failed = 0;      // that asked in vain, or were refused by the server
  std::uint64_t timed_out = 0;   // of those, the ones that ran out of time
  std::uint64_t not_asked = 0;   // that returned at once, since it had failed before
  std::uint64_t pauses = 0;      // begun, in which no call asks
  std::uint64_t connections = 0;
  std::uint64_t redirections = 0;  // by a cluster
};

// A line for each number that is not 0.
std::string to_text(redis_statistics const& s);

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             redis_statistics const& s) {
  return out << to_text(s).c_str();
}

// A server that is gone, slow, hung, full, or no Redis at all costs each call no more than the
// time-out, and after a few calls nothing; problem() says what is wrong. Makes no connection before
// it needs one. After a fork, the child makes its own.
class redis_bytes final : public byte_store {
 public:
  explicit redis_bytes(std::string_view url, redis_options options = {});
  ~redis_bytes() override;

  read_result read(entry_address const& at, use const& accepts) override;

  // In one round trip for each 64 addresses and server. The time-out is for all of them, a server
  // of a cluster has no more than its share; the time in `accepts` does not count.
  std::vector<read_result> read_many(std::vector<entry_address> const& at,
                                     use_of_many const& accepts) override;

  bool write(entry_address const& at, std::string_view entry) override;
  bool remove(entry_address const& at) override;
  bool contains(entry_address const& at) override;
  bool take_lease(entry_address const& at, std::chrono::milliseconds time) override;
  void drop_lease(entry_address const& at) override;
  std::string problem() const override;

  redis_statistics statistics() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

class redis_store : public entry_store {
 public:
  redis_store(std::string_view url, provenance made_by, redis_options options = {});

  // What went on with the server; statistics() is about entries.
  redis_statistics server_statistics() const;
};

}  // namespace layerkey
