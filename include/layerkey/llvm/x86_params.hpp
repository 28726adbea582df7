// The options of an x86-64 compile with LLVM 19, each tagged with the layer whose artifact it
// changes.
#pragma once

#include <layerkey/layerkey.hpp>
#include <layerkey/llvm/options.hpp>

namespace layerkey {

namespace x86 {

enum class relocation_model : std::uint8_t { static_, pic };  // dynamic-no-pic is pic on x86-64 ELF
enum class code_model : std::uint8_t {
  small,
  kernel,
  medium,
  large
};  // small yields to the module's own
enum class output_kind : std::uint8_t { object, assembly };

struct optimization;
struct codegen;
using affects_optimization = affects<optimization>;
using affects_codegen = affects<codegen>;

constexpr bool is_assembly(output_kind kind) { return kind == output_kind::assembly; }

}  // namespace x86

// Defaults are those of `opt-19 -O2 | llc-19 -O2`, both with -relocation-model=pic. Each tag was
// measured by flipping the option alone over modules that exercise it and comparing optimised IR
// and objects. Relocation and code model change the optimised IR as well: a switch over string
// constants becomes a relative lookup table only under PIC and not in the medium and large models.
struct x86_params {
  optimization_level level = optimization_level::O2;
  inline_text<31> cpu{};  // as -mcpu; empty: the generic CPU. "native" is resolved before keying
  inline_text<255> features{};  // as -mattr: "+avx2,-sse4a"
  x86::relocation_model relocation_model = x86::relocation_model::pic;
  x86::code_model code_model = x86::code_model::small;

  // Middle end
  by_level vectorize_loops = by_level::from_O2;
  by_level vectorize_slp = by_level::from_O2;
  bool interleave_loops = true;
  bool unroll_loops = true;
  bool merge_functions = false;
  bool call_graph_profile = true;
  int inliner_threshold = -1;  // -1: LLVM's own, by level

  // Back end
  fp_contraction fp_contract = fp_contraction::on;
  bool function_sections = false;
  bool data_sections = false;
  bool unique_section_names = true;
  bool use_init_array = true;
  bool emulated_tls = false;
  bool guaranteed_tail_calls = false;
  bool zeros_in_bss = true;
  bool stack_symbol_ordering = true;
  bool interprocedural_registers = false;  // -enable-ipra
  bool stack_size_section = false;
  bool address_significance = false;  // -addrsig
  bool trap_unreachable = false;
  bool no_trap_after_noreturn = false;  // read only where unreachable code traps
  x86::output_kind output = x86::output_kind::object;
  bool verbose_assembly = false;  // comments; an object has none

  inline_text<63> label{};  // how progress and statistics call this compile

  using layerkey_fields = fields<
      field<&x86_params::level, x86::affects_optimization,
            x86::affects_codegen::as<codegen_level_of>::represented_by<optimization_level_of>>,
      field<&x86_params::cpu, x86::affects_optimization, x86::affects_codegen>,
      field<&x86_params::features, x86::affects_optimization, x86::affects_codegen>,
      field<&x86_params::relocation_model, x86::affects_optimization, x86::affects_codegen>,
      field<&x86_params::code_model, x86::affects_optimization, x86::affects_codegen>,
      field<&x86_params::vectorize_loops, x86::affects_optimization>,
      field<&x86_params::vectorize_slp, x86::affects_optimization>,
      field<&x86_params::interleave_loops, x86::affects_optimization>,
      field<&x86_params::unroll_loops, x86::affects_optimization>,
      field<&x86_params::merge_functions, x86::affects_optimization>,
      field<&x86_params::call_graph_profile, x86::affects_optimization>,
      field<&x86_params::inliner_threshold, x86::affects_optimization>,
      field<&x86_params::fp_contract, x86::affects_codegen>,
      field<&x86_params::function_sections, x86::affects_codegen>,
      field<&x86_params::data_sections, x86::affects_codegen>,
      field<&x86_params::unique_section_names, x86::affects_codegen>,
      field<&x86_params::use_init_array, x86::affects_codegen>,
      field<&x86_params::emulated_tls, x86::affects_codegen>,
      field<&x86_params::guaranteed_tail_calls, x86::affects_codegen>,
      field<&x86_params::zeros_in_bss, x86::affects_codegen>,
      field<&x86_params::stack_symbol_ordering, x86::affects_codegen>,
      field<&x86_params::interprocedural_registers, x86::affects_codegen>,
      field<&x86_params::stack_size_section, x86::affects_codegen>,
      field<&x86_params::address_significance, x86::affects_codegen>,
      field<&x86_params::trap_unreachable, x86::affects_codegen>,
      field<&x86_params::no_trap_after_noreturn, x86::affects_codegen,
            only_if<&x86_params::trap_unreachable>>,
      field<&x86_params::output, x86::affects_codegen>,
      field<&x86_params::verbose_assembly, x86::affects_codegen,
            only_if<x86::is_assembly, &x86_params::output>>,
      field<&x86_params::label, runtime_only>>;  // no artifact holds it
};

}  // namespace layerkey
