// How often the program allocated, and what it holds.
#pragma once

#include <atomic>
#include <cstddef>

namespace counted {

extern thread_local std::size_t allocations;  // by this thread
extern std::atomic<std::ptrdiff_t> bytes;     // held now, by all

// The sanitizers have their own operator new; there everything stays 0.
extern bool const counts;

}  // namespace counted
