// Compiling LLVM IR for NVIDIA GPUs through cached layers, to PTX text that ptxas accepts.
//
//   layerkey::ptx::compiler compiler;
//   auto const ir = layerkey::ir_module::from_file("saxpy.bc");
//   auto const text = compiler.get<layerkey::ptx::codegen>(*ir, {.sm = "sm_90"});
#pragma once

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/ir_module.hpp>
#include <layerkey/llvm/ptx_params.hpp>

#include <string>

namespace layerkey::ptx {

// Links the device library and answers what the kernel asks about its architecture, which a generic
// optimiser would answer wrongly.
struct specialize : layer<> {
  static constexpr text name = "specialize";
  static std::string provenance() { return llvm_version(); }
  using input = ir_module;
  using artifact = ir_module;
};

// For a generic target, under early cutoff: a kernel that never asks is optimised once for all sm.
struct optimization : layer<specialize> {
  static constexpr text name = "optimization";
  static std::string provenance() { return llvm_version(); }
  using input = ir_module;
  using artifact = ir_module;
};

struct codegen : layer<optimization> {
  static constexpr text name = "codegen";
  static std::string provenance() { return llvm_version(); }
  using input = ir_module;
  using artifact = machine_code;
};

namespace stages {

inline outcome<ir_module> specialize_module(ir_module const& input,
                                            narrowed<specialize, ptx_params> params) {
  return specialize_ir(input, *params);
}

inline outcome<ir_module> optimize(ir_module const& specialized,
                                   narrowed<optimization, ptx_params> params) {
  return optimize_ir(specialized, *params);
}

inline outcome<machine_code> generate(ir_module const&, ir_module const& optimized,
                                      narrowed<codegen, ptx_params> params) {
  return generate_code(optimized, *params);
}

}  // namespace stages

using compiler = pipeline<ptx_params, stage<stages::specialize_module>,
                          early_cutoff<stage<stages::optimize>>, stage<stages::generate>>;

}  // namespace layerkey::ptx
