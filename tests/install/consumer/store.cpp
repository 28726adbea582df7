// Keeps an artifact in a folder and finds it there.
#include <layerkey/store/lmdb_store.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

int main() {
  auto folder = (std::filesystem::temp_directory_path() / "layerkey_consumer_XXXXXX").string();
  if (!mkdtemp(folder.data())) return 2;
  layerkey::store_key const key{
      .layer = "codegen", .canonical = "key", .made_by = "consumer", .kind = "bytes"};
  std::string found;
  {
    layerkey::lmdb_store store(folder, layerkey::this_build());
    store.save(key, "artifact");
    store.load(key, [&found](std::string_view content) {
      found = content;
      return layerkey::load_verdict::serves;
    });
  }
  std::filesystem::remove_all(folder);
  return found == "artifact" ? 0 : 1;
}
