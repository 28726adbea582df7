// A compiler for random programs, and the same without a cache.
//
// Functions are named by a letter and call each other. Their definitions change from epoch to
// epoch; they read variables of the environment and a file. `summary` asks for the summaries of
// callees, `lower` asks with params of its own. Results are numbers that often come out equal, so
// that early cutoff has something to do.
#pragma once

#include <layerkey/all.hpp>

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace model {

// A hundred times as much with LAYERKEY_FULL=1, as much as takes a moment otherwise.
inline bool in_full() {
  char const* const full = std::getenv("LAYERKEY_FULL");
  return full != nullptr && std::string(full) == "1";
}

// ---- programs ----------------------------------------------------------------------------------

struct definition {
  std::uint64_t first = 0;  // epoch
  int constant = 0;
  int comment = 0;       // of no effect
  std::string calls{};   // a letter each
  std::string reads{};   // A and B: variables, F: the file
  bool fails = false;    // does not parse
  bool throws = false;   // has no summary
  bool catches = false;  // what callees throw
  bool ignores_dialect = false;
};

class program {
 public:
  static constexpr int functions = 6;
  static constexpr std::uint64_t epochs = 12;

  // `wild`: with recursion, failures and exceptions.
  program(std::mt19937& random, bool wild, bool reads) {
    auto const one_in = [&random](unsigned n) { return random() % n == 0; };
    for (int f = 0; f != functions; ++f)
      for (std::uint64_t epoch = 0; epoch != epochs; ++epoch) {
        auto& all = history_[f];
        if (epoch != 0 && !one_in(4)) continue;
        definition d{.first = epoch};
        if (epoch != 0 && one_in(2)) d = all.back();
        d.first = epoch;
        d.comment = static_cast<int>(random() % 3);
        if (d.first == 0 || one_in(2)) {
          d.constant = static_cast<int>(random() % 5);
          d.calls.clear();
          for (auto n = random() % 3; n != 0; --n) {
            int const callee =
                wild ? static_cast<int>(random() % functions)
                     : f + 1 + static_cast<int>(random() % static_cast<unsigned>(functions - f));
            if (callee < functions && (callee > f || one_in(3))) d.calls += name_of(callee);
          }
          d.reads.clear();
          if (reads && one_in(4)) d.reads += one_in(2) ? 'A' : 'B';
          if (reads && one_in(16)) d.reads += 'F';
          d.fails = wild && one_in(12);
          d.throws = wild && one_in(12);
          d.catches = one_in(2);
          d.ignores_dialect = one_in(2);
        }
        all.push_back(d);
      }
  }

  static std::string name_of(int f) { return std::string(1, static_cast<char>('a' + f)); }

  // The definition in that epoch, and the epochs in which it is that.
  std::pair<definition const&, layerkey::epoch_range> at(std::string const& name,
                                                         std::uint64_t epoch) const {
    auto const& all = history_[name[0] - 'a'];
    std::size_t i = all.size() - 1;
    while (all[i].first > epoch) --i;
    layerkey::epoch_range range{.first = all[i].first};
    if (i + 1 != all.size()) range.last = all[i + 1].first - 1;
    return {all[i], range};
  }

  // Told of each run that comes to a result, where it is set: the layer, and what it saw.
  std::function<void(char const*, std::string const&)> told{};

 private:
  std::vector<definition> history_[functions];
};

// ---- what stages read beside that --------------------------------------------------------------

inline layerkey::content_digest digest_of_few(std::string_view bytes) {
  layerkey::content_digest digest{.algorithm = layerkey::digest_algorithm::blake2b_256,
                                  .size = bytes.size()};
  for (std::size_t i = 0; i != bytes.size(); ++i)
    digest.bytes[i % 32] =
        static_cast<std::uint8_t>(digest.bytes[i % 32] * 31u + static_cast<std::uint8_t>(bytes[i]));
  return digest;
}
using reads = layerkey::read_set<digest_of_few>;

inline std::string const variables[] = {"LAYERKEY_MODEL_A", "LAYERKEY_MODEL_B"};

struct surroundings {
  std::optional<std::string> variable[2];
  std::optional<std::string> file;  // content

  friend bool operator==(surroundings const&, surroundings const&) = default;
};

// Of this process, since others run at the same time.
inline std::string const& path_of_file() {
  static std::string const path =
      (std::filesystem::temp_directory_path() / ("layerkey_model_" + std::to_string(::getpid())))
          .string();
  return path;
}

// ---- params ------------------------------------------------------------------------------------

struct parse : layerkey::layer<> {
  static constexpr layerkey::text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
struct summary : layerkey::layer<parse> {
  static constexpr layerkey::text name = "summary";
  using input = std::string;
  using artifact = std::uint64_t;
};
struct lower : layerkey::layer<summary> {
  static constexpr layerkey::text name = "lower";
  using input = std::string;
  using artifact = std::uint64_t;
};
struct emit : layerkey::layer<lower> {
  static constexpr layerkey::text name = "emit";
  using input = std::string;
  using artifact = std::uint64_t;
};

constexpr bool is_even(int n) { return n % 2 == 0; }

struct params {
  int dialect = 0;
  int depth = 0;
  int mode = 0;
  int level = 0;
  bool lines = false;
  int sm = 80;
  bool validate = false;
  void const* log = nullptr;

  template<class L>
  using affects = layerkey::affects<L>;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&params::dialect, affects<parse>>,
      layerkey::field<&params::depth, affects<summary>>,
      layerkey::field<&params::mode, affects<summary>::as<is_even>, affects<emit>>,
      layerkey::field<&params::level, affects<lower>>,
      layerkey::field<&params::lines, affects<lower>, layerkey::only_if<&params::level>>,
      layerkey::field<&params::sm, affects<emit>>,
      layerkey::field<&params::validate, layerkey::check_only>,
      layerkey::field<&params::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

inline params random_params(std::mt19937& random) {
  auto const below = [&random](unsigned n) { return static_cast<int>(random() % n); };
  return {.dialect = below(2),
          .depth = below(2),
          .mode = below(3),
          .level = below(3),
          .lines = below(2) == 1,
          .sm = 80 + 10 * below(2),
          .validate = below(4) == 0,
          .log = below(2) == 1 ? &random : nullptr};
}

// ---- what each stage makes of what it reads ----------------------------------------------------

inline std::string parsed(definition const& d, int dialect,
                          std::function<std::optional<std::string>(char)> const& read) {
  std::string text = std::to_string(d.constant) + (d.throws ? "!" : "") + (d.catches ? "?" : "");
  if (!d.ignores_dialect) text += "d" + std::to_string(dialect);
  for (char const each : d.reads) {
    auto const value = read(each);
    text += each + (value ? "=" + *value : "");
  }
  return text + "+" + d.calls;
}
inline std::string calls_in(std::string const& parsed) {
  return parsed.substr(parsed.find('+') + 1);
}
inline bool has(std::string const& parsed, char what) {
  return parsed.find(what) != std::string::npos;
}

constexpr std::uint64_t failed_callee = 1000003;
constexpr std::uint64_t thrown_callee = 2000003;

inline std::uint64_t summed(std::string const& parsed, int depth, bool even,
                            std::vector<std::uint64_t> const& callees) {
  auto sum = static_cast<std::uint64_t>(parsed[0] - '0') + (has(parsed, 'd') ? 10u : 0u);
  for (std::size_t i = 0; i != parsed.size() && parsed[i] != '+'; ++i)
    if (parsed[i] == '=' || parsed[i] == 'd') sum += static_cast<std::uint64_t>(parsed[i + 1]);
  for (auto const each : callees) sum = 3 * sum + each;
  return sum + (even ? 100u : 0u) + 1000u * static_cast<unsigned>(depth);
}
inline std::uint64_t lowered(std::uint64_t sum, int level, bool lines,
                             std::optional<std::uint64_t> other) {
  return (sum / 2) * 16 + 2 * static_cast<unsigned>(level) + (lines ? 1u : 0u) +
         (other ? 64 * *other : 0);
}
inline bool emit_reads(std::uint64_t code) { return code % 3 == 0; }
inline std::uint64_t emitted(std::uint64_t code, int sm, int mode,
                             std::optional<std::string> const& variable) {
  return ((code * 1000 + static_cast<unsigned>(sm)) * 8 + static_cast<unsigned>(mode)) * 4 +
         (variable ? variable->size() + 1 : 0);
}
inline bool is_valid(std::uint64_t code) { return code / 16 % 5 != 0; }

// ---- stages ------------------------------------------------------------------------------------

// Empty, since ThreadSanitizer does not see what orders the accesses to an exception that several
// threads have.
struct no_summary {};

inline void tell(program const& all, char const* layer, std::string const& what) {
  if (all.told) all.told(layer, what);
}

}  // namespace model

template<>
struct layerkey::service<model::program> {
  static constexpr layerkey::text reason = "the epoch and the input say what is read of it";
};

namespace model {

inline layerkey::with_validity<layerkey::outcome<std::string>,
                               layerkey::valid_together<layerkey::epoch_range, reads>>
run_parse(std::string const& name, layerkey::view<parse, params> in, layerkey::requester<parse> ask,
          program const& all) {
  auto const [d, range] = all.at(name, ask.epoch());
  tell(all, "parse",
       name + " " + std::to_string(range.first) + " " + std::to_string(in.get<&params::dialect>()));
  reads found;
  if (d.fails)
    return {layerkey::diagnostics{"cannot parse " + name}, layerkey::valid_together{range, found}};
  auto text = parsed(d, in.get<&params::dialect>(), [&](char what) -> std::optional<std::string> {
    if (what != 'F') return found.read_environment(variables[what - 'A']);
    auto const file = found.read_file(path_of_file());
    return file ? std::optional(std::string(file->bytes())) : std::nullopt;
  });
  return {std::move(text), layerkey::valid_together{range, found}};
}

inline std::uint64_t run_summary(std::string const& name, std::string const& parsed,
                                 layerkey::view<summary, params> in,
                                 layerkey::requester<summary> ask, program const& all) {
  std::vector<std::uint64_t> callees;
  std::string seen = name + " " + parsed + " " + std::to_string(in.get<&params::depth>()) +
                     std::to_string(in.get<&params::mode>());
  for (char const each : calls_in(parsed)) {
    try {
      auto const callee = ask.get<summary>(std::string(1, each));
      callees.push_back(callee ? *callee : failed_callee);
    } catch (no_summary) {
      if (!has(parsed, '?')) throw;
      callees.push_back(thrown_callee);
    }
    seen += " " + std::to_string(callees.back());
  }
  tell(all, "summary", seen);
  if (has(parsed, '!')) throw no_summary{};
  return summed(parsed, in.get<&params::depth>(), in.get<&params::mode>(), callees);
}

// Asks at level 2 with params of its own.
inline layerkey::outcome<std::uint64_t> run_lower(std::string const& name, std::uint64_t const& sum,
                                                  layerkey::view<lower, params> in,
                                                  layerkey::requester<lower> ask,
                                                  program const& all) {
  std::optional<std::uint64_t> other;
  int const level = in.get<&params::level>();
  std::string seen = name + " " + std::to_string(sum) + " " + std::to_string(level) +
                     std::to_string(in.get<&params::lines>());
  if (level == 2) {
    auto const got = ask.get<summary>(name, params{.depth = level});
    if (!got) return got.error();
    other = *got;
    seen += " " + std::to_string(*other);
  }
  tell(all, "lower", seen);
  return lowered(sum, level, in.get<&params::lines>(), other);
}

inline layerkey::with_validity<std::uint64_t, reads> run_emit(std::string const& name,
                                                              std::uint64_t const& code,
                                                              layerkey::view<emit, params> in,
                                                              program const& all) {
  reads found;
  std::optional<std::string> variable;
  if (emit_reads(code)) variable = found.read_environment(variables[0]);
  tell(all, "emit",
       name + " " + std::to_string(code) + " " + std::to_string(in.get<&params::sm>()) +
           std::to_string(in.get<&params::mode>()));
  return {emitted(code, in.get<&params::sm>(), in.get<&params::mode>(), variable), found};
}

inline layerkey::check_result validate_code(std::uint64_t const& code,
                                            layerkey::checks_view<params> in) {
  layerkey::check_result said;
  if (in.get<&params::validate>() && !is_valid(code))
    said.failure = layerkey::diagnostics{"invalid code"};
  return said;
}

using namespace layerkey;

template<class... More>
using plain_compiler = pipeline<params, stage<run_parse>, stage<run_summary>, stage<run_lower>,
                                stage<run_emit>, More...>;
template<class... More>
using cutoff_compiler = pipeline<params, stage<run_parse>, early_cutoff<stage<run_summary>>,
                                 early_cutoff<stage<run_lower>>, stage<run_emit>, More...>;

// ---- without a cache ---------------------------------------------------------------------------

enum layer_number { parse_layer, summary_layer, lower_layer, emit_layer };

// A number, or why there is none.
struct answer {
  enum kind_of { ok, failed, cyclic, cancelled, thrown } kind = ok;
  std::uint64_t value = 0;
  std::string text{};  // of parse, and of what failed

  bool holds() const { return kind == ok; }
  friend bool operator==(answer const&, answer const&) = default;
};

class without_cache {
 public:
  without_cache(program const& all, surroundings const& around, std::uint64_t epoch)
      : all_(all), around_(around), epoch_(epoch) {}

  answer get(layer_number layer, std::string const& name, params const& p, bool checks) {
    if (layer == parse_layer) return get_parse(name, p);
    if (layer == summary_layer) return get_summary(name, p);
    auto const code = get_lower(name, p);
    if (!code.holds()) return code;
    if (checks && p.validate && !is_valid(code.value)) return {answer::failed, 0, "invalid code"};
    if (layer == lower_layer) return code;
    return {answer::ok, emitted(code.value, p.sm, p.mode,
                                emit_reads(code.value) ? around_.variable[0] : std::nullopt)};
  }

  // The epochs in which all is as it is now that the last answers were made from.
  epoch_range range{};

 private:
  answer get_parse(std::string const& name, params const& p) {
    auto const [d, range_of_d] = all_.at(name, epoch_);
    range.restrict_to(range_of_d);
    if (d.fails) return {answer::failed, 0, "cannot parse " + name};
    return {answer::ok, 0, parsed(d, p.dialect, [this](char what) {
              return what == 'F' ? around_.file : around_.variable[what - 'A'];
            })};
  }

  answer get_summary(std::string const& name, params const& p) {
    for (std::size_t i = 0; i != under_way_.size(); ++i)
      if (under_way_[i].first == name) {
        for (; i != under_way_.size(); ++i) under_way_[i].second = true;
        return {answer::cyclic};
      }
    under_way_.emplace_back(name, false);
    auto result = run_summary_of(name, p);
    if (under_way_.back().second) result = {answer::cyclic};
    under_way_.pop_back();
    return result;
  }
  answer run_summary_of(std::string const& name, params const& p) {
    auto const body = get_parse(name, p);
    if (!body.holds()) return body;
    std::vector<std::uint64_t> callees;
    for (char const each : calls_in(body.text)) {
      auto const callee = get_summary(std::string(1, each), p);
      if (callee.kind == answer::thrown && !has(body.text, '?')) return callee;
      callees.push_back(callee.holds()                  ? callee.value
                        : callee.kind == answer::thrown ? thrown_callee
                                                        : failed_callee);
    }
    if (has(body.text, '!')) return {answer::thrown};
    return {answer::ok, summed(body.text, p.depth, is_even(p.mode), callees)};
  }

  answer get_lower(std::string const& name, params const& p) {
    auto const sum = get_summary(name, p);
    if (!sum.holds()) return sum;
    std::optional<std::uint64_t> other;
    if (p.level == 2) {
      auto const got = get_summary(name, params{.depth = p.level});
      if (!got.holds()) return got;
      other = got.value;
    }
    return {answer::ok, lowered(sum.value, p.level, p.level != 0 && p.lines, other)};
  }

  program const& all_;
  surroundings const& around_;
  std::uint64_t epoch_;
  std::vector<std::pair<std::string, bool>> under_way_;
};

// ---- with one ----------------------------------------------------------------------------------

template<class A>
answer answer_of(outcome<A> const& got) {
  if (got) {
    if constexpr (std::is_same_v<A, std::string>)
      return {answer::ok, 0, *got};
    else
      return {answer::ok, *got};
  }
  switch (got.error().kind) {
    case failure_kind::cyclic_request:
      return {answer::cyclic};
    case failure_kind::cancelled:
      return {answer::cancelled};
    default:
      return {answer::failed, 0, got.error().text};
  }
}

// `ask(layer)` with a value of type L.
template<class Ask>
answer caught_answer(Ask const& ask) {
  try {
    return answer_of(ask());
  } catch (no_summary) {
    return {answer::thrown};
  }
}

template<class Compiler, class Params>
answer ask(Compiler& compiler, layer_number layer, std::string const& name, Params const& p,
           request_context const& context) {
  switch (layer) {
    case parse_layer:
      return caught_answer([&] { return compiler.template get<parse>(name, p, context); });
    case summary_layer:
      return caught_answer([&] { return compiler.template get<summary>(name, p, context); });
    case lower_layer:
      return caught_answer([&] { return compiler.template get<lower>(name, p, context); });
    default:
      return caught_answer([&] { return compiler.template get<emit>(name, p, context); });
  }
}

}  // namespace model
