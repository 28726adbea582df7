#include <layerkey/store/detail/lmdb_environment.hpp>
#include <layerkey/store/detail/lmdb_folder.hpp>
#include <layerkey/store/lmdb_bytes.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace layerkey {
namespace detail {
namespace {

constexpr std::int64_t lmdb_retry_time = 1000;  // ms
constexpr std::size_t lmdb_kept_buffer = std::size_t{4} << 20;

// What a thread reads into. Taken while it is used, as whoever is given the bytes may read again.
class lmdb_thread_buffer {
 public:
  lmdb_thread_buffer() : buffer_(std::move(kept())) {}
  lmdb_thread_buffer(lmdb_thread_buffer const&) = delete;
  lmdb_thread_buffer& operator=(lmdb_thread_buffer const&) = delete;
  ~lmdb_thread_buffer() {
    lmdb_buffer& k = kept();
    if (buffer_.capacity() <= lmdb_kept_buffer && buffer_.capacity() > k.capacity())
      k = std::move(buffer_);
  }

  lmdb_buffer& operator*() { return buffer_; }
  lmdb_buffer* operator->() { return &buffer_; }

 private:
  static lmdb_buffer& kept() {
    thread_local lmdb_buffer buffer;
    return buffer;
  }

  lmdb_buffer buffer_;
};

// When a process was started, in the kernel's unit, and whether it still runs: 0 where it does not.
std::uint64_t lmdb_process_start(std::int64_t process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%lld/stat", static_cast<long long>(process));
  int const file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[1024];
  ssize_t const got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  // "1234 (name, with anything in it) S 1 ...": the state, and the 22nd field.
  char const* at = std::strrchr(text, ')');
  if (!at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X') return 0;
  at += 2;
  for (int field = 3; field != 22; ++field) {
    at = std::strchr(at, ' ');
    if (!at) return 0;
    ++at;
  }
  std::uint64_t const start = std::strtoull(at, nullptr, 10);
  return start == 0 ? 1 : start;
}

std::uint64_t lmdb_process_numbering() {
  struct stat is = {};
  return ::stat("/proc/self/ns/pid", &is) == 0 ? static_cast<std::uint64_t>(is.st_ino) : 0;
}

// This process, as others see it.
lmdb_lease const& lmdb_own_lease() {
  static std::atomic<unsigned> made{~0u};
  static lmdb_lease own;
  static std::mutex& making = *new std::mutex;
  unsigned const forks = lmdb_forks();
  if (made.load(std::memory_order_acquire) != forks) {
    std::lock_guard const lock(making);
    if (made.load(std::memory_order_relaxed) != forks) {
      own = {};
      own.boot = lmdb_boot();
      own.processes = lmdb_process_numbering();
      own.process = ::getpid();
      own.started = lmdb_process_start(own.process);
      made.store(forks, std::memory_order_release);
    }
  }
  return own;
}

std::uint64_t lmdb_check_of(lmdb_lease const& lease) {
  lmdb_lease copy = lease;
  copy.check = 0;
  return lmdb_mix(&copy, sizeof copy);
}

bool lmdb_is_own(lmdb_lease const& lease) {
  lmdb_lease const& own = lmdb_own_lease();
  return lease.boot == own.boot && lease.processes == own.processes &&
         lease.process == own.process && lease.started == own.started;
}

// Whether somebody has it.
bool lmdb_holds(std::string_view bytes) {
  lmdb_lease lease;
  if (bytes.size() != sizeof lease) return false;
  std::memcpy(&lease, bytes.data(), sizeof lease);
  std::int64_t const now = lmdb_boot_clock();
  if (lease.check != lmdb_check_of(lease) || lease.boot != lmdb_boot()) return false;
  if (lease.until <= now || lease.until - now > lease.time) return false;
  if (lmdb_is_own(lease)) return true;
  // Of a process that another container numbers, nothing can be known.
  lmdb_lease const& own = lmdb_own_lease();
  if (own.started == 0 || own.processes != lease.processes || lease.started == 0) return true;
  return lmdb_process_start(lease.process) == lease.started;
}

}  // namespace
}  // namespace detail

struct lmdb_bytes::state {
  std::string folder;
  lmdb_file_options options;
  bool read_only = false;

  std::atomic<detail::lmdb_environment*> current{nullptr};
  std::atomic<unsigned> forks{0};
  // Made anew in a child, where another thread of the parent may have had it.
  alignas(std::mutex) unsigned char mutex_space[sizeof(std::mutex)];
  std::vector<std::shared_ptr<detail::lmdb_environment>> all;
  std::string problem;
  std::int64_t next_try = 0;

  std::mutex& mutex() {
    unsigned const now = detail::lmdb_forks();
    if (forks.load(std::memory_order_acquire) != now) {
      new (mutex_space) std::mutex;
      forks.store(now, std::memory_order_release);
      next_try = 0;
    }
    return *std::launder(reinterpret_cast<std::mutex*>(mutex_space));
  }

  void explain(std::string why) {
    if (why.empty()) return;
    std::lock_guard const lock(mutex());
    problem = std::move(why);
  }

  // The file, open; nothing if it cannot be.
  detail::lmdb_environment* environment() {
    detail::lmdb_environment* e = current.load(std::memory_order_acquire);
    if (e && !e->lost()) return e;
    std::lock_guard const lock(mutex());
    e = current.load(std::memory_order_acquire);
    if (e && !e->lost()) return e;
    std::int64_t const now = detail::lmdb_boot_clock();
    if (now < next_try) return nullptr;
    detail::lmdb_opened opened = detail::lmdb_open(folder, options, read_only);
    if (!opened.environment) {
      next_try = now + detail::lmdb_retry_time;
      problem = std::move(opened.problem);
      current.store(nullptr, std::memory_order_release);
      return nullptr;
    }
    if (!opened.problem.empty())
      problem = std::move(opened.problem);
    else if (!e)
      problem.clear();
    // Others may still be on their way out of the one before.
    all.push_back(std::move(opened.environment));
    current.store(all.back().get(), std::memory_order_release);
    return all.back().get();
  }

  // Runs until it is done by a file that is not lost meanwhile.
  template<class Action>
  detail::lmdb_result with(Action action) {
    for (unsigned tries = 0; tries != 3; ++tries) {
      detail::lmdb_environment* const e = environment();
      if (!e) return detail::lmdb_result::failed;
      std::string why;
      detail::lmdb_result const result = action(*e, why);
      if (result == detail::lmdb_result::done || result == detail::lmdb_result::absent)
        return result;
      explain(std::move(why));
      if (result == detail::lmdb_result::failed) return result;
    }
    return detail::lmdb_result::failed;
  }
};

lmdb_bytes::lmdb_bytes(std::string folder, lmdb_file_options options, bool read_only)
    : state_(std::make_unique<state>()) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  // It is looked for again later, when the process may be in another folder.
  if (!folder.empty() && folder[0] != '/') {
    if (char* const here = ::realpath(".", nullptr)) {
      folder = std::string(here) + "/" + folder;
      std::free(here);
    }
  }
  new (state_->mutex_space) std::mutex;
  state_->forks = detail::lmdb_forks();
  state_->folder = std::move(folder);
  state_->options = options;
  state_->read_only = read_only;
  (void)state_->environment();
}

lmdb_bytes::~lmdb_bytes() = default;

read_result lmdb_bytes::read(entry_address const& at, use const& accepts) {
  detail::lmdb_thread_buffer buffer;
  detail::lmdb_environment* from = nullptr;
  detail::lmdb_result const result =
      state_->with([&](detail::lmdb_environment& e, std::string& why) {
        from = &e;
        return e.get(detail::lmdb_key('e', at), *buffer, true, why);
      });
  if (result == detail::lmdb_result::absent) return read_result::absent;
  if (result != detail::lmdb_result::done) return read_result::unavailable;
  bool const accepted = accepts(buffer->entry());
  if (from->uses_are_due() && !state_->read_only) {
    std::string why;
    (void)from->write_uses(false, why);
  }
  return accepted ? read_result::accepted : read_result::rejected;
}

bool lmdb_bytes::write(entry_address const& at, std::string_view entry) {
  if (state_->read_only) return false;
  return state_->with([&](detail::lmdb_environment& e, std::string& why) {
    return e.put(at, entry, state_->options.limit, why);
  }) == detail::lmdb_result::done;
}

bool lmdb_bytes::remove(entry_address const& at) {
  if (state_->read_only) return false;
  return state_->with([&](detail::lmdb_environment& e, std::string& why) {
    return e.remove(at, why);
  }) == detail::lmdb_result::done;
}

bool lmdb_bytes::contains(entry_address const& at) {
  return state_->with([&](detail::lmdb_environment& e, std::string& why) {
    return e.find(detail::lmdb_key('e', at), why);
  }) == detail::lmdb_result::done;
}

bool lmdb_bytes::take_lease(entry_address const& at, std::chrono::milliseconds time) {
  if (state_->read_only) return true;
  std::int64_t const longest = std::int64_t{24} * 3'600'000;
  bool held = false;
  (void)state_->with([&](detail::lmdb_environment& e, std::string& why) {
    detail::lmdb_buffer buffer;
    (void)buffer.reserve(sizeof(detail::lmdb_lease));
    detail::lmdb_result const found = e.get(detail::lmdb_key('l', at), buffer, false, why);
    if (found == detail::lmdb_result::done && detail::lmdb_holds(buffer.bytes())) {
      held = true;
      return found;
    }
    if (found != detail::lmdb_result::done && found != detail::lmdb_result::absent) return found;
    detail::lmdb_lease lease = detail::lmdb_own_lease();
    lease.time = std::clamp<std::int64_t>(time.count(), 1, longest);
    lease.until = detail::lmdb_boot_clock() + lease.time;
    lease.check = detail::lmdb_check_of(lease);
    detail::lmdb_result const result =
        e.put_lease(at, lease, found == detail::lmdb_result::done ? buffer.bytes() : "", why);
    if (result == detail::lmdb_result::absent) held = true;
    return result;
  });
  return !held;
}

void lmdb_bytes::drop_lease(entry_address const& at) {
  if (state_->read_only) return;
  (void)state_->with([&](detail::lmdb_environment& e, std::string& why) {
    detail::lmdb_buffer buffer;
    (void)buffer.reserve(sizeof(detail::lmdb_lease));
    detail::lmdb_result const found = e.get(detail::lmdb_key('l', at), buffer, false, why);
    if (found != detail::lmdb_result::done) return found;
    detail::lmdb_lease lease;
    if (buffer.size != sizeof lease) return e.remove_lease(at, why);
    std::memcpy(&lease, buffer.data(), sizeof lease);
    return detail::lmdb_is_own(lease) ? e.remove_lease(at, why) : found;
  });
}

std::string lmdb_bytes::problem() const {
  std::lock_guard const lock(state_->mutex());
  return state_->problem;
}

void lmdb_bytes::flush() {
  if (state_->read_only) return;
  (void)state_->with([&](detail::lmdb_environment& e, std::string& why) {
    detail::lmdb_result const result = e.write_uses(true, why);
    return result == detail::lmdb_result::lost ? result : e.sync(why);
  });
}

std::string const& lmdb_bytes::folder() const { return state_->folder; }

lmdb_statistics lmdb_bytes::statistics() const {
  lmdb_statistics out;
  out.limit = state_->options.limit;
  (void)state_->with([&](detail::lmdb_environment& e, std::string& why) {
    detail::lmdb_about about = {};
    detail::lmdb_result const result = e.about(about, out.oldest_use, why);
    out.entries = about.entries;
    out.bytes = about.bytes;
    out.file_bytes = e.file_size();
    return result;
  });
  out.problem = problem();
  return out;
}

namespace detail {
namespace {

// Each entry, in the order of addresses, until `take` does not want more.
template<class State, class Take>
lmdb_result lmdb_for_each(State& state, Take take) {
  lmdb_key key('e', entry_address{});
  lmdb_buffer buffer;
  bool wanted = true;
  // The entry whose address is all zeros comes before the first that lies behind it.
  lmdb_result result = state.with(
      [&](lmdb_environment& e, std::string& why) { return e.get(key, buffer, false, why); });
  for (;;) {
    if (result == lmdb_result::done) {
      entry_address at;
      std::memcpy(at.data(), key.bytes + 1, at.size());
      wanted = take(at, buffer.bytes());
    } else if (result != lmdb_result::absent) {
      return result;
    }
    if (!wanted) return lmdb_result::done;
    result =
        state.with([&](lmdb_environment& e, std::string& why) { return e.next(key, buffer, why); });
    if (result == lmdb_result::absent) return lmdb_result::done;
  }
}

}  // namespace
}  // namespace detail

lmdb_verification lmdb_bytes::verify(entry_check const& check, on_wrong then) {
  lmdb_verification out;
  detail::lmdb_result const structure =
      state_->with([&](detail::lmdb_environment& e, std::string& why) {
        std::string fault;
        detail::lmdb_result const r = e.check(fault, why);
        if (!fault.empty()) out.structure = why.empty() ? fault : why;
        return r;
      });
  if (structure != detail::lmdb_result::done && out.structure.empty()) {
    out.problem = problem();
    return out;
  }
  detail::lmdb_result const all =
      detail::lmdb_for_each(*state_, [&](entry_address const& at, std::string_view entry) {
        ++out.entries;
        if (std::string fault = check(at, entry); !fault.empty()) {
          ++out.wrong;
          if (then == on_wrong::remove) (void)remove(at);
          if (out.faults.size() < 20) out.faults.push_back(std::move(fault));
        }
        return true;
      });
  if (all != detail::lmdb_result::done) out.problem = problem();
  return out;
}

bool lmdb_bytes::prune(std::uint64_t bytes) {
  if (state_->read_only) return false;
  detail::lmdb_result result = state_->with(
      [&](detail::lmdb_environment& e, std::string& why) { return e.evict(bytes, why); });
  if (result != detail::lmdb_result::done) return false;
  detail::lmdb_environment* const e = state_->environment();
  if (!e || e->file_size() <= bytes) return e != nullptr;
  std::string why;
  result = e->shrink(why);
  state_->explain(std::move(why));
  return result == detail::lmdb_result::lost && state_->environment() != nullptr;
}

// ---- one file ----------------------------------------------------------------------------------

namespace detail {
namespace {

// "lkexpor" and the version; then, for each entry, a byte 1, 32 bytes of its address, 8 bytes of
// its length, lowest first, and its bytes; then a byte 0 and 8 bytes of how many there were.
constexpr char lmdb_export_magic[8] = {'l', 'k', 'e', 'x', 'p', 'o', 'r', 1};

void lmdb_put_number(char* to, std::uint64_t n) {
  for (int i = 0; i != 8; ++i) to[i] = static_cast<char>(n >> (8 * i) & 0xFF);
}

std::uint64_t lmdb_get_number(char const* from) {
  std::uint64_t n = 0;
  for (int i = 0; i != 8; ++i) n |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  return n;
}

struct lmdb_stream {
  std::FILE* file = nullptr;
  ~lmdb_stream() {
    if (file) std::fclose(file);
  }
  bool write(void const* bytes, std::size_t size) {
    return std::fwrite(bytes, 1, size, file) == size;
  }
  bool read(void* bytes, std::size_t size) { return std::fread(bytes, 1, size, file) == size; }
};

}  // namespace
}  // namespace detail

lmdb_transfer lmdb_bytes::export_to(std::string const& file) const {
  lmdb_transfer out;
  std::string const fresh = file + ".new-" + std::to_string(::getpid());
  int const made = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  detail::lmdb_stream to{made >= 0 ? ::fdopen(made, "wb") : nullptr};
  if (!to.file) {
    out.problem = fresh + ": cannot be written: " + detail::lmdb_error_text(errno);
    if (made >= 0) ::close(made);
    return out;
  }
  bool good = to.write(detail::lmdb_export_magic, sizeof detail::lmdb_export_magic);
  detail::lmdb_result const all =
      detail::lmdb_for_each(*state_, [&](entry_address const& at, std::string_view entry) {
        char head[41];
        head[0] = 1;
        std::memcpy(head + 1, at.data(), 32);
        detail::lmdb_put_number(head + 33, entry.size());
        good = good && to.write(head, sizeof head) && to.write(entry.data(), entry.size());
        out.entries += good ? 1 : 0;
        return good;
      });
  char end[9] = {};
  detail::lmdb_put_number(end + 1, out.entries);
  good = good && to.write(end, sizeof end) && std::fflush(to.file) == 0 && ::fsync(made) == 0;
  if (!good)
    out.problem = fresh + ": cannot be written: " + detail::lmdb_error_text(errno);
  else if (all != detail::lmdb_result::done)
    out.problem = "not all could be read: " + problem();
  else if (::rename(fresh.c_str(), file.c_str()) != 0)
    out.problem = file + ": cannot be written: " + detail::lmdb_error_text(errno);
  if (!out.problem.empty()) (void)::unlink(fresh.c_str());
  return out;
}

lmdb_transfer lmdb_bytes::import_from(std::string const& file, entry_check const& check) {
  lmdb_transfer out;
  if (state_->read_only) {
    out.problem = folder() + " is open for reading only";
    return out;
  }
  detail::lmdb_stream from{std::fopen(file.c_str(), "rbe")};
  if (!from.file) {
    out.problem = file + ": cannot be read: " + detail::lmdb_error_text(errno);
    return out;
  }
  char magic[sizeof detail::lmdb_export_magic];
  if (!from.read(magic, sizeof magic) ||
      std::memcmp(magic, detail::lmdb_export_magic, sizeof magic) != 0) {
    out.problem = file + ": was not written by export, or by another version of it";
    return out;
  }
  std::uint64_t const most = std::max<std::uint64_t>(state_->options.limit, 1u << 20) / 4;
  for (;;) {
    char head[41];
    if (!from.read(head, 1) || (head[0] != 0 && head[0] != 1)) {
      out.problem = file + ": ends in the middle, or is damaged";
      return out;
    }
    if (head[0] == 0) {
      if (!from.read(head + 1, 8) || detail::lmdb_get_number(head + 1) != out.entries + out.refused)
        out.problem = file + ": has more or fewer entries than it says";
      return out;
    }
    if (!from.read(head + 1, 40)) {
      out.problem = file + ": ends in the middle";
      return out;
    }
    entry_address at;
    std::memcpy(at.data(), head + 1, 32);
    std::uint64_t const size = detail::lmdb_get_number(head + 33);
    if (size > most) {
      out.problem = file + ": has an entry of " + std::to_string(size) +
                    " bytes, which is more than a quarter of the limit, or is damaged";
      return out;
    }
    // What it says of its length is believed only as far as there are bytes.
    std::string bytes;
    for (std::uint64_t left = size; left != 0;) {
      std::size_t const part = static_cast<std::size_t>(std::min<std::uint64_t>(left, 1u << 20));
      std::size_t const old = bytes.size();
      bytes.resize(old + part);
      if (!from.read(bytes.data() + old, part)) {
        out.problem = file + ": ends in the middle of an entry";
        return out;
      }
      left -= part;
    }
    if (std::string const why = check(at, bytes); !why.empty()) {
      ++out.refused;
      continue;
    }
    if (!write(at, bytes)) {
      out.problem = "not all could be written: " + problem();
      return out;
    }
    ++out.entries;
  }
}

}  // namespace layerkey
