// Two configurations that share an artifact, and that they do as a fact of the program.
#include <layerkey/compiler_layers.hpp>
#include <layerkey/expect.hpp>
#include <layerkey/layerkey.hpp>

namespace expected {

using namespace layerkey;

enum class mode { forward, reverse };
constexpr bool is_forward(mode m) { return m == mode::forward; }

struct target {
  int sm = 90;
  inline_text<15> cpu = "sm_90";
  using layerkey_fields =
      fields<field<&target::sm, affects_codegen>, field<&target::cpu, affects_codegen>>;
};

struct params {
  mode direction = mode::forward;
  int level = 2;
  target machine{};
  bool verbose = false;
  int width = 4;
  bool vectorize = false;

  using layerkey_fields =
      fields<field<&params::direction, affects_inference::as<is_forward>>,
             field<&params::level, affects_optimization>, field<&params::machine, per_member>,
             field<&params::verbose, runtime_only>,
             field<&params::width, affects_optimization, only_if<&params::vectorize>>,
             field<&params::vectorize, affects_optimization>>;
};
static_assert(complete<params>);

static_assert(expect_same_key<codegen, params{}, params{}>());
static_assert(expect_same_key<codegen, params{}, params{.verbose = true}>());
static_assert(expect_same_key<irgen, params{}, params{.level = 3}>());
static_assert(expect_same_key<optimization, params{}, params{.machine = {.sm = 80}}>());
static_assert(expect_same_key<codegen, params{.width = 4}, params{.width = 8}>());

}  // namespace expected
