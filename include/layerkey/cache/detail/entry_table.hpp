// A hash table of pinnable entries whose readers take no lock and write nothing but their own pins.
//
// Why not a library's (bench/lookup, one run): with oneTBB's maps and with locks of any kind
// readers write to memory that they share, so two of them are slower than one. liburcu's cds_lfht
// does not, but wants to know beforehand how large it will be, has its readers register, and links
// a library into what is otherwise headers. None compares by params without a key being made.
#pragma once

#include <layerkey/cache/detail/large_memory.hpp>
#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/detail/inline.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace layerkey::detail {

// Open addressing with linear probing. What a reader finds is there and equal; what it does not
// find may be on its way from one array to the next, so a miss is confirmed by whoever holds the
// writers' lock. Functions that write, or say "locked", need that lock.
template<class Entry>
class entry_table {
  // The address of an entry, and in the bits that its alignment leaves some of its hash. 0: never
  // used. 1: used once, and free.
  using slot = std::atomic<std::uintptr_t>;
  static constexpr std::uintptr_t tag_bits = 63;
  static constexpr std::uintptr_t removed = 1;

  static std::uintptr_t tag_of(std::uint64_t hash) {
    return static_cast<std::uintptr_t>(hash >> 58);
  }
  static Entry* entry_in(std::uintptr_t word) { return reinterpret_cast<Entry*>(word & ~tag_bits); }
  static Entry* entry_at(slot const& at) { return entry_in(at.load(std::memory_order_relaxed)); }

  // The slots lie behind it, so that a reader does not have to load where they are.
  struct alignas(64) array {
    std::size_t const size;  // a power of two
    bool const large;
    array* older = nullptr;  // readers may still be in it; together no larger than this one
    array* spare = nullptr;  // of the same size

    slot* slots() { return reinterpret_cast<slot*>(this + 1); }
    slot const* slots() const { return reinterpret_cast<slot const*>(this + 1); }

    static array* make(std::size_t size) {
      auto const bytes = bytes_of(size);
      void* const large = large_memory::is_for(bytes) ? large_memory::take(bytes) : nullptr;
      void* const memory = large ? large : ::operator new(bytes, std::align_val_t(alignof(array)));
      auto* const made = new (memory) array(size, large != nullptr);
      std::uninitialized_value_construct_n(made->slots(), size);
      return made;
    }
    static void destroy(array* all) {
      if (!all) return;
      destroy(all->older);
      destroy(all->spare);
      auto const bytes = bytes_of(all->size);
      bool const large = all->large;
      all->~array();
      if (large)
        large_memory::give_back(all, bytes);
      else
        ::operator delete(all, std::align_val_t(alignof(array)));
    }

    // Nothing is in it from now on.
    void empty() {
      for (std::size_t i = 0; i != size; ++i) slots()[i].store(0, std::memory_order_release);
    }
    void give_memory_back() {
      if (large) large_memory::give_zeros_back(this, bytes_of(size));
    }

   private:
    array(std::size_t n, bool l) : size(n), large(l) {}

    static std::size_t bytes_of(std::size_t size) { return sizeof(array) + size * sizeof(slot); }
  };

 public:
  entry_table() = default;
  entry_table(entry_table const&) = delete;
  entry_table& operator=(entry_table const&) = delete;
  ~entry_table() { array::destroy(array_.load(std::memory_order_relaxed)); }

  // Pins the first entry with this hash for which `is(entry)`. The pin may be empty.
  template<class Is>
  LAYERKEY_ALWAYS_INLINE hold find(thread_pins& pins, std::uint64_t hash, Is const& is) const {
    auto const* const in = array_.load(std::memory_order_acquire);
    if (!in) return {};
    auto const wanted = tag_of(hash);
    auto const mask = in->size - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      auto const& at = in->slots()[i];
      auto const word = at.load(std::memory_order_acquire);
      if (auto const* const entry = entry_in(word)) [[likely]] {
        if ((word & tag_bits) != wanted) continue;
        if (auto pinned = hold::pin(pins, entry, at, word))
          if (is(*entry)) [[likely]]
            return pinned;
      } else if (word == 0)
        return {};
    }
  }

  // Each entry of this hash, locked.
  template<class Visit>
  void for_each_of(std::uint64_t hash, Visit const& visit) const {
    auto const* const in = array_.load(std::memory_order_relaxed);
    if (!in) return;
    auto const mask = in->size - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      auto const& at = in->slots()[i];
      if (at.load(std::memory_order_relaxed) == 0) return;
      if (auto* const entry = entry_at(at); entry && entry->hash == hash) visit(*entry);
    }
  }

  // Each entry, locked, from place `from` on and around, until `visit` says false. Returns the
  // place where it ended.
  template<class Visit>
  std::size_t sweep(std::size_t from, Visit const& visit) const {
    auto const* const in = array_.load(std::memory_order_relaxed);
    if (!in) return 0;
    for (std::size_t n = 0; n != in->size; ++n) {
      auto const i = (from + n) & (in->size - 1);
      if (auto* const entry = entry_at(in->slots()[i]))
        if (!visit(*entry)) return i;
    }
    return from;
  }

  // The table does not own its entries: who inserts gives an owner's share along, who removes takes
  // it back.
  void insert(Entry* entry) {
    auto* in = array_.load(std::memory_order_relaxed);
    if (!in || used_ >= most_used(in->size)) in = make_room(in);
    put(*in, entry);
    ++size_;
  }

  bool remove(Entry const* entry) {
    auto* const in = array_.load(std::memory_order_relaxed);
    if (!in) return false;
    auto const mask = in->size - 1;
    for (std::size_t i = entry->hash & mask;; i = (i + 1) & mask) {
      auto& at = in->slots()[i];
      if (at.load(std::memory_order_relaxed) == 0) return false;
      if (entry_at(at) != entry) continue;
      at.store(removed, std::memory_order_release);
      --size_;
      return true;
    }
  }

  std::size_t size() const { return size_; }

 private:
  // Few, so that nearly each entry lies where it is looked for first: the processor goes on from
  // there before it knows, and a wrong guess costs more than to read the slot.
  static std::size_t most_used(std::size_t size) { return size / 3; }

  void put(array& in, Entry* entry) {
    static_assert(alignof(Entry) > tag_bits);
    auto const mask = in.size - 1;
    for (std::size_t i = entry->hash & mask;; i = (i + 1) & mask) {
      auto& at = in.slots()[i];
      if (entry_at(at)) continue;
      if (at.load(std::memory_order_relaxed) == 0) ++used_;
      at.store(reinterpret_cast<std::uintptr_t>(entry) | tag_of(entry->hash),
               std::memory_order_release);
      return;
    }
  }

  // A larger array, or one of the same size without what only was used once.
  array* make_room(array* from) {
    std::size_t const size = !from                                    ? 16
                             : 4 * size_ >= 3 * most_used(from->size) ? 2 * from->size
                                                                      : from->size;
    auto* const to = from && from->spare && size == from->size ? std::exchange(from->spare, nullptr)
                                                               : array::make(size);
    used_ = 0;
    if (from)
      for (std::size_t i = 0; i != from->size; ++i)
        if (auto* const entry = entry_at(from->slots()[i])) put(*to, entry);
    array_.store(to, std::memory_order_release);
    if (!from) return to;
    // Before any entry is retired: who reads here would not see that it has gone.
    from->empty();
    if (size == from->size) {
      to->older = std::exchange(from->older, nullptr);
      to->spare = from;
    } else {
      to->older = from;
      from->give_memory_back();
    }
    return to;
  }

  std::atomic<array*> array_{nullptr};
  std::size_t size_ = 0;
  std::size_t used_ = 0;  // slots of the array that are not 0
};

}  // namespace layerkey::detail
