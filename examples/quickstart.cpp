// A small GPU compiler whose options say what they affect. Everything about its caches follows.
//
//   g++ -std=c++20 -I include examples/quickstart.cpp && ./a.out
#include <layerkey/all.hpp>

#include <cstdio>
#include <optional>
#include <string>

// ---- The layers: what each consumes, and for pipelines what is compiled and what comes out ------

struct inference : layerkey::layer<> {
  static constexpr auto name = layerkey::text{"inference"};
  using input = std::string;     // the source of a kernel
  using artifact = std::string;  // a toy: real layers return typed IR, modules, machine code
};
struct irgen : layerkey::layer<inference> {
  static constexpr auto name = layerkey::text{"irgen"};
  using input = std::string;
  using artifact = std::string;
};
struct codegen : layerkey::layer<irgen> {
  static constexpr auto name = layerkey::text{"codegen"};
  using input = std::string;
  using artifact = std::string;
};
using affects_inference = layerkey::affects<inference>;
using affects_irgen = layerkey::affects<irgen>;
using affects_codegen = layerkey::affects<codegen>;
using layerkey::field, layerkey::view, layerkey::stage;

// ---- The options --------------------------------------------------------------------------------

enum class ad_mode : unsigned char { forward, reverse, reverse_split };
constexpr bool is_forward(ad_mode mode) { return mode == ad_mode::forward; }

struct gpu_params {
  bool always_inline = false;
  ad_mode mode = ad_mode::reverse;
  int debug_level = 0;
  bool line_tables = false;
  int sm = 90;
  std::optional<int> max_threads = std::nullopt;
  bool validate = true;
  std::FILE* log = nullptr;

  using layerkey_fields = layerkey::fields<
      field<&gpu_params::always_inline, affects_inference>,
      // Inference asks no more than "is it forward mode?", so both reverse modes share its results.
      field<&gpu_params::mode, affects_inference::as<is_forward>, affects_irgen>,
      field<&gpu_params::debug_level, affects_irgen>,
      // Without debug information nobody reads this one.
      field<&gpu_params::line_tables, affects_irgen, layerkey::only_if<&gpu_params::debug_level>>,
      field<&gpu_params::sm, affects_codegen>, field<&gpu_params::max_threads, affects_codegen>,
      field<&gpu_params::validate, layerkey::check_only>,  // no stage reads these two, so no
      field<&gpu_params::log, layerkey::runtime_only>>;    // artifact depends on them
};
static_assert(layerkey::complete<gpu_params>);  // forget a member, and the compiler names it

// ---- What follows, at compile time --------------------------------------------------------------

static_assert(layerkey::same_key<irgen>(gpu_params{.sm = 80}, gpu_params{.sm = 90}));
static_assert(!layerkey::same_key<codegen>(gpu_params{.sm = 80}, gpu_params{.sm = 90}));
static_assert(layerkey::same_key<codegen>(gpu_params{.line_tables = true}, gpu_params{}));

// ---- The stages: each is given what its layer reads, and no more --------------------------------

std::string infer(std::string const& source, view<inference, gpu_params> options) {
  return "typed " + source + (options.get<&gpu_params::always_inline>() ? " inlined" : "");
}

std::string lower(std::string const&, std::string const& typed, view<irgen, gpu_params> options) {
  return typed + " -g" + std::to_string(options.get<&gpu_params::debug_level>());
}

std::string emit(std::string const&, std::string const& ir, view<codegen, gpu_params> options) {
  return "sm_" + std::to_string(options.get<&gpu_params::sm>()) + ": " + ir;
}

// What does not compile, and what the compiler says of it:
//   a member that is not in the list: "a member carries no tag", and its name
//   field<&gpu_params::log, affects_codegen>: "a pointer has no identity that outlives the process"
//   field<&gpu_params::sm, affects_codegen, runtime_only>: "remove one of the tags"
//   options.get<&gpu_params::sm>() in lower: "this member is not in the layer's own key"
//   a jit without stage<lower>: "the pipeline has no stage for this layer", and its name

using jit = layerkey::pipeline<gpu_params, stage<infer>, stage<lower>, stage<emit>>;

int main() {
  std::puts(layerkey::tabulate<gpu_params, inference, irgen, codegen>().to_text().c_str());

  gpu_params const base;
  gpu_params const split_for_a100{
      .mode = ad_mode::reverse_split, .sm = 80, .max_threads = 256, .log = stdout};
  std::printf("one key for both? inference: %s, irgen: %s\n",
              layerkey::same_key<inference>(base, split_for_a100) ? "yes" : "no",
              layerkey::same_key<irgen>(base, split_for_a100) ? "yes" : "no");
  std::puts("what keeps their machine code apart:");
  for (auto const& each : layerkey::explain<codegen>(base, split_for_a100))
    std::printf("  %s (%s): %s -> %s\n", each.member.c_str(), each.layer.c_str(),
                each.before.c_str(), each.after.c_str());

  jit compiler;  // inference and irgen run once, codegen once for each sm
  for (int sm : {80, 90, 90})
    std::printf("%s\n", compiler.get<codegen>("saxpy", {.sm = sm})->c_str());
  for (auto const& each : compiler.statistics())
    std::printf("%s: %llu requests, %llu runs\n", each.layer.c_str(),
                static_cast<unsigned long long>(each.requests),
                static_cast<unsigned long long>(each.runs));
}
