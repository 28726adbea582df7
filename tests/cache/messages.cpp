// What stages have to say: said again with every artifact that comes of it.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace layerkey;

using lines = std::vector<std::string>;

namespace {

// parse, then two analyses of it, then code out of both.
struct parse : layer<> {
  static constexpr text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
struct types : layer<parse> {
  static constexpr text name = "types";
  using input = std::string;
  using artifact = std::string;
};
struct loops : layer<parse> {
  static constexpr text name = "loops";
  using input = std::string;
  using artifact = std::string;
};
struct code : layer<types, loops> {
  static constexpr text name = "code";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  bool pedantic = false;
  int level = 0;

  using layerkey_fields =
      fields<field<&options::pedantic, affects<parse>>, field<&options::level, affects<code>>>;
};

}  // namespace

// The same text, whatever it says about it.
outcome<std::string> run_parse(std::string const& f, view<parse, options> in) {
  lines said{in.get<&options::pedantic>() ? "pedantic about " + f : "parsed " + f};
  if (f == "syntax") return {diagnostics{"cannot parse"}, said};
  return {"<" + f + ">", said};
}
outcome<std::string> run_types(std::string const&, std::string const& tree, view<types, options>) {
  return {"types " + tree, {"typed " + tree}};
}
outcome<std::string> run_loops(std::string const& f, std::string const& tree,
                               view<loops, options>) {
  if (f == "deep") return {diagnostics{"too deep"}, {"counted to ten"}};
  return "loops " + tree;
}
outcome<std::string> run_code(std::string const&, std::string const& t, std::string const& l,
                              view<code, options> in) {
  return {t + " " + l + " O" + std::to_string(in.get<&options::level>()), {"emitted", "emitted"}};
}

namespace {

using compiler_type =
    pipeline<options, stage<run_parse>, stage<run_types>, stage<run_loops>, stage<run_code>>;

lines const of_f = {"parsed f", "typed <f>", "emitted", "emitted"};

}  // namespace

TEST_CASE("an artifact brings the messages of its stage and of those upstream, each hit again") {
  compiler_type compiler;
  for (int i = 0; i != 3; ++i) {
    // parse's come by two ways, and once; a stage that says a thing twice said it twice.
    CHECK(compiler.get<code>("f", {}).messages() == of_f);
    CHECK(compiler.get<parse>("f", {}).messages() == lines{"parsed f"});
    CHECK(compiler.get<loops>("f", {}).messages() == lines{"parsed f"});
  }
  CHECK(toy::runs_of(compiler.statistics()) == std::vector<int>{1, 1, 1, 1});
  CHECK(compiler.find<code>("f", {})->messages() == of_f);
}

TEST_CASE("messages come with upstream artifacts that were there before") {
  compiler_type compiler;
  CHECK(compiler.get<types>("f", {}).messages() == lines{"parsed f", "typed <f>"});
  CHECK(compiler.get<code>("f", {}).messages() == of_f);
  CHECK(compiler.get<code>("f", {.level = 2}).messages() == of_f);
}

TEST_CASE("messages of a failure, and of what failed upstream, reach who asked") {
  compiler_type compiler;
  for (int i = 0; i != 2; ++i) {
    auto const answer = compiler.get<code>("syntax", {});
    CHECK(answer.error().text == "cannot parse");
    CHECK(answer.messages() == lines{"parsed syntax"});
    auto const deep = compiler.get<code>("deep", {});
    CHECK(deep.error().text == "too deep");
    CHECK(deep.messages() == lines{"parsed deep", "typed <deep>", "counted to ten"});
  }
}

TEST_CASE("a failure that is kept says its messages again") {
  compiler_type compiler;
  compiler.limit<loops>({.keep_failures = true});
  for (int i = 0; i != 3; ++i) {
    auto const answer = compiler.get<loops>("deep", {});
    CHECK(answer.error().text == "too deep");
    CHECK(answer.messages() == lines{"parsed deep", "counted to ten"});
  }
  CHECK(toy::of_layer(compiler.statistics(), "loops").runs == 1);
}

TEST_CASE("a copy of an answer has its messages, and so has one that outlives the pipeline") {
  outcome<std::string> kept = diagnostics{"none"};
  {
    compiler_type compiler;
    auto const answer = compiler.get<code>("f", {});
    kept = answer;
    CHECK(kept.messages() == answer.messages());
  }
  CHECK(kept.messages() == of_f);
}

// ---- early cutoff ------------------------------------------------------------------------------

namespace {

using by_content = pipeline<options, stage<run_parse>, early_cutoff<stage<run_types>>,
                            stage<run_loops>, early_cutoff<stage<run_code>>>;

}  // namespace

TEST_CASE("under early cutoff an entry says its own messages, and what led to it says the others") {
  by_content compiler;
  lines const pedantic = {"pedantic about f", "typed <f>", "emitted", "emitted"};
  for (int i = 0; i != 2; ++i) {
    CHECK(compiler.get<code>("f", {}).messages() == of_f);
    // Another message of parse, and the same tree: the same entries of types and code.
    CHECK(compiler.get<code>("f", {.pedantic = true}).messages() == pedantic);
    CHECK(compiler.get<types>("f", {.pedantic = true}).messages() ==
          lines{"pedantic about f", "typed <f>"});
  }
  CHECK(toy::of_layer(compiler.statistics(), "types").runs == 1);
  CHECK(toy::of_layer(compiler.statistics(), "code").runs == 1);
  CHECK(&*compiler.get<code>("f", {}) == &*compiler.get<code>("f", {.pedantic = true}));
}

TEST_CASE("under early cutoff a failure upstream brings its messages, once") {
  by_content compiler;
  for (int i = 0; i != 2; ++i) {
    auto const answer = compiler.get<code>("syntax", {.pedantic = true});
    CHECK(answer.error().text == "cannot parse");
    CHECK(answer.messages() == lines{"pedantic about syntax"});
    CHECK(compiler.get<code>("deep", {}).messages() ==
          lines{"parsed deep", "typed <deep>", "counted to ten"});
  }
}

// ---- requests ----------------------------------------------------------------------------------

outcome<std::string> types_with_callee(std::string const& f, std::string const& tree,
                                       view<types, options>, requester<types> ask) {
  if (f == "g") return {"types " + tree, {"typed " + tree}};
  auto const callee = ask.get<types>("g");
  auto const again = ask.get<parse>("g");
  return {*callee + " " + *again + " " + tree, {"typed " + tree + " with a callee"}};
}

TEST_CASE("the messages of what a stage requested come with its own, once") {
  lines const expected = {"parsed f", "typed <f> with a callee", "parsed g", "typed <g>"};
  auto const sorted = [](lines all) {
    std::sort(all.begin(), all.end());
    return all;
  };
  compiler_type::with<types_with_callee> compiler;
  by_content::with<types_with_callee> cutoff;
  for (int i = 0; i != 2; ++i) {
    CHECK(sorted(compiler.get<types>("f", {}).messages()) == sorted(expected));
    CHECK(sorted(cutoff.get<types>("f", {}).messages()) == sorted(expected));
  }
  // Upstream first: the stage's own come last.
  CHECK(compiler.get<types>("f", {}).messages().back() == "typed <f> with a callee");
  CHECK(cutoff.get<types>("f", {.pedantic = true}).messages().front() == "pedantic about f");
}
