// What a stage found in files and in the environment while it ran.
#pragma once

#include <layerkey/cache/validity.hpp>
#include <layerkey/content_digest.hpp>
#include <layerkey/values/input_file.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace layerkey {

// A validity: holds while every file that was read still has the same content, every file that
// could not be read still cannot, and every environment variable that was looked at has the same
// value or is as absent. For what cannot be params, since it is known only when the stage has run:
// included files, search paths, variables that a library reads. Digest: as for input_file::read.
//
// Compares contents, not times, so a hit reads the files again (as ccache's direct mode does); what
// is known beforehand is cheaper as an input_file in the params.
template<auto Digest>
class read_set {
 public:
  // Reads the file and remembers what it said, or why it could not be read. A second time gives the
  // same bytes.
  input_file::result read_file(std::string const& path) {
    for (auto const& each : given_)
      if (each.path().text() == path) return each;
    auto result = input_file::read<Digest>(path);
    add(files_, result ? file{path, result->digest(), {}} : file{path, {}, result.code()});
    if (result) given_.push_back(*result);
    return result;
  }

  // The value of the variable; none if there is no such variable, which is not an empty one.
  std::optional<std::string> read_environment(std::string const& name) {
    auto value = value_of(name);
    add(variables_, variable{name, value});
    return value;
  }

  bool holds(request_context const&) const {
    return std::all_of(variables_.begin(), variables_.end(),
                       [](variable const& v) { return value_of(v.name) == v.value; }) &&
           std::all_of(files_.begin(), files_.end(), [](file const& f) {
             auto const now = input_file::read<Digest>(f.path);
             return now ? now->digest() == f.digest : f.error && now.code() == f.error;
           });
  }

  // A file or variable that was read twice, and not alike, never holds again.
  void restrict_to(read_set const& other) {
    for (auto const& each : other.files_) add(files_, each);
    for (auto const& each : other.variables_) add(variables_, each);
    given_.clear();
  }

 private:
  struct file {
    std::string path;
    content_digest digest;
    std::error_code error;

    friend bool operator==(file const&, file const&) = default;
  };
  struct variable {
    std::string name;
    std::optional<std::string> value;

    friend bool operator==(variable const&, variable const&) = default;
  };

  template<class T>
  static void add(std::vector<T>& to, T one) {
    if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(std::move(one));
  }

  static std::optional<std::string> value_of(std::string const& name) {
    char const* const value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  }

  std::vector<file> files_;
  std::vector<variable> variables_;
  std::vector<input_file> given_;  // while the stage runs
};

}  // namespace layerkey
