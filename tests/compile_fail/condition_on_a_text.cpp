// A condition on a member that is neither true nor false.
// expect: the_condition_takes_its_reads<params, .*"tune".*, layerkey::inline_text<15> ?>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

#ifndef SHOW_ERROR
constexpr bool is_given(inline_text<15> const& cpu) { return !cpu.empty(); }
#endif
struct params {
  inline_text<15> cpu;
  bool tune = false;
  using layerkey_fields = fields<field<&params::cpu, affects_codegen>,
#ifdef SHOW_ERROR
                                 field<&params::tune, affects_codegen, only_if<&params::cpu>>>;
#else
                                 field<&params::tune, affects_codegen,
                                       only_if<is_given, &params::cpu>>>;
#endif
};
static_assert(complete<params>);
