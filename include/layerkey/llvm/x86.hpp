// Compiling LLVM IR for x86-64 through cached layers: to objects, to assembly, to functions to be
// called.
//
//   layerkey::x86::compiler compiler;
//   auto const ir = layerkey::ir_module::from_file("saxpy.bc");
//   auto const object = compiler.get<layerkey::x86::codegen>(*ir, {.cpu = "x86-64-v3"});
#pragma once

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/ir_module.hpp>
#include <layerkey/llvm/loaded_code.hpp>
#include <layerkey/llvm/x86_params.hpp>

#include <string>

namespace layerkey::x86 {

struct optimization : layer<> {
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

// Process-bound: the artifact holds addresses.
struct loading : layer<codegen> {
  static constexpr text name = "loading";
  using input = ir_module;
  using artifact = loaded_code;
};

namespace stages {

inline outcome<ir_module> optimize(ir_module const& input,
                                   narrowed<optimization, x86_params> params) {
  return optimize_ir(input, *params);
}

inline outcome<machine_code> generate(ir_module const&, ir_module const& optimized,
                                      narrowed<codegen, x86_params> params) {
  return generate_code(optimized, *params);
}

inline outcome<loaded_code> load(ir_module const&, machine_code const& object,
                                 view<loading, x86_params>) {
  return loaded_code::from_object(object);
}

}  // namespace stages

using compiler = pipeline<x86_params, stage<stages::optimize>, stage<stages::generate>>;
using jit =
    pipeline<x86_params, stage<stages::optimize>, stage<stages::generate>, stage<stages::load>>;

}  // namespace layerkey::x86
