// GPUCompiler.jl's configuration of a compile, and its PTX and native targets. Members are named
// and ordered as there.
#pragma once

#include "layers.hpp"

#include <boost/mp11/list.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace julia {

using layerkey::canonical, layerkey::check_only, layerkey::field, layerkey::fields,
    layerkey::only_if, layerkey::path, layerkey::per_member, layerkey::refine,
    layerkey::runtime_only;

namespace gpucompiler {

// ---- values ------------------------------------------------------------------------------------

struct version {
  std::uint16_t major = 0;
  std::uint16_t minor = 0;

  friend bool operator==(version const&, version const&) = default;
};

enum class feature_set : std::uint8_t { baseline, family, arch };

// Threads of a block as `@cuda maxthreads=` takes them: 256, (256,), (256, 1) or (256, 1, 1).
struct thread_counts {
  std::uint8_t rank = 0;  // 0: a plain number
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;

  friend bool operator==(thread_counts const&, thread_counts const&) = default;
};

// The annotation of a kernel names all three, however many were written.
constexpr std::optional<thread_counts> in_three_dimensions(std::optional<thread_counts> const& n) {
  if (!n) return n;
  return thread_counts{3, n->x, n->rank < 2 ? 1 : n->y, n->rank < 3 ? 1 : n->z};
}

// ---- PTX ---------------------------------------------------------------------------------------

// PTXCompilerTarget (src/ptx.jl, whose functions are named below). Nothing in it reaches inference.
struct ptx_target {
  version cap{9, 0};
  version ptx{8, 0};
  gpucompiler::feature_set feature_set = gpucompiler::feature_set::baseline;
  bool debuginfo = false;

  std::optional<thread_counts> minthreads = std::nullopt;
  std::optional<thread_counts> maxthreads = std::nullopt;
  std::optional<std::int32_t> blocks_per_sm = std::nullopt;
  std::optional<std::int32_t> maxregs = std::nullopt;

  bool fastmath = false;

  // Deprecated, and read by nothing. Base.hash leaves them out, and === still compares them.
  std::optional<bool> exitable = std::nullopt;
  std::optional<bool> unreachable = std::nullopt;

  using layerkey_fields = fields<
      // llvm_machine makes -mcpu of cap and feature_set, and -mattr of ptx. finish_module! fills
      // sm_major, sm_minor, sm_features, ptx_major and ptx_minor in, where a module has them. And
      // of cap, NVVMReflect makes __CUDA_ARCH, which libdevice asks for in the end.
      field<&ptx_target::cap, affects_target_globals, affects_runtime_globals, affects_optimization,
            affects_machine_code>,
      field<&ptx_target::ptx, affects_target_globals, affects_runtime_globals,
            affects_machine_code>,
      field<&ptx_target::feature_set, affects_target_globals, affects_runtime_globals,
            affects_machine_code>,
      // llvm_debug_info.
      field<&ptx_target::debuginfo, affects_irgen, affects_runtime_functions>,
      // finish_module! annotates the kernel: reqntidx, maxntidx, minctasm, maxnreg.
      field<&ptx_target::minthreads, affects_optimization, canonical<in_three_dimensions>>,
      field<&ptx_target::maxthreads, affects_optimization, canonical<in_three_dimensions>>,
      field<&ptx_target::blocks_per_sm, affects_optimization>,
      field<&ptx_target::maxregs, affects_optimization>,
      // finish_module! sets nvvm-reflect-ftz, and finish_linked_module! flags on each operation.
      field<&ptx_target::fastmath, affects_optimization>,
      field<&ptx_target::exitable, runtime_only>, field<&ptx_target::unreachable, runtime_only>>;

  // When its members count is said by the config that it stands in, at the end of Way.
  template<class Config, auto... Way>
  using in_config =
      fields<refine<path<Way..., &ptx_target::debuginfo>, only_if<&Config::debug_level>>,
             refine<path<Way..., &ptx_target::minthreads>, only_if<&Config::kernel>>,
             refine<path<Way..., &ptx_target::maxthreads>, only_if<&Config::kernel>>,
             refine<path<Way..., &ptx_target::blocks_per_sm>, only_if<&Config::kernel>>,
             refine<path<Way..., &ptx_target::maxregs>, only_if<&Config::kernel>>,
             refine<path<Way..., &ptx_target::fastmath>, only_if<&Config::toplevel>>>;
};
static_assert(layerkey::complete<ptx_target>);

// ---- native ------------------------------------------------------------------------------------

// NativeCompilerTarget (src/native.jl). What the host has is asked for before there are params: a
// default that says "this machine" would be another on each.
struct native_target {
  layerkey::inline_text<31> cpu = "generic";
  std::vector<layerkey::inline_text<31>> features = {};  // "+avx2", "-sse4a", ...
  bool llvm_always_inline = false;
  bool jlruntime = false;

  using layerkey_fields = fields<
      // llvm_machine; an Enzyme thunk is finished with one as well.
      field<&native_target::cpu, affects_optimization, affects_machine_code, affects_thunk>,
      field<&native_target::features, affects_optimization, affects_machine_code, affects_thunk>,
      // An attribute of the entry function. Not CompilerConfig's always_inline.
      field<&native_target::llvm_always_inline, affects_irgen>,
      // Throwing and safepoints in IR; how collector and tasks are lowered afterwards.
      field<&native_target::jlruntime, affects_irgen, affects_optimization>>;

  template<class Config, auto... Way>
  using in_config = fields<>;
};
static_assert(layerkey::complete<native_target>);

// ---- config ------------------------------------------------------------------------------------

enum class entry_abi : std::uint8_t { specfunc, func };

// What the kernel is called in the end: "a-b" and "a_b" are one symbol.
constexpr std::optional<std::string> as_symbol(std::optional<std::string> name) {
  if (name)
    for (char& c : *name)
      if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9')) c = '_';
  return name;
}

// Level 2 is the most that anything asks for.
constexpr int at_most_2(int level) { return level < 2 ? level : 2; }

constexpr bool is_not_zero(int level) { return level != 0; }

// CompilerConfig (src/interface.jl). Params also says whether the interpreter that it selects reads
// always_inline. There is no cache_owner: what inference is found by follows from the tags.
template<class Target, class Params>
struct compiler_config {
  Target target{};
  Params params{};

  bool kernel = true;
  std::optional<std::string> name = std::nullopt;
  gpucompiler::entry_abi entry_abi = gpucompiler::entry_abi::specfunc;
  bool always_inline = false;
  int opt_level = 2;
  int debug_level = 1;
  bool libraries = true;
  bool optimize = true;
  bool cleanup = true;
  bool validate = true;
  bool strip = false;
  bool toplevel = true;
  bool only_entry = false;

  using layerkey_fields = boost::mp11::mp_append<
      fields<field<&compiler_config::target, per_member>,
             field<&compiler_config::params, per_member>,
             // src/irgen.jl: the entry's mangled name, how it takes arguments, its calling
             // convention. Behind it passes that only kernels get, for their state.
             field<&compiler_config::kernel, affects_irgen, affects_optimization>,
             // src/irgen.jl: the entry's symbol. Nothing: the mangled signature.
             field<&compiler_config::name, affects_irgen, canonical<as_symbol>>,
             // src/jlgen.jl: which of the functions that Julia emitted is the entry.
             field<&compiler_config::entry_abi, affects_irgen>,
             // Calls that report exceptions, debug information, a constant that the device can
             // read; a part of the key since #818. The back end is told whether there is any.
             field<&compiler_config::debug_level, affects_irgen, affects_runtime_functions,
                   affects_machine_code::as<is_not_zero>, canonical<at_most_2>>,
             // src/driver.jl. A nested job is neither linked nor optimised by itself, and jobs
             // that it defers wait for the outermost. GPUCompiler turns four options off where it
             // nests a config; here they do not count then, whatever they say.
             field<&compiler_config::toplevel, affects_irgen, affects_optimization>,
             field<&compiler_config::libraries, affects_optimization,
                   only_if<&compiler_config::toplevel>>,
             field<&compiler_config::optimize, affects_optimization,
                   only_if<&compiler_config::toplevel>>,
             field<&compiler_config::cleanup, affects_optimization,
                   only_if<&compiler_config::toplevel>>,
             field<&compiler_config::opt_level, affects_optimization,
                   only_if<&compiler_config::toplevel, &compiler_config::optimize>>,
             // src/driver.jl, just before machine code: without debug information no change.
             field<&compiler_config::strip, affects_machine_code,
                   only_if<&compiler_config::debug_level>>,
             // src/driver.jl, for reflection: all other functions lose their bodies.
             field<&compiler_config::only_entry, affects_irgen>,
             // src/validation.jl looks at the invocation and at finished IR and changes neither.
             field<&compiler_config::validate, check_only>>,
      typename Params::template always_inline<compiler_config>,
      typename Target::template in_config<compiler_config, &compiler_config::target>>;
};

// What the params of an interpreter say that reads always_inline, and of one that does not.
template<class Config>
using always_inline_counts =
    fields<field<&Config::always_inline, affects_inference, affects_runtime_functions>>;
template<class Config>
using always_inline_is_not_read = fields<field<&Config::always_inline, runtime_only>>;

// ---- job ---------------------------------------------------------------------------------------

// CompilerJob (src/interface.jl): what is compiled, how, and seen from which world. The source is a
// pipeline's input and the config its params. The world decides which definitions the source stands
// for and is part of no key.
template<class Config>
struct compiler_job {
  method_instance source;
  Config config{};
  std::uint64_t world = 1;
};

}  // namespace gpucompiler
}  // namespace julia
