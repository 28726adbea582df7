// Asking servers: redirections, time-outs, and what their errors mean.
#include <layerkey/store/detail/redis_live.hpp>

#include <unistd.h>

#include <algorithm>

namespace layerkey::detail {
namespace {

constexpr std::size_t redis_greatest_number_of_nodes = 1000;
constexpr std::size_t redis_kept_room = std::size_t{4} << 20;
constexpr unsigned redis_redirections_of_a_call = 5;
constexpr auto redis_between_looks = std::chrono::seconds(1);

// What there is to do about an error.
std::string_view redis_advice_on(std::string_view code) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"OOM",
       "its memory is full: raise `maxmemory`, or let it drop what is old by "
       "`maxmemory-policy allkeys-lru`. Until then nothing new is kept"},
      {"READONLY", "it is a replica: give the address of the primary, or set read_only"},
      {"MISCONF", "it cannot save its data and so takes no more: see its log, or set `save \"\"`"},
      {"NOREPLICAS", "it has too few replicas to take writes: see `min-replicas-to-write`"},
      {"NOAUTH", "it wants a password: give one in a file, in the environment or in the URL"},
      {"NOPERM",
       "its user may not do this: allow `~layerkey:1:* +get +set +del +exists +eval "
       "+cluster|slots`"},
      {"LOADING", "it is still loading its data: it will answer when that is done"},
      {"MASTERDOWN", "it is a replica without its primary: start that, or give another address"},
      {"CLUSTERDOWN",
       "not all slots of its cluster have a node: start those that are missing, or "
       "set `cluster-require-full-coverage no`"},
      {"TRYAGAIN", "its cluster is being changed"},
      {"BUSY", "a script has been running in it for too long: do SCRIPT KILL there"},
      {"WRONGTYPE",
       "another program has something else than an entry under this key: give the "
       "store a database or a server of its own"},
  };
  for (auto const& [name, advice] : known)
    if (code == name) return advice;
  return "see its log";
}

std::string_view redis_advice_on(redis_fault fault) {
  switch (fault) {
    case redis_fault::timed_out:
      return ": see what keeps it, or raise time_out";
    case redis_fault::closed:
      return ": see its log";
    case redis_fault::protocol:
      return ": give the address of a Redis server";
    case redis_fault::none:
    case redis_fault::not_connected:
    case redis_fault::too_large:
    case redis_fault::busy:
      break;
  }
  return "";
}

bool redis_refuses_writes(std::string_view code) {
  return code == "OOM" || code == "READONLY" || code == "MISCONF" || code == "NOREPLICAS";
}

bool redis_answers_with(redis_reply const& reply, redis_reply::kind expected) {
  return reply.is(expected) || reply.is(redis_reply::kind::nil) ||
         reply.is(redis_reply::kind::error);
}

redis_failure redis_not_an_answer() {
  return {redis_fault::protocol, "what answers is no Redis server (an answer to something else)"};
}

}  // namespace

redis_live::redis_live(redis_settings const& settings, redis_counters& counters, redis_live* before)
    : settings_(settings), counters_(counters), before_(before), process_(::getpid()) {
  static_cast<void>(before_);
}

// ---- which node --------------------------------------------------------------------------------

std::shared_ptr<redis_node> redis_live::node_at(redis_place const& place) {
  std::lock_guard const lock(mutex_);
  auto const name = place.name();
  auto const found = nodes_.find(name);
  if (found != nodes_.end()) return found->second;
  if (nodes_.size() >= redis_greatest_number_of_nodes) return nullptr;
  auto made = std::make_shared<redis_node>(place, settings_.login, sockets_);
  nodes_.emplace(name, made);
  return made;
}

std::shared_ptr<redis_node> redis_live::node_of(std::string_view key, redis_time end) {
  auto const now = redis_clock::now();
  std::shared_ptr<slot_owners const> slots;
  bool look = false;
  {
    std::lock_guard const lock(mutex_);
    look = slots_ != nullptr && slots_in_doubt_ && now >= next_look_at_slots_;
    if (look) {
      slots_in_doubt_ = false;
      next_look_at_slots_ = now + redis_between_looks;
    }
  }
  if (look) learn_slots(end);
  {
    std::lock_guard const lock(mutex_);
    slots = slots_;
  }
  if (slots != nullptr)
    if (auto const owner = slots->owners[redis_slot_of(key)]; owner < slots->nodes.size())
      return slots->nodes[owner];
  std::shared_ptr<redis_node> first;
  for (redis_place const& place : settings_.url.places) {
    auto node = node_at(place);
    if (node == nullptr) continue;
    if (!node->is_paused(now)) return node;
    if (first == nullptr) first = std::move(node);
  }
  return first;
}

void redis_live::learn_slots(redis_time end) {
  std::vector<std::shared_ptr<redis_node>> candidates;
  {
    std::lock_guard const lock(mutex_);
    if (slots_ != nullptr) candidates = slots_->nodes;
    for (auto const& [name, node] : nodes_)
      if (std::find(candidates.begin(), candidates.end(), node) == candidates.end())
        candidates.push_back(node);
  }
  for (auto const& node : candidates) {
    auto const now = redis_clock::now();
    if (node->is_paused(now)) continue;
    redis_request request;
    request.command(2).word("CLUSTER").word("SLOTS");
    redis_reply reply;
    redis_breaker::pass pass;
    // So that one that hangs leaves time for others.
    redis_call const call{.key = {},
                          .purpose = redis_purpose::upkeep,
                          .expected = redis_reply::kind::array,
                          .end = now + (end - now) / 2};
    if (!exchange(*node, false, call, request, reply, pass)) continue;
    succeeded(*node, false);
    auto const map = read_slot_map(reply, node->place());
    if (!map) continue;
    auto made = std::make_shared<slot_owners>();
    made->owners = map->owners;
    for (redis_place const& place : map->nodes) made->nodes.push_back(node_at(place));
    if (std::find(made->nodes.begin(), made->nodes.end(), nullptr) != made->nodes.end()) continue;
    std::lock_guard const lock(mutex_);
    slots_ = std::move(made);
    return;
  }
}

bool redis_live::redirect(redis_node& from, redis_reply const& error, redis_redirection& found) {
  auto redirection = read_redirection(error.text, from.place());
  if (!redirection) return false;
  found = std::move(*redirection);
  counters_.add(redis_count::redirections);
  from.succeeded();
  if (found.is_ask) return true;
  auto const node = node_at(found.to);
  if (node == nullptr) return true;
  std::lock_guard const lock(mutex_);
  auto made = std::make_shared<slot_owners>();
  if (slots_ != nullptr)
    *made = *slots_;
  else
    made->owners.fill(redis_slot_map::nobody);
  auto at = std::find(made->nodes.begin(), made->nodes.end(), node);
  if (at == made->nodes.end()) at = made->nodes.insert(at, node);
  made->owners[found.slot] = static_cast<std::uint16_t>(at - made->nodes.begin());
  slots_ = std::move(made);
  slots_in_doubt_ = true;
  return true;
}

// ---- asking ------------------------------------------------------------------------------------

void redis_live::failed(redis_node& node, redis_breaker::pass pass, redis_failure const& failure) {
  counters_.add(redis_count::failed);
  if (failure.fault == redis_fault::timed_out || failure.fault == redis_fault::busy)
    counters_.add(redis_count::timed_out);
  // Of a server that answers others, too few connections say nothing.
  if (failure.fault != redis_fault::busy || pass == redis_breaker::pass::probe)
    if (node.failed(pass, redis_clock::now())) counters_.add(redis_count::pauses);
  note(&node, false, failure.why + std::string(redis_advice_on(failure.fault)));
  std::lock_guard const lock(mutex_);
  slots_in_doubt_ = true;
}

void redis_live::succeeded(redis_node& node, bool writes) {
  node.succeeded();
  if (writes) node.writes_succeeded();
  if (!has_problem_.load(std::memory_order_relaxed)) return;
  std::lock_guard const lock(problem_mutex_);
  if (problem_node_ == &node && (writes || !problem_of_writes_))
    has_problem_.store(false, std::memory_order_relaxed);
}

bool redis_live::exchange(redis_node& node, bool after_asking, redis_call const& call,
                          redis_request const& request, redis_reply& reply,
                          redis_breaker::pass& pass) {
  redis_time const end = call.end;
  auto const now = redis_clock::now();
  // That is another's fault.
  if (now >= end) {
    counters_.add(redis_count::failed);
    counters_.add(redis_count::timed_out);
    return false;
  }
  pass = node.admit(now);
  if (pass == redis_breaker::pass::no) {
    counters_.add(redis_count::not_asked);
    return false;
  }
  redis_node::loan connection;
  bool connected = false;
  bool is_sent = false;
  redis_failure failure = node.lend(connection, end, connected);
  if (connected) counters_.add(redis_count::connections);
  if (!failure) {
    redis_fault fault = redis_fault::none;
    if (after_asking) {
      redis_request asking;
      fault = connection->send(asking.command(1).word("ASKING"), end);
      if (fault == redis_fault::none) fault = connection->receive(reply, end);
    }
    if (fault == redis_fault::none) fault = connection->send(request, end);
    is_sent = fault == redis_fault::none;
    // A server that refuses what it is sent says why before it closes.
    std::string const why = connection->why();
    auto const received = fault == redis_fault::none || fault == redis_fault::closed
                              ? connection->receive(reply, end)
                              : fault;
    if (is_sent || (received == redis_fault::none && reply.is(redis_reply::kind::error)))
      fault = received;
    else
      failure.why = why;
    failure.fault = fault;
    if (failure && failure.why.empty()) failure.why = connection->why();
    if (!failure && !redis_answers_with(reply, call.expected)) failure = redis_not_an_answer();
  }
  if (failure) {
    failed(node, pass, failure);
    return false;
  }
  // Behind some errors the server closes it, and without permission it stays without.
  bool const is_over =
      reply.is(redis_reply::kind::error) && (reply.code() == "ERR" || reply.code() == "NOAUTH");
  if (is_sent && !is_over) connection.in_order();
  return true;
}

bool redis_live::ask(redis_call const& call, redis_request const& request, redis_reply& reply) {
  counters_.add(redis_count::operations);
  auto node = node_of(call.key, call.end);
  bool after_asking = false;
  for (unsigned i = 0; i <= redis_redirections_of_a_call && node != nullptr; ++i) {
    if (call.purpose == redis_purpose::write && !node->admits_writes(redis_clock::now())) {
      counters_.add(redis_count::not_asked);
      return false;
    }
    redis_breaker::pass pass;
    if (!exchange(*node, after_asking, call, request, reply, pass)) return false;
    if (!reply.is(redis_reply::kind::error)) {
      counters_.add(redis_count::answered);
      succeeded(*node, call.purpose == redis_purpose::write);
      return true;
    }
    redis_redirection to;
    if (!redirect(*node, reply, to)) {
      refused(*node, call.purpose, pass, reply);
      return false;
    }
    after_asking = to.is_ask;
    node = node_at(to.to);
  }
  counters_.add(redis_count::failed);
  note(nullptr, false,
       "its cluster has too many nodes, or sends from one node to another without "
       "an end. See CLUSTER NODES");
  return false;
}

std::size_t redis_live::ask_many(redis_node& node, redis_request const& request, std::size_t count,
                                 redis_time& end, many_answers const& answer) {
  auto const now = redis_clock::now();
  auto const pass = now < end ? node.admit(now) : redis_breaker::pass::no;
  for (std::size_t i = 0; i != count; ++i) {
    counters_.add(redis_count::operations);
    if (pass != redis_breaker::pass::no) continue;
    counters_.add(now < end ? redis_count::not_asked : redis_count::failed);
    if (now >= end) counters_.add(redis_count::timed_out);
  }
  if (pass == redis_breaker::pass::no) return 0;
  redis_node::loan connection;
  bool connected = false;
  redis_failure failure = node.lend(connection, end, connected);
  if (connected) counters_.add(redis_count::connections);
  if (!failure) {
    failure.fault = connection->send(request, end);
    if (failure) failure.why = connection->why();
  }
  std::size_t answers = 0;
  redis_reply reply;
  for (; !failure && answers != count; ++answers) {
    failure.fault = connection->receive(reply, end);
    if (failure) failure.why = connection->why();
    if (!failure && !redis_answers_with(reply, redis_reply::kind::bytes))
      failure = redis_not_an_answer();
    if (failure) break;
    bool const refuses = reply.is(redis_reply::kind::error);
    if (!refuses) counters_.add(redis_count::answered);
    if (!refuses && answers == 0) succeeded(node, false);
    auto const before = redis_clock::now();
    answer(answers, reply, answers == 0 ? pass : redis_breaker::pass::yes);
    end += redis_clock::now() - before;
  }
  if (!failure) {
    connection.in_order();
  } else {
    for (std::size_t i = answers + 1; i < count; ++i) counters_.add(redis_count::failed);
    // One that answered something is not dead.
    if (answers != 0 && failure.fault == redis_fault::timed_out) failure.fault = redis_fault::busy;
    failed(node, answers == 0 ? pass : redis_breaker::pass::yes, failure);
  }
  return answers;
}

std::string redis_live::take_room() {
  std::lock_guard const lock(room_mutex_);
  if (room_.empty()) return {};
  std::string room = std::move(room_.back());
  room_.pop_back();
  return room;
}

void redis_live::give_room(std::string room) {
  if (room.capacity() > redis_kept_room) return;
  std::lock_guard const lock(room_mutex_);
  if (room_.size() < settings_.login.connections) room_.push_back(std::move(room));
}

// ---- what went wrong ---------------------------------------------------------------------------

void redis_live::refused(redis_node& node, redis_purpose purpose, redis_breaker::pass pass,
                         redis_reply const& error) {
  counters_.add(redis_count::failed);
  auto const code = error.code();
  auto const now = redis_clock::now();
  bool const too_large = error.text.find("invalid bulk length") != std::string::npos;
  bool const of_writes = redis_refuses_writes(code) ||
                         (purpose != redis_purpose::read && (code == "NOPERM" || code == "ERR"));
  bool const pauses_writes = of_writes && !too_large && purpose == redis_purpose::write;
  if (code == "WRONGTYPE" || (of_writes && code != "ERR"))
    node.succeeded();
  else if (!of_writes && node.failed(pass, now))
    counters_.add(redis_count::pauses);
  else if (of_writes && pass == redis_breaker::pass::probe)
    node.succeeded();
  if (pauses_writes && node.writes_failed(now)) counters_.add(redis_count::pauses);
  note(&node, of_writes,
       std::string(too_large ? "the entry is larger than its `proto-max-bulk-len`: raise that, or "
                               "lower greatest_entry"
                             : redis_advice_on(code)) +
           " (it said \"" + settings_.login.harmless(error.text) + "\")");
  std::lock_guard const lock(mutex_);
  slots_in_doubt_ = true;
}

void redis_live::note(redis_node const* node, bool writes, std::string problem) {
  std::string text = "redis store " + settings_.url.name;
  if (node != nullptr && settings_.url.name.find(node->place().name()) == std::string::npos)
    text += ", node " + node->place().name();
  text += ": " + std::move(problem);
  std::lock_guard const lock(problem_mutex_);
  problem_ = std::move(text);
  problem_node_ = node;
  problem_of_writes_ = writes;
  has_problem_.store(node != nullptr, std::memory_order_relaxed);
}

std::string redis_live::problem() const {
  std::lock_guard const lock(problem_mutex_);
  if (problem_.empty() || problem_node_ == nullptr || has_problem_.load(std::memory_order_relaxed))
    return problem_;
  return problem_ + "; since then it answers again";
}

}  // namespace layerkey::detail
