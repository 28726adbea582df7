// Entries that say whether they are right, folders that go, and processes that are waited for.
#pragma once

#include <layerkey/store/lmdb_bytes.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace lmdb_test {

namespace fs = std::filesystem;
using namespace layerkey;

inline bool full() {
  char const* const value = std::getenv("LAYERKEY_FULL");
  return value && std::string_view(value) == "1";
}

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

inline entry_address address(std::uint64_t number) {
  entry_address at;
  for (std::uint64_t i = 0; i != 4; ++i) {
    std::uint64_t const word = mix(number * 4 + i);
    std::memcpy(at.data() + 8 * i, &word, 8);
  }
  return at;
}

inline std::uint64_t sum(entry_address const& at, std::string_view bytes) {
  std::uint64_t h = bytes.size();
  for (unsigned char const c : at) h = (h ^ c) * 0x100000001B3u;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  for (; i != bytes.size(); ++i) h = (h ^ static_cast<unsigned char>(bytes[i])) * 0x100000001B3u;
  return h;
}

// Of this size, at least 8 bytes; another one for another version.
inline std::string entry(entry_address const& at, std::size_t size, std::uint64_t version = 0) {
  std::string bytes(size, '\0');
  std::mt19937_64 random(version * 977 + size);
  for (std::size_t i = 8; i + 8 <= size; i += 8) {
    std::uint64_t const word = random();
    std::memcpy(bytes.data() + i, &word, 8);
  }
  std::uint64_t const check = sum(at, std::string_view(bytes).substr(8));
  std::memcpy(bytes.data(), &check, 8);
  return bytes;
}

inline bool right(entry_address const& at, std::string_view bytes) {
  std::uint64_t check = 0;
  if (bytes.size() < 8) return false;
  std::memcpy(&check, bytes.data(), 8);
  return check == sum(at, bytes.substr(8));
}

inline std::string check(entry_address const& at, std::string_view bytes) {
  return right(at, bytes) ? "" : "its bytes are not what they were";
}

// What comes of a read by one who checks, as stores do.
inline read_result read(byte_store& store, std::uint64_t number) {
  return store.read(address(number),
                    [&](std::string_view bytes) { return right(address(number), bytes); });
}

inline bool write(byte_store& store, std::uint64_t number, std::size_t size,
                  std::uint64_t version = 0) {
  return store.write(address(number), entry(address(number), size, version));
}

class folder {
 public:
  explicit folder(std::string_view name) {
    std::string path = (fs::temp_directory_path() / ("layerkey-" + std::string(name) + "-XXXXXX"));
    path_ = ::mkdtemp(path.data());
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);
    fs::remove_all(path_, ignored);
  }
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  std::string const& path() const { return path_; }

 private:
  std::string path_;
};

inline std::vector<std::string> files_in(std::string const& path, std::string_view part) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(path, ignored))
    if (entry.path().filename().string().find(part) != std::string::npos)
      found.push_back(entry.path().string());
  return found;
}

// The file with entries.
inline std::string data_file(std::string const& path) {
  for (std::string const& file : files_in(path, "entries-"))
    if (file.size() > 4 && file.substr(file.size() - 4) == ".mdb") return file;
  return {};
}

// Another process. Its end is its body's value.
template<class Body>
pid_t start(Body body) {
  pid_t const child = ::fork();
  if (child == 0) {
    ::alarm(300);
    ::_exit(body());
  }
  return child;
}

// Its value, or -1 - signal.
inline int end_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
}

// Memory that processes share.
template<class T>
class shared {
 public:
  explicit shared(std::size_t length) : size_(length * sizeof(T)) {
    void* const at =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    values_ = static_cast<T*>(at);
  }
  shared(shared const&) = delete;
  shared& operator=(shared const&) = delete;
  ~shared() { ::munmap(values_, size_); }
  T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::size_t size_;
  T* values_;
};

}  // namespace lmdb_test
