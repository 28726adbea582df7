// Enzyme.jl's params and targets, and the three types of job that one call of autodiff makes.
#pragma once

#include "gpucompiler.hpp"

#include <layerkey/invariant.hpp>

#include <type_traits>

namespace julia::enzyme {

// ---- values ------------------------------------------------------------------------------------

enum class derivative_mode : std::uint8_t {
  forward,
  reverse_combined,
  reverse_primal,
  reverse_gradient
};

// Decides which family of rules keeps a call from being inlined; inference asks no more (#1698).
constexpr bool is_forward(derivative_mode mode) { return mode == derivative_mode::forward; }

enum class activity : std::uint8_t {
  constant,
  active,
  duplicated,
  duplicated_no_need,
  batch_duplicated,
  batch_duplicated_no_need,
  mixed_duplicated,
  batch_mixed_duplicated
};

constexpr bool is_batch(activity a) {
  return a == activity::batch_duplicated || a == activity::batch_duplicated_no_need ||
         a == activity::batch_mixed_duplicated;
}

// Const{Float64}, Active{Float64}, ...
struct annotation {
  activity kind = activity::constant;
  std::string type;

  friend bool operator==(annotation const&, annotation const&) = default;
};

enum class thunk_abi : std::uint8_t { ffi, inlined, non_generated };

constexpr bool width_fits(int width, std::vector<annotation> const& arguments) {
  for (auto const& each : arguments)
    if (is_batch(each.kind) && width == 1) return false;
  return width >= 1;
}

// ---- params ------------------------------------------------------------------------------------

// PrimalCompilerParams: all that the interpreter reads of a job (#3499).
struct primal_params {
  derivative_mode mode = derivative_mode::reverse_combined;

  using layerkey_fields = fields<field<&primal_params::mode, affects_inference::as<is_forward>>>;

  template<class Config>
  using always_inline = gpucompiler::always_inline_is_not_read<Config>;
};
static_assert(layerkey::complete<primal_params>);

// The params inside say the mode, if they are Enzyme's own. Those of a GPU job know nothing of it.
template<class Inner>
constexpr bool says_mode = requires(Inner const& inner) { inner.mode; };

template<class Inner>
constexpr bool modes_agree(derivative_mode mode, Inner const& inner) {
  if constexpr (says_mode<Inner>)
    return inner.mode == mode;
  else
    return true;
}

// EnzymeCompilerParams (src/compiler.jl). Inner are the params that the primal is compiled with;
// inside a kernel those of the kernel.
template<class Inner>
struct enzyme_params {
  Inner params{};
  std::vector<annotation> tt = {};
  derivative_mode mode = derivative_mode::reverse_combined;
  int width = 1;
  std::optional<annotation> rt = std::nullopt;  // nothing: inference has not said yet
  bool run_enzyme = true;
  bool abiwrap = true;
  std::vector<bool> modified_between = {};
  bool return_primal = false;
  bool shadow_init = false;
  std::optional<std::string> expected_tape_type = std::nullopt;  // nothing: UnknownTapeType
  thunk_abi abi = thunk_abi::ffi;
  bool err_if_func_written = false;
  bool runtime_activity = false;
  bool strong_zero = false;

  using mode_tags = std::conditional_t<
      says_mode<Inner>, fields<field<&enzyme_params::mode, affects_derivative>>,
      fields<field<&enzyme_params::mode, affects_inference::as<is_forward>, affects_derivative>>>;

  using layerkey_fields = boost::mp11::mp_append<
      mode_tags,
      fields<
          field<&enzyme_params::params, per_member>,
          // The transform reads these, long after inference. The primal's argument types are
          // those of the method instance.
          field<&enzyme_params::tt, affects_derivative>,
          field<&enzyme_params::width, affects_derivative>,
          field<&enzyme_params::rt, affects_derivative>,
          field<&enzyme_params::run_enzyme, affects_derivative>,
          field<&enzyme_params::modified_between, affects_derivative>,
          field<&enzyme_params::return_primal, affects_derivative>,
          field<&enzyme_params::runtime_activity, affects_derivative>,
          field<&enzyme_params::strong_zero, affects_derivative>,
          // The wrapper around the transformed function.
          field<&enzyme_params::abiwrap, affects_derivative>,
          field<&enzyme_params::shadow_init, affects_derivative, only_if<&enzyme_params::abiwrap>>,
          // The last passes, and whether the JIT gets the function or the caller its IR.
          field<&enzyme_params::abi, affects_thunk>,
          // Assertions on what came out; they change nothing of it.
          field<&enzyme_params::expected_tape_type, check_only>,
          field<&enzyme_params::err_if_func_written, check_only>>>;

  using layerkey_invariants = layerkey::invariants<
      layerkey::invariant<"batch annotations need a width above one", width_fits,
                          &enzyme_params::width, &enzyme_params::tt>,
      layerkey::invariant<"the primal is compiled for the mode of its derivative",
                          modes_agree<Inner>, &enzyme_params::mode, &enzyme_params::params>>;

  template<class Config>
  using always_inline = gpucompiler::always_inline_is_not_read<Config>;
};
static_assert(layerkey::complete<enzyme_params<primal_params>>);

// EnzymeTarget{T}: the primal's target, to which every question about the machine is passed on.
template<class T>
struct enzyme_target {
  T target{};

  using layerkey_fields = fields<field<&enzyme_target::target, per_member>>;

  template<class Config, auto... Way>
  using in_config = typename T::template in_config<Config, Way..., &enzyme_target::target>;
};

// ---- jobs --------------------------------------------------------------------------------------

// The types of job that a call of autodiff builds interpreters from. Enzyme's inference was once
// owned by the type of the job, and so each call inferred everything three times (#3499). What
// inference reads stands in primal_params in all of them, so that they have one key.
using return_type_query =
    gpucompiler::compiler_config<gpucompiler::native_target, enzyme_params<primal_params>>;
using autodiff = gpucompiler::compiler_config<enzyme_target<gpucompiler::native_target>,
                                              enzyme_params<primal_params>>;
using primal = gpucompiler::compiler_config<gpucompiler::native_target, primal_params>;

static_assert(layerkey::complete<return_type_query>);
static_assert(layerkey::complete<autodiff>);
static_assert(layerkey::complete<primal>);

}  // namespace julia::enzyme
