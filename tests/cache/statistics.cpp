// Statistics: what stages took, and what hits saved.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace layerkey;
using namespace std::chrono_literals;
using toy::of_layer;

namespace {

struct slow_params {
  bool keep = false;
  int n = 0;
  using layerkey_fields = fields<field<&slow_params::keep, affects<toy::front>>,
                                 field<&slow_params::n, affects<toy::left>>>;
};

// Sleeps at least as long as it says.
void work(std::chrono::milliseconds how_long) { std::this_thread::sleep_for(how_long); }

}  // namespace

outcome<std::string> slow_front(std::string const& source, view<toy::front, slow_params>) {
  work(20ms);
  if (source == "syntax") return diagnostics{"cannot parse"};
  if (source == "throw") toy::throw_error("thrown");
  return source;
}

std::string slow_left(std::string const&, std::string const& front, view<toy::left, slow_params>) {
  work(5ms);
  return front;
}

TEST_CASE("spent is the time in a layer's own stage, failed runs included") {
  pipeline<slow_params, stage<slow_front>, stage<slow_left>> compiler;
  CHECK(compiler.get<toy::left>("f", {}));
  auto const once = compiler.statistics();
  CHECK(of_layer(once, "front").spent >= 20ms);
  CHECK(of_layer(once, "left").spent >= 5ms);
  CHECK(of_layer(once, "front").saved == 0ms);
  CHECK(of_layer(once, "left").saved == 0ms);

  CHECK_FALSE(compiler.get<toy::left>("syntax", {}));
  auto const failed = compiler.statistics();
  CHECK(of_layer(failed, "front").spent >= of_layer(once, "front").spent + 20ms);
  CHECK(of_layer(failed, "left").spent == of_layer(once, "left").spent);

#if defined(__cpp_exceptions)
  CHECK_THROWS(compiler.get<toy::left>("throw", {}));
  auto const thrown = compiler.statistics();
  CHECK(of_layer(thrown, "front").spent >= of_layer(failed, "front").spent + 20ms);
  CHECK(of_layer(thrown, "left").spent == of_layer(once, "left").spent);
#endif
}

TEST_CASE("a hit saves its own stage and the upstream stages that it does not even ask") {
  pipeline<slow_params, stage<slow_front>, stage<slow_left>> compiler;
  CHECK(compiler.get<toy::left>("f", {}));
  auto const once = compiler.statistics();
  auto const whole = of_layer(once, "front").spent + of_layer(once, "left").spent;
  CHECK(compiler.get<toy::left>("f", {}));
  CHECK(of_layer(compiler.statistics(), "left").saved == whole);
  CHECK(of_layer(compiler.statistics(), "front").saved == 0ms);
  CHECK(compiler.get<toy::left>("f", {}));
  CHECK(of_layer(compiler.statistics(), "left").saved == 2 * whole);

  // Another n: front is served, left runs.
  CHECK(compiler.get<toy::left>("f", {.n = 1}));
  auto const other = compiler.statistics();
  CHECK(of_layer(other, "front").saved == of_layer(once, "front").spent);
  CHECK(of_layer(other, "left").saved == 2 * whole);
  // And a hit on that saves what a run would have taken from nothing, front included.
  CHECK(compiler.get<toy::left>("f", {.n = 1}));
  CHECK(of_layer(compiler.statistics(), "left").saved ==
        2 * whole + of_layer(once, "front").spent +
            (of_layer(other, "left").spent - of_layer(once, "left").spent));
}

TEST_CASE("a hit under early cutoff has asked upstream, so it saves its own stage only") {
  pipeline<slow_params, stage<slow_front>, early_cutoff<stage<slow_left>>> compiler;
  CHECK(compiler.get<toy::left>("f", {}));
  auto const once = compiler.statistics();
  CHECK(compiler.get<toy::left>("f", {.keep = true}));  // front runs again, to the same artifact
  auto const twice = compiler.statistics();
  CHECK(of_layer(twice, "left").saved == of_layer(once, "left").spent);
  CHECK(of_layer(twice, "front").saved == 0ms);
  CHECK(compiler.get<toy::left>("f", {}));
  auto const served = compiler.statistics();
  CHECK(of_layer(served, "left").saved == 2 * of_layer(once, "left").spent);
  CHECK(of_layer(served, "front").saved == of_layer(once, "front").spent);
}
