// What is compiled: five sequences of requests.
#pragma once

#include "cuda.hpp"
#include "enzyme.hpp"
#include "python_random.hpp"

#include <vector>

namespace julia {

using kernel_request = gpucompiler::compiler_job<cuda::kernel_launch>;
using autodiff_request = gpucompiler::compiler_job<enzyme::autodiff>;

// A kernel for a device as CUDA.jl configures it, without any option.
struct architecture {
  std::uint16_t major, minor;
  gpucompiler::feature_set features = gpucompiler::feature_set::baseline;
};
cuda::kernel_launch for_device(architecture a);

// W1: 40 methods for two types ahead of time, for three architectures, with and without fast math,
// with three levels of debug information.
std::vector<kernel_request> matrix();

// W2: launch bounds and register caps tried on one device.
std::vector<kernel_request> autotune();

// W3: an interactive session of 20,000 launches. Some methods are favourites, some kernels get a
// name or a limit of threads, that limit in one of three spellings. The world advances 61 times,
// and six times something was redefined that a kernel depends on.
std::vector<kernel_request> session();

// W4: 200 kernels for a release, for six architectures and two PTX versions.
std::vector<kernel_request> release();

// W5: derivatives, forward and reverse, of all shapes that Enzyme's users ask for.
std::vector<autodiff_request> derivatives();

}  // namespace julia
