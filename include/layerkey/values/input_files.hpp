// Lists of files in params, and files that may be absent: the projections of input_file for them.
#pragma once

#include <layerkey/values/input_file.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>

#include <optional>
#include <type_traits>
#include <vector>

namespace layerkey {
namespace detail {

template<auto Projection>
auto project_each(std::vector<input_file> const& files) {
  std::vector<std::remove_cvref_t<decltype(Projection(files.front()))>> all;
  all.reserve(files.size());
  for (auto const& each : files) all.push_back(Projection(each));
  return all;
}

template<auto Projection>
constexpr auto project_any(std::optional<input_file> const& file) {
  return file ? std::optional(Projection(*file)) : std::nullopt;
}

}  // namespace detail

// ---- of a list, in its order -------------------------------------------------------------------

inline std::vector<file_content> contents_of(std::vector<input_file> const& files) {
  return detail::project_each<content_of>(files);
}

inline std::vector<file_path> paths_of(std::vector<input_file> const& files) {
  return detail::project_each<path_of>(files);
}

inline std::vector<file_content_and_path> contents_and_paths_of(
    std::vector<input_file> const& files) {
  return detail::project_each<content_and_path_of>(files);
}

// ---- of a file that may be absent --------------------------------------------------------------

constexpr std::optional<file_content> optional_content_of(std::optional<input_file> const& file) {
  return detail::project_any<content_of>(file);
}

constexpr std::optional<file_path> optional_path_of(std::optional<input_file> const& file) {
  return detail::project_any<path_of>(file);
}

constexpr std::optional<file_content_and_path> optional_content_and_path_of(
    std::optional<input_file> const& file) {
  return detail::project_any<content_and_path_of>(file);
}

// ---- refusals ----------------------------------------------------------------------------------

template<>
struct error::unkeyed<std::vector<input_file>> : error::unkeyed<input_file> {};

template<>
struct error::unkeyed<std::optional<input_file>> : error::unkeyed<input_file> {};

}  // namespace layerkey
