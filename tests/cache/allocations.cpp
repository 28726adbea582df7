#include "allocations.hpp"

#include <malloc.h>

#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define LAYERKEY_TEST_COUNTS_NO_ALLOCATIONS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LAYERKEY_TEST_COUNTS_NO_ALLOCATIONS
#endif

namespace counted {

thread_local std::size_t allocations = 0;
std::atomic<std::ptrdiff_t> bytes{0};

#ifdef LAYERKEY_TEST_COUNTS_NO_ALLOCATIONS
bool const counts = false;
#else
bool const counts = true;

namespace {

void* note(void* p) {
  if (!p) std::abort();
  ++allocations;
  bytes.fetch_add(static_cast<std::ptrdiff_t>(malloc_usable_size(p)), std::memory_order_relaxed);
  return p;
}

void forget(void* p) {
  bytes.fetch_sub(static_cast<std::ptrdiff_t>(malloc_usable_size(p)), std::memory_order_relaxed);
  std::free(p);
}

}  // namespace
#endif

}  // namespace counted

// For the whole program, so that no allocation goes uncounted.
#ifndef LAYERKEY_TEST_COUNTS_NO_ALLOCATIONS
void* operator new(std::size_t size) { return counted::note(std::malloc(size != 0 ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t align) {
  auto const to = static_cast<std::size_t>(align);
  return counted::note(std::aligned_alloc(to, (size + to - 1) / to * to));
}
void operator delete(void* p) noexcept { counted::forget(p); }
void operator delete(void* p, std::size_t) noexcept { counted::forget(p); }
void operator delete(void* p, std::align_val_t) noexcept { counted::forget(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { counted::forget(p); }
#endif
