// Many threads on one compiler, with everything that can happen at once. Each answer is compared
// with one that is made without a cache.
#include "model_compiler.hpp"
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>
#include <layerkey/cache/call_site.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

using namespace layerkey;
using model::layer_number;

namespace {

constexpr unsigned threads = 8;

int rounds() { return model::in_full() ? 100 : 6; }
int requests_of_a_thread() { return model::in_full() ? 1000 : 400; }

// ---- artifacts that are kept -------------------------------------------------------------------

// An artifact of some layer and what it has to be. Made on one thread, and looked at, copied and
// dropped on others.
struct kept {
  std::variant<outcome<std::string>, outcome<std::uint64_t>, std::shared_ptr<std::uint64_t const>>
      artifact;
  model::answer expected;

  bool is_right() const {
    if (auto const* text = std::get_if<0>(&artifact)) return **text == expected.text;
    if (auto const* number = std::get_if<1>(&artifact)) return **number == expected.value;
    return *std::get<2>(artifact) == expected.value;
  }
};

class exchange {
 public:
  // Leaves one there and takes another, if there is one.
  std::optional<kept> swap(kept mine, std::mt19937& random) {
    std::optional<kept> theirs;
    std::lock_guard const lock(mutex_);
    if (all_.size() > 60) {
      auto& one = all_[random() % all_.size()];
      theirs = std::move(one);
      one = std::move(mine);
    } else
      all_.push_back(std::move(mine));
    return theirs;
  }

 private:
  std::mutex mutex_;
  std::vector<kept> all_;
};

// ---- storms ------------------------------------------------------------------------------------

struct weather {
  bool wild = false;    // recursion, failures, exceptions
  bool limits = false;  // small ones, that change
  bool erase = false;   // and clear
  bool cancel = false;
};

template<class Compiler>
class storm {
 public:
  std::atomic<int> wrong = 0;
  std::atomic<int> answers[5] = {};

  storm(unsigned seed, weather const& of)
      : random_(seed), of_(of), all_(random_, of.wild, false), compiler_(all_), seed_(seed) {}

  model::program& program() { return all_; }
  Compiler& compiler() { return compiler_; }

  void run() {
    std::vector<std::thread> all;
    for (unsigned t = 0; t != threads; ++t)
      all.emplace_back([this, t] { requests(std::mt19937(seed_ * 100 + t)); });
    std::atomic<bool> done = false;
    std::thread disturber([&] {
      std::mt19937 random(seed_ * 100 + threads);
      while (!done) disturb(random);
    });
    for (auto& each : all) each.join();
    done = true;
    disturber.join();
  }

 private:
  struct question {
    layer_number layer;
    std::string name;
    model::params options;
    std::uint64_t epoch;
  };

  void requests(std::mt19937 random) {
    std::mt19937 how(static_cast<unsigned>(random()));  // what is asked does not depend on answers
    call_site<Compiler, model::summary> summaries(compiler_);
    call_site<Compiler, model::emit> emits(compiler_);
    std::array<std::optional<kept>, 8> mine;
    for (int i = 0; i != requests_of_a_thread(); ++i) {
      question const q{static_cast<layer_number>(random() % 4),
                       model::program::name_of(static_cast<int>(random() % 6)),
                       model::random_params(random), random() % model::program::epochs};
      auto const expected =
          model::without_cache(all_, nothing_, q.epoch).get(q.layer, q.name, q.options, false);
      std::stop_source stop;
      bool const cancels = of_.cancel && random() % 4 == 0;
      if (cancels) {
        if (random() % 2 == 0) stop.request_stop();
        std::lock_guard const lock(stops_mutex_);
        stops_[how() % stops_.size()] = stop;
      }
      request_context const context{.epoch = q.epoch, .stop = stop.get_token()};
      auto const got = [&] {
        switch (how() % 5) {
          case 0:
            return by_call_site(q, summaries, emits, context);
          case 1:
            return model::ask(compiler_, q.layer, q.name, typename Compiler::sealed(q.options),
                              context);
          case 2:
            return keeping(q, mine[how() % mine.size()], expected, context, how);
          default:
            return model::ask(compiler_, q.layer, q.name, q.options, context);
        }
      }();
      ++answers[got.kind];
      bool const given_up = cancels && got.kind == model::answer::cancelled;
      if (got != expected && !given_up) ++wrong;
      auto const& looked_at = mine[how() % mine.size()];
      if (looked_at && !looked_at->is_right()) ++wrong;
    }
  }

  template<class Summaries, class Emits>
  model::answer by_call_site(question const& q, Summaries& summaries, Emits& emits,
                             request_context const& context) {
    // Asked twice, so that the second is a hit of the call site's own where there is one.
    model::answer got;
    for (int i = 0; i != 2; ++i)
      if (q.layer == model::summary_layer)
        got = model::caught_answer([&] { return summaries.get(q.name, q.options, context); });
      else if (q.layer == model::emit_layer)
        got = model::caught_answer([&] { return emits.get(q.name, q.options, context); });
      else
        got = model::ask(compiler_, q.layer, q.name, q.options, context);
    return got;
  }

  // Keeps the artifact, and mostly lets another thread have it.
  model::answer keeping(question const& q, std::optional<kept>& place,
                        model::answer const& expected, request_context const& context,
                        std::mt19937& random) {
    auto const take = [&](auto const& got) {
      if (got && model::answer_of(got) == expected) {
        auto copy = got;
        place = exchange_.swap({std::move(copy), expected}, random);
      }
      return got;
    };
    switch (q.layer) {
      case model::parse_layer:
        return model::caught_answer(
            [&] { return take(compiler_.template get<model::parse>(q.name, q.options, context)); });
      case model::lower_layer:
        return model::caught_answer([&] {
          auto const got = compiler_.template get<model::lower>(q.name, q.options, context);
          if (got && *got == expected.value)
            place = exchange_.swap({got.share(), expected}, random);
          return got;
        });
      default:
        return model::ask(compiler_, q.layer, q.name, q.options, context);
    }
  }

  void disturb(std::mt19937& random) {
    std::this_thread::yield();
    if (of_.cancel) {
      std::lock_guard const lock(stops_mutex_);
      stops_[random() % stops_.size()].request_stop();
    }
    if (of_.erase) {
      auto const rest = random() % 3;
      auto const some = [rest](std::uint64_t n) { return n % 3 == rest; };
      switch (random() % 8) {
        case 0:
          compiler_.clear();
          break;
        case 1:
          compiler_.template erase_if<model::parse>(
              [rest](std::string const& text) { return text.size() % 3 == rest; });
          break;
        case 2:
          compiler_.template erase_if<model::summary>(some);
          break;
        case 3:
          compiler_.template erase_if<model::emit>(some);
          break;
        default:
          break;
      }
    }
    if (of_.limits) {
      cache_limits const limits{.entries = 1 + random() % 30,
                                .bytes = 1000,
                                .entries_of_a_key = 1 + random() % 4,
                                .keep_failures = random() % 2 == 0};
      compiler_.template limit<model::summary>(limits);
      compiler_.template limit<model::lower>(limits);
      if (random() % 4 == 0) compiler_.template limit<model::parse>(limits);
      if (random() % 4 == 0) compiler_.template limit<model::emit>(limits);
      // However many hit, and so give their entries a second chance.
      for (auto const& each : compiler_.statistics())
        if (each.layer == "summary" || each.layer == "lower")
          wrong += each.entries > limits.entries || each.bytes > limits.bytes;
    }
  }

  std::mt19937 random_;
  weather of_;
  model::program all_;
  model::surroundings nothing_;
  Compiler compiler_;
  unsigned seed_;
  exchange exchange_;
  std::mutex stops_mutex_;
  std::array<std::stop_source, 16> stops_;
};

template<class Compiler>
void many_storms(weather const& of) {
  int answers[5] = {};
  for (int round = 0; round != rounds(); ++round) {
    CAPTURE(round);
    storm<Compiler> s(static_cast<unsigned>(round + 1), of);
    s.run();
    REQUIRE(s.wrong == 0);
    auto const counted = s.compiler().statistics();
    REQUIRE(toy::adds_up(counted));
    for (int each = 0; each != 5; ++each) answers[each] += s.answers[each];
  }
  using model::answer;
  CHECK(answers[answer::ok] > 100);
  if (of.wild)
    for (auto const each : {answer::failed, answer::cyclic, answer::thrown})
      CHECK(answers[each] > 10);
  if (of.cancel) CHECK(answers[answer::cancelled] > 10);
}

using plain = model::plain_compiler<>;
using cutoff = model::cutoff_compiler<>;

template<class Compiler>
void keep_all_of_a_key(Compiler& compiler) {
  cache_limits const limits{.entries_of_a_key = 1 << 20};
  compiler.template limit<model::parse>(limits);
  compiler.template limit<model::summary>(limits);
  compiler.template limit<model::lower>(limits);
  compiler.template limit<model::emit>(limits);
}

// ---- counted runs ------------------------------------------------------------------------------

class counted_runs {
 public:
  void add(char const* layer, std::string const& what) {
    std::lock_guard const lock(mutex_);
    ++all_[layer + (" " + what)];
  }
  int most() const {
    int most = 0;
    for (auto const& [what, n] : all_) most = std::max(most, n);
    return most;
  }
  std::size_t size() const { return all_.size(); }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, int> all_;
};

}  // namespace

TEST_CASE("stress: nothing is served that a compiler without a cache would not make") {
  SECTION("by params") { many_storms<plain>({.wild = true}); }
  SECTION("by content") { many_storms<cutoff>({.wild = true}); }
}

TEST_CASE("stress: nor while entries go") {
  SECTION("by params") { many_storms<plain>({.wild = true, .limits = true, .erase = true}); }
  SECTION("by content") { many_storms<cutoff>({.wild = true, .limits = true, .erase = true}); }
}

TEST_CASE("stress: nor while some give up") {
  SECTION("by params") {
    many_storms<plain>({.wild = true, .limits = true, .erase = true, .cancel = true});
  }
  SECTION("by content") {
    many_storms<cutoff>({.wild = true, .limits = true, .erase = true, .cancel = true});
  }
}

TEST_CASE("stress: where nothing goes each stage runs once for what it sees") {
  for (int round = 0; round != rounds(); ++round) {
    CAPTURE(round);
    counted_runs runs;
    storm<cutoff> s(static_cast<unsigned>(1000 + round), {});
    keep_all_of_a_key(s.compiler());
    // By content what a stage sees is its key and its dependencies: it says so itself.
    s.program().told = [&](char const* layer, std::string const& what) {
      if (layer != std::string("emit")) runs.add(layer, what);
    };
    s.run();
    REQUIRE(s.wrong == 0);
    REQUIRE(runs.most() == 1);
    REQUIRE(runs.size() > 50);
    auto const counted = s.compiler().statistics();
    std::size_t of_three_layers = 0;
    for (auto const& each : counted) {
      REQUIRE(toy::adds_up(each));
      REQUIRE(each.runs == each.entries);
      if (each.layer != "emit") of_three_layers += each.runs;
    }
    REQUIRE(of_three_layers == runs.size());
  }
}

TEST_CASE("stress: by params each key runs once for each validity") {
  for (int round = 0; round != rounds(); ++round) {
    CAPTURE(round);
    storm<plain> s(static_cast<unsigned>(2000 + round), {});
    auto& compiler = s.compiler();
    keep_all_of_a_key(compiler);
    s.run();
    REQUIRE(s.wrong == 0);
    auto const first = compiler.statistics();
    // Everything that was asked for is there, under every epoch: the same requests run nothing.
    s.run();
    REQUIRE(s.wrong == 0);
    REQUIRE(toy::runs_of(compiler.statistics()) == toy::runs_of(first));
    for (auto const& each : first) REQUIRE(each.runs == each.entries);
  }
}
