// Random requests against a plain recomputation, and run counts against keys written by hand.
#include "model_compiler.hpp"
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>
#include <layerkey/cache/call_site.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
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

// ---- random programs ---------------------------------------------------------------------------

namespace {

using model::layer_number;
using model::without_cache;

// What an entry was made under.
struct facts {
  epoch_range range{};
  std::map<char, std::optional<std::string>> read{};

  bool hold(std::uint64_t epoch, model::surroundings const& now) const {
    if (!range.holds({.epoch = epoch})) return false;
    for (auto const& [what, value] : read)
      if ((what == 'F' ? now.file : now.variable[what - 'A']) != value) return false;
    return true;
  }
  void add(facts const& more) {
    range.restrict_to(more.range);
    read.insert(more.read.begin(), more.read.end());
  }
};

// The caches of model's compiler in plain maps, for programs in which nothing fails: which entries
// there have to be, and so which stages run.
class predicted_runs {
 public:
  std::vector<int> runs{0, 0, 0, 0};

  predicted_runs(model::program const& all, model::surroundings const& now, bool cutoff)
      : all_(all), now_(now), cutoff_(cutoff) {}

  void ask(layer_number layer, std::string const& name, model::params const& p,
           std::uint64_t epoch) {
    epoch_ = epoch;
    if (layer == model::parse_layer) get_parse(name, p);
    if (layer == model::summary_layer) get_summary(name, p);
    if (layer < model::lower_layer) return;
    auto const code = get_lower(name, p).value;  // for its check
    if (layer == model::emit_layer && (!p.validate || model::is_valid(code))) get_emit(name, p);
  }

  template<class Erased>
  void erase_if(layer_number layer, Erased const& erased) {
    for (auto& each : kept_[layer]) std::erase_if(each.second, erased);
  }

  struct got {
    std::string text{};
    std::uint64_t value = 0;
    facts under{};
  };
  struct entry : got {
    // What it asked for: the name, with which depth where not that of the request, what came.
    std::vector<std::tuple<std::string, std::optional<int>, std::uint64_t>> asked{};
  };

 private:
  static std::string text(auto const&... each) {
    std::string all;
    (((all += each) += ' '), ...);
    return all;
  }
  static std::string text(int n) { return std::to_string(n); }

  std::vector<entry>& entries(layer_number layer, std::string const& key) {
    return kept_[layer][key];
  }
  got const* find(std::vector<entry> const& among) const {
    for (auto const& each : among)
      if (each.under.hold(epoch_, now_)) return &each;
    return nullptr;
  }
  got keep(layer_number layer, std::vector<entry>& among, entry made) {
    ++runs[layer];
    among.push_back(std::move(made));
    return among.back();
  }

  got get_parse(std::string const& name, model::params const& p) {
    auto& here = entries(model::parse_layer, text(name, text(p.dialect)));
    if (auto const* hit = find(here)) return *hit;
    auto const [d, range] = all_.at(name, epoch_);
    entry made;
    made.under.range = range;
    made.text = model::parsed(d, p.dialect, [&](char what) {
      return made.under.read[what] = what == 'F' ? now_.file : now_.variable[what - 'A'];
    });
    return keep(model::parse_layer, here, std::move(made));
  }

  static model::params asked_with(model::params const& p, std::optional<int> depth) {
    return depth ? model::params{.depth = *depth} : p;
  }

  // An entry that is found by content, and serves where what it asked for is the same.
  std::optional<got> find_by_content(std::vector<entry> const& among, facts const& before,
                                     model::params const& p) {
    for (std::size_t i = 0; i != among.size(); ++i) {
      got all{.value = among[i].value, .under = before};
      bool same = true;
      for (std::size_t n = 0; same && n != among[i].asked.size(); ++n) {
        auto const [name, depth, value] = among[i].asked[n];
        auto const now = get_summary(name, asked_with(p, depth));
        same = now.value == value;
        all.under.add(now.under);
      }
      if (same) return all;
    }
    return std::nullopt;
  }

  got get_summary(std::string const& name, model::params const& p) {
    bool const even = model::is_even(p.mode);
    auto const own = text(name, text(p.depth), text(even));
    std::string key = own + text(p.dialect);
    if (!cutoff_)
      if (auto const* hit = find(entries(model::summary_layer, key))) return *hit;
    auto const body = get_parse(name, p);
    if (cutoff_) {
      key = own + body.text;
      if (auto hit = find_by_content(entries(model::summary_layer, key), body.under, p))
        return *hit;
    }
    entry made{{.under = body.under}};
    std::vector<std::uint64_t> callees;
    for (char const each : model::calls_in(body.text)) {
      auto const callee = get_summary(std::string(1, each), p);
      callees.push_back(callee.value);
      made.under.add(callee.under);
      made.asked.emplace_back(std::string(1, each), std::nullopt, callee.value);
    }
    made.value = model::summed(body.text, p.depth, even, callees);
    return keep(model::summary_layer, entries(model::summary_layer, key), std::move(made));
  }

  got get_lower(std::string const& name, model::params const& p) {
    bool const lines = p.level != 0 && p.lines;
    auto const own = text(name, text(p.level), text(lines));
    std::string key = own + text(text(p.dialect), text(p.depth), text(model::is_even(p.mode)));
    if (!cutoff_)
      if (auto const* hit = find(entries(model::lower_layer, key))) return *hit;
    auto const sum = get_summary(name, p);
    if (cutoff_) {
      key = own + std::to_string(sum.value);
      if (auto hit = find_by_content(entries(model::lower_layer, key), sum.under, p)) return *hit;
    }
    entry made{{.under = sum.under}};
    std::optional<std::uint64_t> other;
    if (p.level == 2) {
      auto const deeper = get_summary(name, asked_with(p, p.level));
      other = deeper.value;
      made.under.add(deeper.under);
      made.asked.emplace_back(name, p.level, deeper.value);
    }
    made.value = model::lowered(sum.value, p.level, lines, other);
    return keep(model::lower_layer, entries(model::lower_layer, key), std::move(made));
  }

  void get_emit(std::string const& name, model::params const& p) {
    auto& here =
        entries(model::emit_layer, text(name, text(p.dialect), text(p.depth), text(p.mode),
                                        text(p.level), text(p.level != 0 && p.lines), text(p.sm)));
    if (find(here)) return;
    auto const code = get_lower(name, p);
    entry made{{.under = code.under}};
    std::optional<std::string> variable;
    if (model::emit_reads(code.value)) variable = made.under.read['A'] = now_.variable[0];
    made.value = model::emitted(code.value, p.sm, p.mode, variable);
    keep(model::emit_layer, here, std::move(made));
  }

  model::program const& all_;
  model::surroundings const& now_;
  bool cutoff_;
  std::uint64_t epoch_ = 0;
  std::map<std::string, std::vector<entry>> kept_[4];
};

// What the process finds around it.
class set_surroundings {
 public:
  model::surroundings now{};

  set_surroundings() { clear(); }
  ~set_surroundings() { clear(); }

  void change(std::mt19937& random) {
    auto const which = random() % 2;
    auto& value = now.variable[which];
    value.reset();
    if (auto const n = random() % 4; n != 0)
      value = std::string(n - 1, '1');  // empty is not absent
    auto const* const name = model::variables[which].c_str();
    value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
  }
  void change_file(std::mt19937& random) {
    now.file.reset();
    if (auto const n = random() % 4; n != 0) now.file = std::string(n - 1, '7');
    std::filesystem::remove(model::path_of_file());
    if (now.file) std::ofstream(model::path_of_file()) << *now.file;
  }

 private:
  void clear() {
    now = {};
    for (auto const& each : model::variables) ::unsetenv(each.c_str());
    std::filesystem::remove(model::path_of_file());
  }
};

using checked_plain = model::plain_compiler<check<model::lower, model::validate_code>>;
using checked_cutoff = model::cutoff_compiler<check<model::lower, model::validate_code>>;

enum class kind_of_episode { predicted, limited, wild };

// One program, and a compiler of each kind, for a while.
template<class Compiler>
class subject {
 public:
  subject(model::program const& all, model::surroundings const& now, bool cutoff,
          kind_of_episode kind, std::mt19937& random)
      : compiler_(all), predicted_(all, now, cutoff), kind_(kind) {
    cache_limits limits{.entries_of_a_key = 1 << 20};
    if (kind != kind_of_episode::predicted) {
      limits.keep_failures = random() % 2 == 0;
      if (random() % 2 == 0) limits.entries_of_a_key = 1 + random() % 3;
      if (random() % 2 == 0) limits.entries = 1 + random() % 8;
      if (random() % 4 == 0) limits.bytes = 8 * (random() % 6);
    }
    compiler_.template limit<model::parse>(limits);
    compiler_.template limit<model::summary>(limits);
    compiler_.template limit<model::lower>(limits);
    compiler_.template limit<model::emit>(limits);
    limits_ = limits;
  }

  model::answer ask(layer_number layer, std::string const& name, model::params const& p,
                    std::uint64_t epoch, unsigned how) {
    if (kind_ == kind_of_episode::predicted) predicted_.ask(layer, name, p, epoch);
    if (kind_ != kind_of_episode::predicted && how % 4 == 0) {
      if (layer == model::summary_layer)
        return model::caught_answer([&] { return summaries_.get(name, p, {.epoch = epoch}); });
      if (layer == model::emit_layer)
        return model::caught_answer([&] { return emits_.get(name, p, {.epoch = epoch}); });
    }
    if (how % 4 == 1)
      return model::ask(compiler_, layer, name, typename Compiler::sealed(p), {.epoch = epoch});
    return model::ask(compiler_, layer, name, p, {.epoch = epoch});
  }

  void erase(unsigned which) {
    auto const number = [which](std::uint64_t n) { return n % 3 == which % 3; };
    auto const letters = [which](std::string const& text) { return text.size() % 3 == which % 3; };
    auto const of_entry = [&](auto const& e) { return number(e.value); };
    switch (which / 3 % 4) {
      case 0:
        compiler_.template erase_if<model::parse>(letters);
        return predicted_.erase_if(model::parse_layer,
                                   [&](auto const& e) { return letters(e.text); });
      case 1:
        compiler_.template erase_if<model::summary>(number);
        return predicted_.erase_if(model::summary_layer, of_entry);
      case 2:
        compiler_.template erase_if<model::lower>(number);
        return predicted_.erase_if(model::lower_layer, of_entry);
      default:
        compiler_.template erase_if<model::emit>(number);
        return predicted_.erase_if(model::emit_layer, of_entry);
    }
  }
  void clear() {
    compiler_.clear();
    for (int layer = 0; layer != 4; ++layer)
      predicted_.erase_if(static_cast<layer_number>(layer), [](auto const&) { return true; });
  }

  // How often each stage ran, and should have.
  std::pair<std::vector<int>, std::vector<int>> runs() const {
    auto const ran = toy::runs_of(compiler_.statistics());
    return {ran, kind_ == kind_of_episode::predicted ? predicted_.runs : ran};
  }
  bool keeps_limits() const {
    for (auto const& each : compiler_.statistics())
      if (each.entries > limits_.entries || each.bytes > limits_.bytes || !toy::adds_up(each))
        return false;
    return true;
  }

 private:
  Compiler compiler_;
  call_site<Compiler, model::summary> summaries_{compiler_};
  call_site<Compiler, model::emit> emits_{compiler_};
  predicted_runs predicted_;
  kind_of_episode kind_;
  cache_limits limits_;
};

struct episode_result {
  int wrong = 0;
  std::vector<int> ran{};
  std::vector<int> predicted{};
  bool within_limits = true;
  int answers[5] = {};
};

episode_result episode(unsigned seed, kind_of_episode kind, int steps) {
  std::mt19937 random(seed);
  auto const one_in = [&random](unsigned n) { return random() % n == 0; };
  set_surroundings around;
  model::program const all(random, kind == kind_of_episode::wild, true);
  subject<checked_plain> plain(all, around.now, false, kind, random);
  subject<checked_cutoff> cutoff(all, around.now, true, kind, random);
  episode_result result;
  std::uint64_t now = 0;
  for (int i = 0; i != steps; ++i) {
    if (one_in(20)) around.change(random);
    if (one_in(200)) around.change_file(random);
    if (one_in(30) && now + 1 != model::program::epochs) ++now;
    if (one_in(40)) {
      auto const which = static_cast<unsigned>(random());
      plain.erase(which);
      cutoff.erase(which);
    }
    if (one_in(400)) plain.clear(), cutoff.clear();

    auto const layer = static_cast<layer_number>(random() % 4);
    auto const name =
        model::program::name_of(static_cast<int>(random() % model::program::functions));
    auto const p = model::random_params(random);
    auto const epoch = one_in(2) ? now : random() % (now + 1);
    auto const how = static_cast<unsigned>(random());
    auto const expected = without_cache(all, around.now, epoch).get(layer, name, p, true);
    ++result.answers[expected.kind];
    result.wrong += plain.ask(layer, name, p, epoch, how) != expected;
    result.wrong += cutoff.ask(layer, name, p, epoch, how) != expected;
  }
  for (auto const& [ran, predicted] : {plain.runs(), cutoff.runs()}) {
    result.ran.insert(result.ran.end(), ran.begin(), ran.end());
    result.predicted.insert(result.predicted.end(), predicted.begin(), predicted.end());
  }
  result.within_limits = plain.keeps_limits() && cutoff.keeps_limits();
  return result;
}

void run_episodes(kind_of_episode kind, unsigned first_seed, int all_steps) {
  constexpr int steps = 500;
  int answers[5] = {};
  for (int n = 0; n != all_steps / steps; ++n) {
    auto const seed = first_seed + static_cast<unsigned>(n);
    auto const result = episode(seed, kind, steps);
    for (int each = 0; each != 5; ++each) answers[each] += result.answers[each];
    if (result.wrong == 0 && result.ran == result.predicted && result.within_limits) continue;
    CAPTURE(seed);
    CHECK(result.wrong == 0);
    CHECK(result.ran == result.predicted);
    CHECK(result.within_limits);
    return;
  }
  // That it is no test of failures only, nor one without.
  CHECK(answers[model::answer::ok] > all_steps / 4);
  if (kind == kind_of_episode::wild)
    for (auto const each : {model::answer::failed, model::answer::cyclic, model::answer::thrown})
      CHECK(answers[each] > all_steps / 100);
}

// Ten million steps in all with LAYERKEY_FULL=1.
int steps_of(int percent) { return percent * (model::in_full() ? 100'000 : 1'000); }

}  // namespace

TEST_CASE(
    "random programs: answers are those without a cache, and stages run exactly as predicted") {
  run_episodes(kind_of_episode::predicted, 1, steps_of(40));
}

TEST_CASE("random programs: answers are those without a cache, whatever is evicted") {
  run_episodes(kind_of_episode::limited, 100'001, steps_of(20));
}

TEST_CASE("random programs: with recursion, failures and exceptions too") {
  run_episodes(kind_of_episode::wild, 200'001, steps_of(40));
}
