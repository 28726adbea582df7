// y = max(a * x + y, 0) in half precision, two elements at a time: it never asks for the
// architecture, but sm_80 has an instruction for the maximum that sm_75 lacks.

#include "cuda_lite.hpp"

// x and y must be aligned to four bytes.
extern "C" __global__ void half_axpy(half* __restrict__ y, half const* __restrict__ x, float a,
                                     int n) {
  half2* const y_pairs = reinterpret_cast<half2*>(y);
  half2 const* const x_pairs = reinterpret_cast<half2 const*>(x);
  half const scale = static_cast<half>(a);
  half2 const zero = {0, 0};

  for (int i = global_x(); i < n / 2; i += grid_stride_x()) {
    y_pairs[i] = __builtin_elementwise_max(scale * x_pairs[i] + y_pairs[i], zero);
  }
  if (n % 2 == 1 && global_x() == 0) {
    y[n - 1] = __builtin_elementwise_max(static_cast<half>(scale * x[n - 1] + y[n - 1]), zero.x);
  }
}
