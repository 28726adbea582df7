// Softmax of each row of a matrix, a block per row, with the row's maximum taken out first.

#include "block_reduce.hpp"

extern "C" __global__ void softmax(float* __restrict__ out, float const* __restrict__ in,
                                   int columns) {
  float const* const in_row = in + static_cast<long>(block_x()) * columns;
  float* const out_row = out + static_cast<long>(block_x()) * columns;
  float const lowest = -__builtin_inff();

  float largest = lowest;
  for (int i = thread_x(); i < columns; i += block_size_x()) {
    largest = maximum{}(largest, in_row[i]);
  }
  largest = block_reduce(largest, lowest, maximum{});

  float sum = 0;
  for (int i = thread_x(); i < columns; i += block_size_x()) {
    float const e = __nv_expf(in_row[i] - largest);
    out_row[i] = e;
    sum += e;
  }
  sum = block_reduce(sum, 0, plus{});

  for (int i = thread_x(); i < columns; i += block_size_x()) {
    out_row[i] /= sum;
  }
}
