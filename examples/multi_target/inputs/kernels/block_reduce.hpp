// Reduction over a block, by warp shuffles and one exchange through shared memory.

#pragma once

#include "cuda_lite.hpp"

struct plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};

struct maximum {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

template<class Operation> __device__ float warp_reduce(float value, Operation operation) {
  for (int mask = warp_size / 2; mask > 0; mask /= 2) {
    value = operation(value, shuffle_xor(value, mask));
  }
  return value;
}

// The result of all threads of the block, for each of them. All must call it, and the block must be
// a multiple of the warp in size.
template<class Operation>
__device__ float block_reduce(float value, float identity, Operation operation) {
  __shared__ float partial[warp_size];
  int const lane = thread_x() % warp_size;
  int const warp = thread_x() / warp_size;

  value = warp_reduce(value, operation);
  __syncthreads();  // the call before may still read partial
  if (lane == 0) {
    partial[warp] = value;
  }
  __syncthreads();
  return warp_reduce(lane < block_size_x() / warp_size ? partial[lane] : identity, operation);
}
