// A hand-written hash and equality beside the keys of a layer, on live traffic: before a migration
// it shows where the two disagree.
#pragma once

#include <layerkey/explain.hpp>
#include <layerkey/testing/slots.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace layerkey::testing {

enum class disagreement : std::uint8_t {
  under_keyed,   // equal by the old equality, of different keys: a stale artifact would be served
  over_keyed,    // different by the old equality, of one key: work is repeated
  inconsistent,  // equal by the old equality, and the old hashes differ: a table loses entries
};

constexpr char const* sentence_of(disagreement d) {
  switch (d) {
    case disagreement::under_keyed:
      return "old equal, new different";
    case disagreement::over_keyed:
      return "old different, new equal";
    case disagreement::inconsistent:
      return "old equal, old hashes differ";
  }
  return "?";
}

// The first pair that disagreed in this way over these members.
struct shadow_example {
  disagreement kind;
  std::vector<difference> differences;  // none: the params do not differ in any member
  std::uint64_t times = 1;
};

struct shadow_counts {
  std::uint64_t pairs = 0;
  std::uint64_t under_keyed = 0;
  std::uint64_t over_keyed = 0;
  std::uint64_t inconsistent = 0;

  bool agree() const { return under_keyed == 0 && over_keyed == 0 && inconsistent == 0; }
};

struct shadow_options {
  std::size_t recent = 32;    // how many params see() compares a new one with
  std::size_t examples = 64;  // how many are kept
};

namespace detail {

// All members that differ, in a key or not, as they are stored.
template<class P>
std::vector<difference> raw_differences(P const& a, P const& b) {
  std::vector<difference> found;
  for_each_slot<P>([&]<class Slot>(Slot) {
    if (written_in<Slot>(a) != written_in<Slot>(b))
      found.push_back({Slot::member::path(), "", printed_in<Slot>(a), printed_in<Slot>(b)});
  });
  return found;
}

}  // namespace detail

// Made by shadow(). Safe for any number of threads if the old functions are; they are called under
// no lock. Keeps no more than shadow_options says.
template<class Layer, class P, class OldHash, class OldEqual>
class shadow_run {
 public:
  shadow_run(OldHash old_hash, OldEqual old_equal, shadow_options options = {})
      : old_hash_(std::move(old_hash)), old_equal_(std::move(old_equal)), options_(options) {}

  // Compares two params that a cache could be asked for.
  void compare(P const& a, P const& b) {
    bool const old_equal = old_equal_(a, b);
    bool const new_equal = same_key<Layer>(a, b);
    bool const inconsistent = old_equal && !(old_hash_(a) == old_hash_(b));
    if (old_equal && !new_equal) note(disagreement::under_keyed, explain<Layer>(a, b));
    if (!old_equal && new_equal) note(disagreement::over_keyed, detail::raw_differences(a, b));
    if (inconsistent) note(disagreement::inconsistent, detail::raw_differences(a, b));
    std::lock_guard const lock(mutex_);
    ++counts_.pairs;
  }

  // Compares with those seen of late, itself included.
  void see(P const& p) {
    auto const seen = std::make_shared<P const>(p);
    std::vector<std::shared_ptr<P const>> recent;
    {
      std::lock_guard const lock(mutex_);
      recent.assign(recent_.begin(), recent_.end());
      recent_.push_front(seen);
      if (recent_.size() > options_.recent) recent_.pop_back();
    }
    compare(*seen, *seen);
    for (auto const& each : recent) compare(*each, *seen);
  }

  shadow_counts counts() const {
    std::lock_guard const lock(mutex_);
    return counts_;
  }

  // One of each kind and set of members.
  std::vector<shadow_example> examples() const {
    std::lock_guard const lock(mutex_);
    return examples_;
  }

  // How many disagreements were counted without an example, since there were enough.
  std::uint64_t left_out() const {
    std::lock_guard const lock(mutex_);
    return left_out_;
  }

  std::string to_text() const {
    std::lock_guard const lock(mutex_);
    std::string text = "layer " + layerkey::detail::layer_name<Layer>() + ": " +
                       std::to_string(counts_.pairs) + " pairs";
    auto const count = [&text](disagreement kind, std::uint64_t times) {
      text += std::string("; ") + sentence_of(kind) + ": " + std::to_string(times);
    };
    count(disagreement::under_keyed, counts_.under_keyed);
    count(disagreement::over_keyed, counts_.over_keyed);
    count(disagreement::inconsistent, counts_.inconsistent);
    text += '\n';
    for (auto const& each : examples_) {
      text += std::string("  ") + sentence_of(each.kind) + ", " + std::to_string(each.times) +
              (each.times == 1 ? " time:" : " times:");
      if (each.differences.empty()) text += " no member differs";
      char const* separator = " ";
      for (auto const& d : each.differences)
        text += std::exchange(separator, ", ") + d.member + ": " + d.before + " -> " + d.after;
      text += '\n';
    }
    if (left_out_ != 0) text += "  and " + std::to_string(left_out_) + " without an example\n";
    return text;
  }

  template<class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      shadow_run const& s) {
    return out << s.to_text().c_str();
  }

 private:
  static bool same_members(std::vector<difference> const& a, std::vector<difference> const& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i != a.size(); ++i)
      if (a[i].member != b[i].member) return false;
    return true;
  }

  std::uint64_t& count_of(disagreement kind) {
    switch (kind) {
      case disagreement::under_keyed:
        return counts_.under_keyed;
      case disagreement::over_keyed:
        return counts_.over_keyed;
      case disagreement::inconsistent:
        break;
    }
    return counts_.inconsistent;
  }

  void note(disagreement kind, std::vector<difference> differences) {
    std::lock_guard const lock(mutex_);
    ++count_of(kind);
    for (auto& known : examples_)
      if (known.kind == kind && same_members(known.differences, differences)) {
        ++known.times;
        return;
      }
    if (examples_.size() < options_.examples)
      examples_.push_back({kind, std::move(differences)});
    else
      ++left_out_;
  }

  OldHash old_hash_;
  OldEqual old_equal_;
  shadow_options options_;

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<P const>> recent_;
  std::vector<shadow_example> examples_;
  shadow_counts counts_;
  std::uint64_t left_out_ = 0;
};

// auto shadow = layerkey::testing::shadow<codegen, params>(old_hash{}, old_equal{});
// shadow.see(p) where a cache is asked; shadow.to_text() in the end.
template<class Layer, class P, class OldHash, class OldEqual>
shadow_run<Layer, P, OldHash, OldEqual> shadow(OldHash old_hash, OldEqual old_equal,
                                               shadow_options options = {}) {
  return {std::move(old_hash), std::move(old_equal), options};
}

}  // namespace layerkey::testing
