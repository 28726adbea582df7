// What a store did, counted.
#pragma once

#include <layerkey/store/entry_format.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace layerkey {

// Of one store object, since it was made.
// loads == served + absent + not_valid + faulty + unavailable.
struct store_statistics {
  std::uint64_t loads = 0;
  std::uint64_t served = 0;
  std::uint64_t absent = 0;
  std::uint64_t not_valid = 0;    // right entries, none of them valid for the request
  std::uint64_t faulty = 0;       // nothing but entries that are not right
  std::uint64_t unavailable = 0;  // the store could not be asked

  // What was wrong with entries: how often, and the last time in words. Stores of several places
  // may find more than one in one load, so these add up to no less than `faulty`.
  struct fault {
    std::uint64_t count = 0;
    std::string last;
  };
  std::array<fault, entry_faults> faults = {};
  fault const& operator[](entry_fault which) const {
    return faults[static_cast<std::size_t>(which)];
  }
  std::uint64_t all_faults() const;
  std::uint64_t repaired = 0;  // faulty entries that were removed

  std::uint64_t saved = 0;
  std::uint64_t not_saved = 0;
  std::string why_not_saved;  // the last time

  std::uint64_t waits = 0;             // requests that waited for another one of the same key
  std::uint64_t leases_timed_out = 0;  // of those, the ones that waited in vain

  std::uint64_t bytes_read = 0;     // of entries, as they lie there
  std::uint64_t bytes_written = 0;  // the same
};

// A line for each number that is not 0, and for each fault that was found.
std::string to_text(store_statistics const& s);

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             store_statistics const& s) {
  return out << to_text(s).c_str();
}

}  // namespace layerkey
