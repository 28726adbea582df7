// A separable blur on integers, of loops that vectorise.

#include "image_tools.h"

static int clamp(int value, int limit) { return value < 0 ? 0 : value < limit ? value : limit - 1; }

static uint8_t weigh(int a, int b, int c, int d, int e) {
  return (uint8_t)((a + 4 * b + 6 * c + 4 * d + e + 8) >> 4);
}

// The pixels of a row from first on, to last, with neighbours that may lie outside.
static void blur_edge(uint8_t* restrict out, uint8_t const* restrict in, int width, int channels,
                      int first, int last) {
  int const c = channels;
  for (int x = first; x < last; ++x) {
    for (int k = 0; k < c; ++k) {
      out[x * c + k] =
          weigh(in[clamp(x - 2, width) * c + k], in[clamp(x - 1, width) * c + k], in[x * c + k],
                in[clamp(x + 1, width) * c + k], in[clamp(x + 2, width) * c + k]);
    }
  }
}

static void blur_row(uint8_t* restrict out, uint8_t const* restrict in, int width, int channels) {
  int const c = channels;
  blur_edge(out, in, width, c, 0, width < 2 ? width : 2);
  for (int i = 2 * c; i < (width - 2) * c; ++i) {
    out[i] = weigh(in[i - 2 * c], in[i - c], in[i], in[i + c], in[i + 2 * c]);
  }
  blur_edge(out, in, width, c, width < 4 ? 2 : width - 2, width);
}

void blur(uint8_t* restrict out, uint8_t* restrict scratch, uint8_t const* restrict in, int width,
          int height, int channels) {
  size_t const row = (size_t)width * (size_t)channels;
  for (int y = 0; y < height; ++y) {
    blur_row(scratch + (size_t)y * row, in + (size_t)y * row, width, channels);
  }
  for (int y = 0; y < height; ++y) {
    uint8_t const* const a = scratch + (size_t)clamp(y - 2, height) * row;
    uint8_t const* const b = scratch + (size_t)clamp(y - 1, height) * row;
    uint8_t const* const c = scratch + (size_t)y * row;
    uint8_t const* const d = scratch + (size_t)clamp(y + 1, height) * row;
    uint8_t const* const e = scratch + (size_t)clamp(y + 2, height) * row;
    for (size_t i = 0; i < row; ++i) {
      out[(size_t)y * row + i] = weigh(a[i], b[i], c[i], d[i], e[i]);
    }
  }
}
