#include <layerkey/store/detail/checksum.hpp>
#include <layerkey/store/detail/lmdb_environment.hpp>
#include <layerkey/store/detail/lmdb_folder.hpp>
#include <layerkey/store/detail/lmdb_guard.hpp>

#include <fcntl.h>
#include <lmdb.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

namespace layerkey::detail {

// ---- numbers -----------------------------------------------------------------------------------

std::int64_t lmdb_boot_clock() {
  timespec now = {};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

std::uint64_t lmdb_mix(void const* bytes, std::size_t size) {
  std::uint64_t h = 0x9E3779B97F4A7C15u ^ size;
  auto const* from = static_cast<unsigned char const*>(bytes);
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, std::min<std::size_t>(8, size - i));
    h ^= word;
    h *= 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
    h *= 0xC4CEB9FE1A85EC53u;
    h ^= h >> 29;
  }
  return h;
}

std::uint64_t lmdb_boot() {
  static std::uint64_t const boot = [] {
    char id[64] = {};
    ssize_t got = 0;
    int const file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      got = ::read(file, id, sizeof id);
      ::close(file);
    }
    if (got > 0) return lmdb_mix(id, static_cast<std::size_t>(got));
    // When it was started, roughly: within a minute it is the same.
    timespec now = {};
    ::clock_gettime(CLOCK_REALTIME, &now);
    std::int64_t const start = (std::int64_t{now.tv_sec} - lmdb_boot_clock() / 1000) / 60;
    return lmdb_mix(&start, sizeof start);
  }();
  return boot;
}

namespace {

std::int64_t lmdb_coarse_clock() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// Grows from one use to the next.
std::uint64_t lmdb_tick() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

constexpr char lmdb_about_magic[8] = {'l', 'k', 's', 't', 'o', 'r', 'e', 1};
constexpr std::uint64_t lmdb_least_limit = std::uint64_t{1} << 20;
constexpr MDB_dbi lmdb_tree_of_all = 1;
constexpr unsigned lmdb_readers = 2048;          // of all processes at a time
constexpr int lmdb_no_room = -1;                 // none of LMDB's
constexpr std::int64_t lmdb_sync_time = 10'000;  // ms
constexpr std::uint64_t lmdb_sync_bytes = std::uint64_t{64} << 20;

std::uint64_t lmdb_real_limit(std::uint64_t limit) {
  return std::max(limit, lmdb_least_limit) & ~std::uint64_t{65'535};
}
// How much entries may take of a file: the rest is for its own pages, for those that are being
// replaced, and for gaps.
std::uint64_t lmdb_room(std::uint64_t limit) { return lmdb_real_limit(limit) / 4 * 3; }

std::uint64_t lmdb_cost(std::uint64_t bytes) {
  return bytes + 49 > 2038 ? (bytes + 16 + 4095) / 4096 * 4096 + 192 : bytes + bytes / 2 + 192;
}

// ---- marks -------------------------------------------------------------------------------------

// What the time of modification is set to: a number that says that this library left this very
// state, for as long as the machine runs, or, synced, for ever.
timespec lmdb_mark(std::uint64_t transaction, std::uint64_t size, std::int64_t seconds,
                   bool synced) {
  std::uint64_t const state[4] = {transaction, size, static_cast<std::uint64_t>(seconds),
                                  synced ? 0 : lmdb_boot()};
  timespec time = {};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>(lmdb_mix(state, sizeof state) % 999'999'937u);
  return time;
}

enum class lmdb_marked : unsigned char { no, by_boot, synced };

lmdb_marked lmdb_is_marked(struct stat const& is, std::uint64_t transaction) {
  for (bool const synced : {false, true}) {
    timespec const mark =
        lmdb_mark(transaction, static_cast<std::uint64_t>(is.st_size), is.st_mtim.tv_sec, synced);
    if (mark.tv_nsec == is.st_mtim.tv_nsec)
      return synced ? lmdb_marked::synced : lmdb_marked::by_boot;
  }
  return lmdb_marked::no;
}

// ---- what is open ------------------------------------------------------------------------------

// LMDB must not open a file twice in one process.
struct lmdb_registry {
  struct opened {
    dev_t device;
    ino_t inode;
    std::weak_ptr<lmdb_environment> environment;
    int lock;
    bool leaked;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<opened> open;

  void remove(dev_t device, ino_t inode) {
    std::lock_guard const lock(mutex);
    std::erase_if(open, [&](opened const& o) { return o.device == device && o.inode == inode; });
    changed.notify_all();
  }
  void leak(dev_t device, ino_t inode) {
    std::lock_guard const lock(mutex);
    for (opened& o : open)
      if (o.device == device && o.inode == inode) o.leaked = true;
    changed.notify_all();
  }
};

lmdb_registry& lmdb_all();

std::atomic<unsigned> lmdb_fork_count{0};

void lmdb_before_fork() { lmdb_all().mutex.lock(); }
void lmdb_after_fork() { lmdb_all().mutex.unlock(); }
void lmdb_in_child() {
  lmdb_registry& all = lmdb_all();
  lmdb_fork_count.fetch_add(1, std::memory_order_relaxed);
  // A lock that the parent holds at this moment would live as long as the child otherwise. All else
  // that was open is left as it is: it is the parent's.
  for (lmdb_registry::opened const& o : all.open)
    if (o.lock >= 0) ::close(o.lock);
  all.open.clear();
  all.mutex.unlock();
}

lmdb_registry& lmdb_all() {
  static lmdb_registry& all = *[] {
    auto* const made = new lmdb_registry;
    return made;
  }();
  static bool const watched =
      ::pthread_atfork(lmdb_before_fork, lmdb_after_fork, lmdb_in_child) == 0;
  (void)watched;
  return all;
}

bool lmdb_lock_file(int file, std::chrono::milliseconds wait) {
  auto const end = std::chrono::steady_clock::now() + wait;
  auto pause = std::chrono::microseconds(20);
  while (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
  return true;
}

std::string lmdb_says(int rc) { return rc > 0 ? lmdb_error_text(rc) : mdb_strerror(rc); }

// Those that say that the file is not what it should be; MDB_MAP_RESIZED, where it did not grow.
bool lmdb_says_damage(int rc) {
  return rc == MDB_PAGE_NOTFOUND || rc == MDB_CORRUPTED || rc == MDB_PANIC || rc == MDB_INVALID ||
         rc == MDB_VERSION_MISMATCH || rc == MDB_CURSOR_FULL || rc == MDB_BAD_TXN ||
         rc == MDB_INCOMPATIBLE || rc == MDB_MAP_RESIZED;
}

void lmdb_on_assertion(MDB_env*, char const* sentence) { lmdb_assertion_failed(sentence); }

}  // namespace

unsigned lmdb_forks() { return lmdb_fork_count.load(std::memory_order_relaxed); }

// ---- keys, buffers -----------------------------------------------------------------------------

lmdb_key::lmdb_key(char kind, entry_address const& at) {
  bytes[0] = kind;
  std::memcpy(bytes + 1, at.data(), at.size());
}

lmdb_key lmdb_key::as(char kind) const {
  lmdb_key other = *this;
  other.bytes[0] = kind;
  return other;
}

lmdb_buffer::lmdb_buffer(lmdb_buffer&& other) noexcept
    : size(other.size),
      data_(std::exchange(other.data_, nullptr)),
      capacity_(std::exchange(other.capacity_, 0)) {}

lmdb_buffer& lmdb_buffer::operator=(lmdb_buffer&& other) noexcept {
  std::swap(size, other.size);
  std::swap(data_, other.data_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

lmdb_buffer::~lmdb_buffer() { std::free(data_); }

bool lmdb_buffer::reserve(std::size_t wanted) {
  if (wanted <= capacity_) return true;
  std::size_t const rounded = (wanted + 4095) / 4096 * 4096;
  auto* const fresh = static_cast<char*>(std::malloc(rounded));
  if (!fresh) return false;
  std::free(data_);
  data_ = fresh;
  capacity_ = rounded;
  return true;
}

// ---- calls that run behind the guard: C and nothing else ---------------------------------------

struct lmdb_read_call {
  MDB_env* env;
  MDB_txn** txn;
  char const* map;
  std::uint64_t map_size;
  MDB_val key;
  MDB_val value;
  char* to;
  std::size_t capacity;
  digest128 sum;
  bool copy;
  bool summed;
  bool goes_on;  // the transaction is still open
  int rc;
};

struct lmdb_change {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  char const* map = nullptr;
  std::uint64_t map_size = 0;
  std::uint64_t page_size = 0;
  std::uint64_t transaction = 0;
  lmdb_about about = {};
  void (*body)(lmdb_change&) = nullptr;
  int rc = 0;
  bool broken = false;  // a record is not what it should be
  std::uint64_t room = ~std::uint64_t{0};
  bool set_totals = false;
  lmdb_about totals = {};

  // What it is about.
  lmdb_key key = {};
  MDB_val value = {};
  std::int64_t seconds = 0;
  lmdb_lease lease = {};
  struct used {
    std::uint64_t order;
    std::uint64_t bytes;
    entry_address at;
  };
  used* list = nullptr;
  std::size_t length = 0;
  std::size_t capacity = 0;
};

namespace {

bool lmdb_inside(char const* map, std::uint64_t map_size, MDB_val const& value) {
  auto const* const at = static_cast<char const*>(value.mv_data);
  return at >= map && value.mv_size <= map_size &&
         static_cast<std::uint64_t>(at - map) <= map_size - value.mv_size;
}

void lmdb_begin_read(lmdb_read_call& c) {
  c.rc = *c.txn ? mdb_txn_renew(*c.txn) : mdb_txn_begin(c.env, nullptr, MDB_RDONLY, c.txn);
}

void lmdb_copy_value(lmdb_read_call& c) {
  constexpr std::size_t large = std::size_t{1} << 14;
  constexpr std::size_t not_summed = 32;  // as byte_store.hpp says
  auto const* const from = static_cast<char const*>(c.value.mv_data);
  c.summed = c.value.mv_size >= large;
  if (c.summed)
    c.sum = copy_and_sum(c.to, from, c.value.mv_size, not_summed);
  else
    std::memcpy(c.to, from, c.value.mv_size);
}

void lmdb_take_value(lmdb_read_call& c) {
  if (c.rc == 0 && !lmdb_inside(c.map, c.map_size, c.value)) c.rc = MDB_CORRUPTED;
  if (c.rc == 0 && c.copy) {
    if (c.value.mv_size > c.capacity) {
      c.goes_on = true;
      return;
    }
    lmdb_copy_value(c);
  }
  mdb_txn_reset(*c.txn);
}

void lmdb_read_body(void* with) {
  auto& c = *static_cast<lmdb_read_call*>(with);
  lmdb_begin_read(c);
  if (c.rc != 0) return;
  c.rc = mdb_get(*c.txn, lmdb_tree_of_all, &c.key, &c.value);
  lmdb_take_value(c);
}

void lmdb_copy_body(void* with) {
  auto& c = *static_cast<lmdb_read_call*>(with);
  if (c.value.mv_size <= c.capacity) lmdb_copy_value(c);
  mdb_txn_reset(*c.txn);
}

// `key` points to the bytes of an lmdb_key, which becomes that of what is found.
void lmdb_next_body(void* with) {
  auto& c = *static_cast<lmdb_read_call*>(with);
  lmdb_begin_read(c);
  if (c.rc != 0) return;
  MDB_cursor* cursor = nullptr;
  c.rc = mdb_cursor_open(*c.txn, lmdb_tree_of_all, &cursor);
  if (c.rc == 0) {
    MDB_val key = c.key;
    c.rc = mdb_cursor_get(cursor, &key, &c.value, MDB_SET_RANGE);
    auto* const wanted = static_cast<char*>(c.key.mv_data);
    if (c.rc == 0 && key.mv_size == c.key.mv_size &&
        std::memcmp(key.mv_data, wanted, key.mv_size) == 0)
      c.rc = mdb_cursor_get(cursor, &key, &c.value, MDB_NEXT);
    if (c.rc == 0 && (!lmdb_inside(c.map, c.map_size, key) || key.mv_size != sizeof(lmdb_key) ||
                      static_cast<char const*>(key.mv_data)[0] != wanted[0]))
      c.rc = MDB_NOTFOUND;
    if (c.rc == 0) std::memcpy(wanted, key.mv_data, key.mv_size);
    mdb_cursor_close(cursor);
  }
  lmdb_take_value(c);
}

void lmdb_drop_read_body(void* with) {
  auto& c = *static_cast<lmdb_read_call*>(with);
  if (*c.txn) mdb_txn_abort(*c.txn);
}

void lmdb_begin_change_body(void* with) {
  auto& c = *static_cast<lmdb_change*>(with);
  c.rc = mdb_txn_begin(c.env, nullptr, 0, &c.txn);
  if (c.rc != 0) return;
  c.transaction = mdb_txn_id(c.txn) - 1;
}

void lmdb_finish_change_body(void* with) {
  auto& c = *static_cast<lmdb_change*>(with);
  char about_key[1] = {'a'};
  MDB_val key = {1, about_key};
  MDB_val value = {};
  c.rc = mdb_get(c.txn, lmdb_tree_of_all, &key, &value);
  if (c.rc == 0 && value.mv_size != sizeof c.about) {
    c.broken = true;
    c.rc = MDB_CORRUPTED;
  }
  if (c.rc == 0) std::memcpy(&c.about, value.mv_data, sizeof c.about);
  if (c.rc == 0) c.body(c);
  if (c.rc == 0) {
    value.mv_size = sizeof c.about;
    value.mv_data = &c.about;
    c.rc = mdb_put(c.txn, lmdb_tree_of_all, &key, &value, 0);
  }
  MDB_txn* const txn = c.txn;
  c.txn = nullptr;
  if (c.rc == 0)
    c.rc = mdb_txn_commit(txn);
  else
    mdb_txn_abort(txn);
}

void lmdb_abort_change_body(void* with) {
  auto& c = *static_cast<lmdb_change*>(with);
  MDB_txn* const txn = c.txn;
  c.txn = nullptr;
  if (txn) mdb_txn_abort(txn);
}

// LMDB believes what the first page of a large value says of its length when it frees it.
bool lmdb_may_free(lmdb_change& c, MDB_val const& value) {
  // Others lie in a page of the tree, which may be a copy that is being changed.
  std::uint64_t const greatest = (((c.page_size - 16) / 2) & ~std::uint64_t{1}) - 2;
  if (8 + sizeof(lmdb_key) + value.mv_size <= greatest) return true;
  if (!lmdb_inside(c.map, c.map_size, value)) return false;
  auto const* const page = static_cast<char const*>(value.mv_data) - 16;
  if (page < c.map) return false;
  auto const at = static_cast<std::uint64_t>(page - c.map);
  std::uint64_t number = 0;
  std::uint16_t flags = 0;
  std::uint32_t pages = 0;
  std::memcpy(&number, page, 8);
  std::memcpy(&flags, page + 10, 2);
  std::memcpy(&pages, page + 12, 4);
  return at % c.page_size == 0 && number == at / c.page_size && flags == 4 &&
         pages == (15 + value.mv_size) / c.page_size + 1;
}

// Both records of an entry, if they are there. What is wrong with them is in c.rc.
bool lmdb_drop_entry(lmdb_change& c, lmdb_key const& address) {
  char name[sizeof(lmdb_key)];
  std::memcpy(name, &address, sizeof name);
  name[0] = 'e';
  MDB_val key = {sizeof name, name};
  MDB_val value = {};
  c.rc = mdb_get(c.txn, lmdb_tree_of_all, &key, &value);
  if (c.rc == MDB_NOTFOUND) {
    c.rc = 0;
    return false;
  }
  if (c.rc != 0) return false;
  if (!lmdb_may_free(c, value)) {
    c.broken = true;
    c.rc = MDB_CORRUPTED;
    return false;
  }
  std::uint64_t const bytes = value.mv_size;
  c.rc = mdb_del(c.txn, lmdb_tree_of_all, &key, nullptr);
  if (c.rc != 0) return false;
  name[0] = 'u';
  c.rc = mdb_del(c.txn, lmdb_tree_of_all, &key, nullptr);
  if (c.rc == MDB_NOTFOUND) c.rc = 0;
  std::uint64_t const cost = lmdb_cost(bytes);
  c.about.entries -= c.about.entries != 0 ? 1 : 0;
  c.about.bytes -= c.about.bytes < bytes ? c.about.bytes : bytes;
  c.about.cost -= c.about.cost < cost ? c.about.cost : cost;
  return true;
}

void lmdb_no_body(lmdb_change&) {}

void lmdb_put_body(lmdb_change& c) {
  lmdb_drop_entry(c, c.key);
  if (c.rc == 0 && c.about.cost + lmdb_cost(c.value.mv_size) > c.room) c.rc = lmdb_no_room;
  if (c.rc != 0) return;
  MDB_val key = {sizeof c.key, &c.key};
  c.key.bytes[0] = 'e';
  MDB_val value = c.value;
  c.rc = mdb_put(c.txn, lmdb_tree_of_all, &key, &value, 0);
  if (c.rc != 0) return;
  lmdb_use use = {++c.about.next_use, c.value.mv_size, c.seconds};
  c.key.bytes[0] = 'u';
  value.mv_size = sizeof use;
  value.mv_data = &use;
  c.rc = mdb_put(c.txn, lmdb_tree_of_all, &key, &value, 0);
  c.about.entries += 1;
  c.about.bytes += c.value.mv_size;
  c.about.cost += lmdb_cost(c.value.mv_size);
}

void lmdb_remove_body(lmdb_change& c) {
  if (!lmdb_drop_entry(c, c.key) && c.rc == 0) c.rc = MDB_NOTFOUND;
}

void lmdb_remove_list_body(lmdb_change& c) {
  if (c.set_totals) {
    c.about.entries = c.totals.entries;
    c.about.bytes = c.totals.bytes;
    c.about.cost = c.totals.cost;
  }
  for (std::size_t i = 0; i != c.length && c.rc == 0; ++i) {
    std::memcpy(c.key.bytes + 1, c.list[i].at.data(), sizeof c.key.bytes - 1);
    lmdb_drop_entry(c, c.key);
    if (c.rc != 0) return;
    // A use without its entry.
    c.key.bytes[0] = 'u';
    MDB_val key = {sizeof c.key, &c.key};
    c.rc = mdb_del(c.txn, lmdb_tree_of_all, &key, nullptr);
    if (c.rc == MDB_NOTFOUND) c.rc = 0;
  }
}

// Of addresses, the first eight bytes are known.
void lmdb_put_uses_body(lmdb_change& c) {
  MDB_cursor* cursor = nullptr;
  c.rc = mdb_cursor_open(c.txn, lmdb_tree_of_all, &cursor);
  if (c.rc != 0) return;
  for (std::size_t i = 0; i != c.length && c.rc == 0; ++i) {
    char name[9] = {'u'};
    std::memcpy(name + 1, c.list[i].at.data(), 8);
    MDB_val key = {sizeof name, name};
    MDB_val value = {};
    c.rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    lmdb_use use = {};
    if (c.rc == MDB_NOTFOUND ||
        (c.rc == 0 && (key.mv_size != sizeof c.key || value.mv_size != sizeof use ||
                       std::memcmp(key.mv_data, name, sizeof name) != 0))) {
      c.rc = 0;
      continue;
    }
    if (c.rc != 0) break;
    std::memcpy(&use, value.mv_data, sizeof use);
    std::memcpy(&c.key, key.mv_data, sizeof c.key);
    use.use = ++c.about.next_use;
    use.seconds = c.seconds;
    key.mv_data = &c.key;
    value.mv_data = &use;
    c.rc = mdb_cursor_put(cursor, &key, &value, MDB_CURRENT);
  }
  mdb_cursor_close(cursor);
}

// If what is there is still what was found.
void lmdb_put_lease_body(lmdb_change& c) {
  MDB_val key = {sizeof c.key, &c.key};
  MDB_val value = {};
  c.rc = mdb_get(c.txn, lmdb_tree_of_all, &key, &value);
  if (c.rc == MDB_NOTFOUND) value.mv_size = 0;
  if (c.rc != 0 && c.rc != MDB_NOTFOUND) return;
  c.rc = MDB_NOTFOUND;
  if (value.mv_size != c.value.mv_size) return;
  if (value.mv_size != 0 && std::memcmp(value.mv_data, c.value.mv_data, value.mv_size) != 0) return;
  value.mv_size = sizeof c.lease;
  value.mv_data = &c.lease;
  c.rc = mdb_put(c.txn, lmdb_tree_of_all, &key, &value, 0);
}

void lmdb_remove_lease_body(lmdb_change& c) {
  MDB_val key = {sizeof c.key, &c.key};
  c.rc = mdb_del(c.txn, lmdb_tree_of_all, &key, nullptr);
}

// Leases that ended long ago: their holders died.
void lmdb_tidy_body(lmdb_change& c) {
  MDB_cursor* cursor = nullptr;
  c.rc = mdb_cursor_open(c.txn, lmdb_tree_of_all, &cursor);
  if (c.rc != 0) return;
  char first[1] = {'l'};
  MDB_val key = {1, first};
  MDB_val value = {};
  c.rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  while (c.rc == 0 && key.mv_size != 0 && static_cast<char const*>(key.mv_data)[0] == 'l') {
    lmdb_lease lease = {};
    if (value.mv_size == sizeof lease) std::memcpy(&lease, value.mv_data, sizeof lease);
    if (lease.boot != c.lease.boot || lease.until + 60'000 < c.lease.until) {
      c.rc = mdb_cursor_del(cursor, 0);
      if (c.rc != 0) break;
    }
    c.rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
  }
  if (c.rc == MDB_NOTFOUND) c.rc = 0;
  mdb_cursor_close(cursor);
}

// All uses, into the list.
void lmdb_scan_uses_body(void* with) {
  auto& c = *static_cast<lmdb_change*>(with);
  c.rc = mdb_txn_begin(c.env, nullptr, MDB_RDONLY, &c.txn);
  if (c.rc != 0) return;
  MDB_cursor* cursor = nullptr;
  c.rc = mdb_cursor_open(c.txn, lmdb_tree_of_all, &cursor);
  if (c.rc == 0) {
    char first[1] = {'u'};
    MDB_val key = {1, first};
    MDB_val value = {};
    c.rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (c.rc == 0 && key.mv_size == sizeof(lmdb_key) &&
           static_cast<char const*>(key.mv_data)[0] == 'u') {
      if (c.length == c.capacity) {
        std::size_t const more = c.capacity * 2 + 1024;
        void* const grown = std::realloc(static_cast<void*>(c.list), more * sizeof *c.list);
        if (!grown) {
          c.rc = ENOMEM;
          break;
        }
        c.list = static_cast<lmdb_change::used*>(grown);
        c.capacity = more;
      }
      lmdb_use use = {};
      if (value.mv_size == sizeof use) std::memcpy(&use, value.mv_data, sizeof use);
      lmdb_change::used& u = c.list[c.length++];
      u.order = use.use;
      u.bytes = use.bytes;
      std::memcpy(u.at.data(), static_cast<char const*>(key.mv_data) + 1, u.at.size());
      if (c.seconds == 0 || use.seconds < c.seconds) c.seconds = use.seconds;
      c.rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    if (c.rc == MDB_NOTFOUND) c.rc = 0;
    mdb_cursor_close(cursor);
  }
  if (c.rc == 0) {
    char about_key[1] = {'a'};
    MDB_val key = {1, about_key};
    MDB_val value = {};
    c.rc = mdb_get(c.txn, lmdb_tree_of_all, &key, &value);
    if (c.rc == 0 && value.mv_size == sizeof c.about)
      std::memcpy(&c.about, value.mv_data, sizeof c.about);
  }
  mdb_txn_abort(c.txn);
  c.txn = nullptr;
}

// From the root to a key, and what lies beside the way: all that LMDB may change for it. Ends at
// the first page that was not checked yet.
struct lmdb_walk_call {
  char const* map;
  std::uint64_t map_size;
  std::uint64_t page_size;
  std::uint64_t transaction;
  char const* key;
  std::size_t size;
  std::uint64_t* checked;
  std::uint64_t pages;  // that there are bits for
  bool written;         // this process has just written what was not checked before
  bool found;
  std::uint64_t page;
  bool leaf;
  bool broken;
};

bool lmdb_unchecked(lmdb_walk_call& c, std::uint64_t page, bool leaf) {
  if (page >= c.pages || (page + 1) * c.page_size > c.map_size) {
    c.broken = true;
    return true;
  }
  if (c.checked[page / 64] >> (page % 64) & 1) return false;
  c.found = true;
  c.page = page;
  c.leaf = leaf;
  return true;
}

void lmdb_walk_body(void* with) {
  auto& c = *static_cast<lmdb_walk_call*>(with);
  // See lmdb_structure.ipp for what lies where.
  char const* const meta = c.map + (c.transaction & 1) * c.page_size + 16;
  std::uint64_t transaction = 0;
  std::uint16_t depth = 0;
  std::uint64_t page = 0;
  std::memcpy(&depth, meta + 78, 2);
  std::memcpy(&page, meta + 112, 8);
  std::memcpy(&transaction, meta + 128, 8);
  c.broken = transaction != c.transaction || depth > 32;
  for (unsigned level = 1; level <= depth && !c.broken; ++level) {
    bool const leaf = level == depth;
    if (c.written && page < c.pages) c.checked[page / 64] |= std::uint64_t{1} << (page % 64);
    if (lmdb_unchecked(c, page, leaf) || leaf) return;
    char const* const at = c.map + page * c.page_size;
    std::uint16_t lower = 0;
    std::memcpy(&lower, at + 12, 2);
    auto const node = [at](unsigned i) {
      std::uint16_t offset = 0;
      std::memcpy(&offset, at + 16 + 2 * i, 2);
      return at + offset;
    };
    auto const child = [node](unsigned i) {
      std::uint64_t number = 0;
      std::memcpy(&number, node(i), 6);
      return number;
    };
    unsigned const nodes = (lower - 16u) / 2;
    unsigned low = 1;
    for (unsigned high = nodes; low < high;) {
      unsigned const middle = (low + high) / 2;
      std::uint16_t size = 0;
      std::memcpy(&size, node(middle) + 6, 2);
      std::size_t const common = size < c.size ? size : c.size;
      int const order = std::memcmp(c.key, node(middle) + 8, common);
      if (order < 0 || (order == 0 && c.size < size))
        high = middle;
      else
        low = middle + 1;
    }
    bool const above_leaves = level + 1 == depth;
    if (!c.written) {
      if (low >= 2 && lmdb_unchecked(c, child(low - 2), above_leaves)) return;
      if (low < nodes && lmdb_unchecked(c, child(low), above_leaves)) return;
    }
    page = child(low - 1);
  }
}

struct lmdb_open_call {
  MDB_env* env;
  char const* path;
  std::uint64_t map_size;
  unsigned flags;
  mode_t mode;
  bool fresh;
  lmdb_about about;
  char const* map;
  std::uint64_t page_size;
  int rc;
};

void lmdb_open_body(void* with) {
  auto& c = *static_cast<lmdb_open_call*>(with);
  c.rc = mdb_env_create(&c.env);
  if (c.rc != 0) return;
  c.rc = mdb_env_set_mapsize(c.env, c.map_size);
  if (c.rc == 0) c.rc = mdb_env_set_maxreaders(c.env, lmdb_readers);
  if (c.rc == 0) c.rc = mdb_env_set_assert(c.env, lmdb_on_assertion);
  if (c.rc == 0) c.rc = mdb_env_open(c.env, c.path, c.flags, c.mode);
}

// The first page behind which values lie, from one whose page says its number.
void lmdb_about_body(void* with) {
  auto& c = *static_cast<lmdb_open_call*>(with);
  MDB_stat stat = {};
  c.rc = mdb_env_stat(c.env, &stat);
  if (c.rc != 0) return;
  c.page_size = stat.ms_psize;
  MDB_txn* txn = nullptr;
  char about_key[1] = {'a'};
  MDB_val key = {1, about_key};
  MDB_val value = {};
  if (c.fresh) {
    c.rc = mdb_txn_begin(c.env, nullptr, 0, &txn);
    if (c.rc != 0) return;
    value.mv_size = sizeof c.about;
    value.mv_data = &c.about;
    MDB_dbi tree = 0;
    c.rc = mdb_dbi_open(txn, nullptr, 0, &tree);
    if (c.rc == 0) c.rc = mdb_put(txn, lmdb_tree_of_all, &key, &value, 0);
    if (c.rc != 0) {
      mdb_txn_abort(txn);
      return;
    }
    c.rc = mdb_txn_commit(txn);
    if (c.rc != 0) return;
  }
  c.rc = mdb_txn_begin(c.env, nullptr, MDB_RDONLY, &txn);
  if (c.rc != 0) return;
  MDB_dbi tree = 0;
  c.rc = mdb_dbi_open(txn, nullptr, 0, &tree);
  if (c.rc == 0) c.rc = mdb_get(txn, lmdb_tree_of_all, &key, &value);
  if (c.rc == 0 && (value.mv_size != sizeof c.about ||
                    std::memcmp(value.mv_data, lmdb_about_magic, sizeof lmdb_about_magic) != 0))
    c.rc = MDB_VERSION_MISMATCH;
  if (c.rc == 0) {
    auto const at = reinterpret_cast<std::uintptr_t>(value.mv_data);
    auto const* const page = reinterpret_cast<char const*>(at & ~(c.page_size - 1));
    std::uint64_t number = 0;
    std::memcpy(&number, page, sizeof number);
    char const* const first = page - number * c.page_size;
    std::uint32_t magic = 0;
    std::memcpy(&magic, first + 16, sizeof magic);
    c.map = first;
    if (magic != 0xBEEFC0DE) c.rc = MDB_CORRUPTED;
  }
  mdb_txn_abort(txn);
}

void lmdb_close_body(void* with) { mdb_env_close(static_cast<MDB_env*>(with)); }

void lmdb_reader_check_body(void* with) {
  int dead = 0;
  mdb_reader_check(static_cast<MDB_env*>(with), &dead);
}

struct lmdb_resize_call {
  MDB_env* env;
  std::uint64_t size;
  int rc;
};

void lmdb_resize_body(void* with) {
  auto& c = *static_cast<lmdb_resize_call*>(with);
  c.rc = mdb_env_set_mapsize(c.env, c.size);
}

}  // namespace

// ---- slots -------------------------------------------------------------------------------------

bool lmdb_environment::lost() const {
  return lost_.load(std::memory_order_acquire) || forks_ != lmdb_forks();
}

// A transaction that reads belongs to a slot and not to a thread: threads come and go, and LMDB has
// room for so many only.
lmdb_environment::slot& lmdb_environment::take_slot() {
  static std::atomic<unsigned> threads{0};
  thread_local unsigned const first = threads.fetch_add(1, std::memory_order_relaxed);
  for (unsigned round = 0;; ++round) {
    for (unsigned i = 0; i != slots; ++i) {
      slot& s = slots_[(first + i) % slots];
      if (s.busy.load(std::memory_order_relaxed) == 0 &&
          s.busy.exchange(1, std::memory_order_acquire) == 0)
        return s;
    }
    if (round > 64)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    else
      std::this_thread::yield();
  }
}

bool lmdb_environment::take_all_slots() {
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (unsigned i = 0; i != slots; ++i) {
    while (slots_[i].busy.exchange(1, std::memory_order_acquire) != 0) {
      if (std::chrono::steady_clock::now() > end) {
        while (i != 0) slots_[--i].busy.store(0, std::memory_order_release);
        return false;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
  return true;
}

void lmdb_environment::free_all_slots() {
  for (slot& s : slots_) s.busy.store(0, std::memory_order_release);
}

// From time to time: whether the file is still the one that the folder holds.
void lmdb_environment::look(slot& s) {
  std::int64_t const now = lmdb_coarse_clock();
  if (now < s.next_look) return;
  s.next_look = now + 500;
  if (!in_place()) lost_.store(true, std::memory_order_release);
}

// Whether not even the first pages are there.
bool lmdb_environment::is_cut() const { return file_size() < 2 * page_size_; }

// Whether the files are those that the folder holds.
bool lmdb_environment::in_place() const {
  struct stat is = {};
  if (::stat(path_.c_str(), &is) != 0 || is.st_ino != inode_ || is.st_dev != device_) return false;
  if (lock_ < 0) return true;
  struct stat ours = {};
  return ::fstat(lock_, &ours) == 0 && ::stat((folder_ + "/lock").c_str(), &is) == 0 &&
         is.st_ino == ours.st_ino && is.st_dev == ours.st_dev;
}

void lmdb_environment::note(slot& s, lmdb_key const& key) {
  if (!s.uses) {
    s.uses = static_cast<use_note*>(std::calloc(notes, sizeof(use_note)));
    if (!s.uses) return;
  }
  std::uint64_t at = 0;
  std::memcpy(&at, key.bytes + 1, sizeof at);
  use_note* const home = s.uses + at % (notes / probes) * probes;
  use_note* oldest = home;
  for (use_note* n = home; n != home + probes; ++n) {
    if (n->tick == 0 || n->at == at) {
      n->at = at;
      n->tick = lmdb_tick();
      return;
    }
    if (n->tick < oldest->tick) oldest = n;
  }
  oldest->at = at;
  oldest->tick = lmdb_tick();
  // What is read in between is as recent as what is forgotten.
  if (s.next_look - 500 >= next_uses_.load(std::memory_order_relaxed))
    uses_due_.store(true, std::memory_order_relaxed);
}

// ---- reading -----------------------------------------------------------------------------------

lmdb_result lmdb_environment::read_failed(int end, int rc, std::string& problem) {
  if (end != 0) return damaged(lmdb_guard_says(end), problem);
  if (lmdb_says_damage(rc)) return damaged("LMDB says: " + lmdb_says(rc), problem);
  problem = path_ + ": cannot be read: " + lmdb_says(rc);
  return lmdb_result::failed;
}

namespace {

// The transaction of a slot after a call that did not come to its end.
void lmdb_drop_read(lmdb_read_call& call) {
  (void)lmdb_guarded(lmdb_drop_read_body, &call);
  *call.txn = nullptr;
}

}  // namespace

lmdb_result lmdb_environment::read(lmdb_key const& key, lmdb_buffer* into, bool used,
                                   std::string& problem) {
  lmdb_key name = key;
  for (unsigned tries = 0;; ++tries) {
    slot& s = take_slot();
    if (!lost()) look(s);
    if (lost()) {
      s.busy.store(0, std::memory_order_release);
      lose();
      return lmdb_result::lost;
    }
    lmdb_read_call call = {};
    call.env = env_;
    call.txn = &s.txn;
    call.map = map_;
    call.map_size = map_size_;
    call.key = {sizeof name, &name};
    call.copy = into != nullptr;
    if (into) {
      call.to = into->data();
      call.capacity = into->capacity();
    }
    int end = 0;
    // A transaction that LMDB was about to make would be lost in the guard.
    if (!s.txn && is_cut())
      call.rc = MDB_CORRUPTED;
    else
      end = lmdb_guarded(lmdb_read_body, &call);
    bool memory = true;
    if (end == 0 && call.goes_on) {
      memory = into->reserve(call.value.mv_size);
      call.to = into->data();
      call.capacity = into->capacity();
      end = lmdb_guarded(lmdb_copy_body, &call);
    }
    if (end != 0) lmdb_drop_read(call);
    if (end == 0 && call.rc == 0 && memory) {
      if (into) into->take(call.value.mv_size, call.sum, call.summed);
      if (used) note(s, key);
    }
    std::uint64_t const map_size = map_size_;
    s.busy.store(0, std::memory_order_release);
    if (end == 0 && !memory) {
      problem = "there is no memory for an entry of " + std::to_string(call.value.mv_size) +
                " bytes in " + path_;
      return lmdb_result::failed;
    }
    if (end == 0 && call.rc == 0) return lmdb_result::done;
    if (end == 0 && call.rc == MDB_NOTFOUND) return lmdb_result::absent;
    if (end == 0 && tries < 3) {
      if (call.rc == MDB_MAP_RESIZED) {
        std::lock_guard const lock(writing_);
        if (closed_ || map_size_ > map_size || grow(0)) continue;
      }
      if (call.rc == MDB_READERS_FULL) {
        std::lock_guard const lock(writing_);
        if (!closed_) (void)lmdb_guarded(lmdb_reader_check_body, env_);
        continue;
      }
    }
    return read_failed(end, call.rc, problem);
  }
}

lmdb_result lmdb_environment::get(lmdb_key const& key, lmdb_buffer& into, bool used,
                                  std::string& problem) {
  return read(key, &into, used, problem);
}

lmdb_result lmdb_environment::find(lmdb_key const& key, std::string& problem) {
  return read(key, nullptr, false, problem);
}

lmdb_result lmdb_environment::next(lmdb_key& key, lmdb_buffer& into, std::string& problem) {
  slot& s = take_slot();
  if (lost()) {
    s.busy.store(0, std::memory_order_release);
    lose();
    return lmdb_result::lost;
  }
  lmdb_read_call call = {};
  call.env = env_;
  call.txn = &s.txn;
  call.map = map_;
  call.map_size = map_size_;
  call.key = {sizeof key, &key};
  call.to = into.data();
  call.capacity = into.capacity();
  call.copy = true;
  int end = 0;
  if (!s.txn && is_cut())
    call.rc = MDB_CORRUPTED;
  else
    end = lmdb_guarded(lmdb_next_body, &call);
  bool memory = true;
  if (end == 0 && call.goes_on) {
    memory = into.reserve(call.value.mv_size);
    call.to = into.data();
    call.capacity = into.capacity();
    end = lmdb_guarded(lmdb_copy_body, &call);
  }
  if (end != 0) lmdb_drop_read(call);
  s.busy.store(0, std::memory_order_release);
  if (end == 0 && call.rc == MDB_NOTFOUND) return lmdb_result::absent;
  if (end != 0 || call.rc != 0) return read_failed(end, call.rc, problem);
  if (!memory) {
    problem = "there is no memory for an entry in " + path_;
    return lmdb_result::failed;
  }
  into.take(call.value.mv_size, call.sum, call.summed);
  return lmdb_result::done;
}

// ---- the map -----------------------------------------------------------------------------------

// With writing_. Nothing of this process reads or writes meanwhile.
bool lmdb_environment::grow(std::uint64_t at_least) {
  lmdb_structure const now = lmdb_read_meta(data_);
  std::uint64_t const needed = now.pages * now.page_size;
  // Pages at the end that were never written are not in the file, but those are few.
  if (!now.right() || needed > 2 * file_size() + (std::uint64_t{256} << 20)) return false;
  std::uint64_t size = std::max({map_size_, at_least, needed + needed / 4});
  size = (size + 65'535) & ~std::uint64_t{65'535};
  if (size <= map_size_) return false;
  if (!take_all_slots()) return false;
  lmdb_resize_call call = {env_, size, 0};
  int const end = lmdb_guarded(lmdb_resize_body, &call);
  bool grown = end == 0 && call.rc == 0;
  if (grown) {
    map_size_ = size;
    grown = find_map();
  } else {
    // Its old map may be gone.
    lost_.store(true, std::memory_order_release);
  }
  free_all_slots();
  if (!grown) close_map(false);
  return grown;
}

bool lmdb_environment::find_map() {
  lmdb_open_call call = {};
  call.env = env_;
  if (lmdb_guarded(lmdb_about_body, &call) != 0 || call.rc != 0) {
    lost_.store(true, std::memory_order_release);
    return false;
  }
  map_ = call.map;
  page_size_ = call.page_size;
  return true;
}

// ---- the end -----------------------------------------------------------------------------------

// Does not wait for writing_, which this thread may have: whoever has it closes what is lost.
void lmdb_environment::lose() {
  lost_.store(true, std::memory_order_release);
  if (forks_ != lmdb_forks()) return;
  if (!writing_.try_lock()) return;
  close_map(false);
  writing_.unlock();
}

// With writing_.
void lmdb_environment::close_map(bool leak) {
  lost_.store(true, std::memory_order_release);
  if (closed_) return;
  closed_ = true;
  bool const all = !leak && take_all_slots();
  bool closed = false;
  if (all) {
    for (slot& s : slots_) {
      lmdb_read_call call = {};
      call.txn = &s.txn;
      lmdb_drop_read(call);
    }
    closed = lmdb_guarded(lmdb_close_body, env_) == 0;
    for (slot& s : slots_) {
      std::free(s.uses);
      s.uses = nullptr;
    }
    free_all_slots();
  }
  if (closed)
    lmdb_all().remove(device_, inode_);
  else
    lmdb_all().leak(device_, inode_);
}

lmdb_environment::~lmdb_environment() {
  // What a child inherited is its parent's.
  if (forks_ != lmdb_forks()) return;
  if (env_ && !read_only_ && !lost()) {
    std::string problem;
    (void)write_uses(false, problem);
    if (changed_ && !lost()) {
      struct stat is = {};
      timespec now = {};
      ::clock_gettime(CLOCK_REALTIME, &now);
      // Many short processes one after the other sync once in a while.
      if (::fstat(lock_, &is) != 0 || is.st_mtim.tv_sec > now.tv_sec ||
          (now.tv_sec - is.st_mtim.tv_sec) * 1000 >= lmdb_sync_time)
        (void)sync(problem);
    }
  }
  if (env_) {
    std::lock_guard const lock(writing_);
    close_map(false);
  }
  if (data_ >= 0) ::close(data_);
  if (lock_ >= 0) ::close(lock_);
}

// ---- writing -----------------------------------------------------------------------------------

bool lmdb_environment::lock_file(std::chrono::milliseconds wait) {
  auto const end = std::chrono::steady_clock::now() + wait;
  if (!writing_.try_lock_for(wait)) return false;
  auto const left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  if (lock_ >= 0 && !lmdb_lock_file(lock_, left)) {
    writing_.unlock();
    return false;
  }
  return true;
}

void lmdb_environment::unlock_file() {
  if (lock_ >= 0) ::flock(lock_, LOCK_UN);
  std::int64_t const now = lmdb_coarse_clock();
  bool const due =
      unsynced_ >= lmdb_sync_bytes || (unsynced_ != 0 && now - last_sync_ >= lmdb_sync_time);
  // Other processes may go on writing.
  if (due && !closed_ && ::fdatasync(data_) == 0) {
    unsynced_ = 0;
    last_sync_ = now;
    (void)::futimens(lock_, nullptr);
  }
  if (lost() && forks_ == lmdb_forks()) close_map(false);
  writing_.unlock();
}

void lmdb_environment::set_mark(std::uint64_t transaction, bool synced) {
  struct stat is = {};
  if (::fstat(data_, &is) != 0) return;
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  timespec const mark =
      lmdb_mark(transaction, static_cast<std::uint64_t>(is.st_size), now.tv_sec, synced);
  timespec const times[2] = {{0, UTIME_OMIT}, mark};
  if (::futimens(data_, times) != 0) marks_ = false;
}

lmdb_result lmdb_environment::damaged_locked(std::string const& why, bool leak,
                                             std::string& problem) {
  // A file that is right and still makes trouble is given another chance, but not for ever.
  static std::atomic<unsigned> alarms{0};
  struct stat is = {};
  bool const here = ::stat(path_.c_str(), &is) == 0 && is.st_ino == inode_ && is.st_dev == device_;
  problem = path_ + ": " + why;
  if (here && !read_only_) {
    bool const right = !leak && lmdb_check_structure(data_).right();
    if (!right || alarms.fetch_add(1, std::memory_order_relaxed) >= 4) {
      problem += lmdb_set_aside(folder_, path_)
                     ? "; the file was set aside (*.broken-N) and a new one is begun"
                     : "; it cannot be set aside: remove it";
    }
  }
  close_map(leak);
  return lmdb_result::lost;
}

lmdb_result lmdb_environment::damaged(std::string const& why, std::string& problem) {
  lost_.store(true, std::memory_order_release);
  if (lock_file(options_.patience)) {
    if (!closed_) (void)damaged_locked(why, false, problem);
    unlock_file();
  } else {
    problem = path_ + ": " + why;
    lose();
  }
  return lmdb_result::lost;
}

// Why a page that LMDB would change must not be let near it; nothing: it may. A page with wrong
// lengths in it would make LMDB write over memory that is not its own.
std::string lmdb_environment::check_path(lmdb_change& c, char const* key, std::size_t size,
                                         bool written) {
  checked_.resize(static_cast<std::size_t>(map_size_ / page_size_ / 64 + 1));
  for (;;) {
    lmdb_walk_call walk = {};
    walk.map = map_;
    walk.map_size = map_size_;
    walk.page_size = page_size_;
    walk.transaction = c.transaction + (written ? 1 : 0);
    walk.key = key;
    walk.size = size;
    walk.checked = checked_.data();
    walk.pages = map_size_ / page_size_;
    walk.written = written;
    if (int const end = lmdb_guarded(lmdb_walk_body, &walk); end != 0) return lmdb_guard_says(end);
    if (walk.broken) return "it leads to a page that is not there";
    if (!walk.found) return {};
    if (std::string fault = lmdb_check_page(data_, page_size_, walk.page, walk.leaf);
        !fault.empty())
      return fault;
    checked_[static_cast<std::size_t>(walk.page / 64)] |= std::uint64_t{1} << (walk.page % 64);
  }
}

std::string lmdb_environment::check_paths(lmdb_change& c) {
  std::string fault = check_path(c, "a", 1, false);
  if (c.list) {
    for (std::size_t i = 0; i != c.length && fault.empty(); ++i) {
      lmdb_key const key('u', c.list[i].at);
      fault = check_path(c, key.bytes, 9, false);
    }
  } else if (c.body != lmdb_no_body) {
    if (fault.empty()) fault = check_path(c, c.key.bytes, sizeof c.key, false);
    lmdb_key const use = c.key.as('u');
    if (fault.empty()) fault = check_path(c, use.bytes, sizeof use, false);
  }
  return fault;
}

void lmdb_environment::trust_paths(lmdb_change& c) {
  (void)check_path(c, "a", 1, true);
  if (c.list || c.body == lmdb_no_body) return;
  for (char const kind : {'e', 'u', 'l'}) {
    lmdb_key const key = c.key.as(kind);
    (void)check_path(c, key.bytes, sizeof key, true);
  }
}

lmdb_result lmdb_environment::change_once(lmdb_change& c, bool& again, std::string& problem) {
  again = false;
  if (closed_ || lost()) return lmdb_result::lost;
  struct stat is = {};
  if (::stat(path_.c_str(), &is) != 0 || is.st_ino != inode_ || is.st_dev != device_) {
    lost_.store(true, std::memory_order_release);
    return lmdb_result::lost;
  }
  // Seen before LMDB holds its own lock, which a signal would leave held.
  if (static_cast<std::uint64_t>(is.st_size) < 2 * page_size_)
    return damaged_locked(is.st_size == 0 ? "it was emptied" : "it was cut", false, problem);
  c.env = env_;
  c.map = map_;
  c.map_size = map_size_;
  c.page_size = page_size_;
  c.rc = 0;
  c.broken = false;
  int end = lmdb_guarded(lmdb_begin_change_body, &c);
  if (end != 0) return damaged_locked(lmdb_guard_says(end), true, problem);
  if (c.rc == MDB_MAP_RESIZED) {
    again = grow(0);
    if (again || closed_) return lmdb_result::lost;
  }
  if (lmdb_says_damage(c.rc))
    return damaged_locked("LMDB says: " + lmdb_says(c.rc), false, problem);
  if (c.rc != 0) {
    problem = path_ + ": cannot be written: " + lmdb_says(c.rc);
    return lmdb_result::failed;
  }
  lmdb_marked const marked = lmdb_is_marked(is, c.transaction);
  if (marks_ && marked == lmdb_marked::no) {
    // A process died while it wrote, or somebody else wrote.
    end = lmdb_guarded(lmdb_abort_change_body, &c);
    // If the lock was removed, somebody else may be writing now.
    if (end == 0 && !in_place()) {
      close_map(false);
      return lmdb_result::lost;
    }
    lmdb_structure const found = lmdb_check_structure(data_);
    if (end != 0 || !found.right())
      return damaged_locked(found.empty ? "it was emptied" : found.fault, end != 0, problem);
    // What LMDB believes is not what is there: its list of readers was removed, and others have
    // another one.
    if (found.transaction != c.transaction) {
      close_map(false);
      return lmdb_result::lost;
    }
    all_checked_ = true;
    set_mark(found.transaction, false);
    again = marks_;
    return lmdb_result::lost;
  }
  if (marked == lmdb_marked::synced) {
    // Before the first page is written: what a power cut leaves must not look synced.
    set_mark(c.transaction, false);
    (void)::fsync(data_);
  }
  if (!all_checked_) {
    // Many removals go through many pages.
    std::string fault = c.body == lmdb_remove_list_body || c.body == lmdb_tidy_body
                            ? lmdb_check_structure(data_).fault
                            : check_paths(c);
    if (!fault.empty()) {
      end = lmdb_guarded(lmdb_abort_change_body, &c);
      return damaged_locked(fault, end != 0, problem);
    }
    all_checked_ = c.body == lmdb_remove_list_body || c.body == lmdb_tidy_body;
  }
  end = lmdb_guarded(lmdb_finish_change_body, &c);
  // Not even aborted: what LMDB has in memory may be half done.
  if (end != 0) return damaged_locked(lmdb_guard_says(end), true, problem);
  if (c.rc == 0) {
    if (!all_checked_) trust_paths(c);
    set_mark(c.transaction + 1, false);
    changed_ = true;
    unsynced_ += 4096 + c.value.mv_size;
    return lmdb_result::done;
  }
  if (c.rc == MDB_NOTFOUND) return lmdb_result::absent;
  if (c.broken) {
    // Not seen by a look at the structure.
    (void)lmdb_set_aside(folder_, path_);
    return damaged_locked("a record is not what it was; the file was set aside", false, problem);
  }
  if (lmdb_says_damage(c.rc))
    return damaged_locked("LMDB says: " + lmdb_says(c.rc), false, problem);
  // The system refuses what a file that is not right makes LMDB ask for, too.
  if (c.rc > 0 && c.rc != ENOSPC && c.rc != EDQUOT)
    if (std::string fault = lmdb_check_structure(data_).fault; !fault.empty())
      return damaged_locked(fault, false, problem);
  if (c.rc == MDB_MAP_FULL || c.rc == MDB_TXN_FULL || c.rc == lmdb_no_room)
    problem = path_ + ": there is no room within the limit";
  else
    problem = path_ + ": cannot be written: " + lmdb_says(c.rc);
  if (c.rc == ENOSPC || c.rc == EFBIG || c.rc == EDQUOT || c.rc == EIO || c.rc == EROFS) {
    problem += "; nothing is kept until that changes";
    // Every try costs a look at the structure.
    no_space_until_ = lmdb_coarse_clock() + 1000;
  }
  return lmdb_result::failed;
}

lmdb_result lmdb_environment::change(lmdb_change& c, std::string& problem) {
  std::uint64_t const limit = lmdb_real_limit(options_.limit);
  unsigned pauses = 0;
  for (unsigned tries = 0;;) {
    bool again = false;
    lmdb_result const result = change_once(c, again, problem);
    if (again && ++tries != 3) continue;
    if (result != lmdb_result::failed || c.rc != MDB_MAP_FULL) return result;
    if (map_size_ < limit) {
      if (!grow(std::min(limit, map_size_ * 2))) return lmdb_result::lost;
      continue;
    }
    // A reader that stands still, as where there are more processes than processors, keeps what
    // was freed since it began.
    if (pauses == 5) return result;
    (void)lmdb_guarded(lmdb_reader_check_body, env_);
    std::this_thread::sleep_for(std::chrono::milliseconds(1) * (1 << pauses++));
  }
}

namespace {

std::int64_t lmdb_now_seconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

struct lmdb_list_memory {
  lmdb_change& c;
  ~lmdb_list_memory() { std::free(static_cast<void*>(c.list)); }
};

}  // namespace

// What change() needs on its way in and out.
struct lmdb_environment::change_lock {
  lmdb_environment& of;
  lmdb_result result = lmdb_result::done;
  bool held = false;

  change_lock(lmdb_environment& e, std::chrono::milliseconds wait, std::string& problem) : of(e) {
    if (of.lost()) {
      of.lose();
      result = lmdb_result::lost;
    } else if (of.read_only_) {
      problem = of.path_ + " is open for reading only";
      result = lmdb_result::failed;
    } else if (!of.lock_file(wait)) {
      problem = of.path_ + ": another process or thread has been writing for too long";
      result = lmdb_result::failed;
    } else if (of.lost()) {
      held = true;
      result = lmdb_result::lost;
    } else if (lmdb_coarse_clock() < of.no_space_until_) {
      problem = of.path_ +
                ": could not be written a moment ago, and nothing is kept until that "
                "changes: is the disk full?";
      held = true;
      result = lmdb_result::failed;
    } else {
      held = true;
    }
  }
  change_lock(change_lock const&) = delete;
  change_lock& operator=(change_lock const&) = delete;
  ~change_lock() {
    if (held) of.unlock_file();
  }
};

lmdb_result lmdb_environment::write_uses_locked(std::string& problem) {
  next_uses_.store(lmdb_coarse_clock() + 1000, std::memory_order_relaxed);
  uses_due_.store(false, std::memory_order_relaxed);
  std::vector<use_note> used;
  for (slot& s : slots_) {
    if (!s.uses || s.busy.exchange(1, std::memory_order_acquire) != 0) continue;
    for (unsigned i = 0; i != notes; ++i)
      if (s.uses[i].tick != 0) {
        used.push_back(s.uses[i]);
        s.uses[i].tick = 0;
      }
    s.busy.store(0, std::memory_order_release);
  }
  if (used.empty()) return lmdb_result::done;
  std::sort(used.begin(), used.end(),
            [](use_note const& a, use_note const& b) { return a.tick < b.tick; });
  std::vector<lmdb_change::used> list;
  list.reserve(used.size());
  for (use_note const& n : used) {
    lmdb_change::used u = {n.tick, 0, {}};
    std::memcpy(u.at.data(), &n.at, sizeof n.at);
    list.push_back(u);
  }
  lmdb_change c;
  c.body = lmdb_put_uses_body;
  c.list = list.data();
  c.length = list.size();
  c.seconds = lmdb_now_seconds();
  return change(c, problem);
}

lmdb_result lmdb_environment::write_uses(bool wait, std::string& problem) {
  change_lock const lock(*this, wait ? options_.patience : std::chrono::milliseconds(0), problem);
  return lock.result == lmdb_result::done ? write_uses_locked(problem) : lock.result;
}

lmdb_result lmdb_environment::evict_locked(std::uint64_t cost, std::string& problem) {
  if (lmdb_result const r = write_uses_locked(problem); r == lmdb_result::lost) return r;
  lmdb_change scan;
  lmdb_list_memory const memory{scan};
  scan.env = env_;
  if (is_cut()) return damaged_locked("it was cut", false, problem);
  if (int const end = lmdb_guarded(lmdb_scan_uses_body, &scan); end != 0) {
    (void)lmdb_guarded(lmdb_abort_change_body, &scan);
    return damaged_locked(lmdb_guard_says(end), true, problem);
  }
  if (lmdb_says_damage(scan.rc))
    return damaged_locked("LMDB says: " + lmdb_says(scan.rc), false, problem);
  if (scan.rc != 0) {
    problem = path_ + ": cannot be read: " + lmdb_says(scan.rc);
    return lmdb_result::failed;
  }
  lmdb_change c;
  c.set_totals = true;
  for (std::size_t i = 0; i != scan.length; ++i) {
    c.totals.entries += 1;
    c.totals.bytes += scan.list[i].bytes;
    c.totals.cost += lmdb_cost(scan.list[i].bytes);
  }
  std::sort(
      scan.list, scan.list + scan.length,
      [](lmdb_change::used const& a, lmdb_change::used const& b) { return a.order < b.order; });
  std::size_t goes = 0;
  for (std::uint64_t left = c.totals.cost; goes != scan.length && left > cost; ++goes)
    left -= lmdb_cost(scan.list[goes].bytes);
  c.body = lmdb_remove_list_body;
  std::size_t most = 512;
  for (std::size_t at = 0; at < goes || c.set_totals;) {
    c.list = scan.list + at;
    c.length = std::min(most, goes - at);
    lmdb_result const r = change(c, problem);
    // Removing takes room, too, for the pages that are written anew.
    if (r == lmdb_result::failed && c.rc == MDB_MAP_FULL && most > 1) {
      most = most > 16 ? most / 16 : 1;
      continue;
    }
    if (r != lmdb_result::done) return r;
    at += c.length;
    c.set_totals = false;
  }
  lmdb_change tidy;
  tidy.body = lmdb_tidy_body;
  tidy.lease.boot = lmdb_boot();
  tidy.lease.until = lmdb_boot_clock();
  return change(tidy, problem);
}

lmdb_result lmdb_environment::put(entry_address const& at, std::string_view entry,
                                  std::uint64_t limit, std::string& problem) {
  limit = lmdb_real_limit(limit);
  if (entry.size() > limit / 4) {
    problem = path_ + ": an entry of " + std::to_string(entry.size()) +
              " bytes takes more than a quarter of the limit of " + std::to_string(limit) +
              ", and is not kept";
    return lmdb_result::failed;
  }
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  std::int64_t const now = lmdb_coarse_clock();
  if (now - last_reader_check_ > 60'000) {
    last_reader_check_ = now;
    (void)lmdb_guarded(lmdb_reader_check_body, env_);
  }
  if (uses_are_due() && write_uses_locked(problem) == lmdb_result::lost) return lmdb_result::lost;
  lmdb_change c;
  c.body = lmdb_put_body;
  c.key = lmdb_key('e', at);
  c.value = {entry.size(), const_cast<char*>(entry.data())};
  c.room = lmdb_room(limit);
  c.seconds = lmdb_now_seconds();
  lmdb_result result = lmdb_result::failed;
  std::uint64_t keep = c.room;
  for (unsigned tries = 0; tries != 8; ++tries) {
    result = change(c, problem);
    if (result != lmdb_result::failed || c.rc == 0) return result;
    if (c.rc == MDB_MAP_FULL && map_size_ < limit) {
      if (!grow(std::min(limit, map_size_ * 2))) return lmdb_result::lost;
      continue;
    }
    if (c.rc == lmdb_no_room) {
      std::uint64_t const cost = lmdb_cost(entry.size());
      keep = std::min(keep, c.room - c.room / 10);
      result = evict_locked(keep > cost ? keep - cost : 0, problem);
    } else if (c.rc == MDB_MAP_FULL) {
      // What is free lies in pieces, or a reader keeps it.
      (void)lmdb_guarded(lmdb_reader_check_body, env_);
      keep /= 2;
      result = evict_locked(keep, problem);
      // LMDB uses what was freed in the next transaction but one.
      lmdb_change empty;
      empty.body = lmdb_no_body;
      if (result == lmdb_result::done) result = change(empty, problem);
    } else {
      return result;
    }
    if (result != lmdb_result::done) return result;
  }
  return lmdb_result::failed;
}

lmdb_result lmdb_environment::remove(entry_address const& at, std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  lmdb_change c;
  c.body = lmdb_remove_body;
  c.key = lmdb_key('e', at);
  return change(c, problem);
}

lmdb_result lmdb_environment::put_lease(entry_address const& at, lmdb_lease const& lease,
                                        std::string_view before, std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  lmdb_change c;
  c.body = lmdb_put_lease_body;
  c.key = lmdb_key('l', at);
  c.lease = lease;
  c.value = {before.size(), const_cast<char*>(before.data())};
  return change(c, problem);
}

lmdb_result lmdb_environment::remove_lease(entry_address const& at, std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  lmdb_change c;
  c.body = lmdb_remove_lease_body;
  c.key = lmdb_key('l', at);
  return change(c, problem);
}

lmdb_result lmdb_environment::evict(std::uint64_t bytes, std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  return lock.result == lmdb_result::done ? evict_locked(bytes, problem) : lock.result;
}

lmdb_result lmdb_environment::sync(std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  if (!changed_) return lmdb_result::done;
  if (::fdatasync(data_) != 0) {
    problem = path_ + ": cannot be synced: " + lmdb_error_text(errno);
    return lmdb_result::failed;
  }
  lmdb_structure const now = lmdb_read_meta(data_);
  struct stat is = {};
  if (marks_ && now.right() && ::fstat(data_, &is) == 0 &&
      lmdb_is_marked(is, now.transaction) == lmdb_marked::by_boot)
    set_mark(now.transaction, true);
  changed_ = false;
  unsynced_ = 0;
  last_sync_ = lmdb_coarse_clock();
  (void)::futimens(lock_, nullptr);
  return lmdb_result::done;
}

std::uint64_t lmdb_environment::file_size() const {
  struct stat is = {};
  return ::fstat(data_, &is) == 0 ? static_cast<std::uint64_t>(is.st_size) : 0;
}

lmdb_result lmdb_environment::about(lmdb_about& out, std::int64_t& oldest, std::string& problem) {
  // The scan opens a transaction of its own, so it goes past the slots; but nothing may be closed
  // or mapped anew meanwhile.
  lmdb_change scan;
  lmdb_list_memory const memory{scan};
  if (!writing_.try_lock_for(options_.patience)) {
    problem = path_ + ": another thread has been writing for too long";
    return lmdb_result::failed;
  }
  int end = 0;
  bool const gone = closed_ || lost();
  if (!gone) {
    scan.env = env_;
    if (is_cut())
      scan.rc = MDB_CORRUPTED;
    else
      end = lmdb_guarded(lmdb_scan_uses_body, &scan);
    if (end == 0 && scan.rc == MDB_MAP_RESIZED && grow(0)) {
      scan.rc = 0;
      end = lmdb_guarded(lmdb_scan_uses_body, &scan);
    }
    if (end != 0) (void)lmdb_guarded(lmdb_abort_change_body, &scan);
  }
  writing_.unlock();
  if (gone) {
    lose();
    return lmdb_result::lost;
  }
  if (end != 0 || scan.rc != 0) return read_failed(end, scan.rc, problem);
  out = scan.about;
  oldest = scan.seconds;
  return lmdb_result::done;
}

lmdb_result lmdb_environment::check(std::string& fault, std::string& problem) {
  if (lost()) {
    lose();
    return lmdb_result::lost;
  }
  if (read_only_) {
    // Without the lock others may write meanwhile.
    for (unsigned tries = 0; tries != 5; ++tries) {
      fault = lmdb_check_structure(data_).fault;
      if (fault.empty()) break;
    }
    return lmdb_result::done;
  }
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  lmdb_structure const found = lmdb_check_structure(data_);
  fault = found.empty ? "it was emptied" : found.fault;
  if (fault.empty()) return lmdb_result::done;
  return damaged_locked(fault, false, problem);
}

// ---- another file ------------------------------------------------------------------------------

namespace {

struct lmdb_copy_call {
  MDB_env* from;
  MDB_env* to;
  int rc;
};

void lmdb_copy_all_body(void* with) {
  auto& c = *static_cast<lmdb_copy_call*>(with);
  MDB_txn* read = nullptr;
  MDB_txn* write = nullptr;
  MDB_cursor* cursor = nullptr;
  MDB_dbi tree = 0;
  c.rc = mdb_txn_begin(c.from, nullptr, MDB_RDONLY, &read);
  if (c.rc != 0) return;
  c.rc = mdb_cursor_open(read, lmdb_tree_of_all, &cursor);
  MDB_val key = {};
  MDB_val value = {};
  std::size_t bytes = 0;
  if (c.rc == 0) c.rc = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
  while (c.rc == 0) {
    if (!write) {
      c.rc = mdb_txn_begin(c.to, nullptr, 0, &write);
      if (c.rc == 0) c.rc = mdb_dbi_open(write, nullptr, 0, &tree);
      if (c.rc != 0) break;
    }
    c.rc = mdb_put(write, tree, &key, &value, MDB_APPEND);
    if (c.rc != 0) break;
    bytes += value.mv_size + 64;
    if (bytes > (std::size_t{16} << 20)) {
      c.rc = mdb_txn_commit(write);
      write = nullptr;
      bytes = 0;
      if (c.rc != 0) break;
    }
    c.rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
  }
  if (c.rc == MDB_NOTFOUND) c.rc = 0;
  if (cursor) mdb_cursor_close(cursor);
  mdb_txn_abort(read);
  if (write && c.rc == 0) {
    c.rc = mdb_txn_commit(write);
    write = nullptr;
  }
  if (write) mdb_txn_abort(write);
  if (c.rc == 0) c.rc = mdb_env_sync(c.to, 1);
}

unsigned lmdb_flags(bool read_only) {
  return MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC | MDB_NOMETASYNC | (read_only ? MDB_RDONLY : 0u);
}

}  // namespace

lmdb_result lmdb_environment::shrink(std::string& problem) {
  change_lock const lock(*this, options_.patience, problem);
  if (lock.result != lmdb_result::done) return lock.result;
  lmdb_change empty;
  empty.body = lmdb_no_body;
  if (lmdb_result const r = change(empty, problem); r != lmdb_result::done) return r;
  std::string const final = lmdb_new_file(folder_);
  std::string const fresh = final + ".new";
  lmdb_open_call open = {};
  open.path = fresh.c_str();
  open.map_size = map_size_;
  open.flags = lmdb_flags(false);
  open.mode = lmdb_file_mode(options_.sharing);
  int end = lmdb_guarded(lmdb_open_body, &open);
  if (end == 0 && open.rc == 0) {
    lmdb_copy_call copy = {env_, open.env, 0};
    end = lmdb_guarded(lmdb_copy_all_body, &copy);
    open.rc = copy.rc;
  }
  // After a signal it stays open: nobody can say what state it is in.
  if (end == 0 && open.env) end = lmdb_guarded(lmdb_close_body, open.env);
  (void)::unlink((fresh + "-lock").c_str());
  if (end != 0 || open.rc != 0 || ::rename(fresh.c_str(), final.c_str()) != 0) {
    problem = path_ + ": cannot be written anew: " +
              (end != 0       ? std::string(lmdb_guard_says(end))
               : open.rc != 0 ? lmdb_says(open.rc)
                              : lmdb_error_text(errno));
    (void)::unlink(fresh.c_str());
    return lmdb_result::failed;
  }
  (void)::unlink(path_.c_str());
  (void)::unlink((path_ + "-lock").c_str());
  close_map(false);
  return lmdb_result::lost;
}

// ---- opening -----------------------------------------------------------------------------------

struct lmdb_opening {
  std::string const& folder;
  lmdb_file_options const& options;
  bool read_only;
  int lock = -1;
  bool locked = false;
  int data = -1;
  std::string problem = {};

  lmdb_opening(std::string const& f, lmdb_file_options const& o, bool r)
      : folder(f), options(o), read_only(r) {}
  lmdb_opening(lmdb_opening const&) = delete;
  lmdb_opening& operator=(lmdb_opening const&) = delete;
  ~lmdb_opening() {
    if (locked) ::flock(lock, LOCK_UN);
    if (lock >= 0) ::close(lock);
    if (data >= 0) ::close(data);
  }

  enum class step : unsigned char { again, wait, end };

  bool take_lock() {
    std::string const path = folder + "/lock";
    for (unsigned tries = 0; tries != 2; ++tries) {
      int const flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
      mode_t const mode = lmdb_file_mode(options.sharing);
      if (!read_only) {
        lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, mode);
        if (lock >= 0) {
          if (options.sharing != lmdb_sharing::private_to_user) (void)::fchmod(lock, mode);
          // Never synced yet.
          timespec const never[2] = {{0, UTIME_OMIT}, {0, 0}};
          (void)::futimens(lock, never);
        } else if (errno == EEXIST) {
          lock = ::open(path.c_str(), O_RDWR | flags);
        }
      }
      if (lock < 0 && (read_only || errno == EACCES || errno == EROFS || errno == EPERM)) {
        read_only = true;
        lock = ::open(path.c_str(), O_RDONLY | flags);
        if (lock < 0) return true;
      }
      if (lock < 0 && errno != ELOOP && errno != EISDIR && errno != ENXIO) {
        problem = path + ": cannot be opened: " + lmdb_error_text(errno);
        return false;
      }
      if (lock >= 0 && lmdb_foreign(lock, options.sharing).empty()) break;
      if (lock >= 0) ::close(lock);
      lock = -1;
      if (read_only) return true;
      // Something else of this name.
      if (::rename(path.c_str(), (path + ".broken").c_str()) != 0) {
        problem = path + ": is no file of this user, and cannot be renamed: remove it";
        return false;
      }
    }
    if (lock < 0) return true;
    if (!lmdb_lock_file(lock, options.patience)) {
      // Who only reads can do without.
      if (read_only) return true;
      problem = path + ": another process has been writing for too long";
      return false;
    }
    locked = true;
    return true;
  }

  bool set_aside(std::string const& path, std::string const& why) {
    problem = path + ": " + why;
    if (read_only) {
      problem += "; who may write to it has to remove it";
      return false;
    }
    if (!lmdb_set_aside(folder, path)) {
      problem += "; it cannot be set aside: remove it";
      return false;
    }
    problem += "; the file was set aside (*.broken-N) and a new one is begun";
    return true;
  }

  // LMDB maps the list of readers, and a disk that is full then would end in a signal.
  bool make_readers(std::string const& path) {
    int const file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                            lmdb_file_mode(options.sharing));
    if (file < 0) return true;
    struct call {
      int file;
      int error;
    } made = {file, 0};
    // A limit of the size of files is a signal, too.
    int const end = lmdb_guarded(
        [](void* with) {
          auto& c = *static_cast<call*>(with);
          c.error = ::posix_fallocate(c.file, 0, 64 * (lmdb_readers - 1) + 192);
        },
        &made);
    int const error = end != 0 ? EIO : made.error;
    if (options.sharing != lmdb_sharing::private_to_user)
      (void)::fchmod(file, lmdb_file_mode(options.sharing));
    ::close(file);
    if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return true;
    (void)::unlink(path.c_str());
    problem = path + ": cannot be made: " + lmdb_error_text(error);
    return false;
  }

  step go(std::shared_ptr<lmdb_environment>& out) {
    std::string const name = lmdb_find_file(folder, locked && !read_only);
    if (name.empty() && read_only) {
      problem = folder + ": there is no store, and none can be begun there";
      return step::end;
    }
    std::string const path = name.empty() ? lmdb_new_file(folder) : folder + "/" + name;
    mode_t const mode = lmdb_file_mode(options.sharing);
    int const flags = (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    data = ::open(path.c_str(), flags | (name.empty() ? O_CREAT | O_EXCL : 0), mode);
    if (data < 0) {
      int const error = errno;
      if ((error == ELOOP || error == EISDIR || error == ENXIO) && !read_only)
        return set_aside(path, "is no file") ? step::again : step::end;
      if ((error == EACCES || error == EROFS || error == EPERM) && !read_only) {
        read_only = true;
        return step::again;
      }
      problem = path + ": cannot be opened: " + lmdb_error_text(error);
      return step::end;
    }
    if (name.empty() && options.sharing != lmdb_sharing::private_to_user)
      (void)::fchmod(data, mode);
    if (std::string why = lmdb_foreign(data, options.sharing); !why.empty())
      return set_aside(path, why) ? step::again : step::end;
    struct stat is = {};
    if (::fstat(data, &is) != 0) {
      problem = path + ": " + lmdb_error_text(errno);
      return step::end;
    }
    {
      lmdb_registry& all = lmdb_all();
      std::lock_guard const guard(all.mutex);
      for (lmdb_registry::opened& o : all.open) {
        if (o.device != is.st_dev || o.inode != is.st_ino) continue;
        if (!o.leaked) {
          out = o.environment.lock();
          if (out && !out->lost()) return step::end;
          out.reset();
          return step::wait;
        }
        // It was left open by this process, and cannot be opened once more.
        return set_aside(path, "made trouble before") ? step::again : step::end;
      }
    }
    return open(path, is, out);
  }

  step open(std::string const& path, struct stat const& is,
            std::shared_ptr<lmdb_environment>& out) {
    lmdb_structure found = lmdb_read_meta(data);
    bool const believed =
        found.right() && !found.empty && lmdb_is_marked(is, found.transaction) != lmdb_marked::no;
    if (!believed && !found.empty) {
      for (unsigned tries = 0; tries != 5; ++tries) {
        found = lmdb_check_structure(data);
        // Without the lock somebody may have been writing.
        if (found.right() || locked) break;
      }
      if (!found.right()) return set_aside(path, found.fault) ? step::again : step::end;
    }
    if (!read_only && !make_readers(path + "-lock")) return step::end;
    if (found.empty && read_only) {
      problem = path + ": is empty, and cannot be written";
      return step::end;
    }
    lmdb_open_call call = {};
    call.path = path.c_str();
    call.mode = lmdb_file_mode(options.sharing);
    call.fresh = !believed && found.records == 0 && !read_only;
    std::memcpy(call.about.magic, lmdb_about_magic, sizeof call.about.magic);
    std::uint64_t const size = static_cast<std::uint64_t>(is.st_size);
    std::uint64_t map = lmdb_real_limit(options.limit);
    if (options.first_map != 0) map = std::min(map, std::max(options.first_map, lmdb_least_limit));
    // Not more than that: LMDB writes as far as the map goes.
    map = (std::max({map, size, found.pages * found.page_size}) + 65'535) & ~std::uint64_t{65'535};
    int end = 0;
    for (bool lockless = read_only && lock < 0;;) {
      call.flags = lmdb_flags(read_only) | (lockless ? MDB_NOLOCK : 0u);
      call.map_size = map;
      call.env = nullptr;
      end = lmdb_guarded(lmdb_open_body, &call);
      if (end != 0 || call.rc == 0) break;
      if (call.env) (void)lmdb_guarded(lmdb_close_body, call.env);
      if (call.rc == ENOMEM && map > 2 * size + (lmdb_least_limit << 4)) {
        map = (map / 2 + 65'535) & ~std::uint64_t{65'535};
      } else if (read_only && !lockless && (call.rc == EACCES || call.rc == EROFS)) {
        lockless = true;
      } else {
        break;
      }
    }
    if (end == 0 && call.rc == 0) {
      end = lmdb_guarded(lmdb_about_body, &call);
      if (end == 0 && call.rc == 0) {
        out = std::make_shared<lmdb_environment>();
        hand_over(path, is, call, map, believed, *out);
        lmdb_registry& all = lmdb_all();
        std::lock_guard const guard(all.mutex);
        all.open.push_back({is.st_dev, is.st_ino, out, out->lock_, false});
        problem.clear();
        return step::end;
      }
      if (end == 0) end = lmdb_guarded(lmdb_close_body, call.env);
    }
    if (end != 0) {
      lmdb_registry& all = lmdb_all();
      std::lock_guard const guard(all.mutex);
      all.open.push_back({is.st_dev, is.st_ino, {}, -1, true});
      return set_aside(path, lmdb_guard_says(end)) ? step::again : step::end;
    }
    if (call.rc < 0 || call.rc == EINVAL)
      return set_aside(path, "LMDB says: " + lmdb_says(call.rc)) ? step::again : step::end;
    problem = path + ": cannot be opened: " + lmdb_says(call.rc);
    return step::end;
  }

  void hand_over(std::string const& path, struct stat const& is, lmdb_open_call const& call,
                 std::uint64_t map, bool believed, lmdb_environment& e) {
    e.folder_ = folder;
    e.path_ = path;
    e.options_ = options;
    e.device_ = is.st_dev;
    e.inode_ = is.st_ino;
    e.forks_ = lmdb_forks();
    e.read_only_ = read_only;
    e.env_ = call.env;
    e.map_ = call.map;
    e.map_size_ = map;
    e.page_size_ = call.page_size;
    e.last_sync_ = lmdb_coarse_clock();
    e.last_reader_check_ = e.last_sync_;
    e.data_ = std::exchange(data, -1);
    // The lock goes on until who opens is done.
    e.lock_ = locked ? ::fcntl(lock, F_DUPFD_CLOEXEC, 0) : -1;
    if (read_only) return;
    (void)lmdb_guarded(lmdb_reader_check_body, e.env_);
    e.marks_ = true;
    e.all_checked_ = !believed;
    if (believed) return;
    lmdb_structure const now = lmdb_read_meta(e.data_);
    e.set_mark(now.transaction, false);
    struct stat marked = {};
    e.marks_ = e.marks_ && ::fstat(e.data_, &marked) == 0 &&
               lmdb_is_marked(marked, now.transaction) != lmdb_marked::no;
  }
};

lmdb_opened lmdb_open(std::string const& folder, lmdb_file_options const& options, bool read_only) {
  lmdb_install_guard();
  lmdb_opened opened;
  std::string before;
  auto const end = std::chrono::steady_clock::now() + options.patience;
  for (unsigned tries = 0; tries != 6 && std::chrono::steady_clock::now() <= end;) {
    opened.problem = lmdb_prepare_folder(folder, options, !read_only);
    if (!opened.problem.empty()) return opened;
    lmdb_opening::step step = lmdb_opening::step::end;
    {
      lmdb_opening opening(folder, options, read_only);
      if (!opening.take_lock()) {
        opened.problem = opening.problem;
        return opened;
      }
      step = opening.go(opened.environment);
      if (step == lmdb_opening::step::end) {
        opened.problem = opened.environment ? before : opening.problem;
        return opened;
      }
      if (!opening.problem.empty()) before = opening.problem;
      read_only = opening.read_only;
    }
    if (step == lmdb_opening::step::wait) {
      // Another thread closes it. It may need the lock for that.
      lmdb_registry& all = lmdb_all();
      std::unique_lock guard(all.mutex);
      all.changed.wait_for(guard, std::chrono::milliseconds(20));
    } else {
      ++tries;
    }
  }
  opened.problem = before.empty() ? folder + ": cannot be opened" : before;
  return opened;
}

}  // namespace layerkey::detail
