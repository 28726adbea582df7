// What a cache keeps.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace layerkey {

// Of one layer in one process. Where more is made, what was not asked for of late is dropped
// (second chance); whoever still holds a dropped artifact keeps it alive. An artifact that is too
// large by itself is not kept, and drives out nothing.
struct cache_limits {
  std::size_t entries = std::numeric_limits<std::size_t>::max();
  std::size_t bytes = std::numeric_limits<std::size_t>::max();  // of artifacts, by artifact_size

  // Entries of one key, made under different validity or for other content; the oldest goes.
  std::size_t entries_of_a_key = 8;

  // Whether a failure is kept as an artifact is. For compilers whose failures are final: never for
  // those that may run out of memory or time. Exceptions, cancellations and cyclic requests are not
  // kept in any case.
  bool keep_failures = false;
};

// The bytes of memory that an artifact takes: specialise for types whose sizeof says little. By
// default sizeof, and for ranges the elements too.
template<class Artifact>
struct artifact_size {
  static std::size_t of(Artifact const& a) {
    if constexpr (requires {
                    { a.size() } -> std::convertible_to<std::size_t>;
                    a.data();
                  })
      return sizeof a + a.size() * sizeof *a.data();
    else
      return sizeof a;
  }
};

}  // namespace layerkey
