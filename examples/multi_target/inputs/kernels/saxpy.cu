// y = a * x + y over any number of elements, by a loop whose step is the grid.

#include "cuda_lite.hpp"

extern "C" __global__ void saxpy(float* __restrict__ y, float const* __restrict__ x, float a,
                                 int n) {
  for (int i = global_x(); i < n; i += grid_stride_x()) {
    y[i] = a * x[i] + y[i];
  }
}
