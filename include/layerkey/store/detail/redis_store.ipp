// The implementation of redis_store.hpp.
#include <layerkey/store/detail/redis_live.hpp>
#include <layerkey/store/redis_store.hpp>

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace layerkey {
namespace detail {
namespace {

constexpr std::string_view redis_prefix = "layerkey:1:";
constexpr std::size_t redis_batch = 64;  // whose requests fit into any socket's buffer

// Deletes a lease that is still the one that was taken.
constexpr std::string_view redis_drop_script =
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";

std::string_view redis_text_of(entry_address const& at) {
  return {reinterpret_cast<char const*>(at.data()), at.size()};
}

std::string redis_key(entry_address const& at) {
  return std::string(redis_prefix) += redis_text_of(at);
}

std::string redis_lease_key(entry_address const& at) {
  return (std::string(redis_prefix) += "lease:") += redis_text_of(at);
}

std::string redis_token() {
  unsigned char bytes[16] = {};
  std::size_t filled = 0;
  while (filled != sizeof bytes) {
    ssize_t const count = ::getrandom(bytes + filled, sizeof bytes - filled, 0);
    if (count > 0) filled += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) return {};
  }
  std::string token;
  for (unsigned const byte : bytes) {
    token += "0123456789abcdef"[byte >> 4];
    token += "0123456789abcdef"[byte & 15];
  }
  return token;
}

// What is wrong, if it cannot be had.
std::string redis_password_from_file(std::string const& path, std::string& password) {
  std::string const where = "redis store: password file " + path;
  int const file = path.find('\0') != std::string::npos
                       ? (errno = EINVAL, -1)
                       : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char bytes[4096];
  std::size_t size = 0;
  int error = file < 0 ? errno : 0;
  while (error == 0 && size != sizeof bytes) {
    ssize_t const count = ::read(file, bytes + size, sizeof bytes - size);
    if (count == 0) break;
    if (count > 0) size += static_cast<std::size_t>(count);
    if (count < 0 && errno != EINTR) error = errno;
  }
  if (file >= 0) ::close(file);
  if (error != 0)
    return where + " cannot be read: " + std::generic_category().message(error) +
           ". Make it, or give the right path";
  if (size == sizeof bytes) return where + " has 4096 bytes or more. Give one with a password";
  password.assign(bytes, size);
  std::fill(bytes, bytes + size, '\0');
  if (password.ends_with('\n')) password.pop_back();
  if (password.ends_with('\r')) password.pop_back();
  if (password.empty()) return where + " is empty. Give one with a password";
  return {};
}

}  // namespace
}  // namespace detail

struct redis_bytes::state {
  detail::redis_settings settings;
  redis_options options;
  std::string refused;  // empty: it can be used
  detail::redis_counters counters;
  std::atomic<detail::redis_live*> current = nullptr;

  detail::redis_live& live() {
    auto* now = current.load(std::memory_order_acquire);
    if (now->process() == ::getpid()) return *now;
    // In the child of a fork, where locks of the old one may be locked for ever.
    auto fresh = std::make_unique<detail::redis_live>(settings, counters, now);
    if (!current.compare_exchange_strong(now, fresh.get(), std::memory_order_acq_rel)) return *now;
    now->abandon();
    return *fresh.release();
  }

  detail::redis_call call(std::string_view key, detail::redis_purpose purpose,
                          detail::redis_reply::kind expected) const {
    return {.key = key,
            .purpose = purpose,
            .expected = expected,
            .end = detail::redis_clock::now() + settings.time_out};
  }

  bool ask(std::string_view key, detail::redis_purpose purpose, detail::redis_reply::kind expected,
           detail::redis_request const& request, detail::redis_reply& reply) {
    return refused.empty() && live().ask(call(key, purpose, expected), request, reply);
  }
};

redis_bytes::redis_bytes(std::string_view url, redis_options options)
    : state_(std::make_unique<state>()) {
  state& s = *state_;
  auto& login = s.settings.login;
  s.settings.url = detail::read_redis_url(url);
  s.refused = s.settings.url.problem;
  login.user = s.settings.url.user;
  login.password = s.settings.url.password;
  login.has_password = s.settings.url.has_password;
  if (!login.has_password && !options.password_file.empty()) {
    std::string problem = detail::redis_password_from_file(options.password_file, login.password);
    if (s.refused.empty()) s.refused = std::move(problem);
    login.has_password = true;
  } else if (!login.has_password && !options.password_variable.empty()) {
    char const* const value = std::getenv(options.password_variable.c_str());
    if (value != nullptr) login.password = value;
    login.has_password = !login.password.empty();
  }
  if (!login.user.empty() && !login.has_password && s.refused.empty())
    s.refused = "redis store " + s.settings.url.name +
                ": it was given a user without a password. Give one in the URL, a file or the "
                "environment";
  login.database = s.settings.url.database;
  login.connect_time_out = options.connect_time_out;
  login.greatest_reply = options.greatest_entry;
  login.connections = options.connections;
  login.limits = {.failures = std::max(options.failures, 1U),
                  .first_pause = options.first_pause,
                  .longest_pause = options.longest_pause};
  s.settings.time_out = options.time_out;
  s.options = std::move(options);
  s.current = new detail::redis_live(s.settings, s.counters, nullptr);
}

redis_bytes::~redis_bytes() {
  auto* const live = state_->current.load();
  if (live->process() == ::getpid())
    delete live;
  else
    live->abandon();
}

read_result redis_bytes::read(entry_address const& at, use const& accepts) {
  state& s = *state_;
  std::string const key = detail::redis_key(at);
  detail::redis_request request;
  request.command(2).word("GET").word(key);
  if (!s.refused.empty()) return read_result::unavailable;
  auto& live = s.live();
  detail::redis_reply reply;
  reply.text = live.take_room();
  auto result = read_result::absent;
  if (!live.ask(s.call(key, detail::redis_purpose::read, detail::redis_reply::kind::bytes), request,
                reply))
    result = read_result::unavailable;
  else if (reply.is(detail::redis_reply::kind::bytes))
    result = accepts(reply.text) ? read_result::accepted : read_result::rejected;
  live.give_room(std::move(reply.text));
  return result;
}

std::vector<read_result> redis_bytes::read_many(std::vector<entry_address> const& at,
                                                use_of_many const& accepts) {
  using detail::redis_reply;
  state& s = *state_;
  std::vector<read_result> results(at.size(), read_result::unavailable);
  if (!s.refused.empty()) return results;
  detail::redis_live& live = s.live();
  auto end = detail::redis_clock::now() + s.settings.time_out;
  auto const use_reply = [&](std::size_t which, redis_reply const& reply) {
    if (!reply.is(redis_reply::kind::bytes))
      results[which] = read_result::absent;
    else
      results[which] = accepts(which, reply.text) ? read_result::accepted : read_result::rejected;
  };

  struct group {
    std::shared_ptr<detail::redis_node> node;
    std::vector<std::size_t> members;
  };
  std::vector<group> groups;
  for (std::size_t i = 0; i != at.size(); ++i) {
    auto node = live.node_of(detail::redis_key(at[i]), end);
    if (node == nullptr) continue;
    auto const here = std::find_if(groups.begin(), groups.end(), [&node](group const& g) {
      return g.node == node && g.members.size() < detail::redis_batch;
    });
    if (here != groups.end())
      here->members.push_back(i);
    else
      groups.push_back({std::move(node), {i}});
  }

  std::vector<std::size_t> elsewhere;
  for (group const& g : groups) {
    detail::redis_request request;
    for (std::size_t const i : g.members)
      request.command(2).word("GET").word(detail::redis_key(at[i]));
    auto const answer = [&](std::size_t which, redis_reply& reply,
                            detail::redis_breaker::pass pass) {
      std::size_t const i = g.members[which];
      detail::redis_redirection to;
      if (!reply.is(redis_reply::kind::error))
        use_reply(i, reply);
      else if (live.redirect(*g.node, reply, to))
        elsewhere.push_back(i);
      else
        live.refused(*g.node, detail::redis_purpose::read, pass, reply);
    };
    // A node that hangs takes no more than its share.
    std::vector<detail::redis_node const*> nodes;
    for (group const* other = &g; other != groups.data() + groups.size(); ++other)
      if (std::find(nodes.begin(), nodes.end(), other->node.get()) == nodes.end())
        nodes.push_back(other->node.get());
    auto const now = detail::redis_clock::now();
    auto const share = now + (end - now) / static_cast<int>(nodes.size());
    auto end_of_share = share;
    live.ask_many(*g.node, request, g.members.size(), end_of_share, answer);
    end += end_of_share - share;
  }
  for (std::size_t const i : elsewhere) {
    std::string const key = detail::redis_key(at[i]);
    detail::redis_request request;
    request.command(2).word("GET").word(key);
    redis_reply reply;
    if (!live.ask({.key = key,
                   .purpose = detail::redis_purpose::read,
                   .expected = redis_reply::kind::bytes,
                   .end = end},
                  request, reply))
      continue;
    auto const before = detail::redis_clock::now();
    use_reply(i, reply);
    end += detail::redis_clock::now() - before;
  }
  return results;
}

bool redis_bytes::write(entry_address const& at, std::string_view entry) {
  state& s = *state_;
  if (s.options.entries.read_only || !s.refused.empty()) return false;
  if (entry.size() > s.options.greatest_entry) {
    s.live().note(nullptr, true,
                  "an entry of " + std::to_string(entry.size()) +
                      " bytes was not sent, since greatest_entry is " +
                      std::to_string(s.options.greatest_entry) +
                      ": raise it, and proto-max-bulk-len of the server if that is less");
    return false;
  }
  std::string const key = detail::redis_key(at);
  auto const expires = s.options.expires_after.count();
  detail::redis_request request;
  request.command(expires > 0 ? 5 : 3).word("SET").word(key).word(entry);
  if (expires > 0) request.word("EX").word(std::to_string(expires));
  detail::redis_reply reply;
  return s.ask(key, detail::redis_purpose::write, detail::redis_reply::kind::status, request,
               reply) &&
         reply.is(detail::redis_reply::kind::status);
}

bool redis_bytes::remove(entry_address const& at) {
  state& s = *state_;
  if (s.options.entries.read_only) return false;
  std::string const key = detail::redis_key(at);
  detail::redis_request request;
  request.command(2).word("DEL").word(key);
  detail::redis_reply reply;
  return s.ask(key, detail::redis_purpose::upkeep, detail::redis_reply::kind::integer, request,
               reply) &&
         reply.integer > 0;
}

bool redis_bytes::contains(entry_address const& at) {
  std::string const key = detail::redis_key(at);
  detail::redis_request request;
  request.command(2).word("EXISTS").word(key);
  detail::redis_reply reply;
  return state_->ask(key, detail::redis_purpose::read, detail::redis_reply::kind::integer, request,
                     reply) &&
         reply.integer == 1;
}

bool redis_bytes::take_lease(entry_address const& at, std::chrono::milliseconds time) {
  state& s = *state_;
  std::string token = detail::redis_token();
  if (s.options.entries.read_only || time.count() <= 0 || token.empty()) return true;
  std::string const key = detail::redis_lease_key(at);
  detail::redis_request request;
  request.command(6).word("SET").word(key).word(token).word("NX").word("PX").word(
      std::to_string(time.count()));
  detail::redis_reply reply;
  // What could not be heard of may have been done: then it is to be dropped, too.
  bool const answered =
      s.ask(key, detail::redis_purpose::write, detail::redis_reply::kind::status, request, reply);
  if (answered && reply.is(detail::redis_reply::kind::nil)) return false;
  if (!s.refused.empty() || reply.is(detail::redis_reply::kind::error)) return true;
  auto& live = s.live();
  std::lock_guard const lock(live.leases_mutex);
  live.leases.emplace_back(at, std::move(token));
  return true;
}

void redis_bytes::drop_lease(entry_address const& at) {
  state& s = *state_;
  if (!s.refused.empty()) return;
  auto& live = s.live();
  std::string token;
  {
    // Of two that were taken here the first one was over, and whose end this is cannot be told: the
    // other lives on until the second end.
    std::lock_guard const lock(live.leases_mutex);
    auto const mine = std::find_if(live.leases.begin(), live.leases.end(),
                                   [&at](auto const& each) { return each.first == at; });
    if (mine == live.leases.end()) return;
    token = std::move(mine->second);
    live.leases.erase(mine);
  }
  std::string const key = detail::redis_lease_key(at);
  detail::redis_request request;
  request.command(5).word("EVAL").word(detail::redis_drop_script).word("1").word(key).word(token);
  detail::redis_reply reply;
  s.ask(key, detail::redis_purpose::upkeep, detail::redis_reply::kind::integer, request, reply);
}

std::string redis_bytes::problem() const {
  return state_->refused.empty() ? state_->live().problem() : state_->refused;
}

redis_statistics redis_bytes::statistics() const {
  using detail::redis_count;
  auto const& counters = state_->counters;
  return {.operations = counters[redis_count::operations],
          .answered = counters[redis_count::answered],
          .failed = counters[redis_count::failed],
          .timed_out = counters[redis_count::timed_out],
          .not_asked = counters[redis_count::not_asked],
          .pauses = counters[redis_count::pauses],
          .connections = counters[redis_count::connections],
          .redirections = counters[redis_count::redirections]};
}

std::string to_text(redis_statistics const& s) {
  std::string text;
  auto const line = [&text](std::string_view name, std::uint64_t count) {
    if (count != 0) ((text += name) += ": ") += std::to_string(count) + '\n';
  };
  line("server operations", s.operations);
  line("server answered", s.answered);
  line("server failed", s.failed);
  line("server timed out", s.timed_out);
  line("server not asked", s.not_asked);
  line("server pauses", s.pauses);
  line("server connections", s.connections);
  line("server redirections", s.redirections);
  return text;
}

redis_store::redis_store(std::string_view url, provenance made_by, redis_options options)
    : entry_store(std::make_unique<redis_bytes>(url, options), std::move(made_by),
                  options.entries) {}

redis_statistics redis_store::server_statistics() const {
  return static_cast<redis_bytes const&>(bytes()).statistics();
}

}  // namespace layerkey
