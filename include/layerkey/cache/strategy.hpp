// Other keys than the exact ones, for comparison.
#pragma once

#include <layerkey/key.hpp>

#include <concepts>
#include <cstdint>

namespace layerkey {

// Among the stages of a pipeline: its entries are kept under the input and
//
//   template<class Layer, class P> static auto S::key(P const& params)
//
// in place of key<Layer, P>; it has == and hash(). early_cutoff is then as its stage. The stages
// still see what their views say: where S leaves something out, wrong artifacts are served.
template<class S>
struct strategy {};

// The key that a pipeline has without a strategy.
struct exact {
  template<class Layer, class P>
  static auto key(P const& params) {
    return make_key<Layer>(params);
  }
};

}  // namespace layerkey
