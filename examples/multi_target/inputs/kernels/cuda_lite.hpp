// The part of CUDA C++ that the kernels of this folder use, on clang's builtins alone: a kernel
// compiles where no CUDA is installed.

#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))

__device__ __forceinline__ int thread_x() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ __forceinline__ int thread_y() { return __nvvm_read_ptx_sreg_tid_y(); }
__device__ __forceinline__ int block_x() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ __forceinline__ int block_y() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__device__ __forceinline__ int block_size_x() { return __nvvm_read_ptx_sreg_ntid_x(); }
__device__ __forceinline__ int block_size_y() { return __nvvm_read_ptx_sreg_ntid_y(); }
__device__ __forceinline__ int grid_size_x() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// The thread's index in the grid, and the number of threads in the grid: the start and the step of
// a loop that covers any number of elements with any grid.
__device__ __forceinline__ int global_x() { return block_x() * block_size_x() + thread_x(); }
__device__ __forceinline__ int global_y() { return block_y() * block_size_y() + thread_y(); }
__device__ __forceinline__ int grid_stride_x() { return block_size_x() * grid_size_x(); }

constexpr int warp_size = 32;
constexpr unsigned full_warp = 0xffffffffu;

// The value of the lane whose index differs by the bits of mask.
__device__ __forceinline__ float shuffle_xor(float value, int mask) {
  return __nvvm_shfl_sync_bfly_f32(full_warp, value, mask, warp_size - 1);
}

__device__ __forceinline__ float atomic_add(float* address, float value) {
  return __nvvm_atom_add_gen_f(address, value);
}
__device__ __forceinline__ int atomic_add(int* address, int value) {
  return __nvvm_atom_add_gen_i(address, value);
}

using half = _Float16;
using half2 = half __attribute__((ext_vector_type(2)));

// libdevice's names. Where there is no libdevice, libclc_math.cl defines them.
extern "C" {
__device__ float __nv_expf(float x);
__device__ float __nv_powf(float x, float y);
__device__ float __nv_rsqrtf(float x);
__device__ float __nv_sqrtf(float x);
__device__ float __nv_tanhf(float x);
}

// What the compile answers for "__CUDA_ARCH": 750 for sm_75, 800 for sm_80. Compare the call
// itself, as `if (nvvm_reflect("__CUDA_ARCH") >= 800)`: at -O0 only a branch on the call is folded,
// and an unfolded one would leave instructions in the code that the processor lacks.
//
// The function has LLVM's name by way of the label only: clang 19 has a builtin of that name and
// takes it for one that does not return.
extern "C" __device__ unsigned nvvm_reflect(char const* question) __asm__("__nvvm_reflect");
