// The cached layers of GPUCompiler.jl, of CUDA.jl on top of it, and of Enzyme.jl beside it.
//
// Artifacts are text here: the stages of this example write down what they saw and compile nothing.
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/layer.hpp>

#include <cstdint>
#include <string>

namespace julia {

enum class element_type : std::uint8_t { f32, f64 };

// A method for certain argument types (Core.MethodInstance).
//
// `definition` counts how often something was redefined that its code depends on. It is the
// definition and not the world counter: that one advances with every definition anywhere, and in a
// key it would have every kernel compiled again (GPUCompiler #168, CUDAnative #336).
struct method_instance {
  std::uint32_t method = 0;
  element_type type = element_type::f32;
  std::uint32_t definition = 0;

  friend bool operator==(method_instance const&, method_instance const&) = default;
};

template<class... Upstream>
struct layer_of_methods : layerkey::layer<Upstream...> {
  using input = method_instance;
  using artifact = std::string;
};

// ---- GPUCompiler -------------------------------------------------------------------------------

// Typed Julia IR (src/jlgen.jl, get_interpreter).
struct inference : layer_of_methods<> {
  static constexpr auto name = layerkey::text{"inference"};
};
// LLVM IR as Julia emits it (src/irgen.jl).
struct irgen : layer_of_methods<inference> {
  static constexpr auto name = layerkey::text{"irgen"};
};
// The same with the globals filled in by which a kernel asks for its target: sm_major, ptx_minor,
// sm_features, ... IR of a kernel that does not ask comes out as it went in.
struct target_globals : layer_of_methods<irgen> {
  static constexpr auto name = layerkey::text{"target_globals"};
};
// Linked with libdevice and the runtime library, and optimised (src/driver.jl, src/optim.jl).
struct optimization : layer_of_methods<target_globals> {
  static constexpr auto name = layerkey::text{"optimization"};
};
// PTX, and what ptxas makes of it (src/mcgen.jl; CUDA.jl's compile).
struct machine_code : layer_of_methods<optimization> {
  static constexpr auto name = layerkey::text{"machine_code"};
};

// GPUCompiler's runtime library (src/rtlib.jl) is made once for all kernels. No function in it asks
// for its target today; if one does, the last of these layers notices.
struct runtime_module {
  std::uint32_t definition = 0;

  friend bool operator==(runtime_module const&, runtime_module const&) = default;
};

template<class... Upstream>
struct layer_of_runtime : layerkey::layer<Upstream...> {
  using input = runtime_module;
  using artifact = std::string;
};

struct runtime_functions : layer_of_runtime<> {
  static constexpr auto name = layerkey::text{"runtime_functions"};
};
struct runtime_globals : layer_of_runtime<runtime_functions> {
  static constexpr auto name = layerkey::text{"runtime_globals"};
};
struct runtime_library : layer_of_runtime<runtime_globals> {
  static constexpr auto name = layerkey::text{"runtime_library"};
};

// ---- CUDA --------------------------------------------------------------------------------------

// A function in a module that was loaded into one context (CUDA.jl's link).
struct linking : layer_of_methods<machine_code> {
  static constexpr auto name = layerkey::text{"linking"};
};
// The HostKernel that launches it, with the values that its callable captured (cufunction).
struct host_object : layer_of_methods<linking> {
  static constexpr auto name = layerkey::text{"host_object"};
};

// ---- Enzyme ------------------------------------------------------------------------------------

// The primal's IR, transformed (src/compiler.jl, enzyme!).
struct derivative : layer_of_methods<irgen> {
  static constexpr auto name = layerkey::text{"derivative"};
};
// Finished and given to the JIT.
struct thunk : layer_of_methods<derivative> {
  static constexpr auto name = layerkey::text{"thunk"};
};

// ---- tags --------------------------------------------------------------------------------------

using affects_inference = layerkey::affects<inference>;
using affects_irgen = layerkey::affects<irgen>;
using affects_target_globals = layerkey::affects<target_globals>;
using affects_optimization = layerkey::affects<optimization>;
using affects_machine_code = layerkey::affects<machine_code>;
using affects_runtime_functions = layerkey::affects<runtime_functions>;
using affects_runtime_globals = layerkey::affects<runtime_globals>;
using affects_linking = layerkey::affects<linking>;
using affects_host_object = layerkey::affects<host_object>;
using affects_derivative = layerkey::affects<derivative>;
using affects_thunk = layerkey::affects<thunk>;

}  // namespace julia
