// Compile requests, and what a strategy makes of them: how many stages run, how many of them in
// vain, and how often an artifact of other options is served.
#pragma once

#include "params.hpp"
#include "strategies.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace bench {

struct request {
  u64 input;  // which function is compiled
  params options;
};

// ---- requests ----------------------------------------------------------------------------------

class request_maker {
 public:
  explicit request_maker(unsigned seed) : random_(seed) {}

  u64 below(u64 n) { return random_() % n; }
  bool coin() { return below(2) == 1; }

  template<class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }

  void vary_inference(params& p) {
    p.always_inline = coin();
    p.mode = static_cast<ad_mode>(below(4));
    p.budget = one_of({500, 1000});
    p.strict = coin();
  }
  void vary_irgen(params& p) {
    p.debug_level = static_cast<std::uint8_t>(below(3));
    p.line_tables = coin();
    p.fp = static_cast<fp_model>(below(3));
  }
  void vary_codegen(params& p) {
    p.sm = one_of({70, 80, 90, 100});
    p.max_regs = one_of({0u, 64u, 128u});
    p.spill_weight = one_of({1.0F, 2.0F});
    p.function_sections = coin();
    if (coin()) p.max_threads = dim3{one_of({128, 256}), 1, 1};
  }
  void vary_runtime(params& p) {
    p.validate = coin();
    p.log = coin() ? this : nullptr;
  }

 private:
  std::mt19937 random_;
};

constexpr std::size_t requests_of_a_workload = 4000;

// A tuner tries how to generate code for 20 functions; nothing else varies.
inline std::vector<request> tuning() {
  request_maker make(1);
  std::vector<request> all(requests_of_a_workload);
  for (auto& each : all) {
    each.input = make.below(20);
    make.vary_codegen(each.options);
  }
  return all;
}

// A library of 40 functions is built with all kinds of options.
inline std::vector<request> option_grid() {
  request_maker make(2);
  std::vector<request> all(requests_of_a_workload);
  for (auto& each : all) {
    each.input = make.below(40);
    make.vary_inference(each.options);
    make.vary_irgen(each.options);
    each.options.sm = make.one_of({80, 90});
  }
  return all;
}

// Sessions over 100 functions, for a few targets; what varies most is nobody's to compile by.
inline std::vector<request> sessions() {
  request_maker make(3);
  std::vector<request> all(requests_of_a_workload);
  for (auto& each : all) {
    each.input = make.below(100);
    each.options.sm = make.one_of({80, 90});
    each.options.spill_weight = make.one_of({1.0F, 2.0F});
    each.options.line_tables = make.coin();  // without debug information
    make.vary_runtime(each.options);
  }
  return all;
}

// ---- artifacts ---------------------------------------------------------------------------------

// An artifact is a number for what its stage was given: the upstream artifact and the members that
// it read. Two are equal exactly when all of that was.
using artifact = std::size_t;

class stages {
 public:
  artifact infer(u64 input, params const& p) {
    return number(inferred_, std::tuple(input, read_by_inference(p)));
  }
  artifact lower(artifact typed, params const& p) {
    return number(lowered_, std::tuple(typed, read_by_irgen(p)));
  }
  artifact emit(artifact module, params const& p) {
    return number(emitted_, std::tuple(module, read_by_codegen(p)));
  }

 private:
  template<class Map, class Given>
  artifact number(Map& all, Given const& given) {
    return all.try_emplace(given, all.size()).first->second;
  }

  std::map<std::tuple<u64, decltype(read_by_inference({}))>, artifact> inferred_;
  std::map<std::tuple<artifact, decltype(read_by_irgen({}))>, artifact> lowered_;
  std::map<std::tuple<artifact, decltype(read_by_codegen({}))>, artifact> emitted_;
};

// The right answers to a request, without a cache.
inline std::array<artifact, layers> right_answers(stages& compiler, request const& r) {
  auto const typed = compiler.infer(r.input, r.options);
  auto const module = compiler.lower(typed, r.options);
  return {typed, module, compiler.emit(module, r.options)};
}

// ---- what a strategy makes of them -------------------------------------------------------------

struct counts {
  std::array<std::size_t, layers> runs{};
  std::size_t redundant_runs = 0;  // runs that made an artifact which had been made before
  std::size_t stale_hits = 0;      // hits in any layer that served the artifact of other options
  std::size_t wrong_answers = 0;   // requests that were answered by a wrong artifact

  std::size_t all_runs() const { return runs[0] + runs[1] + runs[2]; }
};

// How many runs a workload needs: one for each distinct artifact.
inline std::array<std::size_t, layers> needed_runs(std::vector<request> const& requests) {
  stages compiler;
  std::array<std::set<artifact>, layers> distinct;
  for (auto const& r : requests) {
    auto const right = right_answers(compiler, r);
    for (std::size_t i = 0; i != layers; ++i) distinct[i].insert(right[i]);
  }
  return {distinct[0].size(), distinct[1].size(), distinct[2].size()};
}

// A cache for each layer, as the strategy keys it.
template<class Strategy>
class cached_compiler {
 public:
  artifact compile(request const& r) { return get<layer::codegen>(r); }

  // The same for all of them, compared with the right answers, and counted.
  counts judge(std::vector<request> const& requests) {
    for (auto const& r : requests) {
      auto const right = right_answers(stages_, r);
      right_ = &right;
      counts_.wrong_answers += compile(r) != right.back();
      right_ = nullptr;
    }
    return counts_;
  }

 private:
  template<layer L>
  using key = decltype(Strategy::template entry<L>(u64{}, params{}));

  struct hash_of {
    template<class Key>
    std::size_t operator()(Key const& k) const {
      return k.hash();
    }
  };

  template<layer L>
  struct table {
    std::unordered_map<key<L>, artifact, hash_of> entries;
    std::set<artifact> made;
  };

  template<layer L>
  artifact get(request const& r) {
    auto const k = Strategy::template entry<L>(r.input, r.options);
    auto& cache = std::get<table<L>>(tables_);
    if (auto const found = cache.entries.find(k); found != cache.entries.end()) {
      if (right_ != nullptr)
        counts_.stale_hits += found->second != (*right_)[static_cast<std::size_t>(L)];
      return found->second;
    }
    auto const result = make<L>(r);
    ++counts_.runs[static_cast<std::size_t>(L)];
    counts_.redundant_runs += !cache.made.insert(result).second;
    cache.entries.emplace(k, result);
    return result;
  }

  template<layer L>
  artifact make(request const& r) {
    if constexpr (L == layer::inference)
      return stages_.infer(r.input, r.options);
    else if constexpr (L == layer::irgen)
      return stages_.lower(get<layer::inference>(r), r.options);
    else
      return stages_.emit(get<layer::irgen>(r), r.options);
  }

  std::tuple<table<layer::inference>, table<layer::irgen>, table<layer::codegen>> tables_;
  stages stages_;
  counts counts_;
  std::array<artifact, layers> const* right_ = nullptr;
};

template<class Strategy>
counts judge(std::vector<request> const& requests) {
  return cached_compiler<Strategy>().judge(requests);
}

}  // namespace bench
