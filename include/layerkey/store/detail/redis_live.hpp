// What a Redis store has in one process: nodes, who has which slots, leases, what went wrong last.
#pragma once

#include <layerkey/store/byte_store.hpp>
#include <layerkey/store/detail/redis_cluster.hpp>
#include <layerkey/store/detail/redis_node.hpp>

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace layerkey::detail {

enum class redis_count : unsigned char {
  operations,
  answered,
  failed,
  timed_out,
  not_asked,
  pauses,
  connections,
  redirections,
};

struct redis_counters {
  std::array<std::atomic<std::uint64_t>, 8> counts = {};

  void add(redis_count which) {
    counts[static_cast<std::size_t>(which)].fetch_add(1, std::memory_order_relaxed);
  }
  std::uint64_t operator[](redis_count which) const {
    return counts[static_cast<std::size_t>(which)].load(std::memory_order_relaxed);
  }
};

// What never changes.
struct redis_settings {
  redis_url url;
  redis_login login;
  redis_clock::duration time_out = {};
};

enum class redis_purpose : unsigned char {
  read,
  write,
  upkeep,  // may be done where writes are refused; if it is not, nothing follows from that
};

// One call of a store.
struct redis_call {
  std::string_view key;
  redis_purpose purpose = redis_purpose::read;
  redis_reply::kind expected = redis_reply::kind::none;  // or nil, or an error
  redis_time end = {};
};

class redis_live {
 public:
  redis_live(redis_settings const& settings, redis_counters& counters, redis_live* before);

  pid_t process() const { return process_; }
  void abandon() { sockets_.close_all(); }

  // The answer, if there is one that is no error.
  bool ask(redis_call const& call, redis_request const& request, redis_reply& reply);

  // Asks a node many things at once; `answer` is told of each answer, and how long it took is not
  // counted. Gives how many there were.
  using many_answers =
      std::function<void(std::size_t which, redis_reply& reply, redis_breaker::pass pass)>;
  std::size_t ask_many(redis_node& node, redis_request const& request, std::size_t count,
                       redis_time& end, many_answers const& answer);

  std::shared_ptr<redis_node> node_of(std::string_view key, redis_time end);

  // What an error that is no redirection means, for the node and for the user.
  void refused(redis_node& node, redis_purpose purpose, redis_breaker::pass pass,
               redis_reply const& error);
  bool redirect(redis_node& from, redis_reply const& error, redis_redirection& found);

  // Room for entries, kept from call to call: to map and to clear pages anew takes longer than to
  // fill them.
  std::string take_room();
  void give_room(std::string room);

  void note(redis_node const* node, bool writes, std::string problem);
  std::string problem() const;

  std::mutex leases_mutex;
  std::vector<std::pair<entry_address, std::string>> leases;  // with their tokens

 private:
  struct slot_owners {
    std::vector<std::shared_ptr<redis_node>> nodes;
    std::array<std::uint16_t, redis_slots> owners;
  };

  // One answer of one node, redirections and errors included; none: `failed` was done.
  bool exchange(redis_node& node, bool after_asking, redis_call const& call,
                redis_request const& request, redis_reply& reply, redis_breaker::pass& pass);
  void failed(redis_node& node, redis_breaker::pass pass, redis_failure const& failure);
  void succeeded(redis_node& node, bool writes);
  void learn_slots(redis_time end);
  std::shared_ptr<redis_node> node_at(redis_place const& place);  // null: there are too many

  redis_settings const& settings_;
  redis_counters& counters_;
  redis_live* const before_;  // of the process that this one was forked from; never looked at
  pid_t const process_;
  redis_sockets sockets_;

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<redis_node>> nodes_;
  std::shared_ptr<slot_owners const> slots_;  // null: it is no cluster
  bool slots_in_doubt_ = false;
  redis_time next_look_at_slots_ = {};

  std::mutex room_mutex_;
  std::vector<std::string> room_;

  mutable std::mutex problem_mutex_;
  std::atomic<bool> has_problem_ = false;  // that is not over
  std::string problem_;
  redis_node const* problem_node_ = nullptr;
  bool problem_of_writes_ = false;
};

}  // namespace layerkey::detail
