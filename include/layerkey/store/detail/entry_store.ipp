// Loading and saving of entries, leases, counters.
#include <layerkey/store/entry_format.hpp>
#include <layerkey/store/entry_store.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace layerkey {
namespace detail {

// ---- counters ----------------------------------------------------------------------------------

enum class store_count : unsigned char {
  served,
  absent,
  not_valid,
  faulty,
  unavailable,
  repaired,
  saved,
  not_saved,
  waits,
  leases_timed_out,
  bytes_read,
  bytes_written,
  faults,  // and one for each behind it
};
constexpr std::size_t store_counts = static_cast<std::size_t>(store_count::faults) + entry_faults;

// In several places, so that threads seldom share a line.
class store_counters {
 public:
  void add(store_count which, std::uint64_t by = 1) {
    here()[static_cast<std::size_t>(which)].fetch_add(by, std::memory_order_relaxed);
  }
  void add(entry_fault which) {
    here()[first_fault + static_cast<std::size_t>(which)].fetch_add(1, std::memory_order_relaxed);
  }

  std::uint64_t operator[](store_count which) const { return sum(static_cast<std::size_t>(which)); }
  std::uint64_t operator[](entry_fault which) const {
    return sum(first_fault + static_cast<std::size_t>(which));
  }

 private:
  static constexpr std::size_t first_fault = static_cast<std::size_t>(store_count::faults);
  static constexpr std::size_t places = 16;
  using counts = std::atomic<std::uint64_t>[store_counts];

  counts& here() {
    static std::atomic<std::size_t> next{0};
    thread_local std::size_t const mine = next.fetch_add(1, std::memory_order_relaxed) % places;
    return places_[mine].counted;
  }
  std::uint64_t sum(std::size_t which) const {
    std::uint64_t all = 0;
    for (auto const& place : places_) all += place.counted[which].load(std::memory_order_relaxed);
    return all;
  }

  struct alignas(64) place {
    counts counted = {};
  };
  place places_[places];
};

// ---- what threads keep -------------------------------------------------------------------------

namespace {

constexpr std::size_t kept_by_a_thread = std::size_t{1} << 22;

// The scopes that a thread asked for last; to compute one takes longer than the rest of an address.
class scope_memory {
 public:
  entry_scope const& of(std::uint64_t store, std::string_view provenance, store_key const& key) {
    std::size_t const last =
        key.layer.empty() ? 0 : static_cast<unsigned char>(key.layer[key.layer.size() - 1]);
    slot& s = slots_[(store * 7 + key.layer.size() * 3 + key.made_by.size() + last) % slots];
    if (s.store != store || s.layer != key.layer || s.made_by != key.made_by) {
      s.store = 0;
      s.layer = key.layer;
      s.made_by = key.made_by;
      s.scope = scope_of(provenance, key.made_by, key.layer);
      s.store = store;
    }
    return s.scope;
  }

 private:
  static constexpr std::size_t slots = 16;
  struct slot {
    std::uint64_t store = 0;
    std::string layer;
    std::string made_by;
    entry_scope scope;
  };
  slot slots_[slots];
};

// Where this thread found nothing last.
struct found_nothing {
  std::uint64_t store = 0;
  entry_address at = {};

  bool operator==(found_nothing const&) const = default;
};
found_nothing& last_found_nothing() {
  thread_local found_nothing last;
  return last;
}

std::uint64_t next_store_number() {
  static std::atomic<std::uint64_t> last{0};
  return 1 + last.fetch_add(1, std::memory_order_relaxed);
}

// A place for a content: the thread's, or one of its own inside a reader that loads in turn.
class borrowed_buffer {
 public:
  borrowed_buffer() : nested_(std::exchange(in_use(), true)) {}
  borrowed_buffer(borrowed_buffer const&) = delete;
  borrowed_buffer& operator=(borrowed_buffer const&) = delete;
  ~borrowed_buffer() {
    if (nested_) return;
    of_thread().keep_at_most(kept_by_a_thread);
    in_use() = false;
  }

  content_buffer& get() { return nested_ ? own_ : of_thread(); }

 private:
  static bool& in_use() {
    thread_local bool in_use = false;
    return in_use;
  }
  static content_buffer& of_thread() {
    thread_local content_buffer buffer;
    return buffer;
  }

  bool nested_;
  content_buffer own_;
};

// What user code says, and where it throws, not_readable: it choked on the bytes.
load_verdict verdict_of(artifact_store::reader const& read, std::string_view content) {
#if defined(__cpp_exceptions)
  try {
    return read(content);
  } catch (...) {
    return load_verdict::not_readable;
  }
#else
  return read(content);
#endif
}

}  // namespace
}  // namespace detail

struct entry_store::state {
  detail::store_counters counters;
  std::unique_ptr<byte_store> bytes;
  provenance made_by;
  store_options options;
  secret_key tag;
  std::string refused;  // empty: it can be used
  std::uint64_t number = detail::next_store_number();

  std::mutex words_mutex;
  std::string last_fault[entry_faults];
  std::string why_not_saved;

  std::mutex leases_mutex;
  std::vector<entry_address> leases;

  bool usable() const { return refused.empty(); }

  entry_address address(store_key const& key) const {
    thread_local detail::scope_memory scopes;
    return address_in(scopes.of(number, made_by.text(), key), key.canonical, key.variant);
  }

  entry_heading heading(store_key const& key) const {
    return {.layer = key.layer,
            .provenance = made_by.text(),
            .made_by = key.made_by,
            .canonical = key.canonical,
            .kind = key.kind,
            .variant = key.variant};
  }

  void count(entry_fault fault, entry_parts const& found, entry_heading const& wanted) {
    counters.add(fault);
    std::string words = "layer " + std::string(wanted.layer) +
                        ", an entry of the store: " + explain(fault, found, wanted);
    std::lock_guard const lock(words_mutex);
    last_fault[static_cast<std::size_t>(fault)] = std::move(words);
  }

  void not_saved(store_key const& key, std::string why) {
    counters.add(detail::store_count::not_saved);
    if (why.empty()) why = "the store does not say why";
    std::string words = "layer " + std::string(key.layer) + ": " + std::move(why);
    std::lock_guard const lock(words_mutex);
    why_not_saved = std::move(words);
  }

  // At what lies where an entry is wanted.
  struct look {
    state& s;
    entry_heading wanted;
    bool served = false;
    bool not_valid = false;
    bool faulty = false;
    bool remove = false;

    bool accepts(entry_bytes const& entry, reader const& read) {
      s.counters.add(detail::store_count::bytes_read, entry.bytes.size());
      entry_parts found;
      entry_fault which = decode_entry(entry, s.tag, found);
      if (which == entry_fault::none) which = compare(found.heading, wanted);
      detail::borrowed_buffer buffer;
      std::string_view content;
      if (which == entry_fault::none) which = buffer.get().content_of(found, content);
      if (which == entry_fault::none) {
        load_verdict const verdict = detail::verdict_of(read, content);
        served = verdict == load_verdict::serves;
        not_valid = not_valid || verdict == load_verdict::not_valid;
        if (verdict != load_verdict::not_readable) return served;
        which = entry_fault::not_readable;
      }
      faulty = true;
      remove = remove || which != entry_fault::no_memory;
      s.count(which, found, wanted);
      return false;
    }

    load_result end(read_result result, entry_address const& at) const {
      using detail::store_count;
      if (served) {
        s.counters.add(store_count::served);
        return load_result::served;
      }
      if (not_valid) {
        s.counters.add(store_count::not_valid);
        return load_result::not_valid;
      }
      if (faulty) {
        s.counters.add(store_count::faulty);
        if (remove && !s.options.read_only && s.bytes->remove(at))
          s.counters.add(store_count::repaired);
      } else if (result == read_result::unavailable) {
        s.counters.add(store_count::unavailable);
      } else {
        s.counters.add(store_count::absent);
        detail::last_found_nothing() = {s.number, at};
      }
      return load_result::missed;
    }
  };

  bool take_lease(entry_address const& at) {
    if (!bytes->take_lease(at, options.lease_time)) return false;
    std::lock_guard const lock(leases_mutex);
    leases.push_back(at);
    return true;
  }

  void drop_lease(entry_address const& at) {
    {
      std::lock_guard const lock(leases_mutex);
      auto const found = std::find(leases.begin(), leases.end(), at);
      if (found == leases.end()) return;
      leases.erase(found);
    }
    bytes->drop_lease(at);
  }

  void save(store_key const& key, std::string_view content) {
    thread_local std::string entry;
    entry.clear();
    if (std::string why = encode_entry(entry, heading(key), content, tag, options.compress_from);
        !why.empty())
      not_saved(key, std::move(why));
    else if (!bytes->write(address(key), entry))
      not_saved(key, bytes->problem());
    else {
      counters.add(detail::store_count::saved);
      counters.add(detail::store_count::bytes_written, entry.size());
    }
    if (entry.capacity() > detail::kept_by_a_thread) entry = std::string();
  }

  // Sleeps, or says true if it is asked to stop.
  static bool sleep(std::chrono::steady_clock::duration time, std::stop_token const& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    static_cast<void>(never.wait_for(lock, stop, time, [] { return false; }));
    return stop.stop_requested();
  }

  // Until somebody else's lease of an address is gone, what it was taken for is there, or the time
  // is over.
  turn wait(entry_address const& at, std::stop_token const& stop) {
    using namespace std::chrono_literals;
    using clock = std::chrono::steady_clock;
    counters.add(detail::store_count::waits);
    // What is there already was no use to who asks; what is made now is written over it.
    bool const was_there = bytes->contains(at);
    clock::time_point const end = clock::now() + options.lease_time;
    clock::duration step = 1ms;
    for (;;) {
      clock::duration const left = end - clock::now();
      if (left <= 0ms) break;
      if (sleep(std::min(step, left), stop)) return turn::own;
      step = std::min<clock::duration>(step * 3 / 2, 50ms);
      if (!was_there && bytes->contains(at)) return turn::look_again;
      if (!take_lease(at)) continue;
      // Whoever had it wrote before that, or gave up.
      if (!bytes->contains(at)) return turn::own;
      drop_lease(at);
      return turn::look_again;
    }
    counters.add(detail::store_count::leases_timed_out);
    take_lease(at);
    return turn::own;
  }
};

entry_store::entry_store(std::unique_ptr<byte_store> bytes, provenance made_by,
                         store_options options)
    : state_(std::make_unique<state>()) {
  state& s = *state_;
  if (bytes == nullptr)
    s.refused = "store: it was given no place for its bytes";
  else if (!made_by.problem().empty())
    s.refused = made_by.problem();
  else if (made_by.empty())
    s.refused =
        "store: its provenance is empty, so nothing would tell what this build makes from what "
        "others do. Give it this_build(), or the versions of everything that stages depend on";
  else if (!options.secret.problem().empty())
    s.refused = options.secret.problem();
  s.tag = tag_key(options.secret);
  s.bytes = std::move(bytes);
  s.made_by = std::move(made_by);
  s.options = std::move(options);
}

entry_store::entry_store(std::unique_ptr<byte_store> bytes, provenance made_by,
                         store_options options, std::string refused)
    : entry_store(std::move(bytes), std::move(made_by), std::move(options)) {
  if (state_->refused.empty()) state_->refused = std::move(refused);
}

std::unique_ptr<byte_store> entry_store::take_bytes() { return std::move(state_->bytes); }
provenance const& entry_store::made_by() const { return state_->made_by; }
store_options const& entry_store::options() const { return state_->options; }
std::string const& entry_store::refused() const { return state_->refused; }

entry_store::entry_store(entry_store&&) noexcept = default;
entry_store& entry_store::operator=(entry_store&&) noexcept = default;
entry_store::~entry_store() = default;

artifact_store::load_result entry_store::load(store_key const& key, reader const& read) {
  state& s = *state_;
  if (!s.usable()) {
    s.counters.add(detail::store_count::unavailable);
    return load_result::missed;
  }
  struct {
    state::look look;
    reader const& read;
  } now{{s, s.heading(key)}, read};
  entry_address const at = s.address(key);
  read_result const result = s.bytes->read(
      at, [&now](entry_bytes const& entry) { return now.look.accepts(entry, now.read); });
  return now.look.end(result, at);
}

std::vector<artifact_store::load_result> entry_store::load_many(std::vector<store_key> const& keys,
                                                                reader_of_many const& read) {
  state& s = *state_;
  std::vector<load_result> results(keys.size(), load_result::missed);
  if (!s.usable()) {
    s.counters.add(detail::store_count::unavailable, keys.size());
    return results;
  }
  std::vector<entry_address> at;
  std::vector<state::look> looks;
  at.reserve(keys.size());
  looks.reserve(keys.size());
  for (store_key const& key : keys) {
    at.push_back(s.address(key));
    looks.push_back({s, s.heading(key)});
  }
  auto const found =
      s.bytes->read_many(at, [&looks, &read](std::size_t which, std::string_view entry) {
        return looks[which].accepts(
            entry, [&read, which](std::string_view content) { return read(which, content); });
      });
  for (std::size_t i = 0; i != keys.size(); ++i)
    results[i] = looks[i].end(i < found.size() ? found[i] : read_result::unavailable, at[i]);
  return results;
}

void entry_store::save(store_key const& key, std::string_view content) {
  state& s = *state_;
  if (s.options.read_only) return;
  if (!s.usable()) return s.not_saved(key, s.refused);
#if defined(__cpp_exceptions)
  try {
    s.save(key, content);
  } catch (...) {
    s.counters.add(detail::store_count::not_saved);
    std::lock_guard const lock(s.words_mutex);
    s.why_not_saved = "no memory";  // needs none
  }
#else
  s.save(key, content);
#endif
}

artifact_store::turn entry_store::begin(store_key const& key, bool may_wait,
                                        std::stop_token const& stop) {
  state& s = *state_;
  if (!s.usable() || s.options.read_only || s.options.lease_time <= std::chrono::milliseconds(0))
    return turn::own;
  entry_address const at = s.address(key);
  if (!s.take_lease(at)) return may_wait ? s.wait(at, stop) : turn::own;
  // It may have been made between the look and this. One that was looked at is not looked at again.
  detail::found_nothing const here{s.number, at};
  if (may_wait && std::exchange(detail::last_found_nothing(), {}) == here &&
      s.bytes->contains(at)) {
    s.drop_lease(at);
    return turn::look_again;
  }
  return turn::own;
}

void entry_store::end(store_key const& key) {
  state& s = *state_;
  if (s.usable()) s.drop_lease(s.address(key));
}

std::string entry_store::code_identity(void const* function, std::string_view name) const {
  return state_->made_by.by_build() ? build_id_of_code(function) : std::string(name);
}

store_statistics entry_store::statistics() const {
  using detail::store_count;
  state& s = *state_;
  auto const& counters = s.counters;
  store_statistics all;
  all.served = counters[store_count::served];
  all.absent = counters[store_count::absent];
  all.not_valid = counters[store_count::not_valid];
  all.faulty = counters[store_count::faulty];
  all.unavailable = counters[store_count::unavailable];
  all.loads = all.served + all.absent + all.not_valid + all.faulty + all.unavailable;
  all.repaired = counters[store_count::repaired];
  all.saved = counters[store_count::saved];
  all.not_saved = counters[store_count::not_saved];
  all.waits = counters[store_count::waits];
  all.leases_timed_out = counters[store_count::leases_timed_out];
  all.bytes_read = counters[store_count::bytes_read];
  all.bytes_written = counters[store_count::bytes_written];
  std::lock_guard const lock(s.words_mutex);
  for (std::size_t i = 0; i != entry_faults; ++i)
    all.faults[i] = {counters[static_cast<entry_fault>(i)], s.last_fault[i]};
  all.why_not_saved = s.why_not_saved;
  return all;
}

std::string entry_store::problem() const {
  state& s = *state_;
  if (!s.usable()) return s.refused;
  if (std::string said = s.bytes->problem(); !said.empty()) return said;
  std::lock_guard const lock(s.words_mutex);
  return s.why_not_saved;
}

void entry_store::flush() {
  if (state_->bytes != nullptr) state_->bytes->flush();
}

byte_store& entry_store::bytes() { return *state_->bytes; }
byte_store const& entry_store::bytes() const { return *state_->bytes; }

// ---- statistics --------------------------------------------------------------------------------

std::uint64_t store_statistics::all_faults() const {
  std::uint64_t all = 0;
  for (auto const& each : faults) all += each.count;
  return all;
}

std::string to_text(store_statistics const& s) {
  struct row {
    std::string name;
    std::string number;
    std::string words;
  };
  std::vector<row> rows;
  auto const add = [&rows](std::string_view name, std::uint64_t number, std::string words = {}) {
    if (number != 0) rows.push_back({std::string(name), std::to_string(number), std::move(words)});
  };
  rows.push_back({"loads", std::to_string(s.loads), {}});
  add("served", s.served);
  add("absent", s.absent);
  add("not valid", s.not_valid);
  add("faulty", s.faulty);
  add("unavailable", s.unavailable);
  for (std::size_t i = 0; i != entry_faults; ++i)
    add(name_of(static_cast<entry_fault>(i)), s.faults[i].count, s.faults[i].last);
  add("repaired", s.repaired);
  add("saved", s.saved);
  add("not saved", s.not_saved, s.why_not_saved);
  add("waits", s.waits);
  add("leases timed out", s.leases_timed_out);
  add("bytes read", s.bytes_read);
  add("bytes written", s.bytes_written);

  std::size_t names = 0;
  std::size_t numbers = 0;
  for (row const& each : rows) {
    names = std::max(names, each.name.size());
    numbers = std::max(numbers, each.number.size());
  }
  std::string out;
  for (row const& each : rows) {
    (out += each.name).append(names - each.name.size() + 2 + numbers - each.number.size(), ' ');
    out += each.number;
    if (!each.words.empty()) (out += "  ") += each.words;
    out += '\n';
  }
  return out;
}

}  // namespace layerkey
