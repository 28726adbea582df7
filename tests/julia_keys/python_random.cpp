// Numbers that python3 -c 'from random import *; r = Random(20240405); ...' prints.
#include "python_random.hpp"

#include <catch2/catch.hpp>

using julia::python_random;

TEST_CASE("numbers are those of Python's random.Random", "[julia]") {
  python_random r(20240405);
  for (double const expected : {0.24392284201412762, 0.08758291181365807, 0.5515162454092655})
    CHECK(r.random() == expected);
  for (std::uint32_t const expected : {7U, 4U, 29U, 38U, 15U, 45U})
    CHECK(r.randrange(50) == expected);
  for (double const expected : {8.584163498118695, 2.942757612207429, 2.443508276411352})
    CHECK(r.paretovariate(0.9) == expected);
  for (int const expected : {128, 128, 256, 128, 128, 256, 128, 256})
    CHECK(r.choice(std::array{128, 256}) == expected);
}

TEST_CASE("the state of the twister is used up as in Python", "[julia]") {
  python_random r(0);
  CHECK(r.random() == 0.8444218515250481);
  // Past the 624 words of a state, many times.
  for (int i = 0; i != 10'000; ++i) r.random();
  CHECK(r.random() == 0.6303253744046711);
  CHECK(r.randrange(1) == 0);
  CHECK(r.randrange(8) == 1);
  CHECK(r.randrange(4'000'000'000) == 3666322979);
}

TEST_CASE("seeds of one word", "[julia]") {
  CHECK(python_random(1).random() == 0.13436424411240122);
  CHECK(python_random(4294967295U).random() == 0.6353574441341173);
}
