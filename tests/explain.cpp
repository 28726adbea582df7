#include <layerkey/explain.hpp>

#include "sample_params.hpp"

#include <catch2/catch.hpp>

#include <sstream>

using namespace sample;
using layerkey::difference;
using differences = std::vector<difference>;

TEST_CASE("equal keys leave nothing to explain") {
  params b;
  b.verify = false;
  CHECK(layerkey::explain<back>(params{}, b).empty());
}

TEST_CASE("a difference names the member, the layer and both values") {
  params b;
  b.architecture = 80;
  CHECK(layerkey::explain<back>(params{}, b) == differences{{"architecture", "back", "90", "80"}});
}

TEST_CASE("differences come upstream first, in the order of the list") {
  params b;
  b.module = "other";
  b.inlining = true;
  b.cpu = "znver3";
  b.limit.reset();
  CHECK(layerkey::explain<back>(params{}, b) ==
        differences{{"inlining", "front", "false", "true"},
                    {"module", "front", "\"main\"", "\"other\""},
                    {"limit", "middle", "0", "none"},
                    {"cpu", "back", "\"znver4\"", "\"znver3\""}});
}

TEST_CASE("a layer's explanation leaves out what only other layers read") {
  params b;
  b.module = "other";
  b.architecture = 80;
  b.cost = 2;
  CHECK(layerkey::explain<front>(params{}, b) ==
        differences{{"module", "front", "\"main\"", "\"other\""}});
  CHECK(layerkey::explain_own<middle>(params{}, b) == differences{{"cost", "middle", "0", "2"}});
  CHECK(layerkey::explain_own<back>(params{}, b) ==
        differences{{"architecture", "back", "90", "80"}});
}

TEST_CASE("a member that layers see alike is named once, by the first of them") {
  params b;
  b.level = 3;  // front and back
  b.unroll.factor = 8;
  CHECK(layerkey::explain<back>(params{}, b) ==
        differences{{"level", "front", "-1", "3"}, {"unroll.factor", "middle", "4", "8"}});
}

TEST_CASE("a member that layers see in different forms is named in each form") {
  params b;
  b.direction = mode::forward;
  CHECK(layerkey::explain<middle>(params{}, b) ==
        differences{{"direction", "front", "false", "true"},
                    {"direction", "middle", "reverse", "forward"}});
  b.direction = mode::split;
  CHECK(layerkey::explain<middle>(params{}, b) ==
        differences{{"direction", "middle", "reverse", "split"}});
}

TEST_CASE("values are those that the stage reads") {
  params b;
  b.passes = {"sroa", "adce"};
  CHECK(layerkey::explain<back>(params{}, b) ==
        differences{{"passes", "back", "{\"gvn\", \"licm\"}", "{\"adce\", \"sroa\"}"}});
}

TEST_CASE("values that only their representation tells apart are explained") {
  params b;
  b.cost = -0.0f;
  CHECK(layerkey::explain<back>(params{}, b) == differences{{"cost", "middle", "0", "-0"}});
  b = {};
  b.module += '\0';
  CHECK(layerkey::explain<back>(params{}, b) ==
        differences{{"module", "front", "\"main\"", "\"main\\x00\""}});
}

TEST_CASE("a difference prints in one line") {
  std::ostringstream out;
  out << difference{"target.sm", "codegen", "90", "80"};
  CHECK(out.str() == "target.sm: 90 -> 80");
}
