// Sockets with deadlines, and answers with limits.
#include <layerkey/store/detail/redis_connection.hpp>

#include <hiredis/hiredis.h>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

namespace layerkey::detail {
namespace {

constexpr std::size_t redis_chunk = std::size_t{1} << 15;
constexpr std::size_t redis_kept = std::size_t{2} << 20;  // of an answer's buffer, for the next one
constexpr std::size_t redis_greatest_array = 16'384;      // the slots of a cluster
constexpr std::size_t redis_copied_word = 4096;

std::string redis_system_error(int error) { return std::generic_category().message(error); }

// ---- names -------------------------------------------------------------------------------------

struct redis_endpoint {
  sockaddr_storage address = {};
  socklen_t size = 0;
};

// What is shared with a thread that looks a name up, for as long as that takes.
struct redis_lookup {
  std::string host;
  std::string port;
  int flags = 0;

  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  int error = 0;
  std::vector<redis_endpoint> found;

  void run() {
    addrinfo hints = {};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | flags;
    addrinfo* list = nullptr;
    int const result = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &list);
    std::lock_guard const lock(mutex);
    error = result;
    if (result == 0)
      for (addrinfo const* i = list; i != nullptr; i = i->ai_next) {
        redis_endpoint endpoint;
        endpoint.size = i->ai_addrlen;
        std::memcpy(&endpoint.address, i->ai_addr, i->ai_addrlen);
        found.push_back(endpoint);
      }
    if (result == 0) ::freeaddrinfo(list);
    done = true;
    changed.notify_all();
  }

  static void* run_in_thread(void* argument) {
    auto* const shared = static_cast<std::shared_ptr<redis_lookup>*>(argument);
    (*shared)->run();
    delete shared;
    return nullptr;
  }

  // The program's signals are not for this thread.
  static bool start(std::shared_ptr<redis_lookup> const& lookup) {
    auto* const argument = new std::shared_ptr<redis_lookup>(lookup);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    bool const started = pthread_create(&thread, nullptr, run_in_thread, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (started)
      pthread_detach(thread);
    else
      delete argument;
    return started;
  }
};

// getaddrinfo may take half a minute, and cannot be told not to.
std::string redis_endpoints(redis_place const& place, redis_time end,
                            std::vector<redis_endpoint>& found) {
  auto const lookup = std::make_shared<redis_lookup>();
  lookup->host = place.host;
  lookup->port = std::to_string(place.port);
  lookup->flags = AI_NUMERICHOST;
  lookup->run();
  if (lookup->error != 0) {
    lookup->flags = 0;
    lookup->done = false;
    if (!redis_lookup::start(lookup)) return "no thread to look its name up";
    std::unique_lock lock(lookup->mutex);
    if (!lookup->changed.wait_until(lock, end, [&lookup] { return lookup->done; }))
      return "its name was not found in time";
    if (lookup->error != 0)
      return "its name was not found: " + std::string(::gai_strerror(lookup->error));
  }
  found = std::move(lookup->found);
  return {};
}

bool redis_left_to_send(std::string_view const (&parts)[3]) {
  return !parts[0].empty() || !parts[1].empty() || !parts[2].empty();
}

// ---- answers -----------------------------------------------------------------------------------

// hiredis's own makes arrays as large as the server says, before anything of them is there.
redis_reply* redis_target(redisReadTask const* task) {
  if (task->parent == nullptr) return static_cast<redis_reply*>(task->privdata);
  auto* const parent = static_cast<redis_reply*>(task->parent->obj);
  return &parent->items[static_cast<std::size_t>(task->idx)];
}

void* redis_make_string(redisReadTask const* task, char* bytes, std::size_t size) {
  redis_reply* const reply = redis_target(task);
  reply->type = task->type == REDIS_REPLY_ERROR    ? redis_reply::kind::error
                : task->type == REDIS_REPLY_STATUS ? redis_reply::kind::status
                                                   : redis_reply::kind::bytes;
  reply->text.assign(bytes, size);
  return reply;
}

// The type of the size depends on the version of hiredis.
template<class Size>
void* redis_make_array(redisReadTask const* task, Size size) {
  redis_reply* const reply = redis_target(task);
  reply->type = redis_reply::kind::array;
  if (static_cast<std::size_t>(size) > redis_greatest_array) return nullptr;
  reply->items.resize(static_cast<std::size_t>(size));
  return reply;
}

void* redis_make_integer(redisReadTask const* task, long long value) {
  redis_reply* const reply = redis_target(task);
  reply->type = redis_reply::kind::integer;
  reply->integer = value;
  return reply;
}

void* redis_make_nil(redisReadTask const* task) {
  redis_reply* const reply = redis_target(task);
  reply->type = redis_reply::kind::nil;
  return reply;
}

// What an answer that begins like this says that its bytes are, and where they begin; 0: something
// else, or too short to say.
std::size_t redis_size_of_string(std::string_view answer, std::size_t& header) {
  if (!answer.starts_with('$')) return 0;
  std::size_t size = 0;
  auto const end = answer.data() + answer.size();
  auto const [last, error] = std::from_chars(answer.data() + 1, end, size);
  if (error != std::errc() || end - last < 2 || last[0] != '\r' || last[1] != '\n') return 0;
  header = static_cast<std::size_t>(last - answer.data()) + 2;
  return size;
}

void redis_free_nothing(void*) {}

// Later versions know more types, which nobody asked for.
template<class Functions>
Functions redis_reply_functions() {
  Functions made = {};
  made.createString = redis_make_string;
  made.createArray = redis_make_array;
  made.createInteger = redis_make_integer;
  made.createNil = redis_make_nil;
  made.freeObject = redis_free_nothing;
  if constexpr (requires { made.createDouble; })
    made.createDouble = [](redisReadTask const*, double, char*, std::size_t) -> void* {
      return nullptr;
    };
  if constexpr (requires { made.createBool; })
    made.createBool = [](redisReadTask const*, int) -> void* { return nullptr; };
  return made;
}

}  // namespace

// ---- requests ----------------------------------------------------------------------------------

redis_request& redis_request::command(std::size_t words) {
  text_ += '*';
  text_ += std::to_string(words);
  text_ += "\r\n";
  return *this;
}

redis_request& redis_request::word(std::string_view bytes) {
  text_ += '$';
  text_ += std::to_string(bytes.size());
  text_ += "\r\n";
  if (large_.empty() && bytes.size() > redis_copied_word) {
    large_ = bytes;
    large_at_ = text_.size();
  } else {
    text_ += bytes;
  }
  text_ += "\r\n";
  return *this;
}

// ---- sockets -----------------------------------------------------------------------------------

redis_sockets::redis_sockets() {
  for (auto& each : sockets_) each.store(-1, std::memory_order_relaxed);
}

std::size_t redis_sockets::add(int socket) {
  for (std::size_t i = 0; i != sockets_.size(); ++i) {
    int expected = -1;
    if (sockets_[i].compare_exchange_strong(expected, socket)) return i;
  }
  return none;
}

// In this order: a fork in between leaves the child a socket that it does not know, not the number
// of one that may be another's by then.
void redis_sockets::close(std::size_t which) {
  int const socket = sockets_[which].exchange(-1);
  if (socket >= 0) ::close(socket);
}

void redis_sockets::close_all() {
  for (std::size_t i = 0; i != sockets_.size(); ++i) close(i);
}

// ---- connections -------------------------------------------------------------------------------

redis_connection::redis_connection(redis_sockets& sockets, std::size_t greatest_reply)
    : sockets_(sockets), greatest_reply_(greatest_reply) {
  static redisReplyObjectFunctions functions = redis_reply_functions<redisReplyObjectFunctions>();
  reader_ = redisReaderCreateWithFunctions(&functions);
  if (reader_ != nullptr) reader_->maxbuf = redis_kept;
}

redis_connection::~redis_connection() {
  if (number_ != redis_sockets::none) sockets_.close(number_);
  if (reader_ != nullptr) redisReaderFree(reader_);
}

redis_fault redis_connection::fail(redis_fault fault, std::string why) {
  why_ = std::move(why);
  return fault;
}

redis_fault redis_connection::wait_for(short events, redis_time end) {
  for (;;) {
    auto const left =
        std::chrono::ceil<std::chrono::milliseconds>(end - redis_clock::now()).count();
    if (left <= 0) return fail(redis_fault::timed_out, "no answer in time");
    pollfd one{.fd = socket_, .events = events, .revents = 0};
    int const ready = ::poll(&one, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready > 0) return redis_fault::none;  // errors show in what follows
    if (ready < 0 && errno != EINTR)
      return fail(redis_fault::closed, "poll: " + redis_system_error(errno));
  }
}

redis_fault redis_connection::connect(redis_place const& place, redis_time end) {
  if (reader_ == nullptr) return fail(redis_fault::not_connected, "no memory");
  buffer_ = std::make_unique_for_overwrite<char[]>(redis_chunk);
  std::vector<redis_endpoint> endpoints;
  if (place.path.empty()) {
    if (std::string why = redis_endpoints(place, end, endpoints); !why.empty())
      return fail(redis_fault::not_connected, std::move(why));
  } else {
    sockaddr_un local = {};
    local.sun_family = AF_UNIX;
    std::memcpy(local.sun_path, place.path.data(),
                std::min(place.path.size(), sizeof local.sun_path - 1));
    redis_endpoint endpoint;
    std::memcpy(&endpoint.address, &local, sizeof local);
    endpoint.size = sizeof local;
    endpoints.push_back(endpoint);
  }

  why_ = "its name has no address";
  for (std::size_t i = 0; i != endpoints.size(); ++i) {
    auto const& [address, size] = endpoints[i];
    socket_ = ::socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) {
      why_ = "no socket: " + redis_system_error(errno);
      continue;
    }
    number_ = sockets_.add(socket_);
    if (number_ == redis_sockets::none) {
      ::close(socket_);
      return fail(redis_fault::not_connected, "there are too many connections already");
    }
    auto const now = redis_clock::now();
    auto const turn = now + (end - now) / static_cast<int>(endpoints.size() - i);
    int error =
        ::connect(socket_, reinterpret_cast<sockaddr const*>(&address), size) == 0 ? 0 : errno;
    if (error == EINPROGRESS || error == EINTR) {
      socklen_t length = sizeof error;
      if (wait_for(POLLOUT, turn) != redis_fault::none)
        error = ETIMEDOUT;
      else if (::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
        error = errno;
    }
    if (error == 0) {
      int const on = 1;
      if (place.path.empty()) ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ::setsockopt(socket_, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
      why_.clear();
      return redis_fault::none;
    }
    sockets_.close(std::exchange(number_, redis_sockets::none));
    why_ = "no connection: " + redis_system_error(error);
  }
  return redis_fault::not_connected;
}

redis_fault redis_connection::send(redis_request const& request, redis_time end) {
  std::string_view const text = request.text_;
  std::size_t const at = request.large_.empty() ? text.size() : request.large_at_;
  std::string_view parts[] = {text.substr(0, at), request.large_, text.substr(at)};
  std::size_t first = 0;
  for (;;) {
    while (first != std::size(parts) && parts[first].empty()) ++first;
    if (first == std::size(parts)) return redis_fault::none;
    iovec pieces[std::size(parts)];
    for (std::size_t i = first; i != std::size(parts); ++i)
      pieces[i] = {const_cast<char*>(parts[i].data()), parts[i].size()};
    msghdr message = {};
    message.msg_iov = pieces + first;
    message.msg_iovlen = std::size(parts) - first;
    ssize_t const sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      auto left = static_cast<std::size_t>(sent);
      for (auto& part : parts) {
        std::size_t const of_this = std::min(left, part.size());
        part.remove_prefix(of_this);
        left -= of_this;
      }
      if (redis_left_to_send(parts) && redis_clock::now() >= end)
        return fail(redis_fault::timed_out, "not sent in time");
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
      return fail(redis_fault::closed, "connection lost: " + redis_system_error(errno));
    if (auto const fault = wait_for(POLLOUT, end); fault != redis_fault::none) return fault;
  }
}

// Some of what comes, at least a byte.
redis_fault redis_connection::receive_some(char* to, std::size_t most, redis_time end,
                                           std::size_t& count) {
  for (;;) {
    // The last one was as much as there was room for: there is likely to be more already.
    if (!more_) {
      if (auto const fault = wait_for(POLLIN, end); fault != redis_fault::none) return fault;
    } else if (redis_clock::now() >= end) {
      return fail(redis_fault::timed_out, "no end of the answer in time");
    }
    ssize_t const received = ::recv(socket_, to, most, MSG_DONTWAIT);
    if (received > 0) {
      count = static_cast<std::size_t>(received);
      more_ = count == most;
      return redis_fault::none;
    }
    more_ = false;
    if (received == 0) return fail(redis_fault::closed, "it closed the connection");
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      return fail(redis_fault::closed, "connection lost: " + redis_system_error(errno));
  }
}

redis_fault redis_connection::too_large() {
  return fail(redis_fault::too_large,
              "an answer of more than " + std::to_string(greatest_reply_) +
                  " bytes was cut off: raise greatest_entry if it was an entry");
}

// The rest of "$SIZE CR LF, bytes, CR LF", of which `begin` is there: without the parser, which
// would copy it twice.
redis_fault redis_connection::receive_large(std::string& text, std::string_view begin,
                                            std::size_t size, redis_time end) {
  // What the server says is no reason for more memory than it sends; some of it in advance.
  text.reserve(std::min(size + 2, redis_kept));
  text = begin;
  while (text.size() != size + 2) {
    std::size_t const before = text.size();
    std::size_t const most = std::min(size + 2 - before, redis_chunk);
    if (text.capacity() < before + most) text.reserve(std::min(2 * before + most, size + 2));
    text.resize(before + most);
    std::size_t count = 0;
    auto const fault = receive_some(text.data() + before, most, end, count);
    if (fault != redis_fault::none) return fault;
    text.resize(before + count);
  }
  more_ = false;
  if (!text.ends_with("\r\n"))
    return fail(redis_fault::protocol, "what answers is no Redis server (a string without an end)");
  text.resize(size);
  return redis_fault::none;
}

redis_fault redis_connection::receive(redis_reply& reply, redis_time end) {
  reply.type = redis_reply::kind::none;
  reply.integer = 0;
  reply.text.clear();
  reply.items.clear();
  reader_->privdata = &reply;
  std::size_t received = reader_->len - reader_->pos;
  more_ = false;
  for (;;) {
    void* got = nullptr;
    // With nothing to read it would begin an answer that may not come by it, and keep where to.
    if (received != 0 && redisReaderGetReply(reader_, &got) != REDIS_OK)
      return fail(redis_fault::protocol,
                  std::string("what answers is no Redis server (") +
                      (reader_->err == REDIS_ERR_OOM ? "an answer of an absurd size"
                                                     : static_cast<char const*>(reader_->errstr)) +
                      ")");
    if (got != nullptr) return redis_fault::none;
    if (received > greatest_reply_ + redis_chunk) return too_large();
    std::size_t count = 0;
    auto const fault = receive_some(buffer_.get(), redis_chunk, end, count);
    if (fault != redis_fault::none) return fault;
    std::string_view const bytes(buffer_.get(), count);
    if (received == 0) {
      std::size_t header = 0;
      auto const size = redis_size_of_string(bytes, header);
      if (size > greatest_reply_) return too_large();
      if (header + size > count) {
        reply.type = redis_reply::kind::bytes;
        return receive_large(reply.text, bytes.substr(header), size, end);
      }
    }
    received += count;
    if (redisReaderFeed(reader_, bytes.data(), count) != REDIS_OK)
      return fail(redis_fault::protocol, "no memory for an answer");
  }
}

bool redis_connection::is_quiet() const {
  if (reader_->len != reader_->pos) return false;
  char byte;
  ssize_t count;
  do count = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace layerkey::detail
