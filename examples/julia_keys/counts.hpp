// What a compiler's caches make of a workload.
#pragma once

#include "stages.hpp"
#include "workloads.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace julia {

// Runs of each layer's stage, and artifacts that were delivered and are not what the request's own
// params give.
struct kernel_counts {
  std::uint64_t inference = 0, ir = 0, optimization = 0, machine_code = 0, link = 0,
                host_object = 0, runtime_library = 0;
  std::uint64_t stale = 0;                    // machine code
  std::uint64_t stale_runtime_libraries = 0;  // counted apart: it is another artifact
};
struct autodiff_counts {
  std::uint64_t inference = 0, primal_ir = 0, derivative = 0;
  std::uint64_t stale = 0;  // derivatives
};

inline std::uint64_t runs_of(std::string_view layer, layerkey::statistics const& all) {
  for (auto const& each : all)
    if (each.layer == layer) return each.runs;
  return 0;
}

template<class Layer>
std::uint64_t runs_of(layerkey::statistics const& all) {
  return runs_of({Layer::name.data(), Layer::name.size()}, all);
}

// ---- what there would be without a cache -------------------------------------------------------

inline std::string fresh_code(method_instance const& f, cuda::config const& c) {
  auto const typed = infer(f, view<inference, cuda::config>(c));
  auto const ir = emit_ir(f, typed, view<irgen, cuda::config>(c));
  auto const filled = fill_globals(f, ir, view<target_globals, ptx_target>(c.target));
  auto const optimized = optimize(filled, view<optimization, cuda::config>(c));
  return emit_code(f, optimized, view<machine_code, cuda::config>(c));
}

inline std::string fresh_runtime(runtime_module const& m, cuda::config const& c) {
  auto const functions = emit_runtime(m, view<runtime_functions, cuda::config>(c));
  auto const filled =
      fill_runtime_globals(m, functions, view<runtime_globals, ptx_target>(c.target));
  constexpr layerkey::nothing<runtime_library> nothing;
  return assemble_runtime(filled,
                          view<runtime_library, layerkey::nothing<runtime_library>>(nothing));
}

inline std::string fresh_derivative(method_instance const& f, enzyme::autodiff const& c) {
  using params = enzyme::enzyme_params<enzyme::primal_params>;
  auto const typed = infer_for_enzyme(f, view<inference, enzyme::primal_params>(c.params.params));
  auto const ir = emit_primal_ir(f, typed, view<irgen, enzyme::autodiff>(c));
  return differentiate(f, ir, view<derivative, params>(c.params));
}

// ---- with caches -------------------------------------------------------------------------------

template<class Compiler>
kernel_counts count(Compiler& compiler, std::vector<kernel_request> const& requests) {
  kernel_counts counts;
  for (auto const& [source, launch, world] : requests) {
    static_cast<void>(compiler.template get<host_object>(source, launch));
    auto const code = compiler.template get<machine_code>(source, launch);
    auto const runtime = compiler.template get<runtime_library>({}, launch);
    counts.stale += *code != fresh_code(source, launch.config);
    counts.stale_runtime_libraries += *runtime != fresh_runtime({}, launch.config);
  }
  auto const all = compiler.statistics();
  counts.inference = runs_of<inference>(all);
  counts.ir = runs_of<irgen>(all);
  counts.optimization = runs_of<optimization>(all);
  counts.machine_code = runs_of<machine_code>(all);
  counts.link = runs_of<linking>(all);
  counts.host_object = runs_of<host_object>(all);
  counts.runtime_library = runs_of<runtime_library>(all);
  return counts;
}

// A call of autodiff builds interpreters from jobs of three types, the first before the return type
// is known.
inline enzyme::return_type_query return_type_query_of(enzyme::autodiff const& c) {
  enzyme::return_type_query query{
      .target = c.target.target, .params = c.params, .kernel = c.kernel};
  query.params.rt = std::nullopt;
  return query;
}
inline enzyme::primal primal_of(enzyme::autodiff const& c) {
  return {.target = c.target.target, .params = c.params.params, .kernel = c.kernel};
}

template<class Compiler>
autodiff_counts count(Compiler& compiler, std::vector<autodiff_request> const& requests) {
  autodiff_counts counts;
  for (auto const& [source, config, world] : requests) {
    static_cast<void>(compiler.infer(source, return_type_query_of(config)));
    static_cast<void>(compiler.infer(source, config));
    static_cast<void>(compiler.infer(source, primal_of(config)));
    counts.stale += *compiler.differentiate(source, config) != fresh_derivative(source, config);
  }
  auto const all = compiler.statistics();
  counts.inference = runs_of<inference>(all);
  counts.primal_ir = runs_of<irgen>(all);
  counts.derivative = runs_of<derivative>(all);
  return counts;
}

}  // namespace julia
