// A claim about configurations as template arguments, which does not hold. The sentence is the
// author's own.
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
