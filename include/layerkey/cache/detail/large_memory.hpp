// Memory that is read here and there, as tables and entries are. Where there is much of it, it lies
// in large pages, so that the processor seldom has to look for a page first; and goes back to the
// system at once.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LAYERKEY_ADDRESSES_ARE_CHECKED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LAYERKEY_ADDRESSES_ARE_CHECKED
#endif
#endif

namespace layerkey::detail {

struct large_memory {
  static constexpr std::size_t page = std::size_t{1} << 21;

  // Whether it is there for so many bytes: all functions are for such only.
  static constexpr bool is_for([[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE) && !defined(LAYERKEY_ADDRESSES_ARE_CHECKED)
    return bytes >= page;
#else
    return false;
#endif
  }

#if defined(MADV_HUGEPAGE)
  // Zeros, that begin with a large page. Null where there is no more.
  static void* take(std::size_t bytes) {
    bytes = whole(bytes);
    void* const all = ::mmap(nullptr, bytes + page - small_page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    auto* const begin = static_cast<char*>(all);
    auto* const at = begin + (page - reinterpret_cast<std::uintptr_t>(all) % page) % page;
    auto const before = static_cast<std::size_t>(at - begin);
    if (before != 0) ::munmap(begin, before);
    if (before != page - small_page) ::munmap(at + bytes, page - small_page - before);
    // A large page for a rest of few bytes would be mostly empty. Where none is to be had, pages
    // are small.
    static_cast<void>(::madvise(at, bytes / page * page, MADV_HUGEPAGE));
    return at;
  }
  static void give_back(void* at, std::size_t bytes) { ::munmap(at, whole(bytes)); }

  // Gives the memory of zeros back, but for the beginning. Others may read them meanwhile.
  static void give_zeros_back(void* at, std::size_t bytes) {
    ::madvise(static_cast<char*>(at) + small_page, whole(bytes) - small_page, MADV_DONTNEED);
  }

 private:
  static constexpr std::size_t small_page = 4096;

  static std::size_t whole(std::size_t bytes) {
    return (bytes + small_page - 1) / small_page * small_page;
  }
#else
  static void* take(std::size_t) { return nullptr; }
  static void give_back(void*, std::size_t) {}
  static void give_zeros_back(void*, std::size_t) {}
#endif
};

}  // namespace layerkey::detail
