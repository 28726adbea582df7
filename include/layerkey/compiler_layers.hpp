// The layers that most compilers have, ready made, for keys and views. For a pipeline declare
// layers of your own, which name what is compiled (input) and what comes out (artifact).
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/layer.hpp>

namespace layerkey {

struct inference : layer<> {
  static constexpr text name = "inference";
};
struct irgen : layer<inference> {
  static constexpr text name = "irgen";
};
struct optimization : layer<irgen> {
  static constexpr text name = "optimization";
};
struct codegen : layer<optimization> {
  static constexpr text name = "codegen";
};
struct loading : layer<codegen> {
  static constexpr text name = "loading";
};

using affects_inference = affects<inference>;
using affects_irgen = affects<irgen>;
using affects_optimization = affects<optimization>;
using affects_codegen = affects<codegen>;
using affects_loading = affects<loading>;

}  // namespace layerkey
