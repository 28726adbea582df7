// What the caches of a pipeline did, counted.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace layerkey {

// Of one layer. Every request is served from the cache, or runs the stage, or fails without a run
// of its own (an upstream stage failed, or another thread's run of the same key did): requests ==
// served + runs + failures_without_run.
struct layer_statistics {
  std::string layer;
  std::uint64_t requests = 0;
  std::uint64_t served = 0;  // also those that waited for another thread's run of the same key, and
                             // those that a store served
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;  // runs without an artifact; not kept unless the limits say so
  std::uint64_t failures_without_run = 0;
  std::chrono::nanoseconds spent{};  // in runs of this layer's own stage
  std::chrono::nanoseconds saved{};  // what the served artifacts took to make, upstream stages
                                     // that were not even asked included

  std::uint64_t loaded = 0;   // of those served, artifacts that came from the store
  std::uint64_t unsaved = 0;  // runs whose artifact no store may keep: its validity is not
                              // portable, or it depends on what was requested under early cutoff
  std::uint64_t invalid = 0;    // requests that found entries of their key, none of them valid
  std::uint64_t waits = 0;      // requests that waited for another thread's run
  std::uint64_t evictions = 0;  // entries dropped to keep the limits
  std::uint64_t drifts = 0;     // artifacts made again for a check, and not equal to the first
  std::uint64_t entries = 0;    // kept now
  std::uint64_t bytes = 0;      // of the artifacts kept now, by artifact_size
};

// A snapshot, a layer a row, upstream first.
using statistics = std::vector<layer_statistics>;

}  // namespace layerkey
