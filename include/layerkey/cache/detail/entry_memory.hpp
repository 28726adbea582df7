// Where entries lie: together, and not between what their artifacts allocate.
#pragma once

#include <layerkey/cache/detail/large_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <utility>

namespace layerkey::detail {

// Of a few entries the pool takes care, which keeps its memory. Of more, slabs of one size of entry
// each: a large page, that goes back when nothing is left in it, but for the last one with room.
// For any number of threads.
class entry_slabs {
 public:
  entry_slabs() = default;
  entry_slabs(entry_slabs const&) = delete;
  entry_slabs& operator=(entry_slabs const&) = delete;
  ~entry_slabs() {
    for (auto* each : slabs_)
      while (each) large_memory::give_back(std::exchange(each, each->next), large_memory::page);
  }

  // `size`: that of an object, a multiple of its alignment.
  void* allocate(std::size_t size, std::size_t alignment) {
    if (large_memory::is_for(large_memory::page) && size <= most_bytes &&
        alignment <= alignof(slab)) {
      std::lock_guard const lock(mutex_);
      auto& of = sizes_[kind(size)];
      if (of.in_pool < of_pool / size)
        ++of.in_pool;
      else if (auto* const in = slab_with_room(kind(size)))
        return take(*in);
      else
        ++of.in_pool;
    }
    return pool_.allocate(size, alignment);
  }

  void deallocate(void* at, std::size_t size, std::size_t alignment) {
    if (large_memory::is_for(large_memory::page) && size <= most_bytes &&
        alignment <= alignof(slab)) {
      std::lock_guard const lock(mutex_);
      auto const page = reinterpret_cast<std::uintptr_t>(at) / large_memory::page;
      for (auto* each = place_of(page); each; each = each->next)
        if (page_of(each) == page) return put(*each, at);
      --sizes_[kind(size)].in_pool;
    }
    pool_.deallocate(at, size, alignment);
  }

  // How many there are.
  std::size_t slabs() const {
    std::lock_guard const lock(mutex_);
    return count_;
  }

  // Bytes of each size that the pool takes care of.
  static constexpr std::size_t of_pool = std::size_t{1} << 19;

 private:
  // Entries lie behind it.
  struct alignas(128) slab {
    std::size_t kind;
    std::size_t fresh;  // where what was never used begins
    std::size_t used = 0;
    void* free = nullptr;  // a list
    slab* next = nullptr;  // in its place
    slab* next_with_room = nullptr;
    slab* last_with_room = nullptr;
  };

  struct of_size {
    std::size_t in_pool = 0;
    slab* with_room = nullptr;
  };

  static constexpr std::size_t step = 64;
  static constexpr std::size_t most_bytes = 4096;
  static constexpr std::size_t places = 64;

  static std::uintptr_t page_of(slab const* at) {
    return reinterpret_cast<std::uintptr_t>(at) / large_memory::page;
  }
  slab*& place_of(std::uintptr_t page) { return slabs_[page % places]; }

  static std::size_t kind(std::size_t size) { return (size - 1) / step; }
  static std::size_t block(slab const& in) { return (in.kind + 1) * step; }

  slab* slab_with_room(std::size_t kind) {
    auto& first = sizes_[kind].with_room;
    if (first) return first;
    void* const at = large_memory::take(large_memory::page);
    if (!at) return nullptr;
    auto* const made = ::new (at) slab{kind, sizeof(slab)};
    made->next = std::exchange(place_of(page_of(made)), made);
    ++count_;
    return first = made;
  }

  static bool is_full(slab const& in) {
    return !in.free && in.fresh + block(in) > large_memory::page;
  }

  void* take(slab& in) {
    void* at = in.free;
    if (at)
      in.free = *static_cast<void**>(at);
    else
      at = reinterpret_cast<char*>(&in) + std::exchange(in.fresh, in.fresh + block(in));
    ++in.used;
    if (is_full(in)) unlink(in);
    return at;
  }

  void put(slab& in, void* at) {
    if (is_full(in)) link(in);
    ::new (at) void*(in.free);
    in.free = at;
    if (--in.used != 0 || (!in.next_with_room && !in.last_with_room)) return;
    unlink(in);
    auto** where = &place_of(page_of(&in));
    while (*where != &in) where = &(*where)->next;
    *where = in.next;
    --count_;
    large_memory::give_back(&in, large_memory::page);
  }

  void link(slab& in) {
    auto& first = sizes_[in.kind].with_room;
    in.last_with_room = nullptr;
    in.next_with_room = first;
    if (first) first->last_with_room = &in;
    first = &in;
  }
  void unlink(slab& in) {
    auto& before =
        in.last_with_room ? in.last_with_room->next_with_room : sizes_[in.kind].with_room;
    before = in.next_with_room;
    if (in.next_with_room) in.next_with_room->last_with_room = in.last_with_room;
  }

  mutable std::mutex mutex_;
  slab* slabs_[places] = {};  // by where they are
  std::size_t count_ = 0;
  of_size sizes_[most_bytes / step];
  std::pmr::synchronized_pool_resource pool_;
};

#ifdef LAYERKEY_ADDRESSES_ARE_CHECKED
// So that a use after the end is seen.
inline std::pmr::memory_resource& entry_memory() { return *std::pmr::new_delete_resource(); }
#else
// Of the process, and never destroyed: entries may be held while it ends.
inline entry_slabs& entry_memory() {
  static auto& memory = *new entry_slabs;
  return memory;
}
#endif

}  // namespace layerkey::detail
