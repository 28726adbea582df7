// What a pipeline tells while its stages run.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace layerkey;
using toy::params;

namespace {

struct event {
  std::string layer;
  progress::event what;

  friend bool operator==(event const&, event const&) = default;
};

struct listener {
  std::mutex mutex;
  std::vector<event> events;
  std::vector<std::chrono::nanoseconds> spent;
  std::vector<std::thread::id> threads;

  template<class Pipeline>
  explicit listener(Pipeline& pipeline) {
    pipeline.on_progress([this](progress const& p) {
      std::lock_guard const lock(mutex);
      events.push_back({p.layer, p.what});
      spent.push_back(p.spent);
      threads.push_back(std::this_thread::get_id());
    });
  }

  std::vector<event> take() { return std::exchange(events, {}); }
};

using events = std::vector<event>;

}  // namespace

TEST_CASE("each run begins and ends, upstream first, and a hit tells nothing") {
  toy::compiler compiler;
  listener told(compiler);
  CHECK(compiler.get<toy::join>("f", params{}));
  CHECK(told.take() == events{{"front", progress::started},
                              {"front", progress::finished},
                              {"left", progress::started},
                              {"left", progress::finished},
                              {"right", progress::started},
                              {"right", progress::finished},
                              {"join", progress::started},
                              {"join", progress::finished}});
  CHECK(compiler.get<toy::join>("f", params{}));
  CHECK(told.take().empty());
  CHECK(compiler.get<toy::join>("f", {.sm = 80}));
  CHECK(told.take() == events{{"join", progress::started}, {"join", progress::finished}});
}

TEST_CASE("a failed run says so, and what did not run tells nothing") {
  toy::compiler compiler;
  listener told(compiler);
  CHECK_FALSE(compiler.get<toy::join>("syntax", params{}));
  CHECK(told.take() == events{{"front", progress::started}, {"front", progress::failed}});
  CHECK(compiler.get<toy::front>("join fails", params{}));
  told.take();
  CHECK_FALSE(compiler.get<toy::join>("join fails", params{}));
  auto const all = told.take();
  REQUIRE(all.size() == 6);
  CHECK(all[4] == event{"join", progress::started});
  CHECK(all[5] == event{"join", progress::failed});
}

#if defined(__cpp_exceptions)
TEST_CASE("a run that throws has failed") {
  toy::compiler compiler;
  listener told(compiler);
  CHECK_THROWS(compiler.get<toy::front>("throw front", params{}));
  CHECK(told.take() == events{{"front", progress::started}, {"front", progress::failed}});
}
#endif

namespace {

struct slow : layer<> {
  static constexpr text name = "slow";
  using input = int;
  using artifact = int;
};
struct no_options {
  using layerkey_fields = fields<>;
};

}  // namespace

int sleep_for(int const& milliseconds, view<slow, no_options>) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  return milliseconds;
}

// Asks for the ones below it.
outcome<int> count_down(int const& n, view<slow, no_options>, requester<slow> ask) {
  if (n == 0) return 0;
  auto const below = ask.get<slow>(n - 1);
  return below ? outcome<int>(*below + 1) : below;
}

TEST_CASE("the end of a run says what it took, its beginning nothing") {
  pipeline<no_options, stage<sleep_for>> compiler;
  listener told(compiler);
  CHECK(*compiler.get<slow>(20, {}) == 20);
  REQUIRE(told.spent.size() == 2);
  CHECK(told.spent[0] == std::chrono::nanoseconds(0));
  CHECK(told.spent[1] >= std::chrono::milliseconds(20));
  CHECK(told.spent[1] == compiler.statistics()[0].spent);
}

TEST_CASE("what a stage requests runs between its beginning and its end") {
  pipeline<no_options, stage<count_down>> compiler;
  listener told(compiler);
  CHECK(*compiler.get<slow>(2, {}) == 2);
  CHECK(told.take() == events{{"slow", progress::started},
                              {"slow", progress::started},
                              {"slow", progress::started},
                              {"slow", progress::finished},
                              {"slow", progress::finished},
                              {"slow", progress::finished}});
}

TEST_CASE("progress is told on the thread that runs the stage") {
  pipeline<no_options, stage<sleep_for>> compiler;
  listener told(compiler);
  std::thread::id id;
  std::thread runner([&] {
    id = std::this_thread::get_id();
    static_cast<void>(compiler.get<slow>(0, {}));
  });
  runner.join();
  CHECK(told.threads == std::vector<std::thread::id>{id, id});
}

TEST_CASE("a run that was cancelled before it began tells nothing") {
  pipeline<no_options, stage<sleep_for>> compiler;
  listener told(compiler);
  std::stop_source stop;
  stop.request_stop();
  CHECK(compiler.get<slow>(1, {}, {.stop = stop.get_token()}).error().kind ==
        failure_kind::cancelled);
  CHECK(told.take().empty());
}

// ---- early cutoff ------------------------------------------------------------------------------

std::string join_for_progress(std::string const& left, std::string const& right,
                              view<toy::join, params> options) {
  return left + " " + right + " " + std::to_string(options.get<&params::sm>());
}

TEST_CASE("under early cutoff only what really runs tells") {
  pipeline<params, stage<toy::run_front>, stage<toy::run_left>, stage<toy::run_right>,
           early_cutoff<stage<join_for_progress>>>
      compiler;
  listener told(compiler);
  CHECK(compiler.get<toy::join>("f", params{}));
  CHECK(told.take().size() == 8);
  compiler.erase_if<toy::right>([](std::string const&) { return true; });
  CHECK(compiler.get<toy::join>("f", params{}));
  CHECK(told.take() == events{{"right", progress::started}, {"right", progress::finished}});
}
