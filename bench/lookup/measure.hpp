// Two threads on a processor each, and what a lookup takes on one of them or on both.
#pragma once

#include "jobs.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lookup {

using clock = std::chrono::steady_clock;

// Zero, which the compiler does not know.
inline u64 const volatile hidden_zero = 0;

inline double median(std::vector<double> of) {
  if (of.empty()) return 0;
  auto const middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

inline std::vector<int> processors() {
  std::vector<int> ours;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i != CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set)) ours.push_back(i);
  return ours;
}

// Two threads that last as long as this, the first on our first processor, the other on the last.
class reader_pair {
 public:
  reader_pair() {
    auto const ours = processors();
    for (int i = 0; i != 2; ++i)
      threads_[i] = std::thread([this, i, ours] {
        if (!ours.empty()) {
          cpu_set_t set;
          CPU_ZERO(&set);
          CPU_SET(i == 0 ? ours.front() : ours.back(), &set);
          sched_setaffinity(0, sizeof set, &set);
        }
        serve(i);
      });
  }
  ~reader_pair() {
    start(2, nullptr);
    for (auto& each : threads_) each.join();
  }
  reader_pair(reader_pair const&) = delete;
  reader_pair& operator=(reader_pair const&) = delete;

  // work(i) on each reader i from first on. Nothing else is started until wait().
  void start(int readers, std::function<void(int)> work, int first = 0) {
    std::lock_guard const lock(mutex_);
    work_ = std::move(work);
    for (int i = first; i != first + readers; ++i) asked_[i] = true;
    left_ = readers;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return left_ == 0; });
  }
  // Whether they were done before `until`.
  bool wait_until(clock::time_point until) {
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, until, [this] { return left_ == 0; });
  }
  void run(int readers, std::function<void(int)> work, int first = 0) {
    start(readers, std::move(work), first);
    wait();
  }

 private:
  void serve(int i) {
    for (;;) {
      std::function<void(int)> work;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return asked_[i]; });
        asked_[i] = false;
        work = work_;
      }
      if (!work) return;
      work(i);
      std::lock_guard const lock(mutex_);
      if (--left_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void(int)> work_;
  bool asked_[2] = {};
  int left_ = 0;
  std::thread threads_[2];
};

// Lets readers begin together.
class start_line {
 public:
  explicit start_line(int readers) : missing_(readers) {}

  bool is_crossed() const { return missing_.load(std::memory_order_acquire) == 0; }

  void cross() {
    missing_.fetch_sub(1, std::memory_order_acq_rel);
    for (int i = 0; !is_crossed(); ++i)
      if (i > 100'000) std::this_thread::yield();
  }

 private:
  std::atomic<int> missing_;
};

// How often the system has taken the processor away from this thread.
inline long interruptions() {
  rusage used;
  return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nivcsw : 0;
}

// Each lookup waits for what the last one found, as a launch does.
template<class Options, class Table>
[[gnu::noinline]] u64 chained_lookups(Table& table, job_sequence const& jobs, std::size_t count) {
  auto const& options = lookup::options().as<Options>();
  u64 const zero = hidden_zero;
  u64 sum = 0;
  u64 misses = 0;
  for (std::size_t i = 0; i != count;) {
    table.quiescent();
    for (std::size_t const end = std::min(i + 1024, count); i != end; ++i) {
      auto const job = jobs[i % sequence_length + (sum & zero)];
      u64 const artifact = table.find(job / configurations, options[job % configurations]);
      misses += artifact == 0;
      sum += artifact;
    }
  }
  return misses;
}

// Short, so that most slices are over before the system takes a processor away.
constexpr std::size_t slice_length = sequence_length / 2;

// What a reader asks: the table, or what the table gives to each reader.
template<class Table>
decltype(auto) reader_of(Table& table) {
  if constexpr (requires { table.reader(); })
    return table.reader();
  else
    return (table);
}

struct slice {
  double ns = 0;            // a lookup, the mean of all readers
  bool undisturbed = true;  // no processor was taken away, and the readers ran side by side
  std::size_t inserts = 0;
  u64 misses = 0;
  double seconds = 0;
};

// A table, whatever its type.
class contender {
 public:
  std::string name;
  bool concurrent = true;  // whether one may insert while others read
  bool one_job = false;    // whether it is asked for the same job again and again
  bool compiles = false;   // whether it makes what it does not find

  virtual ~contender() = default;

  virtual void insert(std::size_t job) = 0;
  // Whether each of the first `jobs` is found, and none that was not inserted.
  virtual bool is_right(std::size_t jobs) = 0;
  virtual slice measure(reader_pair&, job_sequence const (&)[2], int readers, bool sealed) = 0;
  // The same for longer, with a new job each millisecond where `next` is given.
  virtual slice measure_with_writer(reader_pair&, job_sequence const (&)[2], std::size_t* next) = 0;

 protected:
  explicit contender(std::string n) : name(std::move(n)) {}
};

template<class Table>
class contender_of : public contender {
 public:
  template<class... A>
  explicit contender_of(std::string n, A&&... a)
      : contender(std::move(n)), table_(std::forward<A>(a)...) {}

  void insert(std::size_t job) override {
    auto const& params = options().params[job % configurations];
    u64 const input = job / configurations;
    table_.enter();
    table_.insert(input, params, artifact_of(input, params));
    table_.leave();
  }

  bool is_right(std::size_t jobs) override {
    auto&& reader = reader_of(table_);
    auto const is_found = [&](std::size_t job) {
      auto const& params = options().params[job % configurations];
      auto const& sealed = options().sealed[job % configurations];
      u64 const input = job / configurations;
      u64 const made = artifact_of(input, params);
      return reader.find(input, params) == made && reader.find(input, sealed) == made;
    };
    auto const is_missing = [&](std::size_t job) {
      return reader.find(job / configurations, options().params[job % configurations]) == 0;
    };
    table_.enter();
    bool right = (compiles || is_missing(jobs + configurations)) && is_found(jobs - 1);
    if (!one_job)
      for (std::size_t job = 0; job != jobs && right; ++job) right = is_found(job);
    table_.leave();
    return right;
  }

  slice measure(reader_pair& readers, job_sequence const (&jobs)[2], int count,
                bool sealed) override {
    return sealed ? run<sealed_params>(readers, jobs, count, slice_length)
                  : run<fixed_params>(readers, jobs, count, slice_length);
  }

  slice measure_with_writer(reader_pair& readers, job_sequence const (&jobs)[2],
                            std::size_t* next) override {
    return run<fixed_params>(readers, jobs, 2, 2 * sequence_length, next);
  }

 private:
  struct measured {
    clock::time_point begin;
    clock::time_point end;
    long interruptions = 0;
    u64 misses = 0;
  };

  // Each reader goes through its jobs once, then begins with the others and is timed.
  template<class Options>
  slice run(reader_pair& readers, job_sequence const (&jobs)[2], int count, std::size_t lookups,
            std::size_t* next = nullptr) {
    start_line line(count);
    measured of[2];
    readers.start(count, [&](int i) {
      table_.enter();
      auto&& reader = reader_of(table_);
      of[i].misses = chained_lookups<Options>(reader, jobs[i], sequence_length);
      line.cross();
      auto const before = interruptions();
      of[i].begin = clock::now();
      of[i].misses += chained_lookups<Options>(reader, jobs[i], lookups);
      of[i].end = clock::now();
      of[i].interruptions = interruptions() - before;
      table_.leave();
    });
    slice result;
    if (next) result.inserts = write(readers, line, *next);
    readers.wait();
    result.misses = of[0].misses + of[1].misses;

    if (count == 1) of[1] = of[0];
    auto const together = std::min(of[0].end, of[1].end) - std::max(of[0].begin, of[1].begin);
    auto const in_all = std::max(of[0].end, of[1].end) - std::min(of[0].begin, of[1].begin);
    std::chrono::duration<double> const sum = (of[0].end - of[0].begin) + (of[1].end - of[1].begin);
    result.seconds = sum.count() / 2;
    result.ns = result.seconds * 1e9 / static_cast<double>(lookups);
    // Each insert may take a processor once; it has to run somewhere.
    result.undisturbed = together > in_all * 8 / 10 &&
                         of[0].interruptions <= static_cast<long>(result.inserts) &&
                         of[1].interruptions <= static_cast<long>(result.inserts);
    return result;
  }

  // A new job each millisecond, from the line on until the readers are done.
  std::size_t write(reader_pair& readers, start_line const& line, std::size_t& next) {
    // Asleep, so as to take no processor from a reader on its way there.
    while (!line.is_crossed()) std::this_thread::sleep_for(std::chrono::microseconds(100));
    std::size_t inserts = 0;
    auto due = clock::now() + std::chrono::microseconds(500);
    while (!readers.wait_until(due)) {
      insert(next++);
      ++inserts;
      due += std::chrono::milliseconds(1);
    }
    return inserts;
  }

  Table table_;
};

}  // namespace lookup
