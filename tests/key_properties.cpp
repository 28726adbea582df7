#include "key_properties.hpp"

#include "sample_params.hpp"

using namespace sample;

TEST_CASE("random params have equal keys exactly when no stage can tell them apart") {
  int const equal = properties::check<params, front, middle, back>(20'240'901, 2'000);
  CHECK(equal > 600);  // of 6,000: both outcomes are common
  CHECK(equal < 5'400);
}
