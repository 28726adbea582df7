// What a stage or a pipeline answers: an artifact, or the diagnostics that say why there is none.
#pragma once

#include <cstdlib>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>

namespace layerkey {

// Why there is no artifact: what, where, and what is possible, in one line of text. Printable.
struct diagnostics {
  std::string text;

  friend bool operator==(diagnostics const&, diagnostics const&) = default;

  template<class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      diagnostics const& d) {
    return out << d.text.c_str();
  }
};

// An artifact or diagnostics, with the members of std::expected that matter. The artifact is shared
// with the cache and immutable: copying an outcome copies no artifact, and the artifact lives as
// long as any outcome that holds it, eviction or not.
template<class Artifact>
class [[nodiscard]] outcome {
 public:
  using value_type = Artifact;
  using error_type = diagnostics;

  outcome(Artifact artifact) : artifact_(std::make_shared<Artifact const>(std::move(artifact))) {}
  outcome(std::shared_ptr<Artifact const> artifact) : artifact_(std::move(artifact)) {}
  outcome(diagnostics error) : error_(std::move(error)) {}

  bool has_value() const noexcept { return artifact_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }

  // The artifact. Asking for one that is not there ends the program, as it would in std::expected
  // without exceptions; ask has_value() first.
  Artifact const& value() const& noexcept {
    if (!artifact_) std::abort();
    return *artifact_;
  }
  Artifact const& operator*() const& noexcept { return value(); }
  Artifact const* operator->() const noexcept { return &value(); }

  // Empty when there is an artifact.
  diagnostics const& error() const& noexcept { return error_; }

  // The artifact as the cache holds it; null when there is none.
  std::shared_ptr<Artifact const> const& share() const noexcept { return artifact_; }

 private:
  std::shared_ptr<Artifact const> artifact_;
  diagnostics error_;
};

}  // namespace layerkey
