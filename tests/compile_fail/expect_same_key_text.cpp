// The same claim about a text inside a per_member struct.
// expect: the_keys_are_equal<.*codegen, params, .*"machine.cpu".*"znver3".*"znver4"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/expect.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct target {
  inline_text<16> cpu = "znver3";
  using layerkey_fields = fields<field<&target::cpu, affects_codegen>>;
};

struct params {
  int sm = 90;
  target machine{};
  using layerkey_fields =
      fields<field<&params::sm, affects_codegen>, field<&params::machine, per_member>>;
};

#ifdef SHOW_ERROR
static_assert(expect_same_key<codegen, params{}, params{.machine = {.cpu = "znver4"}}>());
#else
static_assert(expect_same_key<codegen, params{}, params{.machine = {.cpu = "znver3"}}>());
#endif
