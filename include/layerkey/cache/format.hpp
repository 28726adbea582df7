// The counters of a pipeline as a table, on streams and in std::format; diagnostics in the latter.
// In fmt too, with <layerkey/fmt.hpp>.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/format.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace layerkey {
namespace detail {

// "12.3 ms"
inline std::string in_milliseconds(std::chrono::nanoseconds time) {
  auto const tenths = (time.count() + 50'000) / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

inline std::vector<std::string> table_row(layer_statistics const& row) {
  return {row.layer,
          std::to_string(row.requests),
          std::to_string(row.served),
          std::to_string(row.runs),
          std::to_string(row.failures + row.failures_without_run),
          in_milliseconds(row.spent),
          in_milliseconds(row.saved)};
}

}  // namespace detail

inline std::string to_text(diagnostics const& d) { return d.text; }

// A heading, then a row a layer, upstream first: requests == served + run + those that failed
// without a run.
inline std::string to_text(statistics const& rows) {
  std::vector<std::vector<std::string>> cells = {
      {"layer", "requests", "served", "run", "failed", "spent", "saved"}};
  for (auto const& row : rows) cells.push_back(detail::table_row(row));
  std::vector<std::size_t> width(cells.front().size());
  for (auto const& row : cells)
    for (std::size_t i = 0; i != row.size(); ++i) width[i] = std::max(width[i], row[i].size());

  std::string out;
  for (auto const& row : cells) {
    (out += row[0]).append(width[0] - row[0].size(), ' ');
    for (std::size_t i = 1; i != row.size(); ++i)
      out.append(2 + width[i] - row[i].size(), ' ') += row[i];
    out += '\n';
  }
  return out;
}

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             statistics const& rows) {
  return out << to_text(rows).c_str();
}

}  // namespace layerkey
