// The histogram of an array of bytes: bins in shared memory for each block, added up at the end.

#include "cuda_lite.hpp"

constexpr int bin_count = 256;

extern "C" __global__ void histogram(int* bins, unsigned char const* __restrict__ in, int n) {
  __shared__ int block_bins[bin_count];
  for (int bin = thread_x(); bin < bin_count; bin += block_size_x()) {
    block_bins[bin] = 0;
  }
  __syncthreads();
  for (int i = global_x(); i < n; i += grid_stride_x()) {
    atomic_add(&block_bins[in[i]], 1);
  }
  __syncthreads();
  for (int bin = thread_x(); bin < bin_count; bin += block_size_x()) {
    if (int const count = block_bins[bin]) {
      atomic_add(&bins[bin], count);
    }
  }
}
