// The product of an m x k and a k x n matrix, both stored by rows, through tiles in shared memory.

#include "cuda_lite.hpp"

constexpr int tile = 16;

// Blocks of tile x tile threads, one of them per tile of the result.
extern "C" __global__ void matmul(float* __restrict__ c, float const* __restrict__ a,
                                  float const* __restrict__ b, int m, int n, int k) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  int const tx = thread_x();
  int const ty = thread_y();
  int const row = block_y() * tile + ty;
  int const column = block_x() * tile + tx;

  float sum = 0;
  for (int first = 0; first < k; first += tile) {
    a_tile[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0;
    b_tile[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i) {
      sum += a_tile[ty][i] * b_tile[i][tx];
    }
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}
