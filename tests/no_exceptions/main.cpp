// Compiled without exceptions and RTTI: all of the core compiles, links and works. Exits with the
// number of faults.
#include <layerkey/all.hpp>
#include <layerkey/cache/format.hpp>
#include <layerkey/key_hooks.hpp>
#include <layerkey/plugin.hpp>
#include <layerkey/sealed.hpp>
#include <layerkey/testing.hpp>

#include <cstdio>
#include <string>
#include <unordered_set>

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file is to be compiled with -fno-exceptions -fno-rtti"
#endif

namespace {

struct front : layerkey::layer<> {
  static constexpr layerkey::text name = "front";
  using input = std::string;
  using artifact = std::string;
};
struct back : layerkey::layer<front> {
  static constexpr layerkey::text name = "back";
  using input = std::string;
  using artifact = std::string;
};

constexpr bool has_level(int level) { return level > 0; }

struct params {
  int level = 0;
  bool tables = false;
  layerkey::inline_text<15> cpu;
  std::optional<int> threads;
  layerkey::extensions extra = layerkey::extensions::of<front, back>();

  using layerkey_fields = layerkey::fields<
      layerkey::field<&params::level, layerkey::affects<front>>,
      layerkey::field<&params::tables, layerkey::affects<front>,
                      layerkey::only_if<has_level, &params::level>::otherwise<false>>,
      layerkey::field<&params::cpu, layerkey::affects<back>>,
      layerkey::field<&params::threads, layerkey::affects<back>>,
      layerkey::extensions_field<&params::extra, front, back>>;
};
static_assert(layerkey::complete<params>);

std::string read(std::string const& source, layerkey::view<front, params> options) {
  return source + (options.get<&params::tables>() ? "+" : "-");
}
layerkey::outcome<std::string> emit(std::string const&, std::string const& middle,
                                    layerkey::narrowed<back, params> const& options) {
  if (options->cpu.empty()) return layerkey::diagnostics{"no cpu"};
  return middle + options->cpu.c_str();
}
using compiler = layerkey::pipeline<params, layerkey::stage<read>, layerkey::stage<emit>>;

int faults = 0;

void check(bool holds, char const* what) {
  if (holds) return;
  std::fprintf(stderr, "no_exceptions: %s\n", what);
  ++faults;
}

void check_keys(params const& p, params const& q) {
  check(layerkey::same_key<front>(p, q), "keys of the first layer are equal");
  check(!layerkey::same_key<back>(p, q), "keys of the second layer differ");
  std::unordered_set<layerkey::key<back, params>> table;
  table.insert(layerkey::make_key<back>(p));
  table.insert(layerkey::make_key<back>(q));
  check(table.size() == 2, "a table holds both keys");
  layerkey::sealed<params, back> const frozen(p);
  check(frozen.hash<back>() == layerkey::make_key<back>(p).hash(), "sealed params hash alike");
  check(layerkey::explain<back>(p, q).size() == 2, "two members differ");
  check(layerkey::to_text(layerkey::make_key<back>(q)).find("cpu = \"new\"") != std::string::npos,
        "a key prints");
  check(layerkey::tabulate<params, front, back>().rows.size() == 5, "the table has five members");
}

void check_extensions(params p) {
  layerkey_extensions handle(p.extra);
  check(layerkey_extensions_set_int(&handle, "n", 1, "bak") == LAYERKEY_UNKNOWN_LAYER,
        "a misspelt layer is refused");
  check(layerkey_extensions_set_int(&handle, "n", 1, "back") == LAYERKEY_OK,
        "an extension is added");
  check(!layerkey::same_key<back>(p, params{}), "an extension moves its layer");
  check(layerkey::same_key<front>(p, params{}), "an extension leaves other layers");
  check(layerkey::unread_extensions(p).empty(), "all extensions are read");
}

void check_testing(params const& p, params const& q) {
  auto const report = layerkey::testing::verify<params, back>({p, q});
  check(report.ok(), report.to_text().c_str());
  auto shadow = layerkey::testing::shadow<back, params>(
      [](params const& each) { return each.level; },
      [](params const& a, params const& b) { return a.level == b.level; });
  shadow.compare(p, q);
  check(shadow.counts().under_keyed == 1, "the shadow finds a missing member");
}

void check_pipeline(params const& p, params const& q) {
  compiler jit;
  check(!jit.get<back>("a", p), "a failure comes as diagnostics");
  auto const made = jit.get<back>("a", q);
  check(made.has_value() && *made == "a-new", "a pipeline makes an artifact");
  check(layerkey::to_text(jit.statistics()).find("front") != std::string::npos, "counters print");
}

}  // namespace

int main() {
  params p, q;
  q.cpu = "new";
  check(static_cast<bool>(q.extra.add<back>("fast", true)), "an extension is added");
  check_keys(p, q);
  check_extensions(p);
  check_testing(p, q);
  check_pipeline(p, q);
  return faults;
}
