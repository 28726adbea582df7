// The sum of an array: a partial sum per thread, a block reduction, one atomic addition per block.

#include "block_reduce.hpp"

extern "C" __global__ void reduction(float* sum, float const* __restrict__ in, int n) {
  float partial = 0;
  for (int i = global_x(); i < n; i += grid_stride_x()) {
    partial += in[i];
  }
  float const block_sum = block_reduce(partial, 0, plus{});
  if (thread_x() == 0) {
    atomic_add(sum, block_sum);
  }
}
