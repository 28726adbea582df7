// Redis servers for tests: each in a temporary folder of its own, gone with the test even if that
// is killed.
#pragma once

#include <layerkey/store/redis_store.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace redis_test {

using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

// ---- programs ----------------------------------------------------------------------------------

inline bool is_installed(std::string const& program) {
  char const* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    auto const colon = rest.find(':');
    std::string const file = std::string(rest.substr(0, colon)) + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return true;
    rest = colon == rest.npos ? std::string_view() : rest.substr(colon + 1);
  }
  return false;
}

// Says so in the words that CTest looks for.
inline bool is_skipped() {
  static bool const skipped = !is_installed("redis-server") || !is_installed("redis-cli");
  if (skipped) {
    std::puts("SKIPPED: redis-server and redis-cli are not installed");
    std::fflush(stdout);
  }
  return skipped;
}

// Ends with the thread that started it. Its output goes to a file.
inline pid_t start_program(std::vector<std::string> const& words, std::string const& output) {
  std::vector<char*> arguments;
  for (auto const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t const parent = ::getpid();
  pid_t const child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  int const out = ::open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  int const in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

inline int run_program(std::vector<std::string> const& words, std::string const& output) {
  pid_t const child = start_program(words, output);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline std::string content_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "layerkey-redis-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string path(std::string const& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// ---- sockets -----------------------------------------------------------------------------------

// A socket that listens at a free port of 127.0.0.1.
inline int listen_somewhere(std::uint16_t& port) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      ::listen(socket, 64) != 0 ||
      ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    std::abort();
  port = ntohs(address.sin_port);
  return socket;
}

// Somebody else may take it before it is used: who starts a server there has to look.
inline std::uint16_t free_port() {
  std::uint16_t port = 0;
  ::close(listen_somewhere(port));
  return port;
}

inline int connect_to(std::uint16_t port) {
  int const socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

// ---- servers -----------------------------------------------------------------------------------

class server {
 public:
  explicit server(std::vector<std::string> options = {}) : options_(std::move(options)) {
    for (int attempt = 0; attempt != 20 && !is_running(); ++attempt) {
      port_ = free_port();
      start();
    }
    if (!is_running()) {
      std::fprintf(stderr, "redis-server does not start:\n%s\n",
                   content_of(folder_.path("log")).c_str());
      std::abort();
    }
  }
  server(server const&) = delete;
  server& operator=(server const&) = delete;
  ~server() { kill(); }

  std::uint16_t port() const { return port_; }
  std::string socket() const { return folder_.path("socket"); }
  std::string place() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url() const { return "redis://" + place(); }
  pid_t process() const { return process_; }
  bool is_running() const { return process_ > 0; }

  void start() {
    std::filesystem::remove(socket());
    std::vector<std::string> words = {"redis-server",
                                      "--port",
                                      std::to_string(port_),
                                      "--bind",
                                      "127.0.0.1",
                                      "--unixsocket",
                                      socket(),
                                      "--dir",
                                      folder_.path(""),
                                      "--save",
                                      "",
                                      "--appendonly",
                                      "no",
                                      "--enable-debug-command",
                                      "yes"};
    words.insert(words.end(), options_.begin(), options_.end());
    process_ = start_program(words, folder_.path("log"));
    auto const end = clock::now() + std::chrono::seconds(30);
    while (clock::now() < end) {
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) != 0) break;
      // With the socket it says that the port is its own, too.
      if (::access(socket().c_str(), F_OK) == 0) return;
      std::this_thread::sleep_for(milliseconds(2));
    }
    kill();
  }

  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
  }

  void pause() const { ::kill(process_, SIGSTOP); }
  void go_on() const { ::kill(process_, SIGCONT); }

  // What redis-cli prints for a command.
  std::string cli(std::vector<std::string> const& command) const {
    std::vector<std::string> words = {"redis-cli", "-s", socket()};
    words.insert(words.end(), command.begin(), command.end());
    std::string const output = folder_.path("cli");
    std::filesystem::remove(output);
    run_program(words, output);
    return content_of(output);
  }

 private:
  temporary_folder folder_;
  std::vector<std::string> options_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

// Does with each connection what the test wants; ends when it is destroyed.
class false_server {
 public:
  using serve = std::function<void(int socket, std::atomic<bool> const& ends)>;

  explicit false_server(serve what) : what_(std::move(what)), socket_(listen_somewhere(port_)) {
    acceptor_ = std::thread([this] {
      while (!ends_) {
        pollfd one{.fd = socket_, .events = POLLIN, .revents = 0};
        if (::poll(&one, 1, 10) <= 0) continue;
        int const connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        std::lock_guard const lock(mutex_);
        threads_.emplace_back([this, connection] {
          what_(connection, ends_);
          ::close(connection);
        });
      }
    });
  }
  false_server(false_server const&) = delete;
  false_server& operator=(false_server const&) = delete;
  ~false_server() {
    ends_ = true;
    acceptor_.join();
    for (auto& each : threads_) each.join();
    ::close(socket_);
  }

  std::string url() const { return "redis://127.0.0.1:" + std::to_string(port_); }

 private:
  serve what_;
  std::uint16_t port_ = 0;
  int socket_;
  std::atomic<bool> ends_ = false;
  std::mutex mutex_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

inline bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Waits for a command; false: there will be none.
inline bool await_command(int socket, std::atomic<bool> const& ends) {
  char bytes[65536];
  while (!ends) {
    pollfd one{.fd = socket, .events = POLLIN, .revents = 0};
    if (::poll(&one, 1, 10) > 0) return ::recv(socket, bytes, sizeof bytes, 0) > 0;
  }
  return false;
}

// ---- what is kept ------------------------------------------------------------------------------

inline layerkey::entry_address address(std::uint64_t number) {
  layerkey::entry_address at;
  for (std::size_t i = 0; i != at.size(); ++i) {
    number = number * 6364136223846793005U + 1442695040888963407U;
    at[i] = static_cast<unsigned char>(number >> 56);
  }
  return at;
}

inline std::string noise(std::size_t size, std::uint64_t seed) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<char>(seed >> 56);
  }
  return bytes;
}

struct found {
  layerkey::read_result result;
  std::string entry;

  bool operator==(found const&) const = default;
};

inline found read(layerkey::byte_store& store, layerkey::entry_address const& at) {
  found f;
  f.result = store.read(at, [&f](std::string_view entry) {
    f.entry = entry;
    return true;
  });
  return f;
}

inline bool is_there(layerkey::byte_store& store, layerkey::entry_address const& at,
                     std::string const& entry) {
  return read(store, at) == found{layerkey::read_result::accepted, entry};
}

inline bool is_unavailable(layerkey::byte_store& store, layerkey::entry_address const& at) {
  return read(store, at).result == layerkey::read_result::unavailable;
}

inline bool is_absent(layerkey::byte_store& store, layerkey::entry_address const& at) {
  return read(store, at).result == layerkey::read_result::absent;
}

inline bool contains(std::string const& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

template<class Function>
milliseconds time_of(Function&& f) {
  auto const begin = clock::now();
  f();
  return std::chrono::duration_cast<milliseconds>(clock::now() - begin);
}

// Until it is so, or for a minute.
template<class Condition>
bool soon(Condition&& is_so) {
  auto const end = clock::now() + std::chrono::minutes(1);
  while (clock::now() < end) {
    if (is_so()) return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

// For tests that are not about waiting.
inline layerkey::redis_options patient() {
  layerkey::redis_options options;
  options.password_variable.clear();
  options.time_out = std::chrono::seconds(30);
  options.connect_time_out = std::chrono::seconds(30);
  return options;
}

// For tests that are.
inline layerkey::redis_options impatient() {
  layerkey::redis_options options;
  options.password_variable.clear();
  options.time_out = milliseconds(300);
  options.connect_time_out = milliseconds(150);
  options.first_pause = milliseconds(400);
  options.longest_pause = milliseconds(800);
  return options;
}

// What a loaded machine may add to a time-out.
constexpr milliseconds slack = milliseconds(1500);

// Shorter than any time-out: nothing was waited for.
constexpr milliseconds at_once = milliseconds(100);

}  // namespace redis_test
