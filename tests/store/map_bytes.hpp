// A store of bytes in the memory of this process, for tests of what is above one.
#pragma once

#include <layerkey/store/byte_store.hpp>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace store_test {

class map_bytes : public layerkey::byte_store {
 public:
  using address = layerkey::entry_address;

  layerkey::read_result read(address const& at, use const& accepts) override {
    std::string copy;
    {
      std::lock_guard const lock(mutex_);
      if (gone_) return layerkey::read_result::unavailable;
      auto const found = entries_.find(at);
      if (found == entries_.end()) return layerkey::read_result::absent;
      copy = found->second;
    }
    return accepts(copy) ? layerkey::read_result::accepted : layerkey::read_result::rejected;
  }

  bool write(address const& at, std::string_view entry) override {
    std::lock_guard const lock(mutex_);
    if (gone_) return false;
    entries_[at] = entry;
    return true;
  }

  bool remove(address const& at) override {
    std::lock_guard const lock(mutex_);
    return !gone_ && entries_.erase(at) != 0;
  }

  bool contains(address const& at) override {
    std::lock_guard const lock(mutex_);
    return !gone_ && entries_.contains(at);
  }

  bool take_lease(address const& at, std::chrono::milliseconds time) override {
    std::lock_guard const lock(mutex_);
    if (gone_) return true;
    auto const now = std::chrono::steady_clock::now();
    auto& until = leases_[at];
    if (until > now) return false;
    until = now + time;
    return true;
  }

  void drop_lease(address const& at) override {
    std::lock_guard const lock(mutex_);
    leases_.erase(at);
  }

  std::string problem() const override {
    std::lock_guard const lock(mutex_);
    return gone_ ? "map_bytes: gone. Wait until the test brings it back" : "";
  }

  // ---- for tests only --------------------------------------------------------------------------

  void set_gone(bool is_gone) {
    std::lock_guard const lock(mutex_);
    gone_ = is_gone;
  }
  std::size_t size() const {
    std::lock_guard const lock(mutex_);
    return entries_.size();
  }
  std::size_t leases() const {
    std::lock_guard const lock(mutex_);
    return leases_.size();
  }
  // Of the only entry.
  address only_address() const {
    std::lock_guard const lock(mutex_);
    return entries_.begin()->first;
  }
  std::string only_entry() const {
    std::lock_guard const lock(mutex_);
    return entries_.begin()->second;
  }

 private:
  struct first_bytes {
    std::size_t operator()(address const& at) const {
      std::size_t hash;
      std::memcpy(&hash, at.data(), sizeof hash);
      return hash;
    }
  };

  mutable std::mutex mutex_;
  std::unordered_map<address, std::string, first_bytes> entries_;
  std::unordered_map<address, std::chrono::steady_clock::time_point, first_bytes> leases_;
  bool gone_ = false;
};

// One place for several stores, as processes share one, and for tests that look into it.
class shared_bytes : public layerkey::byte_store {
 public:
  using address = layerkey::entry_address;

  explicit shared_bytes(std::shared_ptr<map_bytes> in) : in_(std::move(in)) {}

  layerkey::read_result read(address const& at, use const& accepts) override {
    return in_->read(at, accepts);
  }
  bool write(address const& at, std::string_view entry) override { return in_->write(at, entry); }
  bool remove(address const& at) override { return in_->remove(at); }
  bool contains(address const& at) override { return in_->contains(at); }
  bool take_lease(address const& at, std::chrono::milliseconds time) override {
    return in_->take_lease(at, time);
  }
  void drop_lease(address const& at) override { in_->drop_lease(at); }
  std::string problem() const override { return in_->problem(); }

 private:
  std::shared_ptr<map_bytes> in_;
};

}  // namespace store_test
