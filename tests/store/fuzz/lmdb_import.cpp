// What comes in from a file of any content is right, and reading it ends.
#include <layerkey/store/entry_format.hpp>
#include <layerkey/store/lmdb_store.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

struct places {
  std::string folder;
  std::string file;

  places() {
    std::string path = std::filesystem::temp_directory_path() / "layerkey-import-XXXXXX";
    folder = ::mkdtemp(path.data());
    file = folder + "/file";
  }
  ~places() { std::filesystem::remove_all(folder); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static places const at;
  static layerkey::lmdb_options const options = {.entries = {},
                                                 .file = {.limit = std::uint64_t{1} << 20}};
  static layerkey::lmdb_store store(at.folder + "/store", {{"fuzz", "1"}}, options);

  int const file = ::open(at.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  // Behind what each such file begins with, and as it is.
  bool const headed = size != 0 && data[0] % 2 == 0;
  if (headed && ::write(file, "lkexpor\1", 8) != 8) std::abort();
  if (::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  ::close(file);

  (void)store.import_from(at.file);
  if (!store.verify().right()) std::abort();
  if (store.file_statistics().entries > 20) (void)store.prune(0);
  return 0;
}
