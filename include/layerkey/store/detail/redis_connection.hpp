// A connection to a Redis server on which nothing takes longer than it may.
//
// hiredis's own connections have a time-out for each system call and not for a whole answer, and
// wait for names without any; so only its parser is used.
#pragma once

#include <layerkey/store/detail/redis_url.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct redisReader;

namespace layerkey::detail {

using redis_clock = std::chrono::steady_clock;
using redis_time = redis_clock::time_point;

struct redis_reply {
  enum class kind : unsigned char { none, status, error, integer, nil, bytes, array };

  kind type = kind::none;
  long long integer = 0;
  std::string text;  // of a status, an error or bytes
  std::vector<redis_reply> items;

  bool is(kind which) const { return type == which; }
  // Of an error, its first word.
  std::string_view code() const { return std::string_view(text).substr(0, text.find(' ')); }
};

// Commands in the form in which they are sent.
class redis_request {
 public:
  // A command of so many words, which have to follow.
  redis_request& command(std::size_t words);
  // A large one is not copied and has to live until it is sent.
  redis_request& word(std::string_view bytes);

 private:
  friend class redis_connection;

  std::string text_;
  std::string_view large_;    // one word, at
  std::size_t large_at_ = 0;  // of the text
};

// The sockets of one store. The child of a fork closes those of its parent; it can lock nothing
// for that, since another thread may have held the lock.
class redis_sockets {
 public:
  redis_sockets();

  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t add(int socket);  // none: there are too many
  void close(std::size_t which);
  void close_all();

 private:
  std::array<std::atomic<int>, 1024> sockets_;
};

enum class redis_fault : unsigned char {
  none,
  not_connected,
  timed_out,
  closed,
  protocol,
  too_large,
  busy
};

class redis_connection {
 public:
  // Answers of more bytes are cut off.
  redis_connection(redis_sockets& sockets, std::size_t greatest_reply);
  redis_connection(redis_connection const&) = delete;
  redis_connection& operator=(redis_connection const&) = delete;
  ~redis_connection();

  // Each leaves in why() what went wrong; then the connection is of no more use.
  redis_fault connect(redis_place const& place, redis_time end);
  redis_fault send(redis_request const& request, redis_time end);
  redis_fault receive(redis_reply& reply, redis_time end);

  // Whether a connection on which nothing is awaited is as it was left.
  bool is_quiet() const;

  std::string const& why() const { return why_; }

 private:
  redis_fault wait_for(short events, redis_time end);
  redis_fault receive_some(char* to, std::size_t most, redis_time end, std::size_t& count);
  redis_fault receive_large(std::string& text, std::string_view begin, std::size_t size,
                            redis_time end);
  redis_fault too_large();
  redis_fault fail(redis_fault fault, std::string why);

  redis_sockets& sockets_;
  std::size_t greatest_reply_;
  int socket_ = -1;
  std::size_t number_ = redis_sockets::none;
  redisReader* reader_;
  std::unique_ptr<char[]> buffer_;
  bool more_ = false;
  std::string why_;
};

}  // namespace layerkey::detail
