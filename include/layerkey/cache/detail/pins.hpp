// Pins: how a reader keeps an object of a shared table alive without a lock, a shared counter or a
// store to memory that another thread writes.
//
// Hazard pointers (M. Michael, "Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects",
// IEEE TPDS 15(6), 2004) with the fence on the side of who frees (membarrier(2), as in liburcu and
// folly's asymmetric fences): a reader writes to its own thread's record only.
#pragma once

#include <layerkey/detail/inline.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace layerkey::detail {

// An object with counted owners, a table among them, that readers may pin on top of that. It is
// destroyed when it has neither.
class pinnable {
 public:
  using destroyer = void (*)(pinnable const*);

  // Has one owner: who made it.
  explicit pinnable(destroyer destroy) : destroy_(destroy) {}
  pinnable(pinnable const&) = delete;
  pinnable& operator=(pinnable const&) = delete;

  void add_owner() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  inline void drop_owner() const;

  // Before other threads can find it, and so pin it.
  void publish() { published_ = true; }

  // Nobody else has it, nor can come to have it.
  bool is_sole_owner() const { return !published_ && owners_.load(std::memory_order_acquire) == 1; }

  bool is_retired() const { return (owners_.load(std::memory_order_relaxed) & retired) != 0; }

 protected:
  ~pinnable() = default;

 private:
  friend class pin_domain;

  // Whether it was retired is in the same word: who drops the last owner of an object that is
  // retired must not look at it again, since who collects may destroy it from then on.
  static constexpr std::uint32_t retired = 1u << 31;

  mutable std::atomic<std::uint32_t> owners_{1};
  bool published_ = false;
  destroyer destroy_;
  mutable pinnable const* next_ = nullptr;
};

using pin_slot = std::atomic<pinnable const*>;

// The pins of one thread. Outlives the thread, as its pins may, and is then used by another.
struct alignas(64) thread_pins {
  static constexpr std::size_t slots_of_a_block = 15;

  struct alignas(64) block {
    pin_slot slots[slots_of_a_block] = {};
    std::atomic<block*> next{nullptr};
  };

  pin_slot* last;         // tried first
  block* last_block;      // where it is
  std::size_t index = 0;  // less than the greatest number of threads at one time
  bool fence = false;     // where the freeing side has none
  std::atomic<bool> taken{true};
  thread_pins* next = nullptr;
  block first;

  thread_pins() : last(&first.slots[0]), last_block(&first) {}

  // A slot that is free; only this thread fills its slots, any thread empties them.
  LAYERKEY_ALWAYS_INLINE pin_slot& free_slot() {
    if (!last->load(std::memory_order_acquire)) [[likely]]
      return *last;
    return another();
  }

 private:
  // From the block of the last one on, since what was pinned last is mostly dropped first.
  [[gnu::noinline, gnu::cold]] pin_slot& another() {
    for (block* each = last_block;; each = each->next.load(std::memory_order_relaxed)) {
      for (auto& slot : each->slots)
        if (!slot.load(std::memory_order_acquire)) return take(slot, each);
      if (!each->next.load(std::memory_order_relaxed)) break;
    }
    for (block* each = &first;; each = each->next.load(std::memory_order_relaxed)) {
      for (auto& slot : each->slots)
        if (!slot.load(std::memory_order_acquire)) return take(slot, each);
      if (each->next.load(std::memory_order_relaxed)) continue;
      auto* const more = new block;
      each->next.store(more, std::memory_order_release);
      return take(more->slots[0], more);
    }
  }

  pin_slot& take(pin_slot& slot, block* in) {
    last_block = in;
    return *(last = &slot);
  }
};

inline constinit thread_local thread_pins* pins_of_this_thread = nullptr;

struct collecting {
  bool now = false;
  bool again = false;
};
inline constinit thread_local collecting collecting_of_this_thread{};

// Of the process; never destroyed, since pins may be dropped while the process ends.
class pin_domain {
 public:
  static pin_domain& get() {
    static auto& domain = *new pin_domain;
    return domain;
  }

  LAYERKEY_ALWAYS_INLINE static thread_pins& here() {
    if (auto* const pins = pins_of_this_thread) [[likely]]
      return *pins;
    return get().enter();
  }

  void retire(pinnable const* object) {
    auto const waiting = 1 + waiting_.fetch_add(1, std::memory_order_relaxed);
    push(object, object);
    // What stayed pinned is looked at again only after as much again has come.
    if (waiting > 2 * survivors_.load(std::memory_order_relaxed)) collect();
  }

  // Destroys what is retired and no longer pinned. Runs the destructors of artifacts, so not to be
  // called with a lock held. Where these release others it is called from within, and then goes
  // round once more in place of deeper.
  void collect() {
    auto& own = collecting_of_this_thread;
    own.again = true;
    if (own.now) return;
    own.now = true;
    int rounds_for_others = 0;
    do own.again = false;
    while (collect_once() && (own.again || (released_.load() != 0 && ++rounds_for_others < 4)));
    own.now = false;
  }

  // After a hold of a retired object went. Where many are retired, those that went are looked for
  // together: no more than half of what waits was let go.
  void collect_released() {
    auto const waiting = waiting_.load(std::memory_order_relaxed);
    if (1 + released_.fetch_add(1) >= waiting / 2 || waiting <= 64) collect();
  }

 private:
  pin_domain() : light_(register_heavy_fence()) {}

  static bool register_heavy_fence() {
#if defined(__linux__) && defined(SYS_membarrier)
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
#else
    return false;
#endif
  }

  // After it, what any thread stored before is seen here, and what this thread stored before is
  // seen by what any thread loads after.
  // False where the kernel does not do it any more, as behind a filter of system calls.
  bool heavy_fence() const {
#if defined(__linux__) && defined(SYS_membarrier)
    auto const fence = [] {
      return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
    };
    // A child of fork() has to register again.
    if (light_) return fence() || (register_heavy_fence() && fence());
#endif
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return true;
  }

  struct leave_at_end_of_thread {
    thread_pins* pins = nullptr;
    ~leave_at_end_of_thread() {
      if (!pins) return;
      pins_of_this_thread = nullptr;
      pins->taken.store(false, std::memory_order_release);
    }
  };

  [[gnu::noinline, gnu::cold]] thread_pins& enter() {
    static thread_local leave_at_end_of_thread leave;
    std::lock_guard const lock(mutex_);
    auto* pins = threads_.load(std::memory_order_relaxed);
    while (pins && pins->taken.load(std::memory_order_acquire)) pins = pins->next;
    if (pins)
      pins->taken.store(true, std::memory_order_relaxed);
    else {
      pins = new thread_pins;
      pins->fence = !light_;
      pins->index = count_++;
      pins->next = threads_.load(std::memory_order_relaxed);
      threads_.store(pins, std::memory_order_release);
    }
    leave.pins = pins;
    return *(pins_of_this_thread = pins);
  }

  std::vector<pinnable const*> all_pinned() const {
    std::vector<pinnable const*> all;
    for (auto const* each = threads_.load(std::memory_order_acquire); each; each = each->next)
      for (auto const* block = &each->first; block;
           block = block->next.load(std::memory_order_acquire))
        for (auto const& slot : block->slots)
          if (auto const* const object = slot.load(std::memory_order_acquire))
            all.push_back(object);
    std::sort(all.begin(), all.end());
    return all;
  }

  void push(pinnable const* first, pinnable const* last) {
    last->next_ = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(last->next_, first, std::memory_order_seq_cst,
                                           std::memory_order_relaxed)) {
    }
  }

  // False where there is nothing, or another thread is at it: that one looks again for what was
  // released meanwhile.
  bool collect_once() {
    auto const* list = retired_.exchange(nullptr);
    if (!list) return false;
    released_.exchange(0);
    if (!heavy_fence()) {  // nobody knows what is pinned, so all of it stays
      auto const* last = list;
      while (last->next_) last = last->next_;
      push(list, last);
      return false;
    }
    auto const pinned = all_pinned();
    // Owners are looked at after pins: who has a pin may become an owner and then drop the pin.
    pinnable const *kept = nullptr, *last = nullptr;
    std::size_t survivors = 0, gone = 0;
    for (pinnable const* next; list; list = next) {
      next = list->next_;
      if (std::binary_search(pinned.begin(), pinned.end(), list) ||
          list->owners_.load(std::memory_order_acquire) != pinnable::retired) {
        list->next_ = kept;
        kept = list;
        if (!last) last = list;
        ++survivors;
      } else {
        list->destroy_(list);
        ++gone;
      }
    }
    survivors_.store(survivors, std::memory_order_relaxed);
    waiting_.fetch_sub(gone, std::memory_order_relaxed);
    if (kept) push(kept, last);
    return true;
  }

  bool const light_;
  std::mutex mutex_;
  std::atomic<thread_pins*> threads_{nullptr};
  std::size_t count_ = 0;
  std::atomic<pinnable const*> retired_{nullptr};
  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::size_t> survivors_{0};
  std::atomic<std::size_t> released_{0};  // since they were looked for
};

inline void pinnable::drop_owner() const {
  bool const shared = published_;
  auto before = owners_.load(std::memory_order_relaxed);
  for (;;) {
    auto const last = (before & ~retired) == 1;
    auto const after = last ? retired : before - 1;
    if (!owners_.compare_exchange_weak(before, after, std::memory_order_acq_rel,
                                       std::memory_order_relaxed))
      continue;
    if (!last) return;
    if (!shared)
      destroy_(this);
    else if (before == 1)
      pin_domain::get().retire(this);
    else
      pin_domain::get().collect_released();
    return;
  }
}

// One pin, or one owner; movable between threads.
class hold {
 public:
  hold() = default;

  // Of an object that the caller owns; takes that over.
  static hold adopt(pinnable const* object) { return hold(object, nullptr); }
  static hold own(pinnable const* object) {
    object->add_owner();
    return hold(object, nullptr);
  }

  // Pins `object`, which is alive while `where` says `word`. Empty where that changes meanwhile.
  LAYERKEY_ALWAYS_INLINE static hold pin(thread_pins& pins, pinnable const* object,
                                         std::atomic<std::uintptr_t> const& where,
                                         std::uintptr_t word) {
    auto& slot = pins.free_slot();
    slot.store(object, std::memory_order_release);
    if (pins.fence)
      std::atomic_thread_fence(std::memory_order_seq_cst);
    else
      std::atomic_signal_fence(std::memory_order_seq_cst);
    if (where.load(std::memory_order_acquire) != word) [[unlikely]] {
      slot.store(nullptr, std::memory_order_release);
      return {};
    }
    return hold(object, &slot);
  }

  LAYERKEY_ALWAYS_INLINE hold(hold&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), slot_(other.slot_) {}
  // A copy is an owner: a second pin could be missed by who looks at all pins just then.
  hold(hold const& other) : object_(other.object_) {
    if (object_) object_->add_owner();
  }
  hold& operator=(hold other) noexcept {
    std::swap(object_, other.object_);
    std::swap(slot_, other.slot_);
    return *this;
  }
  LAYERKEY_ALWAYS_INLINE ~hold() {
    if (!object_) return;
    if (!slot_) {
      drop_owner(object_);
      return;
    }
    bool const retired = object_->is_retired();
    slot_->store(nullptr, std::memory_order_release);
    if (retired) [[unlikely]]
      collect();
  }

  pinnable const* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  [[gnu::noinline]] static void drop_owner(pinnable const* object) { object->drop_owner(); }
  [[gnu::noinline, gnu::cold]] static void collect() { pin_domain::get().collect_released(); }

  LAYERKEY_ALWAYS_INLINE hold(pinnable const* object, pin_slot* slot)
      : object_(object), slot_(slot) {}

  pinnable const* object_ = nullptr;
  pin_slot* slot_ = nullptr;
};

}  // namespace layerkey::detail
