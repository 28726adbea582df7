// Stages that compile nothing: what comes out of them is what they saw, written down. So two
// artifacts are equal exactly if a compiler that reads the same could not tell the requests apart,
// and an artifact of other params than the request's is seen to be one.
#pragma once

#include "cuda.hpp"
#include "enzyme.hpp"

#include <layerkey/cache/pipeline.hpp>

#include <array>
#include <string>
#include <string_view>
#include <type_traits>

namespace julia {

using layerkey::view;

// ---- writing down ------------------------------------------------------------------------------

template<class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
void append(std::string& to, T v) {
  to += std::to_string(static_cast<long long>(v));
}
inline void append(std::string& to, std::string_view v) { to.append("\"").append(v).append("\""); }
inline void append(std::string& to, gpucompiler::version v) {
  to += std::to_string(v.major) + "." + std::to_string(v.minor);
}
inline void append(std::string& to, cuda::sm_version v) {
  to += std::to_string(v.major) + "." + std::to_string(v.minor) + "/";
  append(to, v.feature_set);
}
inline void append(std::string& to, gpucompiler::thread_counts v) {
  for (auto const each : {v.x, v.y, v.z}) to += std::to_string(each) + ":";
}
inline void append(std::string& to, enzyme::annotation const& v) {
  append(to, v.kind);
  append(to, v.type);
}
template<std::size_t N>
void append(std::string& to, layerkey::inline_text<N> const& v) {
  append(to, std::string_view(v.data(), v.size()));
}
template<class T>
void append(std::string& to, std::optional<T> const& v) {
  if (v)
    append(to, *v);
  else
    to += '-';
}
template<class T>
void append(std::string& to, std::vector<T> const& v) {
  to += '[';
  for (T const& each : v) append(to, each), to += ',';
  to += ']';
}

template<class... Seen>
std::string written_down(std::string_view stage, Seen const&... seen) {
  std::string line(stage);
  ((line += ' ', append(line, seen)), ...);
  return line += '\n';
}

// ---- Julia's layers ----------------------------------------------------------------------------

inline std::string source_of(method_instance const& f) {
  return written_down("method", f.method, f.type, f.definition);
}

inline std::string infer(method_instance const& f, view<inference, cuda::config> in) {
  return source_of(f) + written_down("inference", in.get<&cuda::config::always_inline>());
}

// The same for Enzyme's interpreter, which reads nothing else of any of its jobs.
inline std::string infer_for_enzyme(method_instance const& f,
                                    view<inference, enzyme::primal_params> in) {
  return source_of(f) + written_down("inference", in.get<&enzyme::primal_params::mode>());
}

// Five methods ask for their target.
inline bool asks_for_its_target(method_instance const& f) {
  for (unsigned const each : {3U, 11U, 19U, 27U, 35U})
    if (f.method == each) return true;
  return false;
}
constexpr std::string_view question = "?";  // a load from a global that has no value yet

template<class Config>
std::string ir_of(std::string const& typed, view<irgen, Config> in) {
  return typed + written_down(
                     "irgen", in.template get<&Config::kernel>(), in.template get<&Config::name>(),
                     in.template get<&Config::entry_abi>(), in.template get<&Config::debug_level>(),
                     in.template get<&Config::toplevel>(), in.template get<&Config::only_entry>());
}

inline std::string emit_ir(method_instance const& f, std::string const& typed,
                           view<irgen, cuda::config> in) {
  auto ir = ir_of(typed, in);
  ir += written_down("ptx", in.get<&cuda::config::target, &gpucompiler::ptx_target::debuginfo>());
  if (asks_for_its_target(f)) ir += question;
  return ir;
}

// Primals and their derivatives are native code in this example.
inline std::string emit_primal_ir(method_instance const&, std::string const& typed,
                                  view<irgen, enzyme::autodiff> in) {
  using config = enzyme::autodiff;
  using target = enzyme::enzyme_target<gpucompiler::native_target>;
  using native = gpucompiler::native_target;
  return ir_of(typed, in) +
         written_down("native",
                      in.get<&config::target, &target::target, &native::llvm_always_inline>(),
                      in.get<&config::target, &target::target, &native::jlruntime>());
}

// ---- GPUCompiler's and CUDA's ------------------------------------------------------------------

using gpucompiler::ptx_target;

// What is written where code asks; code that does not ask stays as it is.
template<class L>
std::string answer(std::string const& ir, view<L, ptx_target> in) {
  if (!ir.ends_with(question)) return ir;
  return ir + written_down("target", in.template get<&ptx_target::cap>(),
                           in.template get<&ptx_target::ptx>(),
                           in.template get<&ptx_target::feature_set>());
}

inline std::string fill_globals(method_instance const&, std::string const& ir,
                                view<target_globals, ptx_target> in) {
  return answer(ir, in);
}

// Is found by its IR, so what is not in the IR cannot matter.
inline std::string optimize(std::string const& ir, view<optimization, cuda::config> in) {
  using config = cuda::config;
  return ir +
         written_down("optimization", in.get<&config::kernel>(), in.get<&config::toplevel>(),
                      in.get<&config::libraries>(), in.get<&config::optimize>(),
                      in.get<&config::opt_level>(), in.get<&config::cleanup>()) +
         written_down("ptx", in.get<&config::target, &ptx_target::cap>(),
                      in.get<&config::target, &ptx_target::minthreads>(),
                      in.get<&config::target, &ptx_target::maxthreads>(),
                      in.get<&config::target, &ptx_target::blocks_per_sm>(),
                      in.get<&config::target, &ptx_target::maxregs>(),
                      in.get<&config::target, &ptx_target::fastmath>());
}

inline std::string emit_code(method_instance const&, std::string const& ir,
                             view<machine_code, cuda::config> in) {
  using config = cuda::config;
  return ir + written_down("machine code", in.get<&config::target, &ptx_target::cap>(),
                           in.get<&config::target, &ptx_target::ptx>(),
                           in.get<&config::target, &ptx_target::feature_set>(),
                           in.get<&config::params, &cuda::cuda_params::sm>(),
                           in.get<&config::params, &cuda::cuda_params::ptx>(),
                           in.get<&config::debug_level>(), in.get<&config::strip>());
}

inline std::string link(method_instance const&, std::string const& code,
                        view<linking, cuda::kernel_launch> in) {
  return code + written_down("linking", in.get<&cuda::kernel_launch::context>());
}

inline std::string make_host_object(method_instance const&, std::string const& function,
                                    view<host_object, cuda::kernel_launch> in) {
  return function + written_down("host object", in.get<&cuda::kernel_launch::callable>());
}

// ---- the runtime library -----------------------------------------------------------------------

inline std::string emit_runtime(runtime_module const& m, view<runtime_functions, cuda::config> in) {
  using config = cuda::config;
  return written_down("runtime", m.definition, in.get<&config::always_inline>(),
                      in.get<&config::debug_level>(),
                      in.get<&config::target, &ptx_target::debuginfo>());
}

inline std::string fill_runtime_globals(runtime_module const&, std::string const& functions,
                                        view<runtime_globals, ptx_target> in) {
  return answer(functions, in);
}

inline std::string assemble_runtime(std::string const& functions,
                                    view<runtime_library, layerkey::nothing<runtime_library>>) {
  return functions + written_down("library");
}

// ---- Enzyme's ----------------------------------------------------------------------------------

inline std::string differentiate(
    method_instance const&, std::string const& primal,
    view<derivative, enzyme::enzyme_params<enzyme::primal_params>> in) {
  using params = enzyme::enzyme_params<enzyme::primal_params>;
  return primal + written_down("derivative", in.get<&params::tt>(), in.get<&params::mode>(),
                               in.get<&params::width>(), in.get<&params::rt>(),
                               in.get<&params::run_enzyme>(), in.get<&params::abiwrap>(),
                               in.get<&params::modified_between>(),
                               in.get<&params::return_primal>(), in.get<&params::shadow_init>(),
                               in.get<&params::runtime_activity>(), in.get<&params::strong_zero>());
}

inline std::string finish(method_instance const&, std::string const& transformed,
                          view<thunk, enzyme::autodiff> in) {
  using config = enzyme::autodiff;
  using params = enzyme::enzyme_params<enzyme::primal_params>;
  using target = enzyme::enzyme_target<gpucompiler::native_target>;
  using native = gpucompiler::native_target;
  return transformed + written_down("thunk", in.get<&config::params, &params::abi>(),
                                    in.get<&config::target, &target::target, &native::cpu>(),
                                    in.get<&config::target, &target::target, &native::features>());
}

}  // namespace julia
