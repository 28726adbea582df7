// Who made an artifact: what has to be equal so that two builds may share what they store.
#pragma once

#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace layerkey {

// Names and values, such as {{"clang", "19.1.7"}, {"scheme", "2"}}; in which order they are given
// makes no difference. It has to change whenever stages could make something else of one key; what
// this_build() says does so by itself.
//
// Where it cannot be had, as of a library that is not loaded, problem() says what is missing, and a
// store that is given it is not opened. The same goes for an empty one.
class provenance {
 public:
  provenance() = default;
  provenance(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs);

  provenance& add(std::string_view name, std::string_view value);
  // What both say, for this_build() with the versions of tools that it starts.
  provenance& add(provenance const& other);

  using pair = std::pair<std::string, std::string>;
  std::vector<pair> const& pairs() const { return pairs_; }  // sorted
  bool empty() const { return pairs_.empty(); }

  // One line, equal for equal pairs only: "clang=19.1.7, scheme=2". Commas, equals signs,
  // backslashes and control characters of names and values are \x and two hexadecimal digits.
  std::string const& text() const { return text_; }

  // Empty: it can be used.
  std::string const& problem() const { return problem_; }

  // Whether it has what this_build() says. If not, code is told apart by the names of functions.
  bool by_build() const { return by_build_; }

  friend bool operator==(provenance const& a, provenance const& b) {
    return a.text_ == b.text_ && a.problem_ == b.problem_ && a.by_build_ == b.by_build_;
  }

 private:
  friend provenance this_build(std::initializer_list<std::string_view> libraries);

  void fail(std::string problem);

  std::vector<pair> pairs_;
  std::string text_;
  std::string problem_;
  bool by_build_ = false;
};

// The program as it was built, the library that layerkey is linked into if it is one, and each
// loaded library of these names: "libLLVM" is libLLVM.so.19.1 and libLLVM-19.so.1, but not
// libLLVMIR.so. They are named by their build ids (GNU ld, and lld with --build-id, put a digest of
// all that they link there), or, without one, by a digest of the file.
provenance this_build(std::initializer_list<std::string_view> libraries = {});

// The same of one library, for layers that say themselves what they depend on: "build-id:..." or
// "blake2b:..."; empty if none of this name is loaded or one cannot be read.
std::string build_id_of_library(std::string_view name);

// Of the code at an address: which program or library it is in, as it was built, and where in it.
// Equal for equal code of one build only. Code that is in no file is equal to nothing in another
// process.
std::string build_id_of_code(void const* address);

inline std::string const& to_text(provenance const& p) { return p.text(); }

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             provenance const& p) {
  return out << p.text().c_str();
}

}  // namespace layerkey
