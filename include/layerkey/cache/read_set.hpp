// What a stage found in files and in the environment while it ran.
#pragma once

#include <layerkey/cache/detail/portable_bytes.hpp>
#include <layerkey/cache/portable.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/content_digest.hpp>
#include <layerkey/values/input_file.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
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
  friend portable<read_set>;

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

// Paths and variables mean the same to every process on machines that are set up alike.
template<auto Digest>
struct portable<read_set<Digest>> {
  static constexpr text kind = "read_set/1";

  static void write(std::string& out, read_set<Digest> const& set) {
    detail::put_number(out, set.files_.size());
    for (auto const& each : set.files_) {
      detail::put_text(out, each.path);
      detail::put_number(out, static_cast<std::uint64_t>(each.error.value()), 4);
      detail::put_number(out, static_cast<std::uint64_t>(each.digest.algorithm), 1);
      detail::put_number(out, each.digest.size);
      out.append(reinterpret_cast<char const*>(each.digest.bytes), sizeof each.digest.bytes);
    }
    detail::put_number(out, set.variables_.size());
    for (auto const& each : set.variables_) {
      detail::put_text(out, each.name);
      detail::put_number(out, each.value.has_value(), 1);
      detail::put_text(out, each.value.value_or(""));
    }
  }

  static std::optional<read_set<Digest>> read(std::string_view bytes) {
    read_set<Digest> set;
    detail::portable_reader from(bytes);
    for (auto left = from.count(); left != 0 && !from.failed(); --left) {
      typename read_set<Digest>::file one{std::string(from.text()), {}, {}};
      one.error = std::error_code(static_cast<int>(from.number(4)), std::generic_category());
      one.digest.algorithm = static_cast<digest_algorithm>(from.number(1));
      one.digest.size = from.number();
      for (auto& byte : one.digest.bytes) byte = static_cast<std::uint8_t>(from.number(1));
      set.files_.push_back(std::move(one));
    }
    for (auto left = from.count(); left != 0 && !from.failed(); --left) {
      typename read_set<Digest>::variable one{std::string(from.text()), {}};
      bool const there = from.number(1) != 0;
      auto const value = from.text();
      if (there) one.value = value;
      set.variables_.push_back(std::move(one));
    }
    if (!from.ended()) return std::nullopt;
    return set;
  }
};

}  // namespace layerkey
