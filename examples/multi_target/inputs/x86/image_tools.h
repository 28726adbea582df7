// What blur.c and compare.c define. Images are rows of pixels without gaps, channels interleaved.

#pragma once

#include <stddef.h>
#include <stdint.h>

// A blur by the binomial weights 1 4 6 4 1 in both directions; the edge pixels go on outside.
// scratch has the image's size.
void blur(uint8_t* restrict out, uint8_t* restrict scratch, uint8_t const* restrict in, int width,
          int height, int channels);

// The mean of the squared differences of two arrays of bytes.
double mean_square_error(uint8_t const* a, uint8_t const* b, size_t count);

// The number of bits in which two arrays of words differ.
uint64_t differing_bits(uint64_t const* a, uint64_t const* b, size_t count);

// The brightness of RGB pixels after Rec. 709, from 0 to 1.
void luminance(float* restrict out, uint8_t const* restrict rgb, size_t pixels);
