// What holds of the keys of any two params.
#pragma once

#include <layerkey/explain.hpp>
#include <layerkey/key.hpp>

#include "random_params.hpp"

#include <catch2/catch.hpp>

namespace properties {

struct tally {
  int pairs = 0;
  int equal = 0;
};

// Keys are equal exactly when the stages cannot tell the params apart; then hashes are equal, and
// there is nothing to explain.
template<class Layer, class P>
void check_pair(P const& a, P const& b, tally& counts) {
  bool const own = layerkey::make_own_key<Layer>(a) == layerkey::make_own_key<Layer>(b);
  bool const whole = layerkey::make_key<Layer>(a) == layerkey::make_key<Layer>(b);
  // One assertion a pair; several cost more than what they check.
  bool const as_views_say = own == vary::view_is_same<Layer>(a, b) &&
                            whole == vary::views_are_same(a, b, layerkey::closure<Layer>{});
  bool const hashes_agree =
      (!own ||
       layerkey::make_own_key<Layer>(a).hash() == layerkey::make_own_key<Layer>(b).hash()) &&
      (layerkey::make_key<Layer>(a).hash() == layerkey::make_key<Layer>(b).hash()) == whole;
  bool const explained = layerkey::explain<Layer>(a, b).empty() == whole &&
                         layerkey::explain_own<Layer>(a, b).empty() == own;
  INFO("layer " << Layer::name.data() << ", pair " << counts.pairs);
  CHECK(std::array{as_views_say, hashes_agree, explained} == std::array{true, true, true});
  ++counts.pairs;
  counts.equal += whole;
}

// Returns in how many pairs the last layer's keys were equal.
template<class P, class... Layers>
int check(unsigned seed, int pairs) {
  vary::engine random(seed);
  tally counts;
  for (int i = 0; i != pairs; ++i) {
    P const a = vary::random_params<P>(random);
    P const b = vary::neighbour(a, random);
    (check_pair<Layers>(a, b, counts), ...);
  }
  return counts.equal;
}

}  // namespace properties
