// Measures of images, of loops that newer processors have other instructions for: wider vectors,
// bit counts, fused multiply-add.

#include "image_tools.h"

double mean_square_error(uint8_t const* a, uint8_t const* b, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    int const difference = a[i] - b[i];
    sum += (uint64_t)(difference * difference);
  }
  return count == 0 ? 0 : (double)sum / (double)count;
}

uint64_t differing_bits(uint64_t const* a, uint64_t const* b, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += (uint64_t)__builtin_popcountll(a[i] ^ b[i]);
  }
  return sum;
}

void luminance(float* restrict out, uint8_t const* restrict rgb, size_t pixels) {
  for (size_t i = 0; i < pixels; ++i) {
    float const r = rgb[3 * i];
    float const g = rgb[3 * i + 1];
    float const b = rgb[3 * i + 2];
    out[i] = (0.2126f * r + 0.7152f * g + 0.0722f * b) / 255;
  }
}
