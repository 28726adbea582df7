// The strategies of bench/strategies that know any struct, on a small one.
#include <strategies/of_params.hpp>

#include <layerkey/cache/pipeline.hpp>
#include <layerkey/values/optional.hpp>

#include <catch2/catch.hpp>

#include <optional>
#include <string>

namespace small {

struct front : layerkey::layer<> {
  static constexpr auto name = layerkey::text{"front"};
  using input = int;
  using artifact = std::string;
};
struct back : layerkey::layer<front> {
  static constexpr auto name = layerkey::text{"back"};
  using input = int;
  using artifact = std::string;
};

constexpr bool is_odd(int n) { return n % 2 != 0; }
constexpr int at_most_9(int n) { return n < 9 ? n : 9; }

struct inner {
  int mode = 0;
  int level = 1;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&inner::mode, layerkey::affects<front>::as<is_odd>>,
      layerkey::field<&inner::level, layerkey::affects<back>, layerkey::canonical<at_most_9>>>;
};

struct params {
  inner in{};
  std::optional<inner> more = std::nullopt;
  bool fast = false;
  int threads = 1;
  int const* log = nullptr;
  using layerkey_fields = layerkey::fields<
      layerkey::field<&params::in, layerkey::per_member>,
      layerkey::field<&params::more, layerkey::per_member>,
      layerkey::field<&params::fast, layerkey::affects<back>>,
      layerkey::field<&params::threads, layerkey::affects<back>, layerkey::only_if<&params::fast>>,
      layerkey::field<&params::log, layerkey::runtime_only>>;
};

std::string parse(int const& n, layerkey::view<front, params> in) {
  return std::to_string(n) + (in.get<&params::in, &inner::mode>() ? "odd" : "even");
}
std::string emit(int const&, std::string const& ast, layerkey::view<back, params> in) {
  return ast + " " + std::to_string(in.get<&params::in, &inner::level>()) + " " +
         std::to_string(in.get<&params::threads>());
}

template<class Strategy>
using compiler = layerkey::pipeline<params, layerkey::stage<parse>, layerkey::stage<emit>,
                                    layerkey::strategy<Strategy>>;

}  // namespace small

namespace {

using namespace small;

template<class Strategy, class Layer>
bool same(params const& a, params const& b) {
  auto const x = Strategy::template key<Layer>(a), y = Strategy::template key<Layer>(b);
  if (x == y) CHECK(x.hash() == y.hash());
  return x == y;
}

params with_level(int level) { return {.in = {.level = level}}; }
params with_mode(int mode) { return {.in = {.mode = mode}}; }

TEST_CASE("whole_params compares every member", "[julia]") {
  int const stream = 0;
  using strategy = bench::whole_params;
  CHECK(same<strategy, front>({}, {}));
  CHECK_FALSE(same<strategy, front>({}, with_level(2)));
  CHECK_FALSE(same<strategy, front>({}, with_mode(2)));
  CHECK_FALSE(same<strategy, front>({}, {.threads = 2}));
  CHECK_FALSE(same<strategy, front>({}, {.log = &stream}));
  CHECK_FALSE(same<strategy, front>({.more = inner{}}, {.more = inner{.level = 2}}));
}

TEST_CASE("tags_only knows tags and projections, and no modifiers", "[julia]") {
  int const stream = 0;
  using strategy = bench::tags_only;
  CHECK(same<strategy, front>({}, with_level(2)));
  CHECK(same<strategy, front>(with_mode(1), with_mode(3)));
  CHECK_FALSE(same<strategy, front>(with_mode(1), with_mode(2)));
  CHECK_FALSE(same<strategy, back>(with_mode(1), with_mode(2)));
  CHECK_FALSE(same<strategy, back>(with_level(9), with_level(10)));
  CHECK_FALSE(same<strategy, back>({}, {.threads = 2}));
  CHECK_FALSE(same<strategy, back>({}, {.more = inner{}}));
  CHECK(same<strategy, back>({}, {.log = &stream}));
}

TEST_CASE("token has exact keys for the layers that it names", "[julia]") {
  using strategy = bench::token<front>;
  CHECK(same<strategy, front>(with_mode(1), with_mode(3)));
  CHECK_FALSE(same<strategy, back>(with_mode(1), with_mode(3)));
}

TEST_CASE("narrow serves what stands for an upstream layer, and that is stale", "[julia]") {
  compiler<bench::narrow<front>> stale;
  CHECK(*stale.get<back>(1, with_level(1)) == "1even 1 1");
  CHECK(*stale.get<back>(1, with_level(2)) == "1even 1 1");
  CHECK(*stale.get<back>(2, with_level(2)) == "2even 2 1");
}

TEST_CASE("strategies decide how often stages run", "[julia]") {
  auto const runs = []<class Strategy>(Strategy) {
    compiler<Strategy> c;
    for (auto const& p :
         {params{}, params{.threads = 2}, with_mode(2), with_level(9), with_level(10)})
      static_cast<void>(c.template get<back>(1, p));
    auto const all = c.statistics();
    return std::pair(all[0].runs, all[1].runs);
  };
  CHECK(runs(layerkey::exact{}) == std::pair<std::uint64_t, std::uint64_t>(1, 2));
  CHECK(runs(bench::hash_alone{}) == std::pair<std::uint64_t, std::uint64_t>(1, 2));
  CHECK(runs(bench::tags_only{}) == std::pair<std::uint64_t, std::uint64_t>(1, 4));
  CHECK(runs(bench::token<front>{}) == std::pair<std::uint64_t, std::uint64_t>(1, 5));
  CHECK(runs(bench::whole_params{}) == std::pair<std::uint64_t, std::uint64_t>(5, 5));
}

}  // namespace
