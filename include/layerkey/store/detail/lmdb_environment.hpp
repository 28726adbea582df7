// One LMDB file that is open in this process, shared by all who use it here.
#pragma once

#include <layerkey/store/detail/lmdb_structure.hpp>
#include <layerkey/store/lmdb_bytes.hpp>

#include <lmdb.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey::detail {

// What is kept for what. One tree, told apart by the first byte of the key:
//   'e' address   the entry
//   'u' address   lmdb_use
//   'l' address   lmdb_lease
//   'a'           lmdb_about
struct lmdb_key {
  char bytes[33];

  lmdb_key() = default;
  lmdb_key(char kind, entry_address const& at);
  lmdb_key as(char kind) const;
};

struct lmdb_use {
  std::uint64_t use;     // a number that grows, so that clocks do not matter
  std::uint64_t bytes;   // of the entry
  std::int64_t seconds;  // since 1970, for people
};

struct lmdb_lease {
  std::uint64_t check;      // of the rest
  std::uint64_t boot;       // which start of the machine
  std::uint64_t processes;  // which numbering of processes
  std::uint64_t started;    // when the holder was, in the kernel's unit
  std::int64_t process;     // the holder
  std::int64_t until;       // CLOCK_BOOTTIME, ms
  std::int64_t time;        // ms
};

struct lmdb_about {
  char magic[8];
  std::uint64_t entries;
  std::uint64_t bytes;
  std::uint64_t cost;  // of space in the file, estimated
  std::uint64_t next_use;
};

// Memory for one entry that is used again.
class lmdb_buffer {
 public:
  lmdb_buffer() = default;
  lmdb_buffer(lmdb_buffer&& other) noexcept;
  lmdb_buffer& operator=(lmdb_buffer&& other) noexcept;
  ~lmdb_buffer();

  bool reserve(std::size_t size);  // false: there is no memory
  char* data() { return data_; }
  std::size_t capacity() const { return capacity_; }
  std::string_view bytes() const { return {data_, size}; }
  entry_bytes entry() const { return {bytes(), summed_ ? &sum_ : nullptr}; }

  // What was copied to data(), and its checksum if it was made.
  void take(std::size_t count, digest128 const& sum, bool summed) {
    size = count;
    sum_ = sum;
    summed_ = summed;
  }

  std::size_t size = 0;

 private:
  digest128 sum_;
  bool summed_ = false;
  char* data_ = nullptr;
  std::size_t capacity_ = 0;
};

enum class lmdb_result : unsigned char {
  done,
  absent,
  failed,  // `problem` says why
  lost,    // this environment is not to be used any more; another one may be opened
};

struct lmdb_change;

class lmdb_environment : public std::enable_shared_from_this<lmdb_environment> {
 public:
  lmdb_environment() = default;
  lmdb_environment(lmdb_environment const&) = delete;
  lmdb_environment& operator=(lmdb_environment const&) = delete;
  ~lmdb_environment();

  bool lost() const;

  lmdb_result get(lmdb_key const& key, lmdb_buffer& into, bool used, std::string& problem);
  // Without its bytes.
  lmdb_result find(lmdb_key const& key, std::string& problem);
  // The first of this kind behind a key; `key` becomes its.
  lmdb_result next(lmdb_key& key, lmdb_buffer& into, std::string& problem);

  lmdb_result put(entry_address const& at, std::string_view entry, std::uint64_t limit,
                  std::string& problem);
  lmdb_result remove(entry_address const& at, std::string& problem);
  // absent: what is there is not what was there `before`.
  lmdb_result put_lease(entry_address const& at, lmdb_lease const& lease, std::string_view before,
                        std::string& problem);
  lmdb_result remove_lease(entry_address const& at, std::string& problem);

  lmdb_result evict(std::uint64_t bytes, std::string& problem);
  // Another file with what is in this one, without what is free; this one is lost then.
  lmdb_result shrink(std::string& problem);
  lmdb_result about(lmdb_about& out, std::int64_t& oldest, std::string& problem);
  // The structure, while nobody writes.
  lmdb_result check(std::string& fault, std::string& problem);

  lmdb_result write_uses(bool wait, std::string& problem);
  lmdb_result sync(std::string& problem);
  // Whether so many uses wait to be written that a reader should do it.
  bool uses_are_due() const { return uses_due_.load(std::memory_order_relaxed); }

  std::uint64_t file_size() const;
  bool read_only() const { return read_only_; }

 private:
  friend struct lmdb_opening;
  struct change_lock;

  // The first bytes of an address are enough to find it again.
  struct use_note {
    std::uint64_t tick;
    std::uint64_t at;
  };
  static constexpr unsigned slots = 64;
  static constexpr unsigned notes = 8192;
  static constexpr unsigned probes = 8;
  struct alignas(64) slot {
    std::atomic<unsigned> busy{0};
    MDB_txn* txn = nullptr;
    use_note* uses = nullptr;  // open addressing
    std::int64_t next_look = 0;
  };

  slot& take_slot();
  bool take_all_slots();
  void free_all_slots();
  void look(slot& s);
  bool in_place() const;
  bool is_cut() const;
  void note(slot& s, lmdb_key const& key);
  lmdb_result read(lmdb_key const& key, lmdb_buffer* into, bool used, std::string& problem);
  lmdb_result read_failed(int end, int rc, std::string& problem);

  bool lock_file(std::chrono::milliseconds wait);
  void unlock_file();
  lmdb_result change(lmdb_change& c, std::string& problem);
  lmdb_result change_once(lmdb_change& c, bool& again, std::string& problem);
  std::string check_paths(lmdb_change& c);
  std::string check_path(lmdb_change& c, char const* key, std::size_t size, bool written);
  void trust_paths(lmdb_change& c);
  lmdb_result evict_locked(std::uint64_t cost, std::string& problem);
  lmdb_result write_uses_locked(std::string& problem);
  bool grow(std::uint64_t at_least);
  bool find_map();
  void lose();
  // Under the lock of the file.
  lmdb_result damaged_locked(std::string const& why, bool leak, std::string& problem);
  lmdb_result damaged(std::string const& why, std::string& problem);
  void close_map(bool leak);
  void set_mark(std::uint64_t transaction, bool synced);

  std::string folder_;
  std::string path_;
  lmdb_file_options options_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  unsigned forks_ = 0;
  bool read_only_ = false;
  bool marks_ = false;  // the file system keeps times as they are set
  int data_ = -1;
  int lock_ = -1;

  MDB_env* env_ = nullptr;
  char const* map_ = nullptr;
  std::uint64_t map_size_ = 0;
  std::uint64_t page_size_ = 0;

  std::atomic<bool> lost_{false};
  std::atomic<bool> uses_due_{false};
  std::atomic<std::int64_t> next_uses_{0};
  std::timed_mutex writing_;
  bool closed_ = false;  // under writing_
  // Pages of the tree that were found right, or written by this process; under writing_.
  std::vector<std::uint64_t> checked_;
  bool all_checked_ = false;
  bool changed_ = false;  // by this process, under writing_
  std::uint64_t unsynced_ = 0;
  std::int64_t last_sync_ = 0;
  std::int64_t last_reader_check_ = 0;
  std::int64_t no_space_until_ = 0;

  std::array<slot, slots> slots_;
};

struct lmdb_opened {
  std::shared_ptr<lmdb_environment> environment;
  std::string problem;
};

lmdb_opened lmdb_open(std::string const& folder, lmdb_file_options const& options, bool read_only);

// Milliseconds that go on while the machine sleeps, and never back.
std::int64_t lmdb_boot_clock();
// Which start of the machine this is.
std::uint64_t lmdb_boot();
std::uint64_t lmdb_mix(void const* bytes, std::size_t size);
// Changes in a child after fork().
unsigned lmdb_forks();

}  // namespace layerkey::detail
