// Connections to one server, and when not to ask it.
#include <layerkey/store/detail/redis_node.hpp>

#include <algorithm>
#include <utility>

namespace layerkey::detail {

// ---- the breaker -------------------------------------------------------------------------------

bool redis_breaker::is_open(redis_time now, limits const& l) const {
  return failures_ >= l.failures && (probing_ || now < until_);
}

redis_breaker::pass redis_breaker::admit(redis_time now, limits const& l) {
  if (failures_ < l.failures) return pass::yes;
  if (is_open(now, l)) return pass::no;
  probing_ = true;
  return pass::probe;
}

void redis_breaker::succeeded() { *this = {}; }

bool redis_breaker::failed(pass admitted, redis_time now, limits const& l) {
  bool const was_closed = failures_ < l.failures;
  if (was_closed) ++failures_;
  // Calls that began before the pause are no reason for a longer one.
  if (!was_closed && admitted != pass::probe) return false;
  probing_ = false;
  if (failures_ < l.failures) return false;
  pause_ =
      pause_ == redis_clock::duration() ? l.first_pause : std::min(pause_ * 2, l.longest_pause);
  until_ = now + pause_;
  return true;
}

redis_breaker::pass redis_node::admit(redis_time now) {
  std::lock_guard const lock(mutex_);
  return breaker_.admit(now, login_.limits);
}

void redis_node::succeeded() {
  std::lock_guard const lock(mutex_);
  breaker_.succeeded();
}

bool redis_node::failed(redis_breaker::pass admitted, redis_time now) {
  std::lock_guard const lock(mutex_);
  bool const pauses = breaker_.failed(admitted, now, login_.limits);
  if (pauses) returned_.notify_all();
  return pauses;
}

bool redis_node::is_paused(redis_time now) const {
  std::lock_guard const lock(mutex_);
  return breaker_.is_open(now, login_.limits);
}

bool redis_node::admits_writes(redis_time now) const {
  std::lock_guard const lock(mutex_);
  return now >= no_writes_until_;
}

void redis_node::writes_succeeded() {
  std::lock_guard const lock(mutex_);
  no_writes_for_ = {};
}

bool redis_node::writes_failed(redis_time now) {
  std::lock_guard const lock(mutex_);
  if (now < no_writes_until_) return false;
  no_writes_for_ = no_writes_for_ == redis_clock::duration()
                       ? login_.limits.first_pause
                       : std::min(no_writes_for_ * 2, login_.limits.longest_pause);
  no_writes_until_ = now + no_writes_for_;
  return true;
}

// ---- connections -------------------------------------------------------------------------------

redis_node::redis_node(redis_place place, redis_login const& login, redis_sockets& sockets)
    : place_(std::move(place)), login_(login), sockets_(sockets) {}

redis_node::loan::~loan() {
  if (node_ == nullptr) return;
  if (!is_in_order_) connection_.reset();
  {
    std::lock_guard const lock(node_->mutex_);
    if (connection_ != nullptr)
      node_->idle_.push_back(std::move(connection_));
    else
      --node_->open_;
  }
  node_->returned_.notify_one();
}

redis_failure redis_node::lend(loan& to, redis_time end, bool& connected) {
  connected = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!idle_.empty()) {
      to.connection_ = std::move(idle_.back());
      idle_.pop_back();
      lock.unlock();
      if (to.connection_->is_quiet()) {
        to.node_ = this;
        return {};
      }
      // The server ended it, as when it was restarted.
      to.connection_.reset();
      lock.lock();
      --open_;
    } else if (open_ < std::max(login_.connections, 1U)) {
      break;
    } else if (returned_.wait_until(lock, end) == std::cv_status::timeout) {
      return {redis_fault::busy,
              "all of its connections were in use for the whole time; allow "
              "more of them"};
    } else if (breaker_.is_open(redis_clock::now(), login_.limits)) {
      return {redis_fault::busy, "it failed meanwhile"};
    }
  }
  ++open_;
  lock.unlock();
  to.node_ = this;
  to.connection_ = std::make_unique<redis_connection>(sockets_, login_.greatest_reply);
  auto const soon = std::min(end, redis_clock::now() + login_.connect_time_out);
  if (auto const fault = to.connection_->connect(place_, soon); fault != redis_fault::none)
    return {fault, to.connection_->why() + ". Start the server, or give the right address"};
  connected = true;
  return log_in(*to.connection_, soon);
}

redis_failure redis_node::log_in(redis_connection& connection, redis_time end) const {
  redis_request request;
  unsigned answers = 0;
  if (login_.has_password) {
    request.command(login_.user.empty() ? 2 : 3).word("AUTH");
    if (!login_.user.empty()) request.word(login_.user);
    request.word(login_.password);
    ++answers;
  }
  if (login_.database != 0) {
    request.command(2).word("SELECT").word(std::to_string(login_.database));
    ++answers;
  }
  if (answers == 0) return {};
  redis_fault fault = connection.send(request, end);
  for (unsigned i = 0; i != answers; ++i) {
    redis_reply reply;
    if (fault == redis_fault::none) fault = connection.receive(reply, end);
    if (fault != redis_fault::none) return {fault, "logging in: " + connection.why()};
    if (reply.is(redis_reply::kind::status)) continue;
    if (!reply.is(redis_reply::kind::error))
      return {redis_fault::protocol, "logging in: what answers is no Redis server"};
    std::string_view const code = reply.code();
    if (i == 0 && login_.has_password) {
      // More of what it says may hold the password.
      if (code == "WRONGPASS" || reply.text.find("invalid password") != std::string::npos)
        return {redis_fault::not_connected,
                "WRONGPASS: it does not accept the password, or the user. Give the right ones"};
      if (reply.text.find("without any password configured") != std::string::npos)
        return {redis_fault::not_connected,
                "it has no password, but one was given. Give none, or set `requirepass` there"};
      return {redis_fault::not_connected, "it refuses the login"};
    }
    if (code == "NOAUTH")
      return {redis_fault::not_connected,
              "NOAUTH: it wants a password. Give one in a file, in the environment or in the URL"};
    return {redis_fault::not_connected, "it refuses database " + std::to_string(login_.database) +
                                            ": " + login_.harmless(reply.text)};
  }
  return {};
}

std::string redis_login::harmless(std::string_view error) const {
  std::string text(error);
  if (!password.empty())
    for (std::size_t at = 0; (at = text.find(password, at)) != std::string::npos;)
      text.replace(at, password.size(), "***"), at += 3;
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  if (text.size() > 160) text.replace(160, std::string::npos, "...");
  return text;
}

}  // namespace layerkey::detail
