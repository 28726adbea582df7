// The Mandelbrot set as an image of bytes, brightened by a power of the number of steps to escape.

#include "cuda_lite.hpp"

extern "C" __global__ void mandelbrot(unsigned char* __restrict__ image, int width, int height,
                                      float left, float top, float step, int limit) {
  int const column = global_x();
  int const row = global_y();
  if (column >= width || row >= height) {
    return;
  }
  float const re = left + column * step;
  float const im = top - row * step;

  float x = 0;
  float y = 0;
  int steps = 0;
  while (steps < limit && x * x + y * y <= 4) {
    float const next_x = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next_x;
    ++steps;
  }
  float const shade = steps == limit ? 0 : __nv_powf(static_cast<float>(steps) / limit, 0.4f);
  int const grey = 255 * shade + 0.5f;
  image[row * width + column] = grey;
}
