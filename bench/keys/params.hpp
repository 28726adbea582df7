// Two structs of compiler options for measuring keys: one of fixed size, and the same with strings.
#pragma once

#include <layerkey/layerkey.hpp>
#include <layerkey/sealed.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace keys {

struct inference : layerkey::layer<> {
  static constexpr auto name = layerkey::text{"inference"};
  using input = std::uint64_t;
  using artifact = std::uint64_t;
};
struct irgen : layerkey::layer<inference> {
  static constexpr auto name = layerkey::text{"irgen"};
  using input = std::uint64_t;
  using artifact = std::uint64_t;
};
struct codegen : layerkey::layer<irgen> {
  static constexpr auto name = layerkey::text{"codegen"};
  using input = std::uint64_t;
  using artifact = std::uint64_t;
};

using layerkey::affects, layerkey::field;

enum class ad_mode : std::uint8_t { none, forward, reverse, split };
enum class abi_kind : std::uint8_t { native, spec, kernel };
enum class fp_model : std::uint8_t { strict, contract, fast };
enum class reloc_model : std::uint32_t { fixed, pic, dynamic };

struct dim3 {
  std::int32_t x = 1;
  std::int32_t y = 1;
  std::int32_t z = 1;

  friend bool operator==(dim3 const&, dim3 const&) = default;
};

// 20 members: inference reads 7, irgen 6 more, codegen the rest.
struct fixed_params {
  bool always_inline = false;
  ad_mode mode = ad_mode::reverse;
  std::int64_t budget = 1000;
  float inline_cost = 80;
  bool strict = false;
  abi_kind abi = abi_kind::spec;
  bool bounds_checks = true;

  std::uint8_t debug_level = 1;
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

  using P = fixed_params;
  using layerkey_fields = layerkey::fields<
      field<&P::always_inline, affects<inference>>, field<&P::mode, affects<inference>>,
      field<&P::budget, affects<inference>>, field<&P::inline_cost, affects<inference>>,
      field<&P::strict, affects<inference>>, field<&P::abi, affects<inference>>,
      field<&P::bounds_checks, affects<inference>>, field<&P::debug_level, affects<irgen>>,
      field<&P::line_tables, affects<irgen>>, field<&P::fp, affects<irgen>>,
      field<&P::kernel, affects<irgen>>, field<&P::isa, affects<irgen>>,
      field<&P::only_entry, affects<irgen>>, field<&P::sm, affects<codegen>>,
      field<&P::max_regs, affects<codegen>>, field<&P::spill_weight, affects<codegen>>,
      field<&P::reloc, affects<codegen>>, field<&P::function_sections, affects<codegen>>,
      field<&P::max_threads, affects<codegen>>, field<&P::strip, affects<codegen>>>;
};
static_assert(layerkey::complete<fixed_params>);

// The same with two short strings, up to four features and a pointer: 24 members.
struct full_params {
  bool always_inline = false;
  ad_mode mode = ad_mode::reverse;
  std::int64_t budget = 1000;
  float inline_cost = 80;
  bool strict = false;
  abi_kind abi = abi_kind::spec;
  bool bounds_checks = true;

  std::uint8_t debug_level = 1;
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

  std::string entry_name = "kernel";
  std::string cpu = "sm_90";
  std::vector<std::string> features = {};
  void* log = nullptr;

  using P = full_params;
  using layerkey_fields = layerkey::fields<
      field<&P::always_inline, affects<inference>>, field<&P::mode, affects<inference>>,
      field<&P::budget, affects<inference>>, field<&P::inline_cost, affects<inference>>,
      field<&P::strict, affects<inference>>, field<&P::abi, affects<inference>>,
      field<&P::bounds_checks, affects<inference>>, field<&P::debug_level, affects<irgen>>,
      field<&P::line_tables, affects<irgen>>, field<&P::fp, affects<irgen>>,
      field<&P::kernel, affects<irgen>>, field<&P::isa, affects<irgen>>,
      field<&P::only_entry, affects<irgen>>, field<&P::sm, affects<codegen>>,
      field<&P::max_regs, affects<codegen>>, field<&P::spill_weight, affects<codegen>>,
      field<&P::reloc, affects<codegen>>, field<&P::function_sections, affects<codegen>>,
      field<&P::max_threads, affects<codegen>>, field<&P::strip, affects<codegen>>,
      field<&P::entry_name, affects<irgen>>, field<&P::cpu, affects<codegen>>,
      field<&P::features, affects<codegen>>, field<&P::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<full_params>);

template<class P>
constexpr bool has_strings = std::is_same_v<P, full_params>;

template<class L>
constexpr int depth = std::is_same_v<L, inference> ? 0
                      : std::is_same_v<L, irgen>   ? 1
                                                   : 2;

// As many as stay in the first cache; half of them have the optional value.
constexpr std::size_t samples = 64;

template<class P>
P sample_params(unsigned seed) {
  std::mt19937 random(seed);
  auto const below = [&](unsigned n) { return static_cast<int>(random() % n); };
  P p;
  p.always_inline = below(2);
  p.mode = static_cast<ad_mode>(below(4));
  p.budget = below(10'000);
  p.inline_cost = static_cast<float>(below(100));
  p.strict = below(2);
  p.abi = static_cast<abi_kind>(below(3));
  p.bounds_checks = below(2);
  p.debug_level = static_cast<std::uint8_t>(below(3));
  p.line_tables = below(2);
  p.fp = static_cast<fp_model>(below(3));
  p.kernel = below(2);
  p.isa = static_cast<std::uint16_t>(60 + below(26));
  p.only_entry = below(2);
  p.sm = 70 + below(30);
  p.max_regs = static_cast<std::uint32_t>(below(256));
  p.spill_weight = static_cast<float>(below(10));
  p.reloc = static_cast<reloc_model>(below(3));
  p.function_sections = below(2);
  p.strip = below(2);
  if (below(2)) p.max_threads = dim3{below(1024), below(8), 1};
  if constexpr (has_strings<P>) {
    static char const* const cpus[] = {"sm_90", "sm_90a", "skylake-avx512", "znver4", "x86-64-v3"};
    static char const* const names[] = {"kernel", "reduce_sum", "gemm_nt_f32", "julia_axpy_12"};
    static char const* const features[] = {"+ptx85", "+avx512f", "+avx2", "-fma4"};
    p.cpu = cpus[below(5)];
    p.entry_name = names[below(4)];
    for (int i = 0, n = below(5); i < n; ++i) p.features.emplace_back(features[i]);
    static int messages;
    p.log = &messages;
  }
  return p;
}

template<class P>
std::vector<P> sample() {
  std::vector<P> all;
  for (unsigned i = 0; i != samples; ++i) all.push_back(sample_params<P>(i));
  return all;
}

}  // namespace keys
