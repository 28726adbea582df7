// The store of this machine: artifacts in a file that all processes of a user share.
//
//   lmdb_store store{default_cache_folder("my-compiler"), this_build()};
//
// What it does with the folder, and what a crash or a power cut may do to it, stands in
// lmdb_bytes.hpp.
#pragma once

#include <layerkey/store/entry_store.hpp>
#include <layerkey/store/lmdb_bytes.hpp>
#include <layerkey/store/provenance.hpp>
#include <layerkey/store/secret.hpp>

#include <cstdint>
#include <string>

namespace layerkey {

struct lmdb_options {
  store_options entries = {};
  lmdb_file_options file = {};
};

// Never fails to be made: what cannot be opened has a problem(), and nothing is found there or
// kept.
class lmdb_store : public entry_store {
 public:
  lmdb_store(std::string folder, provenance made_by, lmdb_options options = {});

  std::string const& folder() const;
  lmdb_statistics file_statistics() const;

  // Whether the file and all entries are right, also those of other builds. Those that are not are
  // removed if asked. With a secret, those without its tag are not right.
  lmdb_verification verify(lmdb_bytes::on_wrong then = lmdb_bytes::on_wrong::keep);

  // Removes what was not used for longest until the rest takes so many bytes, and gives the disk
  // back what is free then.
  bool prune(std::uint64_t bytes);

  // All entries, in one file. They are right when they come in again, or do not come in: with a
  // secret, only those with its tag do.
  lmdb_transfer export_to(std::string const& file) const;
  lmdb_transfer import_from(std::string const& file);

 private:
  lmdb_bytes& file();
  lmdb_bytes const& file() const;
  entry_check check() const;

  store_secret secret_;
};

}  // namespace layerkey
