// What a pipeline asks of the place where its artifacts outlive the process. The stores themselves
// are in store/.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace layerkey {

// What an artifact is kept under. The views live as long as the call.
struct store_key {
  std::string_view layer;      // its name
  std::string_view canonical;  // encodings of the key, the input and what else it is made from
  std::string_view made_by;    // what the layers say of their code and tools; may be empty
  std::string_view kind;       // of the bytes: what wrote them
  unsigned variant = 0;        // numbers what is kept for one key under different validity
};

// What who asked says of bytes that were kept under exactly the key that it gave.
enum class load_verdict : unsigned char {
  serves,
  not_valid,     // for this request; for others it may be
  not_readable,  // they are not what the kind says, so they are of no use to anyone
};

// Keeps bytes under keys for other processes. Never a source of errors: whatever is wrong with a
// store or with an entry is a miss, counted and explained by the store. Safe for any number of
// threads.
class artifact_store {
 public:
  artifact_store() = default;
  artifact_store(artifact_store const&) = default;
  artifact_store(artifact_store&&) = default;
  artifact_store& operator=(artifact_store const&) = default;
  artifact_store& operator=(artifact_store&&) = default;
  virtual ~artifact_store() = default;

  using reader = std::function<load_verdict(std::string_view content)>;

  enum class load_result : unsigned char { served, not_valid, missed };

  // Calls `read` with what was saved under this key, if anything is there and right; the bytes are
  // gone when it returns. Tiered stores may call it again, for what another tier has.
  virtual load_result load(store_key const& key, reader const& read) = 0;

  // Keeps `content`, or counts why not. Replaces what is there.
  virtual void save(store_key const& key, std::string_view content) = 0;

  enum class turn : unsigned char {
    own,         // nobody else makes it, or whoever did gave no sign in time
    look_again,  // somebody made it since it was looked for, or gave up
  };

  // One process makes an artifact, others wait for it, at most for the store's time-out. After
  // `own`, end() has to follow, whether save() came in between or not. Without `may_wait`, or where
  // the store cannot be asked, the turn is own.
  virtual turn begin(store_key const& key, bool may_wait, std::stop_token const& stop) = 0;
  virtual void end(store_key const& key) = 0;

  // Which code a function is: where two functions differ in it, or one function between two builds
  // that may not share, their artifacts are kept apart. `name`: without scopes.
  virtual std::string code_identity(void const* function, std::string_view name) const = 0;
};

}  // namespace layerkey
