#include <layerkey/store/entry_format.hpp>
#include <layerkey/store/lmdb_store.hpp>

#include <memory>
#include <utility>

namespace layerkey {

lmdb_store::lmdb_store(std::string folder, provenance made_by, lmdb_options options)
    : entry_store(
          std::make_unique<lmdb_bytes>(std::move(folder), options.file, options.entries.read_only),
          std::move(made_by), options.entries),
      secret_(options.entries.secret) {}

lmdb_bytes& lmdb_store::file() { return static_cast<lmdb_bytes&>(bytes()); }
lmdb_bytes const& lmdb_store::file() const { return static_cast<lmdb_bytes const&>(bytes()); }

std::string const& lmdb_store::folder() const { return file().folder(); }

lmdb_statistics lmdb_store::file_statistics() const { return file().statistics(); }

bool lmdb_store::prune(std::uint64_t bytes) { return file().prune(bytes); }

entry_check lmdb_store::check() const {
  return [key = tag_key(secret_), buffer = std::make_shared<content_buffer>()](
             entry_address const& at, std::string_view bytes) -> std::string {
    entry_parts found;
    entry_fault fault = decode_entry(bytes, key, found);
    std::string_view content;
    if (fault == entry_fault::none) fault = buffer->content_of(found, content);
    if (fault != entry_fault::none) return std::string(to_text(fault));
    if (address_of(found.heading) != at)
      return "it lies under the address of another one: layer " + std::string(found.heading.layer);
    return {};
  };
}

lmdb_verification lmdb_store::verify(lmdb_bytes::on_wrong then) {
  if (secret_.problem().empty()) return file().verify(check(), then);
  lmdb_verification refused;
  refused.problem = secret_.problem();
  return refused;
}

lmdb_transfer lmdb_store::export_to(std::string const& path) const {
  return file().export_to(path);
}

lmdb_transfer lmdb_store::import_from(std::string const& path) {
  if (secret_.problem().empty()) return file().import_from(path, check());
  lmdb_transfer refused;
  refused.problem = secret_.problem();
  return refused;
}

}  // namespace layerkey
