// Every member of x86_params and ptx_params, with what its tags claim and how the tools spell it.
#pragma once

#include "support.hpp"

namespace llvm_tests {

struct x86_flip {
  char const* name;
  bool optimization, codegen;  // what the tags claim
  void (*set)(x86_params&);
  char const* opt_flags = "";  // "-": opt-19 has no such flag
  char const* llc_flags = "";
  void (*base)(x86_params&) = [](x86_params&) {};
};

inline std::vector<x86_flip> const x86_flips = {
    {"level O0", true, true, [](x86_params& p) { p.level = optimization_level::O0; }, "-O0", "-O0"},
    {"level O1", true, true, [](x86_params& p) { p.level = optimization_level::O1; }, "-O1", "-O1"},
    {"level O3", true, true, [](x86_params& p) { p.level = optimization_level::O3; }, "-O3", "-O3"},
    {"level Os", true, false, [](x86_params& p) { p.level = optimization_level::Os; }, "-Os", ""},
    {"level Oz", true, false, [](x86_params& p) { p.level = optimization_level::Oz; }, "-Oz", ""},
    {"cpu x86-64-v3", true, true, [](x86_params& p) { p.cpu = "x86-64-v3"; }, "-mcpu=x86-64-v3",
     "-mcpu=x86-64-v3"},
    {"cpu znver4", true, true, [](x86_params& p) { p.cpu = "znver4"; }, "-mcpu=znver4",
     "-mcpu=znver4"},
    {"features", true, true, [](x86_params& p) { p.features = "+avx2,+popcnt,-sse4a"; },
     "-mattr=+avx2,+popcnt,-sse4a", "-mattr=+avx2,+popcnt,-sse4a"},
    {"relocation_model", true, true,
     [](x86_params& p) { p.relocation_model = x86::relocation_model::static_; },
     "-relocation-model=static", "-relocation-model=static"},
    {"code_model large", true, true, [](x86_params& p) { p.code_model = x86::code_model::large; },
     "-code-model=large", "-code-model=large"},
    {"code_model medium", true, true, [](x86_params& p) { p.code_model = x86::code_model::medium; },
     "-code-model=medium", "-code-model=medium"},

    {"vectorize_loops", true, false, [](x86_params& p) { p.vectorize_loops = by_level::never; },
     "-"},
    {"vectorize_slp", true, false, [](x86_params& p) { p.vectorize_slp = by_level::never; }, "-"},
    {"vectorize_loops at O1", true, false,
     [](x86_params& p) { p.vectorize_loops = by_level::always; }, "-", "-O1",
     [](x86_params& p) { p.level = optimization_level::O1; }},
    {"vectorize_slp at Oz", true, false, [](x86_params& p) { p.vectorize_slp = by_level::always; },
     "-", "", [](x86_params& p) { p.level = optimization_level::Oz; }},
    {"interleave_loops", true, false, [](x86_params& p) { p.interleave_loops = false; }, "-"},
    {"unroll_loops", true, false, [](x86_params& p) { p.unroll_loops = false; },
     "-disable-loop-unrolling"},
    {"merge_functions", true, false, [](x86_params& p) { p.merge_functions = true; },
     "-enable-merge-functions"},
    {"call_graph_profile", true, false, [](x86_params& p) { p.call_graph_profile = false; }, "-"},
    {"inliner_threshold", true, false, [](x86_params& p) { p.inliner_threshold = 0; }, "-"},

    {"fp_contract off", false, true, [](x86_params& p) { p.fp_contract = fp_contraction::off; }, "",
     "-fp-contract=off"},
    {"fp_contract fast", false, true, [](x86_params& p) { p.fp_contract = fp_contraction::fast; },
     "", "-fp-contract=fast"},
    {"function_sections", false, true, [](x86_params& p) { p.function_sections = true; }, "",
     "-function-sections"},
    {"data_sections", false, true, [](x86_params& p) { p.data_sections = true; }, "",
     "-data-sections"},
    {"unique_section_names", false, true, [](x86_params& p) { p.unique_section_names = false; }, "",
     "-function-sections -unique-section-names=false",
     [](x86_params& p) { p.function_sections = true; }},
    {"use_init_array", false, true, [](x86_params& p) { p.use_init_array = false; }, "",
     "-use-ctors"},
    {"emulated_tls", false, true, [](x86_params& p) { p.emulated_tls = true; }, "",
     "-emulated-tls"},
    {"guaranteed_tail_calls", false, true, [](x86_params& p) { p.guaranteed_tail_calls = true; },
     "", "-tailcallopt"},
    {"zeros_in_bss", false, true, [](x86_params& p) { p.zeros_in_bss = false; }, "",
     "-nozero-initialized-in-bss"},
    {"stack_symbol_ordering", false, true, [](x86_params& p) { p.stack_symbol_ordering = false; },
     "", "-stack-symbol-ordering=false"},
    {"interprocedural_registers", false, true,
     [](x86_params& p) { p.interprocedural_registers = true; }, "", "-enable-ipra"},
    {"stack_size_section", false, true, [](x86_params& p) { p.stack_size_section = true; }, "",
     "-stack-size-section"},
    {"address_significance", false, true, [](x86_params& p) { p.address_significance = true; }, "",
     "-addrsig"},
    {"trap_unreachable", false, true, [](x86_params& p) { p.trap_unreachable = true; }, "",
     "-trap-unreachable"},
    {"no_trap_after_noreturn", false, true, [](x86_params& p) { p.no_trap_after_noreturn = true; },
     "", "-trap-unreachable -no-trap-after-noreturn",
     [](x86_params& p) { p.trap_unreachable = true; }},
    {"no_trap_after_noreturn alone", false, false,
     [](x86_params& p) { p.no_trap_after_noreturn = true; }},
    {"output", false, true, [](x86_params& p) { p.output = x86::output_kind::assembly; }, "",
     "-filetype=asm -asm-verbose=false"},
    {"verbose_assembly", false, true, [](x86_params& p) { p.verbose_assembly = true; }, "",
     "-filetype=asm", [](x86_params& p) { p.output = x86::output_kind::assembly; }},
    {"verbose_assembly of an object", false, false,
     [](x86_params& p) { p.verbose_assembly = true; }},
    {"label", false, false, [](x86_params& p) { p.label = "any"; }},
};

struct ptx_flip {
  char const* name;
  bool specialize, optimization, codegen;
  void (*set)(ptx_params&);
  char const* llc_flags = nullptr;  // instead of "-mcpu=sm_75 -O2 -asm-verbose=false"
};

inline std::vector<ptx_flip> const ptx_flips = {
    {"level O0", false, true, true, [](ptx_params& p) { p.level = optimization_level::O0; }},
    {"level O1", false, true, true, [](ptx_params& p) { p.level = optimization_level::O1; }},
    {"level O3", false, true, true, [](ptx_params& p) { p.level = optimization_level::O3; }},
    {"level Oz", false, true, false, [](ptx_params& p) { p.level = optimization_level::Oz; }},
    {"sm", true, false, true, [](ptx_params& p) { p.sm = "sm_90"; },
     "-mcpu=sm_90 -O2 -asm-verbose=false"},
    {"ptx_version", false, false, true, [](ptx_params& p) { p.ptx_version = 83; },
     "-mcpu=sm_75 -mattr=+ptx83 -O2 -asm-verbose=false"},
    {"ftz", true, false, false, [](ptx_params& p) { p.ftz = true; }},
    {"libdevice", true, false, false,
     [](ptx_params& p) {
       p.libdevice = need(ptx::load_device_library(inputs + "device_library.ll"));
     }},
    {"unroll_loops", false, true, false, [](ptx_params& p) { p.unroll_loops = false; }},
    {"inliner_threshold", false, true, false, [](ptx_params& p) { p.inliner_threshold = 0; }},
    {"fp_contract off", false, false, true,
     [](ptx_params& p) { p.fp_contract = fp_contraction::off; },
     "-mcpu=sm_75 -O2 -asm-verbose=false -fp-contract=off"},
    {"fp_contract fast", false, false, true,
     [](ptx_params& p) { p.fp_contract = fp_contraction::fast; },
     "-mcpu=sm_75 -O2 -asm-verbose=false -fp-contract=fast"},
    {"trap_unreachable", false, false, true, [](ptx_params& p) { p.trap_unreachable = true; },
     "-mcpu=sm_75 -O2 -asm-verbose=false -trap-unreachable"},
    {"interprocedural_registers", false, false, true,
     [](ptx_params& p) { p.interprocedural_registers = true; },
     "-mcpu=sm_75 -O2 -asm-verbose=false -enable-ipra"},
    {"verbose_assembly", false, false, true, [](ptx_params& p) { p.verbose_assembly = true; },
     "-mcpu=sm_75 -O2"},
    {"label", false, false, false, [](ptx_params& p) { p.label = "any"; }},
};

}  // namespace llvm_tests
