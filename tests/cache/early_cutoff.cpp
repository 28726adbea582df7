// Early cutoff: stages that are kept under the content of their upstream artifacts.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

using namespace layerkey;
using toy::of_layer;
using toy::runs_of;

using runs = std::vector<int>;

namespace {

// parse drops comments unless told otherwise, optimize unrolls, emit makes machine code.
struct parse : layer<> {
  static constexpr text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
struct optimize : layer<parse> {
  static constexpr text name = "optimize";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layer<optimize> {
  static constexpr text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct cutoff_params {
  bool keep_comments = false;
  int unroll = 1;
  int sm = 90;

  using layerkey_fields = fields<field<&cutoff_params::keep_comments, affects<parse>>,
                                 field<&cutoff_params::unroll, affects<optimize>>,
                                 field<&cutoff_params::sm, affects<emit>>>;
};

}  // namespace

outcome<std::string> run_parse(std::string const& source, view<parse, cutoff_params> options) {
  if (toy::contains(source, "syntax")) return diagnostics{"cannot parse " + source};
  if (toy::contains(source, "throw")) toy::throw_error("parse threw");
  auto const end = options.get<&cutoff_params::keep_comments>() ? source.npos : source.find('#');
  return source.substr(0, end);
}

// Takes the whole struct, to try to read what only parse keys.
std::string run_optimize(std::string const& parsed, narrowed<optimize, cutoff_params> options) {
  return parsed + "*" + std::to_string(options->unroll) + (options->keep_comments ? " leaked" : "");
}

std::string run_optimize_with_input(std::string const& source, std::string const& parsed,
                                    narrowed<optimize, cutoff_params> options) {
  return source + ":" + run_optimize(parsed, options);
}

std::string run_emit(std::string const& optimized, view<emit, cutoff_params> options) {
  return "sm" + std::to_string(options.get<&cutoff_params::sm>()) + " " + optimized;
}

std::string run_emit_with_input(std::string const&, std::string const& optimized,
                                view<emit, cutoff_params> options) {
  return run_emit(optimized, options);
}

using compiler_by_content =
    pipeline<cutoff_params, stage<run_parse>, early_cutoff<stage<run_optimize>>,
             early_cutoff<stage<run_emit>>>;

TEST_CASE("an upstream run with equal content does not rerun what is downstream") {
  compiler_by_content compiler;
  auto const first = compiler.get<emit>("code", {});
  CHECK(first.value() == "sm90 code*1");
  // There is no comment to keep: parse runs, and comes to the same.
  auto const second = compiler.get<emit>("code", {.keep_comments = true});
  CHECK(second.share() == first.share());
  CHECK(runs_of(compiler.statistics()) == runs{2, 1, 1});
  CHECK(of_layer(compiler.statistics(), "optimize").served == 1);
  CHECK(of_layer(compiler.statistics(), "emit").served == 1);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("an upstream run with other content does") {
  compiler_by_content compiler;
  CHECK(compiler.get<emit>("code#text", {}).value() == "sm90 code*1");
  CHECK(compiler.get<emit>("code#text", {.keep_comments = true}).value() == "sm90 code#text*1");
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2});
}

TEST_CASE("own members are in the key of an early cutoff, upstream ones are not") {
  compiler_by_content compiler;
  CHECK(compiler.get<emit>("code", {}).value() == "sm90 code*1");
  CHECK(compiler.get<emit>("code", {.unroll = 2}).value() == "sm90 code*2");
  CHECK(compiler.get<emit>("code", {.unroll = 2, .sm = 80}).value() == "sm80 code*2");
  CHECK(runs_of(compiler.statistics()) == runs{1, 2, 3});
}

TEST_CASE(
    "a stage cannot read what only an upstream layer keys, so a shared entry is never stale") {
  // Both requests share optimize's entry. If its stage saw keep_comments, one answer would be
  // wrong.
  for (bool const comments_first : {false, true}) {
    compiler_by_content compiler;
    for (bool const keep : {comments_first, !comments_first})
      CHECK(compiler.get<emit>("code", {.keep_comments = keep}).value() == "sm90 code*1");
    CHECK(runs_of(compiler.statistics()) == runs{2, 1, 1});
  }
}

TEST_CASE("a stage that leaves the input out is shared between inputs, one that takes it is not") {
  {
    compiler_by_content compiler;
    auto const first = compiler.get<emit>("code#one", {});
    CHECK(compiler.get<emit>("code#two", {}).share() == first.share());
    CHECK(runs_of(compiler.statistics()) == runs{2, 1, 1});
  }
  pipeline<cutoff_params, stage<run_parse>, early_cutoff<stage<run_optimize_with_input>>,
           early_cutoff<stage<run_emit_with_input>>>
      compiler;
  CHECK(compiler.get<emit>("code#one", {}).value() == "sm90 code#one:code*1");
  CHECK(compiler.get<emit>("code#two", {}).value() == "sm90 code#two:code*1");
  CHECK(compiler.get<emit>("code#two", {}).value() == "sm90 code#two:code*1");
  CHECK(runs_of(compiler.statistics()) == runs{2, 2, 2});
}

TEST_CASE("a plain stage behind an early cutoff is keyed by all that is upstream") {
  pipeline<cutoff_params, stage<run_parse>, early_cutoff<stage<run_optimize>>,
           stage<run_emit_with_input>>
      compiler;
  CHECK(compiler.get<emit>("code", {}).value() == "sm90 code*1");
  CHECK(compiler.get<emit>("code", {.keep_comments = true}).value() == "sm90 code*1");
  CHECK(runs_of(compiler.statistics()) == runs{2, 1, 2});
  // A hit asks nobody upstream.
  auto const before = of_layer(compiler.statistics(), "optimize").requests;
  CHECK(compiler.get<emit>("code", {.keep_comments = true}));
  CHECK(of_layer(compiler.statistics(), "optimize").requests == before);
}

TEST_CASE("failures upstream of an early cutoff are counted and not cached") {
  compiler_by_content compiler;
  for (unsigned i = 1; i != 3; ++i) {
    CHECK(compiler.get<emit>("syntax", {}).error().text == "cannot parse syntax");
#if defined(__cpp_exceptions)
    CHECK_THROWS_WITH(compiler.get<emit>("throw", {}), "parse threw");
#else
    CHECK_FALSE(compiler.get<emit>("other syntax", {}));
#endif
    auto const all = compiler.statistics();
    CHECK(of_layer(all, "parse").failures == 2 * i);
    for (auto const* layer : {"optimize", "emit"}) {
      CHECK(of_layer(all, layer).requests == 2 * i);
      CHECK(of_layer(all, layer).failures_without_run == 2 * i);
    }
    CHECK(toy::adds_up(all));
  }
  CHECK(compiler.get<emit>("code", {}).value() == "sm90 code*1");
}

// ---- artifacts by position ---------------------------------------------------------------------

std::string join_by_content(std::string const& left, std::string const& right,
                            view<toy::join, toy::params> options) {
  return left + " " + right + " " + std::to_string(options.get<&toy::params::sm>());
}

TEST_CASE("artifacts of one type come, and are keyed, by their place among the upstream layers") {
  pipeline<toy::params, stage<toy::run_front>, stage<toy::run_left>, stage<toy::run_right>,
           early_cutoff<stage<join_by_content>>>
      compiler;
  CHECK(compiler.get<toy::join>("f", {}).value() ==
        "left(front(f 1) 1 0) right(front(f 1) old) 90");
  CHECK(compiler.get<toy::join>("f", {.cpu = "new"}).value() ==
        "left(front(f 1) 1 0) right(front(f 1) new) 90");
  CHECK(runs_of(compiler.statistics()) == runs{1, 1, 2, 2});
}
