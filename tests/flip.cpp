#include "flip.hpp"

#include "sample_params.hpp"

using namespace sample;

TEST_CASE("each member moves exactly the keys that its tags name, and those downstream") {
  CHECK(flip::check<params, front, middle, back>(params{}) == 26);
}

TEST_CASE("what a projection or canonical form drops moves no key of its layer") {
  std::vector<flip::unseen<params>> const hidden = {
      {"direction", {"front"}, [](params& p) { p.direction = mode::split; }},
      {"passes", {"back"}, [](params& p) { p.passes = {"gvn", "licm"}; }},
      {"file", {"front"}, [](params& p) { p.file = "other/main.c"; }},
      {"block", {"middle"}, [](params& p) { p.block.y = 7; }},
  };
  CHECK(flip::check<params, front, middle, back>(params{}, hidden) == 30);
}

TEST_CASE("the flip test starts from any values") {
  params base;
  base.inlining = true;
  base.cost = -0.0f;
  base.limit.reset();
  base.threads = dim3{0, 0, 0};
  base.module = std::string(1000, '\0');
  base.passes = {};
  base.tiles = {{}, {}, {1, 2, 3}};
  base.cpu = "";
  base.direction = mode::forward;
  CHECK(flip::check<params, front, middle, back>(base) == 26);
}
