// Entries in one file of a folder, for all processes of this machine that use the folder.
//
// What is kept where. The folder holds entries-ID.mdb (an LMDB file), entries-ID.mdb-lock (LMDB's
// list of readers), lock (whoever writes or opens holds it by flock), and at most two files
// *.broken-N, which were set aside. All of it may be removed at any time, also while it is used.
//
// What a crash may do. A process that dies, by SIGKILL at any moment, too, loses what it had not
// committed and nothing else. Commits are not synced one by one: the file is synced when enough was
// written or enough time has passed, by flush(), and at the end of a process. So a power cut, or a
// crash of the kernel, may lose what was written since the last sync, and, as the kernel writes in
// any order, it may leave a file that is not consistent. It is noticed: the time of modification
// of the file is a number made from its state that only a commit, a check or a sync of this library
// sets, and after a restart of the machine only the one that a sync set is believed. Where it does
// not fit, the structure of the whole file is checked by a reader of our own before LMDB maps it,
// 100,000 entries in some 0.02 to 0.1 seconds; a file that is not right is set aside, and a new one
// begun. Entries whose bytes were lost are found by their checksum when they are read. So what is
// left after a power cut may be less; it is never wrong.
//
// The same goes for damage of any other kind. What happens to the file while it is mapped (cut,
// unreadable) ends the call into LMDB by a signal that is caught, which is why opening a store
// installs handlers for SIGBUS, SIGSEGV and SIGXFSZ that pass on what is not theirs.
//
// Not for network file systems: they are refused. A child made by fork() opens the file for itself.
#pragma once

#include <layerkey/store/byte_store.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

enum class lmdb_sharing : unsigned char {
  private_to_user,  // refused if it belongs to another user, or if others may write to it
  group,            // the folder's group may read and write
  everyone,         // whoever can write to it can put entries there: use a secret
};

struct lmdb_file_options {
  // How large the file may become, in bytes; at least 1 MiB. Entries that were not used for longest
  // go when it is near. No entry takes more than a quarter.
  std::uint64_t limit = std::uint64_t{5} << 30;

  lmdb_sharing sharing = lmdb_sharing::private_to_user;

  // For file systems that are refused because they are, or may be, on a network (FUSE, 9p), where
  // they are known to be local and to share maps and locks among all processes.
  bool any_file_system = false;

  // How long a write waits for its turn.
  std::chrono::milliseconds patience = std::chrono::seconds(5);

  // How much of the address space is taken at first; it grows as needed. 0: as the limit.
  std::uint64_t first_map = 0;
};

struct lmdb_statistics {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // of entries
  std::uint64_t file_bytes =
      0;  // of the file; it is used again, but does not shrink but by prune()
  std::uint64_t limit = 0;
  std::int64_t oldest_use = 0;  // seconds since 1970, of the entry that was not used for longest
  std::string problem;
};

struct lmdb_verification {
  std::string structure;  // what is wrong with the file as a whole; empty: nothing
  std::uint64_t entries = 0;
  std::uint64_t wrong = 0;
  std::vector<std::string> faults;  // of the first of them
  std::string problem;              // why not all was looked at

  bool right() const { return structure.empty() && wrong == 0 && problem.empty(); }
};

struct lmdb_transfer {
  std::uint64_t entries = 0;
  std::uint64_t refused = 0;  // by the check
  std::string problem;        // why it ended before the end
};

// What is wrong with an entry that lies at an address; empty: nothing.
using entry_check = std::function<std::string(entry_address const& at, std::string_view entry)>;

// Which folder caches of this name belong in: in $XDG_CACHE_HOME, or else in ~/.cache. Empty if
// neither can be known.
std::string default_cache_folder(std::string_view name);

class lmdb_bytes final : public byte_store {
 public:
  // Makes the folder if need be. Does not fail: what cannot be opened now is tried again later.
  explicit lmdb_bytes(std::string folder, lmdb_file_options options = {}, bool read_only = false);
  ~lmdb_bytes() override;

  read_result read(entry_address const& at, use const& accepts) override;
  bool write(entry_address const& at, std::string_view entry) override;
  bool remove(entry_address const& at) override;
  bool contains(entry_address const& at) override;
  bool take_lease(entry_address const& at, std::chrono::milliseconds time) override;
  void drop_lease(entry_address const& at) override;
  std::string problem() const override;

  // What was written, and which entries were used, is on the disk afterwards.
  void flush() override;

  std::string const& folder() const;

  lmdb_statistics statistics() const;

  // The structure, then each entry; those that are wrong are removed if asked. Others may go on
  // meanwhile.
  enum class on_wrong : unsigned char { keep, remove };
  lmdb_verification verify(entry_check const& check, on_wrong then = on_wrong::keep);

  // Removes what was not used for longest until the rest takes so many bytes, and gives the disk
  // back what is free then.
  bool prune(std::uint64_t bytes);

  // All entries, in one file, which is replaced. And from such a file: what the check accepts.
  lmdb_transfer export_to(std::string const& file) const;
  lmdb_transfer import_from(std::string const& file, entry_check const& check);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace layerkey
