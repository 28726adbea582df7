// The command line of layerkey-compile.
#pragma once

#include "batch.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace multi_target {

struct options {
  std::vector<std::string> inputs;
  std::vector<std::string> targets;
  std::vector<layerkey::optimization_level> levels;
  std::vector<std::string> unknown_levels;  // asked for, and not known to LLVM: "-O7"
  std::set<output_kind> emit;               // empty: obj for x86, ptx for sm_NN
  std::string out = ".";
  std::string libdevice;
  bool libdevice_is_missing = false;  // it was asked for and cannot be read: no PTX is made
  bool explain = false;
  bool keys = false;
  unsigned jobs = 1;

  // What is kept for later compiles.
  bool no_cache = false;
  std::string cache;  // the folder; empty: the user's
  std::string redis;  // the server's address; empty: none
  bool cache_stats = false;
  bool cache_verify = false;
  std::optional<std::uint64_t> cache_prune;  // to so many bytes

  // This program's part of the batch, where several share it: `shard` of `shards`, from 1.
  unsigned shard = 1;
  unsigned shards = 1;

  bool asks_about_cache() const { return cache_stats || cache_verify || cache_prune; }

  // What every compile starts from, with the options that name members of the params.
  layerkey::x86_params x86;
  layerkey::ptx_params ptx;
};

// Parses the command line. Prints help, version or the mistake itself and returns nothing then,
// with the exit status in `status`: 0, or 2 for wrong usage.
std::optional<options> parse(int argc, char** argv, int& status);

}  // namespace multi_target
