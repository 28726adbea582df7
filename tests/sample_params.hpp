// A struct that uses every kind of value, tag and form, for a chain of three layers.
#pragma once

#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include "vary.hpp"

#include <algorithm>

namespace sample {

struct front : layerkey::layer<> {
  static constexpr layerkey::text name = "front";
};
struct middle : layerkey::layer<front> {
  static constexpr layerkey::text name = "middle";
};
struct back : layerkey::layer<middle> {
  static constexpr layerkey::text name = "back";
};

enum class mode : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }

enum dialect { c, cxx, fortran };

struct dim3 {
  int x = 1, y = 1, z = 1;

  friend bool operator==(dim3 const&, dim3 const&) = default;
  friend dim3 another(dim3 d) { return {d.x + 1, d.y, d.z}; }
  static dim3 any(vary::engine& random) {
    return {vary::below(random, 2), vary::below(random, 2), 1};
  }
};

inline std::string file_name(std::string const& path) { return path.substr(path.rfind('/') + 1); }

inline std::vector<std::string> sorted(std::vector<std::string> v) {
  std::sort(v.begin(), v.end());
  return v;
}

struct unrolling {
  bool on = true;
  std::uint32_t factor = 4;
  std::string pragma = "auto";

  using layerkey_fields = layerkey::fields<
      layerkey::field<&unrolling::on, layerkey::affects<middle>>,
      layerkey::field<&unrolling::factor, layerkey::affects<middle>, layerkey::affects<back>>,
      layerkey::field<&unrolling::pragma, layerkey::affects<back>>>;
};
static_assert(layerkey::complete<unrolling>);

struct params {
  bool inlining = false;
  std::int8_t level = -1;
  std::uint16_t alignment = 16;
  int architecture = 90;
  std::int64_t seed = -5;
  std::uint64_t features = std::uint64_t{1} << 63;
  char letter = 'x';
  mode direction = mode::reverse;
  dialect language = cxx;
  float cost = 0.0f;
  double ratio = 1.5;
  layerkey::inline_text<15> cpu = "znver4";
  std::string module = "main";
  std::vector<std::string> passes = {"licm", "gvn"};
  std::optional<int> limit = 0;
  std::optional<dim3> threads;
  std::array<int, 3> grid = {1, 2, 3};
  unrolling unroll;
  std::string file = "src/main.c";
  std::vector<std::vector<int>> tiles = {{1}, {}};
  std::array<std::string, 2> prefixes = {"a", ""};
  dim3 block = {};
  bool verify = true;
  int const* log = nullptr;

  template<class Layer>
  using affects = layerkey::affects<Layer>;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&params::inlining, affects<front>>,
      layerkey::field<&params::level, affects<front>, affects<back>>,
      layerkey::field<&params::alignment, affects<middle>>,
      layerkey::field<&params::architecture, affects<back>>,
      layerkey::field<&params::seed, affects<front>>,
      layerkey::field<&params::features, affects<middle>>,
      layerkey::field<&params::letter, affects<back>>,
      layerkey::field<&params::direction, affects<front>::as<is_forward>, affects<middle>>,
      layerkey::field<&params::language, affects<back>>,
      layerkey::field<&params::cost, affects<middle>>,
      layerkey::field<&params::ratio, affects<back>>, layerkey::field<&params::cpu, affects<back>>,
      layerkey::field<&params::module, affects<front>>,
      layerkey::field<&params::passes, affects<back>, layerkey::canonical<sorted>>,
      layerkey::field<&params::limit, affects<middle>>,
      layerkey::field<&params::threads, affects<back>>,
      layerkey::field<&params::grid, affects<middle>>,
      layerkey::field<&params::unroll, layerkey::per_member>,
      layerkey::field<&params::file, affects<front>::as<file_name>>,
      layerkey::field<&params::tiles, affects<middle>>,
      layerkey::field<&params::prefixes, affects<front>>,
      layerkey::field<&params::block, affects<middle>::as<&dim3::x>, affects<back>>,
      layerkey::field<&params::verify, layerkey::check_only>,
      layerkey::field<&params::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

}  // namespace sample
