// The options of a compiler with three cached stages, and what each stage really reads of them.
#pragma once

#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>

#include <cstdint>
#include <optional>
#include <tuple>

namespace bench {

enum class ad_mode : std::uint8_t { none, forward, reverse, split };
enum class abi_kind : std::uint8_t { native, spec, kernel };
enum class fp_model : std::uint8_t { strict, contract, fast };
enum class reloc_model : std::uint8_t { fixed, pic, dynamic };

constexpr bool is_forward(ad_mode mode) { return mode == ad_mode::forward; }

struct dim3 {
  std::int32_t x = 1;
  std::int32_t y = 1;
  std::int32_t z = 1;

  friend bool operator==(dim3 const&, dim3 const&) = default;
};

struct params {
  bool always_inline = false;
  ad_mode mode = ad_mode::reverse;
  std::int64_t budget = 1000;
  float inline_cost = 80;
  bool strict = false;
  abi_kind abi = abi_kind::spec;
  bool bounds_checks = true;

  std::uint8_t debug_level = 0;
  bool line_tables = false;
  fp_model fp = fp_model::contract;
  bool kernel = true;
  std::uint16_t isa = 80;
  bool only_entry = false;

  std::int32_t sm = 90;
  std::uint32_t max_regs = 0;
  float spill_weight = 1;
  reloc_model reloc = reloc_model::pic;
  bool function_sections = false;
  std::optional<dim3> max_threads = std::nullopt;
  bool strip = false;

  bool validate = true;       // tests the finished code
  void const* log = nullptr;  // where messages go

  friend bool operator==(params const&, params const&) = default;

  template<auto Member, class... Tags>
  using field = layerkey::field<Member, Tags...>;
  using inference = layerkey::affects_inference;
  using irgen = layerkey::affects_irgen;
  using codegen = layerkey::affects_codegen;
  using layerkey_fields = layerkey::fields<
      field<&params::always_inline, inference>,
      field<&params::mode, inference::as<is_forward>, irgen>, field<&params::budget, inference>,
      field<&params::inline_cost, inference>, field<&params::strict, inference>,
      field<&params::abi, inference>, field<&params::bounds_checks, inference>,
      field<&params::debug_level, irgen>,
      field<&params::line_tables, irgen, layerkey::only_if<&params::debug_level>>,
      field<&params::fp, irgen>, field<&params::kernel, irgen>, field<&params::isa, irgen>,
      field<&params::only_entry, irgen>, field<&params::sm, codegen>,
      field<&params::max_regs, codegen>, field<&params::spill_weight, codegen>,
      field<&params::reloc, codegen>, field<&params::function_sections, codegen>,
      field<&params::max_threads, codegen>, field<&params::strip, codegen>,
      field<&params::validate, layerkey::check_only>, field<&params::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

// The three stages, upstream first.
enum class layer : std::uint8_t { inference, irgen, codegen };
constexpr std::size_t layers = 3;

// The truth that every strategy is held against: the members that each stage reads, by hand and
// without any tag.
inline auto read_by_inference(params const& p) {
  return std::tuple(p.always_inline, p.mode == ad_mode::forward, p.budget, p.inline_cost, p.strict,
                    p.abi, p.bounds_checks);
}
inline auto read_by_irgen(params const& p) {
  bool const line_tables = p.debug_level != 0 && p.line_tables;
  return std::tuple(p.mode, p.debug_level, line_tables, p.fp, p.kernel, p.isa, p.only_entry);
}
inline auto read_by_codegen(params const& p) {
  auto const threads = p.max_threads.value_or(dim3{0, 0, 0});
  return std::tuple(p.sm, p.max_regs, p.spill_weight, p.reloc, p.function_sections,
                    p.max_threads.has_value(), threads.x, threads.y, threads.z, p.strip);
}

}  // namespace bench
