// CUDA.jl's params for GPUCompiler, and what it adds to find a kernel that can be launched.
#pragma once

#include "gpucompiler.hpp"

namespace julia::cuda {

// SMVersion: what ptxas makes code for, as against ptx_target::cap, the nearest that LLVM knows.
struct sm_version {
  std::uint16_t major = 9;
  std::uint16_t minor = 0;
  gpucompiler::feature_set feature_set = gpucompiler::feature_set::baseline;

  friend bool operator==(sm_version const&, sm_version const&) = default;
};

// CUDACompilerParams (CUDACore's compiler/compilation.jl). Both are read when PTX exists: ptxas
// --gpu-name, the header of the PTX file, how many parameters fit. Inference, IR and optimisation
// see neither, which was the objection to GPUCompiler #561.
struct cuda_params {
  sm_version sm{};
  gpucompiler::version ptx{8, 5};

  using layerkey_fields = fields<field<&cuda_params::sm, affects_machine_code>,
                                 field<&cuda_params::ptx, affects_machine_code>>;

  template<class Config>
  using always_inline = gpucompiler::always_inline_counts<Config>;
};
static_assert(layerkey::complete<cuda_params>);

using config = gpucompiler::compiler_config<gpucompiler::ptx_target, cuda_params>;
static_assert(layerkey::complete<config>);

// What cufunction looks a kernel up by. The last two mean something in this process only.
struct kernel_launch {
  cuda::config config{};
  std::uint64_t context = 0;   // the context's unique id: handles are used again
  std::uint64_t callable = 0;  // which value is called, where it captured some

  using layerkey_fields = fields<field<&kernel_launch::config, per_member>,
                                 field<&kernel_launch::context, affects_linking>,
                                 field<&kernel_launch::callable, affects_host_object>>;
};
static_assert(layerkey::complete<kernel_launch>);

}  // namespace julia::cuda
