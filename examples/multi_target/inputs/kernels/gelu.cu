// The activation function GELU in its usual approximation by a hyperbolic tangent.

#include "cuda_lite.hpp"

extern "C" __global__ void gelu(float* __restrict__ out, float const* __restrict__ in, int n) {
  constexpr float root_two_over_pi = 0.7978845608f;
  for (int i = global_x(); i < n; i += grid_stride_x()) {
    float const x = in[i];
    out[i] = 0.5f * x * (1 + __nv_tanhf(root_two_over_pi * (x + 0.044715f * x * x * x)));
  }
}
