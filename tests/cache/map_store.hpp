// A store in memory whose entries lie open, for what a pipeline asks of any store.
#pragma once

#include <layerkey/cache/artifact_store.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>

class map_store : public layerkey::artifact_store {
 public:
  struct entry_key {
    std::string layer, canonical, made_by;
    unsigned variant = 0;

    friend auto operator<=>(entry_key const&, entry_key const&) = default;
  };
  struct entry {
    std::string kind, content;
  };

  load_result load(layerkey::store_key const& key, reader const& read) override {
    entry found;
    {
      std::lock_guard const lock(mutex);
      ++loads;
      auto const at = entries.find(own(key));
      missed_last() = at == entries.end() ? own(key) : entry_key{};
      if (at == entries.end() || at->second.kind != key.kind) return load_result::missed;
      found = at->second;
    }
    switch (read(found.content)) {
      case layerkey::load_verdict::serves:
        return load_result::served;
      case layerkey::load_verdict::not_valid:
        return load_result::not_valid;
      case layerkey::load_verdict::not_readable:
        break;
    }
    std::lock_guard const lock(mutex);
    ++not_readable;
    return load_result::missed;
  }

  void save(layerkey::store_key const& key, std::string_view content) override {
    std::lock_guard const lock(mutex);
    ++saves;
    entries[own(key)] = {std::string(key.kind), std::string(content)};
  }

  turn begin(layerkey::store_key const& key, bool may_wait, std::stop_token const&) override {
    std::unique_lock lock(mutex);
    // Made since this thread looked for it.
    if (may_wait && !under_way.contains(own(key)) && missed_last() == own(key) &&
        entries.contains(own(key)))
      return turn::look_again;
    if (under_way.insert(own(key)).second) return turn::own;
    if (!may_wait) return turn::own;
    ++waits;
    ended.wait(lock, [&] { return !under_way.contains(own(key)); });
    return turn::look_again;
  }
  void end(layerkey::store_key const& key) override {
    {
      std::lock_guard const lock(mutex);
      under_way.erase(own(key));
    }
    ended.notify_all();
  }

  std::string code_identity(void const*, std::string_view name) const override {
    return std::string(name);
  }

  std::size_t entries_of(std::string_view layer) {
    std::lock_guard const lock(mutex);
    return static_cast<std::size_t>(
        std::count_if(entries.begin(), entries.end(),
                      [layer](auto const& each) { return each.first.layer == layer; }));
  }

  std::mutex mutex;
  std::condition_variable ended;
  std::map<entry_key, entry> entries;
  std::set<entry_key> under_way;
  int loads = 0, saves = 0, waits = 0, not_readable = 0;

 private:
  static entry_key& missed_last() {
    thread_local entry_key key;
    return key;
  }
  static entry_key own(layerkey::store_key const& key) {
    return {std::string(key.layer), std::string(key.canonical), std::string(key.made_by),
            key.variant};
  }
};
