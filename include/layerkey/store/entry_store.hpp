// Stores for pipelines: entries that say what they are, wherever their bytes lie.
#pragma once

#include <layerkey/cache/artifact_store.hpp>
#include <layerkey/store/byte_store.hpp>
#include <layerkey/store/provenance.hpp>
#include <layerkey/store/secret.hpp>
#include <layerkey/store/statistics.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

struct store_options {
  // With one, every entry carries a tag that only who knows it can make, and no other entry is
  // used. Without one, tags of others are ignored, and whoever can write to the store is trusted.
  store_secret secret = {};

  // How long one process waits for another that makes the same artifact; also the longest that one
  // that died keeps others waiting. 0: nobody waits.
  std::chrono::milliseconds lease_time = std::chrono::seconds(30);

  // Entries from this size on are compressed (zstd). 0: none.
  std::size_t compress_from = 0;

  // Nothing is written or removed, and no lease taken.
  bool read_only = false;
};

// Any byte_store as an artifact_store: puts the entry format (entry_format.hpp) around what is
// kept, and believes nothing that it reads. An entry that is not right in every way is a miss,
// counted by its fault, and removed, so that what is made instead can take its place.
//
// Without a provenance, or with one or a secret that could not be had, it keeps nothing and finds
// nothing, and problem() says why.
class entry_store : public artifact_store {
 public:
  entry_store(std::unique_ptr<byte_store> bytes, provenance made_by, store_options options = {});
  entry_store(entry_store&&) noexcept;
  entry_store& operator=(entry_store&&) noexcept;
  ~entry_store() override;

  load_result load(store_key const& key, reader const& read) override;

  // The same of many; stores on other machines do it in few round trips. `which`: the place in the
  // list; in which order they come is open.
  using reader_of_many = std::function<load_verdict(std::size_t which, std::string_view content)>;
  std::vector<load_result> load_many(std::vector<store_key> const& keys,
                                     reader_of_many const& read);

  void save(store_key const& key, std::string_view content) override;
  turn begin(store_key const& key, bool may_wait, std::stop_token const& stop) override;
  void end(store_key const& key) override;
  std::string code_identity(void const* function, std::string_view name) const override;

  store_statistics statistics() const;

  // Why nothing is loaded or saved, or what went wrong last; empty: nothing.
  std::string problem() const;

  // Waits until what was saved before is where it belongs.
  void flush();

 protected:
  byte_store& bytes();
  byte_store const& bytes() const;

 private:
  // Is made of others. What is left of one whose bytes were taken is only good to be destroyed.
  friend class tiered_store;
  entry_store(std::unique_ptr<byte_store> bytes, provenance made_by, store_options options,
              std::string refused);
  std::unique_ptr<byte_store> take_bytes();
  provenance const& made_by() const;
  store_options const& options() const;
  std::string const& refused() const;  // why it cannot be used, apart from its bytes

  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace layerkey
