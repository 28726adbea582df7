// A compiler of text whose artifacts spell out everything that its stages read, so that a wrong
// artifact shows in its text. Its layers are a diamond: front, then left and right, then join.
#pragma once

#include <layerkey/all.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace toy {

struct front : layerkey::layer<> {
  static constexpr layerkey::text name = "front";
  using input = std::string;
  using artifact = std::string;
};
struct left : layerkey::layer<front> {
  static constexpr layerkey::text name = "left";
  using input = std::string;
  using artifact = std::string;
};
struct right : layerkey::layer<front> {
  static constexpr layerkey::text name = "right";
  using input = std::string;
  using artifact = std::string;
};
struct join : layerkey::layer<left, right> {
  static constexpr layerkey::text name = "join";
  using input = std::string;
  using artifact = std::string;
};

enum class mode : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }

struct params {
  int dialect = 1;
  toy::mode mode = toy::mode::reverse;
  int level = 0;
  bool lines = false;
  std::string cpu = "old";
  int sm = 90;
  bool validate = true;
  void const* log = nullptr;

  // Where a std::string is no constant, P{} is none, so the defaults are supplied.
  static params layerkey_defaults() { return {}; }

  template<class Layer>
  using affects = layerkey::affects<Layer>;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&params::dialect, affects<front>>,
      layerkey::field<&params::mode, affects<front>::as<is_forward>, affects<left>>,
      layerkey::field<&params::level, affects<left>>,
      layerkey::field<&params::lines, affects<left>, layerkey::only_if<&params::level>>,
      layerkey::field<&params::cpu, affects<right>>, layerkey::field<&params::sm, affects<join>>,
      layerkey::field<&params::validate, layerkey::check_only>,
      layerkey::field<&params::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

// How often each function ran, in all pipelines together.
struct run_counts {
  std::atomic<int> front = 0, left = 0, right = 0, join = 0;
};
inline run_counts counts;

inline bool contains(std::string const& source, char const* word) {
  return source.find(word) != std::string::npos;
}

// Where there are no exceptions, no test gets here.
[[noreturn]] inline void throw_error([[maybe_unused]] std::string const& what) {
#if defined(__cpp_exceptions)
  throw std::runtime_error(what);
#else
  std::abort();
#endif
}

// Sources that fail: "syntax" in front by diagnostics, "throw front" and "throw join" by an
// exception there, "join fails" in join by diagnostics.
inline layerkey::outcome<std::string> run_front(std::string const& source,
                                                layerkey::view<front, params> options) {
  ++counts.front;
  if (contains(source, "syntax")) return layerkey::diagnostics{"cannot parse " + source};
  if (contains(source, "throw front")) throw_error("front threw on " + source);
  return "front(" + source + " " + std::to_string(options.get<&params::dialect>()) +
         (options.get<&params::mode>() ? " forward" : "") + ")";
}

inline std::string run_left(std::string const&, std::string const& front,
                            layerkey::narrowed<left, params> options) {
  ++counts.left;
  return "left(" + front + " " + std::to_string(static_cast<int>(options->mode)) + " " +
         std::to_string(options->level) + (options->lines ? " lines" : "") + ")";
}

inline std::string run_right(std::string const&, std::string const& front,
                             layerkey::view<right, params> options) noexcept {
  ++counts.right;
  return "right(" + front + " " + options.get<&params::cpu>() + ")";
}

inline layerkey::outcome<std::string> run_join(std::string const& source, std::string const& left,
                                               std::string const& right,
                                               layerkey::view<join, params> const& options) {
  ++counts.join;
  if (contains(source, "throw join")) throw_error("join threw on " + source);
  if (contains(source, "join fails")) return layerkey::diagnostics{"cannot join " + source};
  return "join(" + left + " " + right + " " + std::to_string(options.get<&params::sm>()) + ")";
}

using compiler = layerkey::pipeline<params, layerkey::stage<run_front>, layerkey::stage<run_left>,
                                    layerkey::stage<run_right>, layerkey::stage<run_join>>;

// What join's artifact has to be: the stages one after the other, without any cache. For sources
// that do not fail.
inline std::string expected_front(std::string const& source, params const& p) {
  return run_front(source, layerkey::view<front, params>(p)).value();
}
inline std::string expected_left(std::string const& source, params const& p) {
  return run_left(source, expected_front(source, p), layerkey::narrowed<left, params>(p));
}
inline std::string expected_right(std::string const& source, params const& p) {
  return run_right(source, expected_front(source, p), layerkey::view<right, params>(p));
}
inline std::string expected_join(std::string const& source, params const& p) {
  return run_join(source, expected_left(source, p), expected_right(source, p),
                  layerkey::view<join, params>(p))
      .value();
}

// ---- statistics --------------------------------------------------------------------------------

inline layerkey::layer_statistics of_layer(layerkey::statistics const& all,
                                           std::string const& name) {
  auto const found = std::find_if(all.begin(), all.end(),
                                  [&name](auto const& each) { return each.layer == name; });
  if (found == all.end()) std::abort();
  return *found;
}

inline std::vector<int> runs_of(layerkey::statistics const& all) {
  std::vector<int> runs;
  for (auto const& each : all) runs.push_back(static_cast<int>(each.runs));
  return runs;
}

inline bool adds_up(layerkey::layer_statistics const& s) {
  return s.requests == s.served + s.runs + s.failures_without_run && s.failures <= s.runs;
}

inline bool adds_up(layerkey::statistics const& all) {
  return std::all_of(all.begin(), all.end(), [](auto const& each) { return adds_up(each); });
}

}  // namespace toy
