// Random requests against a plain recomputation, and run counts against keys written by hand.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <tuple>

using namespace layerkey;
using toy::params;

namespace {

struct request {
  int layer;  // 0: front, ..., 3: join
  std::string source;
  params options;
};

// A narrow choice of values, so that requests meet often.
request random_request(std::mt19937& random) {
  auto const below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  char const* const sources[] = {"f", "g", "h", "join", "syntax", "join fails"};
  return {below(4),
          sources[below(6)],
          {.dialect = 1 + below(2),
           .mode = static_cast<toy::mode>(below(3)),
           .level = below(3),
           .lines = below(2) == 1,
           .cpu = below(2) == 1 ? "old" : "new",
           .sm = 80 + 10 * below(3),
           .validate = below(2) == 1,
           .log = below(2) == 1 ? &random : nullptr}};
}

// What the stages make without a cache; empty where one fails.
std::string recomputed(request const& r) {
  if (r.source == "syntax" || (r.source == "join fails" && r.layer == 3)) return "";
  switch (r.layer) {
    case 0:
      return toy::expected_front(r.source, r.options);
    case 1:
      return toy::expected_left(r.source, r.options);
    case 2:
      return toy::expected_right(r.source, r.options);
    default:
      return toy::expected_join(r.source, r.options);
  }
}

// The distinct keys of each layer, and the runs that fail, by hand.
class hand_written {
 public:
  void add(request const& r) {
    auto const& p = r.options;
    if (r.source == "syntax") {
      ++failed_fronts_;
      return;
    }
    bool const left = r.layer == 1, right = r.layer == 2, join = r.layer == 3;
    bool const forward = p.mode == toy::mode::forward;
    bool const lines = p.level != 0 && p.lines;
    fronts_.insert({r.source, p.dialect, forward});
    if (left || join) lefts_.insert({r.source, p.dialect, p.mode, p.level, lines});
    if (right || join) rights_.insert({r.source, p.dialect, forward, p.cpu});
    if (join && r.source == "join fails")
      ++failed_joins_;
    else if (join)
      joins_.insert({r.source, p.dialect, p.mode, p.level, lines, p.cpu, p.sm});
  }

  std::vector<int> runs() const {
    return {static_cast<int>(fronts_.size()) + failed_fronts_, static_cast<int>(lefts_.size()),
            static_cast<int>(rights_.size()), static_cast<int>(joins_.size()) + failed_joins_};
  }

 private:
  std::set<std::tuple<std::string, int, bool>> fronts_;
  std::set<std::tuple<std::string, int, toy::mode, int, bool>> lefts_;
  std::set<std::tuple<std::string, int, bool, std::string>> rights_;
  std::set<std::tuple<std::string, int, toy::mode, int, bool, std::string, int>> joins_;
  int failed_fronts_ = 0, failed_joins_ = 0;
};

template<class Compiler>
std::string answer(Compiler& compiler, request const& r) {
  auto const got = r.layer == 0   ? compiler.template get<toy::front>(r.source, r.options)
                   : r.layer == 1 ? compiler.template get<toy::left>(r.source, r.options)
                   : r.layer == 2 ? compiler.template get<toy::right>(r.source, r.options)
                                  : compiler.template get<toy::join>(r.source, r.options);
  return got ? got.value() : "";
}

}  // namespace

TEST_CASE("random requests are answered as without a cache, and each key runs once") {
  std::mt19937 random(20'240'611);
  toy::compiler compiler;
  hand_written keys;
  int wrong = 0;
  for (int i = 0; i != 6000; ++i) {
    auto const r = random_request(random);
    keys.add(r);
    wrong += answer(compiler, r) != recomputed(r);
  }
  CHECK(wrong == 0);
  CHECK(toy::runs_of(compiler.statistics()) == keys.runs());
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("also from eight threads at once") {
  toy::compiler compiler;
  hand_written keys;
  std::mutex keys_mutex;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t != 8; ++t)
    all.emplace_back([&, t] {
      std::mt19937 random(t + 1);
      for (int i = 0; i != 500; ++i) {
        auto r = random_request(random);
        // How often a failing run is shared depends on the threads, so its count does too.
        if (r.source == "syntax" || r.source == "join fails") r.source = "f";
        {
          std::lock_guard const lock(keys_mutex);
          keys.add(r);
        }
        wrong += answer(compiler, r) != recomputed(r);
      }
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  CHECK(toy::runs_of(compiler.statistics()) == keys.runs());
  CHECK(toy::adds_up(compiler.statistics()));
}

// ---- early cutoff ------------------------------------------------------------------------------

std::string join_texts(std::string const& left, std::string const& right,
                       view<toy::join, params> options) {
  return "join(" + left + " " + right + " " + std::to_string(options.get<&params::sm>()) + ")";
}

TEST_CASE("early cutoff answers the same, and runs once for each content") {
  std::mt19937 random(7);
  pipeline<params, stage<toy::run_front>, early_cutoff<stage<toy::run_left>>, stage<toy::run_right>,
           early_cutoff<stage<join_texts>>>
      compiler;
  std::set<std::tuple<std::string, std::string, toy::mode, int, bool>> lefts;
  std::set<std::tuple<std::string, std::string, int>> joins;
  int wrong = 0;
  for (int i = 0; i != 4000; ++i) {
    auto r = random_request(random);
    if (r.source == "syntax" || r.source == "join fails") r.source = "f";
    wrong += answer(compiler, r) != recomputed(r);
    auto const& p = r.options;
    if (r.layer == 1 || r.layer == 3)
      lefts.insert(
          {r.source, toy::expected_front(r.source, p), p.mode, p.level, p.level != 0 && p.lines});
    if (r.layer == 3)
      joins.insert({toy::expected_left(r.source, p), toy::expected_right(r.source, p), p.sm});
  }
  CHECK(wrong == 0);
  CHECK(toy::of_layer(compiler.statistics(), "left").runs == lefts.size());
  CHECK(toy::of_layer(compiler.statistics(), "join").runs == joins.size());
  CHECK(toy::adds_up(compiler.statistics()));
}
