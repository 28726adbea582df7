// Where entries lie: bytes under addresses, in a file, on a server, or in several such places.
// Knows nothing of what is in an entry.
#pragma once

#include <layerkey/digest128.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

// Made from what an entry is for; see entry_format.hpp.
using entry_address = std::array<unsigned char, 32>;

enum class read_result : unsigned char {
  absent,
  accepted,
  rejected,     // something is there, and `use` did not want it
  unavailable,  // the store cannot be asked now; it says why in problem()
};

// What lies at an address.
struct entry_bytes {
  std::string_view bytes;

  // XXH3 with 128 bits of all behind the first 32 bytes, where the place made it while it copied
  // them, which is quicker than to go over them once more; else null.
  digest128 const* checksum = nullptr;

  entry_bytes(std::string_view b, digest128 const* c = nullptr) : bytes(b), checksum(c) {}
  entry_bytes(std::string const& b) : bytes(b) {}
  operator std::string_view() const { return bytes; }
};

// Safe for any number of threads. Throws nothing of its own; whatever fails is unavailable, or
// false.
class byte_store {
 public:
  byte_store() = default;
  byte_store(byte_store const&) = delete;
  byte_store& operator=(byte_store const&) = delete;
  virtual ~byte_store() = default;

  // Calls `use` with a private copy of what is there, which lives until `use` returns: nobody
  // changes it meanwhile. In a store of several places, with each place's in turn until one is
  // accepted.
  using use = std::function<bool(entry_bytes const& entry)>;
  virtual read_result read(entry_address const& at, use const& accepts) = 0;

  // Does the same at many addresses; stores on other machines do it in few round trips. `which`:
  // the place in the list; in which order they come is open.
  using use_of_many = std::function<bool(std::size_t which, std::string_view entry)>;
  virtual std::vector<read_result> read_many(std::vector<entry_address> const& at,
                                             use_of_many const& accepts) {
    std::vector<read_result> results;
    results.reserve(at.size());
    for (std::size_t i = 0; i != at.size(); ++i)
      results.push_back(
          read(at[i], [&accepts, i](entry_bytes const& entry) { return accepts(i, entry); }));
    return results;
  }

  // Replaces what is there, as a whole or not at all.
  virtual bool write(entry_address const& at, std::string_view entry) = 0;
  virtual bool remove(entry_address const& at) = 0;

  // Whether something is there, without reading it.
  virtual bool contains(entry_address const& at) = 0;

  // Takes the lease of an address for so long, if nobody has it. True also where leases cannot be
  // had at all. Of a holder that died it may be had at once, and at the latest after its time.
  virtual bool take_lease(entry_address const& at, std::chrono::milliseconds time) = 0;
  virtual void drop_lease(entry_address const& at) = 0;

  // Why it cannot be asked, or what went wrong last; empty: nothing. What, where, what to do.
  virtual std::string problem() const = 0;

  // Waits until what was written before is where it belongs.
  virtual void flush() {}
};

}  // namespace layerkey
