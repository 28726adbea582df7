// A moving average that asks for the architecture: from sm_80 on it copies the next tile into
// shared memory asynchronously while it averages this one, before that it does one after the other.

#include "cuda_lite.hpp"

constexpr int tile = 256;
constexpr int radius = 8;
constexpr int staged = tile + 2 * radius;

// Four bytes from global into shared memory, in the background; zero where inside is false. These
// three are assembly because clang has no builtins for them below sm_80.
__device__ __forceinline__ void copy_async(float* shared, float const* global, bool inside) {
  unsigned const address = static_cast<unsigned>(
      reinterpret_cast<unsigned long>((__attribute__((address_space(3))) float*)shared));
  __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                   :
                   : "r"(address), "l"(global), "r"(inside ? 4 : 0)
                   : "memory");
}
__device__ __forceinline__ void end_of_copies() {
  __asm__ volatile("cp.async.commit_group;" ::: "memory");
}
// Waits for all copies but those between the last two end_of_copies.
__device__ __forceinline__ void wait_for_copies_before_last() {
  __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
}

__device__ __forceinline__ void stage_async(float* stage, float const* in, int first, int n) {
  for (int k = thread_x(); k < staged; k += tile) {
    int const i = first - radius + k;
    bool const inside = i >= 0 && i < n;
    copy_async(&stage[k], inside ? in + i : in, inside);
  }
}

__device__ inline void stage_now(float* stage, float const* in, int first, int n) {
  for (int k = thread_x(); k < staged; k += tile) {
    int const i = first - radius + k;
    stage[k] = i >= 0 && i < n ? in[i] : 0;
  }
}

__device__ inline void average(float* out, float const* stage, int first, int n) {
  int const i = first + thread_x();
  if (i < n) {
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) {
      sum += stage[thread_x() + k];
    }
    out[i] = sum / (2 * radius + 1);
  }
}

// What lies outside the array counts as zero. Blocks of tile threads, any number of them.
extern "C" __global__ void moving_average(float* __restrict__ out, float const* __restrict__ in,
                                          int n) {
  __shared__ float stages[2][staged];
  int const start = block_x() * tile;
  int const stride = grid_size_x() * tile;

  if (nvvm_reflect("__CUDA_ARCH") >= 800) {
    int current = 0;
    stage_async(stages[current], in, start, n);
    end_of_copies();
    for (int first = start; first < n; first += stride) {
      if (first + stride < n) {
        stage_async(stages[1 - current], in, first + stride, n);
      }
      end_of_copies();
      wait_for_copies_before_last();
      __syncthreads();
      average(out, stages[current], first, n);
      __syncthreads();
      current = 1 - current;
    }
  } else {
    for (int first = start; first < n; first += stride) {
      stage_now(stages[0], in, first, n);
      __syncthreads();
      average(out, stages[0], first, n);
      __syncthreads();
    }
  }
}
