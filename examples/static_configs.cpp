// Configurations as template arguments: what may be shared, and what may not, is asserted where the
// configurations are defined, and code is chosen by their keys while it is compiled.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

#include <cstdio>
#include <string>

using layerkey::affects_codegen, layerkey::affects_inference, layerkey::affects_optimization;
using layerkey::codegen, layerkey::inference, layerkey::optimization;
using layerkey::field;

enum class level : unsigned char { none, size, speed };
constexpr bool optimizes(level l) { return l != level::none; }

// Structural: no pointers, and text held inside. So its values can be template arguments.
struct config {
  bool strict = false;
  level optimize = level::speed;
  bool vectorize = true;
  layerkey::inline_text<16> cpu = "generic";
  bool frame_pointer = false;

  using layerkey_fields = layerkey::fields<
      field<&config::strict, affects_inference>,
      field<&config::optimize, affects_optimization, affects_codegen::as<optimizes>>,
      field<&config::vectorize, affects_optimization,
            layerkey::only_if<optimizes, &config::optimize>>,
      field<&config::cpu, affects_codegen>, field<&config::frame_pointer, affects_codegen>>;
};
static_assert(layerkey::complete<config>);

// ---- The configurations that we ship, and what we rely on ---------------------------------------

constexpr config release{};
constexpr config profiled{.frame_pointer = true};
constexpr config zen{.cpu = "znver4"};
constexpr config small{.optimize = level::size};
constexpr config debug{.optimize = level::none};
constexpr config debug_scalar{.optimize = level::none, .vectorize = false};

template<class Layer, class... Configs>
constexpr bool share(config const& first, Configs const&... others) {
  return (layerkey::same_key<Layer>(first, others) && ...);
}

static_assert(share<inference>(release, profiled, zen, small, debug),
              "we infer the standard library once, whatever we build");
static_assert(share<optimization>(release, profiled, zen), "and optimise it once for each level");
static_assert(!share<codegen>(release, profiled) && !share<codegen>(release, zen),
              "but the machine code is each one's own");
static_assert(share<codegen>(debug, debug_scalar),
              "nothing is vectorised where nothing is optimised");

// ---- Code chosen by a key -----------------------------------------------------------------------

// A key is a constant, so it can choose code: one instantiation for each key in place of one for
// each configuration. As a template argument it is its hash, whose value means nothing outside of
// this program; that no two of ours collide is asserted.
template<config Config>
constexpr auto codegen_key = layerkey::make_key<codegen>(Config).hash();

static_assert(codegen_key<debug> == codegen_key<debug_scalar>);
static_assert(codegen_key<release> != codegen_key<profiled> &&
              codegen_key<release> != codegen_key<zen> &&
              codegen_key<release> != codegen_key<small> &&
              codegen_key<release> != codegen_key<debug>);

template<auto Key>
int& builds() {
  static int count = 0;
  return count;
}

template<config Config>
std::string build(char const* file) {
  // A copy: in a template argument clang 19 looks for text behind padding at the wrong place.
  static constexpr config options = Config;
  ++builds<codegen_key<Config>>();
  std::string command = std::string(file) + ": -mcpu=" + options.cpu.c_str();
  if constexpr (!layerkey::same_key<optimization>(options, debug)) command += " -O";
  if constexpr (options.frame_pointer) command += " -fno-omit-frame-pointer";
  return command;
}

int main() {
  for (auto const& command : {build<release>("a.c"), build<profiled>("a.c"), build<zen>("a.c"),
                              build<debug>("a.c"), build<debug_scalar>("a.c")})
    std::puts(command.c_str());
  std::printf("one key, %d commands: debug and debug_scalar\n", builds<codegen_key<debug>>());
}
