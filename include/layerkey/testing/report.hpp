// What a verification of params found: faults by law, and what could not be checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace layerkey::testing {

// What has to hold of params and of the functions that their description names.
enum class law : std::uint8_t {
  pure,
  equivalence,
  hash_follows_key,
  shape_agrees,
  one_form_a_value,
  prefix_free,
  takes_what_was_written,
  reads_what_was_set,
  sets_one_member,
  moves_what_sees_it,
  canonical_is_idempotent,
  section_represents,
  narrowed_agrees,
  tables_agree,
  lists_every_member,
};

constexpr char const* sentence_of(law l) {
  switch (l) {
    case law::pure:
      return "the same params give the same key each time";
    case law::equivalence:
      return "equality of keys is reflexive, symmetric and transitive";
    case law::hash_follows_key:
      return "equal keys have equal hashes, other keys other ones";
    case law::shape_agrees:
      return "value<T>::write puts the words that atoms and shape promise";
    case law::one_form_a_value:
      return "values that differ are written differently";
    case law::prefix_free:
      return "no value is written as the beginning of another";
    case law::takes_what_was_written:
      return "read() and the form of value<T> take what write puts";
    case law::reads_what_was_set:
      return "a member reads as it was set";
    case law::sets_one_member:
      return "setting a member changes no other member";
    case law::moves_what_sees_it:
      return "a change of a member moves exactly the keys of the layers that see it";
    case law::canonical_is_idempotent:
      return "canonical: f(f(x)) is f(x)";
    case law::section_represents:
      return "represented_by: projection(section(u)) is u";
    case law::narrowed_agrees:
      return "narrowed params have the layer's own key, and no more";
    case law::tables_agree:
      return "a table finds the same keys whatever the hash";
    case law::lists_every_member:
      return "each member is in the list of fields";
  }
  return "?";
}

struct fault {
  law broken;
  std::string structure;  // the params
  std::string member;  // with the structs that lead to it: "target.sm"; empty if none is at fault
  std::string layer;   // empty if it is not about one
  std::string detail;  // what was seen, with the values
  std::size_t times = 1;  // how often; the detail is that of the first

  // In one line.
  std::string to_text() const {
    std::string line = structure;
    if (!member.empty()) line += "::" + member;
    if (!layer.empty()) line += ", layer " + layer;
    line += std::string(": ") + sentence_of(broken) + "; but " + detail;
    if (times > 1) line += " (" + std::to_string(times) + " times)";
    return line;
  }
};

class report {
 public:
  bool ok() const { return faults_.empty(); }
  explicit operator bool() const { return ok(); }

  // How many single assertions were made.
  std::size_t checks() const { return checks_; }
  std::vector<fault> const& faults() const { return faults_; }
  // What the params and the values did not allow to check, a sentence each.
  std::vector<std::string> const& unchecked() const { return unchecked_; }

  bool found(law broken, std::string const& member = {}) const {
    return std::any_of(faults_.begin(), faults_.end(), [&](fault const& each) {
      return each.broken == broken && (member.empty() || each.member == member);
    });
  }

  // A fault of one law, member and layer is kept once.
  void add(fault found) {
    for (auto& known : faults_)
      if (known.broken == found.broken && known.structure == found.structure &&
          known.member == found.member && known.layer == found.layer) {
        known.times += found.times;
        return;
      }
    faults_.push_back(std::move(found));
  }

  void leave_unchecked(std::string what) {
    if (std::find(unchecked_.begin(), unchecked_.end(), what) == unchecked_.end())
      unchecked_.push_back(std::move(what));
  }

  void count(std::size_t checks) { checks_ += checks; }

  report& operator+=(report other) {
    checks_ += other.checks_;
    for (auto& each : other.faults_) add(std::move(each));
    for (auto& each : other.unchecked_) leave_unchecked(std::move(each));
    return *this;
  }

  std::string to_text() const {
    std::string text = std::to_string(checks_) + " checks, " + std::to_string(faults_.size()) +
                       (faults_.size() == 1 ? " fault\n" : " faults\n");
    for (auto const& each : faults_) text += "  " + each.to_text() + "\n";
    for (auto const& each : unchecked_) text += "  not checked: " + each + "\n";
    return text;
  }

  template<class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                                      report const& r) {
    return out << r.to_text().c_str();
  }

 private:
  std::vector<fault> faults_;
  std::vector<std::string> unchecked_;
  std::size_t checks_ = 0;
};

namespace detail {

class reporter {
 public:
  explicit reporter(std::string structure) : structure_(std::move(structure)) {}

  // `what()` is only asked for where the law is broken.
  template<class What>
  bool check(bool holds, law l, std::string const& member, std::string const& layer, What what) {
    found.count(1);
    if (!holds) found.add({l, structure_, member, layer, what()});
    return holds;
  }

  report found;

 private:
  std::string structure_;
};

}  // namespace detail
}  // namespace layerkey::testing
