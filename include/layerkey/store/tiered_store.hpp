// Several stores as one: disk before the team's server.
//
//   tiered_store store{lmdb_store{folder, made_by}, redis_store{url, made_by}};
#pragma once

#include <layerkey/store/byte_store.hpp>
#include <layerkey/store/entry_store.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

struct tiered_options {
  // What waits to be written to the far stores. What comes when that is full is not written there.
  std::size_t pending_entries = 1024;
  std::size_t pending_bytes = std::size_t{256} << 20;

  // How long the end of the store waits for what is pending.
  std::chrono::milliseconds linger = std::chrono::seconds(5);
};

// What is found in a far place is written to the nearer ones on the way back. Saving returns when
// the nearest place has it; a thread writes it to the others. One that fails is passed over. A
// lease is taken in each place, so that it holds among all who share any of them.
class tiered_bytes final : public byte_store {
 public:
  // The nearest first.
  explicit tiered_bytes(std::vector<std::unique_ptr<byte_store>> places, tiered_options = {});
  ~tiered_bytes() override;

  read_result read(entry_address const& at, use const& accepts) override;
  bool write(entry_address const& at, std::string_view entry) override;
  bool remove(entry_address const& at) override;
  bool contains(entry_address const& at) override;
  bool take_lease(entry_address const& at, std::chrono::milliseconds time) override;
  void drop_lease(entry_address const& at) override;
  std::string problem() const override;
  void flush() override;

  // What was not written to the far places, since too much was pending.
  std::uint64_t dropped() const;

 private:
  struct pending_writes;

  std::vector<std::unique_ptr<byte_store>> places_;
  std::unique_ptr<pending_writes> pending_;
};

// Of stores that have one provenance and one secret; with others it says so in problem() and keeps
// nothing. The options are those of the nearest.
class tiered_store : public entry_store {
 public:
  tiered_store(entry_store near, entry_store far, tiered_options options = {});

  // What was not written to the far place, since too much was pending.
  std::uint64_t dropped() const;

 private:
  static std::string why_not(entry_store const& near, entry_store const& far);
};

}  // namespace layerkey
