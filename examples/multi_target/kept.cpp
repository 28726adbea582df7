#include "kept.hpp"

#include <layerkey/store/lmdb_store.hpp>
#include <layerkey/store/redis_store.hpp>
#include <layerkey/store/tiered_store.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace multi_target {
namespace {

std::string folder_of(options const& given) {
  return given.cache.empty() ? layerkey::default_cache_folder("layerkey") : given.cache;
}

// LLVM is most of what makes the artifacts, and a library of its own.
layerkey::provenance made_by() { return layerkey::this_build({"libLLVM"}); }

layerkey::store_options entry_options() {
  layerkey::store_options entries;
  if (char const* const file = std::getenv("LAYERKEY_SECRET_FILE"))
    entries.secret = layerkey::store_secret::from_file(file);
  return entries;
}

layerkey::lmdb_store open_disk(options const& given) {
  return {folder_of(given), made_by(), {.entries = entry_options()}};
}

template<class... Values>
std::string printed(char const* format, Values... values) {
  char line[160];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

void print_statistics(layerkey::lmdb_store const& disk) {
  auto const now = disk.file_statistics();
  std::printf("cache in %s\n", disk.folder().c_str());
  for (auto const& [name, value] : {std::pair{"entries", now.entries},
                                    {"bytes", now.bytes},
                                    {"file bytes", now.file_bytes},
                                    {"limit", now.limit}})
    std::fputs(printed("%-14s %llu\n", name, static_cast<unsigned long long>(value)).c_str(),
               stdout);
}

bool verify(layerkey::lmdb_store& disk, std::vector<std::string>& complaints) {
  auto const result = disk.verify();
  std::printf("%llu entries read, %llu of them wrong\n",
              static_cast<unsigned long long>(result.entries),
              static_cast<unsigned long long>(result.wrong));
  for (auto const& each : {result.structure, result.problem})
    if (!each.empty()) complaints.push_back(disk.folder() + ": " + each);
  for (auto const& each : result.faults) complaints.push_back(disk.folder() + ": " + each);
  return result.right();
}

}  // namespace

std::unique_ptr<layerkey::entry_store> open_cache(options const& given) {
  if (given.no_cache) return nullptr;
  if (given.redis.empty()) return std::make_unique<layerkey::lmdb_store>(open_disk(given));
  auto entries = entry_options();
  entries.compress_from = 4096;
  return std::make_unique<layerkey::tiered_store>(
      open_disk(given), layerkey::redis_store(given.redis, made_by(), {.entries = entries}));
}

std::vector<std::string> problems_of(layerkey::entry_store const& store) {
  std::vector<std::string> all;
  if (auto problem = store.problem(); !problem.empty()) all.push_back(std::move(problem));
  return all;
}

bool look_after_cache(options const& given, layerkey::entry_store const* used,
                      std::vector<std::string>& complaints) {
  if (!given.asks_about_cache()) return true;
  bool good = true;
  auto disk = open_disk(given);
  if (given.cache_verify) good &= verify(disk, complaints);
  if (given.cache_prune && !disk.prune(*given.cache_prune)) {
    complaints.push_back(disk.folder() + ": cannot be made smaller: " + disk.problem());
    good = false;
  }
  if (given.cache_stats) {
    if (used) std::fputs(to_text(used->statistics()).c_str(), stdout);
    print_statistics(disk);
  }
  return good;
}

}  // namespace multi_target
