// A file that the structure check lets pass can be opened, read and written.
#include <layerkey/store/detail/lmdb_structure.hpp>
#include <layerkey/store/lmdb_bytes.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace {

struct temporary_folder {
  std::string path = std::filesystem::temp_directory_path() / "layerkey-structure-XXXXXX";

  temporary_folder() { path = ::mkdtemp(path.data()); }
  ~temporary_folder() { std::filesystem::remove_all(path); }
};

std::string const& folder() {
  static temporary_folder const made;
  return made.path;
}

layerkey::entry_address address(unsigned n) {
  layerkey::entry_address at;
  for (std::size_t i = 0; i != at.size(); ++i)
    at[i] = static_cast<unsigned char>((n + 1) * 2'654'435'761u >> (i % 24));
  return at;
}

// A small file that is right: the input says what is changed in it.
std::string const& good() {
  static std::string const bytes = [] {
    std::string const path = folder() + "/good";
    {
      layerkey::lmdb_bytes store(path, {.limit = std::uint64_t{16} << 20});
      for (unsigned i = 0; i != 60; ++i)
        if (!store.write(address(i), std::string(i % 7 == 0 ? 5000 : 40 * i, 'x'))) std::abort();
      for (unsigned i = 0; i < 60; i += 5) (void)store.remove(address(i));
    }
    std::string read;
    for (auto const& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".mdb") continue;
      read.resize(std::filesystem::file_size(entry.path()));
      int const file = ::open(entry.path().c_str(), O_RDONLY);
      if (::read(file, read.data(), read.size()) != static_cast<ssize_t>(read.size())) std::abort();
      ::close(file);
    }
    return read;
  }();
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string bytes = good();
  // 2 bytes: which page; 1: where in it, the first bytes more often than others; 1: what.
  for (; size >= 4; data += 4, size -= 4) {
    std::size_t const page =
        static_cast<std::size_t>(data[0] | data[1] << 8) % (bytes.size() / 4096);
    std::size_t const place = data[2] < 128 ? data[2] : (data[2] * 2'654'435'761u >> 8) % 4096;
    bytes[page * 4096 + place] = static_cast<char>(bytes[page * 4096 + place] ^ data[3]);
  }
  if (size != 0) bytes.resize(bytes.size() * data[0] / 256);

  std::string const path = folder() + "/store";
  std::filesystem::remove_all(path);
  if (::mkdir(path.c_str(), 0700) != 0) std::abort();
  std::string const name = path + "/entries-0123456789abcdef.mdb";
  int const file = ::open(name.c_str(), O_RDWR | O_CREAT, 0600);
  if (::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  bool const right = layerkey::detail::lmdb_check_structure(file).right();
  ::close(file);

  layerkey::lmdb_bytes store(path, {.limit = std::uint64_t{16} << 20});
  // Nobody sets aside what is right.
  if (right && !std::filesystem::exists(name)) std::abort();
  for (unsigned i = 0; i != 60; ++i)
    (void)store.read(address(i), [](std::string_view entry) { return entry.size() < 10'000; });
  for (unsigned i = 0; i < 80; i += 3)
    if (!store.write(address(i), std::string(i * 100, 'y'))) std::abort();
  for (unsigned i = 0; i < 80; i += 4) (void)store.remove(address(i));
  if (!store.prune(10'000)) std::abort();
  if (!store.write(address(1), "z")) std::abort();
  return 0;
}
