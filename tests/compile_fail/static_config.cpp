// A claim about two configurations that does not hold: they cannot share machine code, since one of
// them keeps the frame pointer. The twin claims the same of a layer that does not read it.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

struct config {
  int level = 2;
  layerkey::inline_text<16> cpu = "generic";
  bool frame_pointer = false;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&config::level, layerkey::affects_optimization>,
                       layerkey::field<&config::cpu, layerkey::affects_codegen>,
                       layerkey::field<&config::frame_pointer, layerkey::affects_codegen>>;
};
static_assert(layerkey::complete<config>);

template<class Layer, config A, config B>
constexpr bool share = layerkey::same_key<Layer>(A, B);

constexpr config release{};
constexpr config profiled{.frame_pointer = true};

#ifdef SHOW_ERROR
using shared = layerkey::codegen;
#else
using shared = layerkey::optimization;
#endif

static_assert(share<shared, release, profiled>, "profiled builds reuse what was made for releases");
// expect: static assertion failed.*profiled builds reuse what was made for releases
