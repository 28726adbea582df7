#include <layerkey/layerkey.hpp>
#include <layerkey/testing.hpp>
#include <layerkey/values/text.hpp>

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

using layerkey::testing::disagreement;

namespace {

struct front : layerkey::layer<> {
  static constexpr layerkey::text name = "front";
};
struct back : layerkey::layer<front> {
  static constexpr layerkey::text name = "back";
};

struct params {
  int level = 0;
  std::string cpu = "generic";
  bool verify = true;
  int threads = 1;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<front>>,
                       layerkey::field<&params::cpu, layerkey::affects<back>>,
                       layerkey::field<&params::verify, layerkey::check_only>,
                       layerkey::field<&params::threads, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<params>);

// As they are written by hand: the equality lacks cpu and has threads, the hash has verify too.
struct old_equal {
  bool operator()(params const& a, params const& b) const {
    return a.level == b.level && a.threads == b.threads;
  }
};
struct old_hash {
  std::size_t operator()(params const& p) const {
    return static_cast<std::size_t>(2 * p.level + p.verify);
  }
};

}  // namespace

TEST_CASE("shadow: what agrees is counted and leaves no example") {
  auto shadow = layerkey::testing::shadow<front, params>(
      [](params const& p) { return p.level; },
      [](params const& a, params const& b) { return a.level == b.level; });
  shadow.compare({.level = 1}, {.level = 2});
  shadow.compare({.level = 1}, {.level = 1, .cpu = "x"});
  CHECK(shadow.counts().pairs == 2);
  CHECK(shadow.counts().agree());
  CHECK(shadow.examples().empty());
}

TEST_CASE("shadow: each way to disagree is counted, with an example of each set of members") {
  auto shadow = layerkey::testing::shadow<back, params>(old_hash{}, old_equal{});
  shadow.compare({}, {.cpu = "znver4"});
  shadow.compare({}, {.cpu = "znver3"});
  shadow.compare({}, {.threads = 8});
  shadow.compare({}, {.verify = false});
  shadow.compare({}, {.cpu = "znver4", .verify = false});
  shadow.compare({}, {.level = 3});

  auto const counts = shadow.counts();
  CHECK_FALSE(counts.agree());
  CHECK(counts.pairs == 6);
  CHECK(counts.under_keyed == 3);
  CHECK(counts.over_keyed == 1);
  CHECK(counts.inconsistent == 2);

  using layerkey::difference;
  auto const examples = shadow.examples();
  REQUIRE(examples.size() == 4);
  CHECK(examples[0].kind == disagreement::under_keyed);
  CHECK(examples[0].times == 3);
  CHECK(examples[0].differences ==
        std::vector<difference>{{"cpu", "back", "\"generic\"", "\"znver4\""}});
  CHECK(examples[1].kind == disagreement::over_keyed);
  CHECK(examples[1].differences == std::vector<difference>{{"threads", "", "1", "8"}});
  CHECK(examples[2].kind == disagreement::inconsistent);
  CHECK(examples[2].differences == std::vector<difference>{{"verify", "", "true", "false"}});
  CHECK(examples[3].kind == disagreement::inconsistent);
  CHECK(examples[3].differences.size() == 2);

  std::ostringstream out;
  out << shadow;
  CHECK(out.str() ==
        "layer back: 6 pairs; old equal, new different: 3; old different, new equal: 1; old equal, "
        "old hashes differ: 2\n"
        "  old equal, new different, 3 times: cpu: \"generic\" -> \"znver4\"\n"
        "  old different, new equal, 1 time: threads: 1 -> 8\n"
        "  old equal, old hashes differ, 1 time: verify: true -> false\n"
        "  old equal, old hashes differ, 1 time: cpu: \"generic\" -> \"znver4\", verify: true -> "
        "false\n");
}

TEST_CASE("shadow: as many members that differ are not the same members") {
  auto shadow = layerkey::testing::shadow<back, params>(
      [](params const&) { return 0; }, [](auto const&, auto const&) { return true; });
  shadow.compare({}, {.level = 1});
  shadow.compare({}, {.cpu = "x"});
  CHECK(shadow.examples().size() == 2);
}

TEST_CASE("shadow: a hash that is no function of the params shows against the params themselves") {
  int calls = 0;
  auto shadow = layerkey::testing::shadow<back, params>(
      [&calls](params const&) { return calls++; }, [](auto const&, auto const&) { return true; });
  shadow.see({});
  CHECK(shadow.counts().inconsistent == 1);
  REQUIRE(shadow.examples().size() == 1);
  CHECK(shadow.examples()[0].differences.empty());
  CHECK(shadow.to_text().find("no member differs") != std::string::npos);
}

TEST_CASE("shadow: live traffic is compared with what was seen of late, and memory is bounded") {
  auto shadow = layerkey::testing::shadow<back, params>(old_hash{}, old_equal{},
                                                        {.recent = 2, .examples = 1});
  shadow.see({.cpu = "a"});
  shadow.see({.cpu = "b"});
  shadow.see({.threads = 2});
  CHECK(shadow.counts().pairs == 3 + 0 + 1 + 2);
  CHECK(shadow.counts().under_keyed == 1);
  shadow.see({.cpu = "a"});  // the first is forgotten
  CHECK(shadow.counts().pairs == 4 + 0 + 1 + 2 + 2);
  CHECK(shadow.counts().under_keyed == 2);

  shadow.compare({}, {.threads = 3});
  shadow.compare({}, {.threads = 4});
  CHECK(shadow.examples().size() == 1);
  CHECK(shadow.left_out() == 2);
  CHECK(shadow.to_text().find("and 2 without an example") != std::string::npos);
}

TEST_CASE("shadow: threads may share it") {
  auto shadow = layerkey::testing::shadow<back, params>(old_hash{}, old_equal{}, {.recent = 4});
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&shadow, t] {
      for (int i = 0; i != 200; ++i)
        shadow.see({.level = i % 3, .cpu = std::to_string(i % 5), .threads = t});
    });
  for (auto& each : threads) each.join();
  auto const counts = shadow.counts();
  CHECK(counts.pairs == 800 + 4 * 800 - (4 + 3 + 2 + 1));
  CHECK(counts.under_keyed > 0);
  CHECK(counts.inconsistent == 0);
  std::uint64_t in_examples = shadow.left_out();
  for (auto const& each : shadow.examples()) in_examples += each.times;
  CHECK(in_examples == counts.under_keyed + counts.over_keyed);
}
