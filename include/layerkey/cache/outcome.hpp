// What a stage or a pipeline answers: an artifact, or the diagnostics that say why there is none.
#pragma once

#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/hash.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace layerkey {

enum class failure_kind : std::uint8_t {
  stage_failed,    // the compiler says no
  cyclic_request,  // an artifact is needed in order to make it
  cancelled,       // who asked did not want it any more
};

// Why there is no artifact: what, where, and what is possible, in one line of text. Printable.
struct diagnostics {
  std::string text;
  failure_kind kind = failure_kind::stage_failed;

  friend bool operator==(diagnostics const&, diagnostics const&) = default;

  template<class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      diagnostics const& d) {
    return out << d.text.c_str();
  }
};

namespace detail {

// A message has a number, so that one which comes by two ways, stores included, is known.
struct message {
  std::string text;
  std::uint64_t number;
};

using shared_messages = std::vector<std::shared_ptr<message const>>;

// Of no other message, of another process either, as far as 64 bits go.
inline std::uint64_t next_message_number() {
  static std::atomic<std::uint64_t> next{[] {
    auto const now = [](auto clock) {
      return static_cast<std::uint64_t>(clock.now().time_since_epoch().count());
    };
    auto const place = reinterpret_cast<std::uintptr_t>(&next);
    return fold(now(std::chrono::steady_clock()) ^ hash_odd_1,
                fold(now(std::chrono::system_clock()) ^ hash_odd_2, place ^ hash_seed));
  }()};
  return next.fetch_add(1, std::memory_order_relaxed);
}

inline std::shared_ptr<message const> new_message(std::string text) {
  return std::make_shared<message const>(message{std::move(text), next_message_number()});
}

inline void add_messages(shared_messages& to, shared_messages const& more) {
  for (auto const& each : more)
    if (std::none_of(to.begin(), to.end(),
                     [&each](auto const& have) { return have->number == each->number; }))
      to.push_back(each);
}

struct outcome_details {
  diagnostics error;
  shared_messages messages;
};

template<class T>
struct boxed final : pinnable {
  T value;
  outcome_details details;

  boxed(T v, outcome_details d)
      : pinnable([](pinnable const* self) { delete static_cast<boxed const*>(self); }),
        value(std::move(v)),
        details(std::move(d)) {}
};

struct no_artifact {};

struct outcome_access;

}  // namespace detail

// An artifact or diagnostics, with the members of std::expected that matter, and the messages that
// the stages had on the way. The artifact is the cache's own, immutable, and lives as long as any
// outcome that holds it, eviction or not: an outcome from a cache pins it; a copy of that outcome
// counts as an owner, and copies no artifact.
template<class Artifact>
class [[nodiscard]] outcome {
 public:
  using value_type = Artifact;
  using error_type = diagnostics;

  // A stage gives its messages along.
  outcome(Artifact artifact, std::vector<std::string> messages = {})
      : outcome(new detail::boxed<Artifact>(std::move(artifact), {{}, shared(messages)})) {}
  outcome(diagnostics error, std::vector<std::string> messages = {})
      : outcome(new detail::boxed<detail::no_artifact>({}, {std::move(error), shared(messages)})) {}

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
  diagnostics const& error() const noexcept {
    static diagnostics const none;
    return details_ ? details_->error : none;
  }

  // What the compiler had to say while it made the artifact or failed: warnings, remarks. They
  // belong to the artifact: each outcome repeats them, those of upstream stages first.
  std::vector<std::string> messages() const {
    std::vector<std::string> all;
    if (details_)
      for (auto const& each : details_->messages) all.push_back(each->text);
    return all;
  }

  // The artifact with shared ownership; null when there is none.
  std::shared_ptr<Artifact const> share() const {
    if (!artifact_) return nullptr;
    return {artifact_, [keep = hold_](Artifact const*) {}};
  }

 private:
  friend detail::outcome_access;

  explicit outcome(detail::boxed<Artifact>* box)
      : artifact_(&box->value),
        details_(&box->details),
        hold_(detail::hold::adopt(box)),
        is_fresh_(true) {}
  explicit outcome(detail::boxed<detail::no_artifact>* box)
      : details_(&box->details), hold_(detail::hold::adopt(box)) {}
  outcome(Artifact const* artifact, detail::outcome_details const* details, detail::hold hold)
      : artifact_(artifact), details_(details), hold_(std::move(hold)) {}

  static detail::shared_messages shared(std::vector<std::string>& messages) {
    detail::shared_messages all;
    for (auto& each : messages) all.push_back(detail::new_message(std::move(each)));
    return all;
  }

  Artifact const* artifact_ = nullptr;
  detail::outcome_details const* details_ = nullptr;
  detail::hold hold_;
  bool is_fresh_ = false;  // the artifact is in a box of its own
};

namespace detail {

struct outcome_access {
  // What an entry holds, kept alive by `hold`. Without details where there are none.
  template<class Artifact>
  static outcome<Artifact> of(Artifact const* artifact, outcome_details const* details, hold hold) {
    return outcome<Artifact>(artifact, details, std::move(hold));
  }
  template<class Artifact>
  static Artifact const* artifact(outcome<Artifact> const& from) {
    return from.artifact_;
  }
  // The artifact, to be moved out, where the stage has just made it and `from` is all that holds
  // it; else null.
  template<class Artifact>
  static Artifact* fresh(outcome<Artifact>& from) {
    if (!from.is_fresh_ || !from.hold_.get()->is_sole_owner()) return nullptr;
    return &const_cast<boxed<Artifact>*>(static_cast<boxed<Artifact> const*>(from.hold_.get()))
                ->value;
  }

  // The same with other messages.
  template<class Artifact>
  static outcome<Artifact> with(outcome<Artifact> from, shared_messages messages) {
    auto const* const artifact = from.artifact_;
    auto error = from.error();
    auto* const box =
        new boxed<outcome<Artifact>>(std::move(from), {std::move(error), std::move(messages)});
    return outcome<Artifact>(artifact, &box->details, hold::adopt(box));
  }
  template<class Artifact>
  static shared_messages messages(outcome<Artifact> const& from) {
    return from.details_ ? from.details_->messages : shared_messages{};
  }
};

}  // namespace detail
}  // namespace layerkey
