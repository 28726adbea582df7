// Reports of runs: why the nearest stored artifact did not serve.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <sstream>
#include <string_view>

using namespace layerkey;
using toy::params;

namespace {

// The reports of the requests since the last call, by layer; no layer here runs twice a request.
template<class Pipeline>
class listener {
 public:
  explicit listener(Pipeline& pipeline) {
    pipeline.on_run([this](run_report const& report) {
      if (!reports_.emplace(report.layer, report).second) twice_ = true;
    });
  }

  std::map<std::string, run_report> take() {
    if (twice_) FAIL("a layer ran twice");
    return std::exchange(reports_, {});
  }

 private:
  std::map<std::string, run_report> reports_;
  bool twice_ = false;
};

}  // namespace

TEST_CASE("the first run for an input has nothing to be compared with") {
  toy::compiler compiler;
  listener told(compiler);
  static_cast<void>(compiler.get<toy::join>("f", params{}));
  auto const first = told.take();
  CHECK(first.size() == 4);
  for (auto const& [layer, report] : first) {
    CHECK(report.reason == run_reason::first_of_its_input);
    CHECK(report.differences.empty());
  }
  static_cast<void>(compiler.get<toy::join>("f", params{}));
  CHECK(told.take().empty());  // a hit
  static_cast<void>(compiler.get<toy::join>("g", {.sm = 80}));
  CHECK(told.take().at("join").reason == run_reason::first_of_its_input);
}

TEST_CASE("a report names the members that differ, with the stored and the asked value") {
  toy::compiler compiler;
  listener told(compiler);
  static_cast<void>(compiler.get<toy::join>("f", params{}));
  told.take();

  params const p{.dialect = 2, .cpu = "new", .sm = 80};
  static_cast<void>(compiler.get<toy::join>("f", p));
  auto const reports = told.take();
  REQUIRE(reports.size() == 4);
  CHECK(reports.at("front").reason == run_reason::members_differ);
  CHECK(reports.at("front").differences == std::vector<difference>{{"dialect", "front", "1", "2"}});
  CHECK(reports.at("join").reason == run_reason::members_differ);
  CHECK(reports.at("join").differences ==
        std::vector<difference>{{"dialect", "front", "1", "2"},
                                {"cpu", "right", "\"old\"", "\"new\""},
                                {"sm", "join", "90", "80"}});
  std::ostringstream printed;
  printed << reports.at("join").differences.back();
  CHECK(printed.str() == "sm: 90 -> 80");
}

TEST_CASE("a report compares with the nearest entry, the latest of several") {
  toy::compiler compiler;
  listener told(compiler);
  for (params const& p : {params{.level = 1, .cpu = "new", .sm = 70}, params{.sm = 80},
                          params{.sm = 90}, params{.level = 1, .cpu = "new", .sm = 60}}) {
    static_cast<void>(compiler.get<toy::join>("f", p));
    told.take();
  }
  static_cast<void>(compiler.get<toy::join>("f", {.sm = 100}));
  auto const nearest = told.take();
  CHECK(nearest.size() == 1);
  CHECK(nearest.at("join").differences == std::vector<difference>{{"sm", "join", "90", "100"}});
}

TEST_CASE("a failed run is not stored, so nothing is compared with it") {
  toy::compiler compiler;
  listener told(compiler);
  for (int sm : {80, 90}) {
    CHECK_FALSE(compiler.get<toy::join>("join fails", {.sm = sm}));
    CHECK(told.take().at("join").reason == run_reason::first_of_its_input);
  }
}

TEST_CASE("after clear there is nothing to be compared with") {
  toy::compiler compiler;
  listener told(compiler);
  static_cast<void>(compiler.get<toy::join>("f", params{}));
  told.take();
  compiler.clear();
  static_cast<void>(compiler.get<toy::join>("f", {.dialect = 2}));
  auto const reports = told.take();
  CHECK(reports.size() == 4);
  for (auto const& [layer, report] : reports)
    CHECK(report.reason == run_reason::first_of_its_input);
}

// ---- early cutoff ------------------------------------------------------------------------------

namespace {

struct lex : layer<> {
  static constexpr text name = "lex";
  using input = std::string;
  using artifact = std::string;
};
struct tidy : layer<lex> {
  static constexpr text name = "tidy";
  using input = std::string;
  using artifact = std::string;
};
struct lex_params {
  int base = 10;
  int indent = 2;
  using layerkey_fields =
      fields<field<&lex_params::base, affects<lex>>, field<&lex_params::indent, affects<tidy>>>;
};

}  // namespace

std::string run_lex(std::string const& source, view<lex, lex_params> options) {
  return source + std::to_string(options.get<&lex_params::base>());
}
std::string run_tidy(std::string const&, std::string const& lexed, view<tidy, lex_params> options) {
  return std::string(static_cast<std::size_t>(options.get<&lex_params::indent>()), ' ') + lexed;
}

TEST_CASE("under early cutoff a report names own members, or says that the content differs") {
  pipeline<lex_params, stage<run_lex>, early_cutoff<stage<run_tidy>>> compiler;
  listener told(compiler);
  static_cast<void>(compiler.get<tidy>("f", {}));
  told.take();

  static_cast<void>(compiler.get<tidy>("f", {.base = 16}));
  auto const upstream = told.take();
  CHECK(upstream.at("lex").reason == run_reason::members_differ);
  CHECK(upstream.at("tidy").reason == run_reason::upstream_differs);
  CHECK(upstream.at("tidy").differences.empty());

  static_cast<void>(compiler.get<tidy>("f", {.base = 16, .indent = 4}));
  auto const own = told.take();
  CHECK(own.size() == 1);
  CHECK(own.at("tidy").reason == run_reason::members_differ);
  CHECK(own.at("tidy").differences == std::vector<difference>{{"indent", "tidy", "2", "4"}});
}

// ---- the bound ---------------------------------------------------------------------------------

TEST_CASE("the 1,024 latest entries are compared with, older ones are only served") {
  pipeline<lex_params, stage<run_lex>, ignores<tidy>> compiler;
  listener told(compiler);
  static_cast<void>(compiler.get<lex>("first", {}));
  told.take();
  for (int i = 0; i != 1023; ++i) {
    static_cast<void>(compiler.get<lex>("f", {.base = i}));
    told.take();
  }
  static_cast<void>(compiler.get<lex>("first", {.base = 16}));
  CHECK(told.take().at("lex").differences == std::vector<difference>{{"base", "lex", "10", "16"}});

  for (int i = 0; i != 1024; ++i) {
    static_cast<void>(compiler.get<lex>("g", {.base = i}));
    told.take();
  }
  static_cast<void>(compiler.get<lex>("first", {.base = 8}));
  CHECK(told.take().at("lex").reason == run_reason::first_of_its_input);
  static_cast<void>(compiler.get<lex>("first", {}));
  CHECK(told.take().empty());  // served all the same
}

namespace {

struct borrowing : layer<> {
  static constexpr auto name = text{"borrowing"};
  using input = std::string;
  using artifact = std::size_t;
};

// Neither can be copied nor owns what its members refer to.
struct borrowing_params {
  std::string_view flags{};
  std::unique_ptr<int> log{};

  using layerkey_fields = fields<field<&borrowing_params::flags, affects<borrowing>>,
                                 field<&borrowing_params::log, runtime_only>>;
};

std::size_t count_flags(std::string const&, view<borrowing, borrowing_params> in) {
  return in.get<&borrowing_params::flags>().size();
}

}  // namespace

TEST_CASE("A report outlives the params that it compares with, which need not be copied") {
  pipeline<borrowing_params, stage<count_flags>> compiler;
  std::vector<run_report> reports;
  compiler.on_run([&](run_report const& report) { reports.push_back(report); });
  for (char const* flags : {"first, and too long for a short string", "second"}) {
    auto const owner = std::make_unique<std::string>(flags);
    CHECK(*compiler.get<borrowing>("f", borrowing_params{.flags = *owner}) == owner->size());
  }
  REQUIRE(reports.size() == 2);
  REQUIRE(reports[1].differences.size() == 1);
  CHECK(reports[1].differences[0].before == "\"first, and too long for a short string\"");
  CHECK(reports[1].differences[0].after == "\"second\"");
}
