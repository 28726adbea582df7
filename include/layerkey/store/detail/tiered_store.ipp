// The implementation of tiered_store.hpp.
#pragma once

#include <layerkey/store/tiered_store.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include <unistd.h>

namespace layerkey {

// A thread that writes to all places but the nearest, begun by the first write.
struct tiered_bytes::pending_writes {
  struct one {
    entry_address at;
    std::string entry;
    bool is_drop = false;  // of the lease, which ends when what was written before is there
  };

  pending_writes(std::vector<std::unique_ptr<byte_store>> const& all, tiered_options const& given)
      : places(all), options(given) {}

  bool add(entry_address const& at, std::string_view entry) {
    // A child has no such thread.
    if (getpid() != process) return write({at, std::string(entry)});
    std::lock_guard const lock(mutex);
    if (waiting.size() >= options.pending_entries || bytes + entry.size() > options.pending_bytes) {
      ++dropped;
      return true;
    }
    waiting.push_back({at, std::string(entry)});
    bytes += entry.size();
    begin();
    return true;
  }

  void drop_lease(entry_address const& at) {
    if (getpid() == process) {
      std::lock_guard const lock(mutex);
      if (writing || !waiting.empty()) {
        waiting.push_back({at, {}, true});
        begin();
        return;
      }
    }
    write({at, {}, true});
  }

  void begin() {
    if (!worker.joinable()) worker = std::thread([this] { work(); });
    changed.notify_all();
  }

  void flush() {
    if (getpid() != process) return;
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return waiting.empty() && !writing; });
  }

  void end() {
    if (!worker.joinable()) return;
    {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, options.linger, [this] { return waiting.empty() && !writing; });
      for (auto const& each : waiting) dropped += !each.is_drop;
      waiting.clear();
      ending = true;
    }
    changed.notify_all();
    worker.join();
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return ending || !waiting.empty(); });
      if (waiting.empty()) return;
      auto const next = std::move(waiting.front());
      waiting.pop_front();
      bytes -= next.entry.size();
      writing = true;
      lock.unlock();
      write(next);
      lock.lock();
      writing = false;
      changed.notify_all();
    }
  }

  bool write(one const& next) {
    bool all = true;
    for (std::size_t i = 1; i < places.size(); ++i)
      if (next.is_drop)
        places[i]->drop_lease(next.at);
      else
        all &= places[i]->write(next.at, next.entry);
    return all;
  }

  std::vector<std::unique_ptr<byte_store>> const& places;
  tiered_options const options;
  pid_t const process = getpid();
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<one> waiting;
  std::size_t bytes = 0;
  std::uint64_t dropped = 0;
  bool writing = false;
  bool ending = false;
  std::thread worker;
};

tiered_bytes::tiered_bytes(std::vector<std::unique_ptr<byte_store>> places, tiered_options options)
    : places_(std::move(places)), pending_(std::make_unique<pending_writes>(places_, options)) {}

tiered_bytes::~tiered_bytes() {
  // In a child its thread does not run, and what that waits on cannot be destroyed.
  if (getpid() == pending_->process)
    pending_->end();
  else
    static_cast<void>(pending_.release());
}

read_result tiered_bytes::read(entry_address const& at, use const& accepts) {
  auto result = read_result::absent;
  bool any_answered = false;
  std::vector<byte_store*> lacking;
  for (auto const& place : places_) {
    std::string copy;
    auto const here = place->read(at, [&](entry_bytes const& entry) {
      if (!accepts(entry)) return false;
      if (!lacking.empty()) copy = entry.bytes;
      return true;
    });
    if (here == read_result::accepted) {
      for (auto* each : lacking) each->write(at, copy);
      return here;
    }
    any_answered |= here != read_result::unavailable;
    if (here == read_result::rejected) result = here;
    if (here != read_result::unavailable) lacking.push_back(place.get());
  }
  return any_answered ? result : read_result::unavailable;
}

bool tiered_bytes::write(entry_address const& at, std::string_view entry) {
  bool const near = !places_.empty() && places_.front()->write(at, entry);
  return places_.size() < 2 ? near : pending_->add(at, entry) || near;
}

bool tiered_bytes::remove(entry_address const& at) {
  bool all = true;
  for (auto const& place : places_) all &= place->remove(at);
  return all;
}

bool tiered_bytes::contains(entry_address const& at) {
  return std::any_of(places_.begin(), places_.end(),
                     [&at](auto const& place) { return place->contains(at); });
}

bool tiered_bytes::take_lease(entry_address const& at, std::chrono::milliseconds time) {
  // The nearest first, always in this order: nobody holds a far one and waits for a near one.
  for (std::size_t i = 0; i != places_.size(); ++i)
    if (!places_[i]->take_lease(at, time)) {
      while (i-- != 0) places_[i]->drop_lease(at);
      return false;
    }
  return true;
}

void tiered_bytes::drop_lease(entry_address const& at) {
  if (!places_.empty()) places_.front()->drop_lease(at);
  pending_->drop_lease(at);
}

std::string tiered_bytes::problem() const {
  std::string all;
  for (auto const& place : places_)
    if (auto const one = place->problem(); !one.empty()) all += (all.empty() ? "" : "; ") + one;
  return all;
}

void tiered_bytes::flush() {
  pending_->flush();
  for (auto const& place : places_) place->flush();
}

std::uint64_t tiered_bytes::dropped() const {
  std::lock_guard const lock(pending_->mutex);
  return pending_->dropped;
}

namespace detail {
namespace {

std::vector<std::unique_ptr<byte_store>> nearest_first(std::unique_ptr<byte_store> near,
                                                  std::unique_ptr<byte_store> far) {
  std::vector<std::unique_ptr<byte_store>> places;
  for (auto* each : {&near, &far})
    if (*each) places.push_back(std::move(*each));
  return places;
}

}  // namespace
}  // namespace detail

tiered_store::tiered_store(entry_store near, entry_store far, tiered_options options)
    : entry_store(std::make_unique<tiered_bytes>(
                      detail::nearest_first(near.take_bytes(), far.take_bytes()), options),
                  near.made_by(), near.options(), why_not(near, far)) {}

std::uint64_t tiered_store::dropped() const {
  return static_cast<tiered_bytes const&>(bytes()).dropped();
}

std::string tiered_store::why_not(entry_store const& near, entry_store const& far) {
  for (auto const* each : {&near, &far})
    if (!each->refused().empty()) return each->refused();
  if (!(near.made_by() == far.made_by()))
    return "tiered_store: its stores differ in their provenance: " + near.made_by().text() +
           " and " + far.made_by().text() + ". Give both the same";
  if (!(near.options().secret.key_for("tiered") == far.options().secret.key_for("tiered")))
    return "tiered_store: its stores differ in their secret. Give both the same";
  return {};
}

}  // namespace layerkey
