// One Redis server: some connections to it, and whether it is worth asking.
#pragma once

#include <layerkey/store/detail/redis_connection.hpp>

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey::detail {

// A circuit breaker. After so many failures in a row nobody gets through until a pause is over;
// then one does, and what becomes of it ends or doubles the pause.
class redis_breaker {
 public:
  struct limits {
    unsigned failures;
    redis_clock::duration first_pause;
    redis_clock::duration longest_pause;
  };

  enum class pass : unsigned char { no, yes, probe };

  pass admit(redis_time now, limits const& l);
  void succeeded();
  // Whether a pause begins.
  bool failed(pass admitted, redis_time now, limits const& l);
  bool is_open(redis_time now, limits const& l) const;

 private:
  unsigned failures_ = 0;
  bool probing_ = false;
  redis_time until_ = {};
  redis_clock::duration pause_ = {};
};

// What all connections of a store have in common.
struct redis_login {
  std::string user;
  std::string password;
  bool has_password = false;
  unsigned database = 0;
  redis_clock::duration connect_time_out = {};
  std::size_t greatest_reply = 0;
  unsigned connections = 0;
  redis_breaker::limits limits = {};

  // An error of the server in one line, without the password and what else may be secret.
  std::string harmless(std::string_view error) const;
};

struct redis_failure {
  redis_fault fault = redis_fault::none;
  std::string why;

  explicit operator bool() const { return fault != redis_fault::none; }
};

class redis_node {
 public:
  redis_node(redis_place place, redis_login const& login, redis_sockets& sockets);

  redis_place const& place() const { return place_; }

  // A connection that is logged in, for one user at a time. One that was not said to be in order
  // is closed.
  class loan {
   public:
    loan() = default;
    loan(loan const&) = delete;
    loan& operator=(loan const&) = delete;
    ~loan();

    redis_connection* operator->() const { return connection_.get(); }
    // Nothing more will come.
    void in_order() { is_in_order_ = true; }

   private:
    friend class redis_node;
    redis_node* node_ = nullptr;
    std::unique_ptr<redis_connection> connection_;
    bool is_in_order_ = false;
  };

  // `connected`: whether a new one was made.
  redis_failure lend(loan& to, redis_time end, bool& connected);

  redis_breaker::pass admit(redis_time now);
  void succeeded();
  bool failed(redis_breaker::pass admitted, redis_time now);
  bool is_paused(redis_time now) const;

  // Writes alone are refused by a server that is full or a replica.
  bool admits_writes(redis_time now) const;
  void writes_succeeded();
  bool writes_failed(redis_time now);

 private:
  redis_failure log_in(redis_connection& connection, redis_time end) const;

  redis_place place_;
  redis_login const& login_;
  redis_sockets& sockets_;

  mutable std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<std::unique_ptr<redis_connection>> idle_;
  unsigned open_ = 0;
  redis_breaker breaker_;
  redis_time no_writes_until_ = {};
  redis_clock::duration no_writes_for_ = {};
};

}  // namespace layerkey::detail
