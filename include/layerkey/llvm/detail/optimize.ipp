// The middle end: what opt-19 runs for -O0 ... -Oz.
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

namespace layerkey {

namespace llvm_detail {

inline ::llvm::OptimizationLevel pipeline_of(optimization_level level) {
  switch (level) {
    case optimization_level::O0:
      return ::llvm::OptimizationLevel::O0;
    case optimization_level::O1:
      return ::llvm::OptimizationLevel::O1;
    case optimization_level::O3:
      return ::llvm::OptimizationLevel::O3;
    case optimization_level::Os:
      return ::llvm::OptimizationLevel::Os;
    case optimization_level::Oz:
      return ::llvm::OptimizationLevel::Oz;
    default:
      return ::llvm::OptimizationLevel::O2;
  }
}

// opt-19's rule, which is not clang's: O2, O3 and Os vectorise, Oz does not.
inline bool runs(by_level when, optimization_level level) {
  if (when != by_level::from_O2) return when == by_level::always;
  return level == optimization_level::O2 || level == optimization_level::O3 ||
         level == optimization_level::Os;
}

inline void run_pipeline(::llvm::Module& m, ::llvm::TargetMachine& machine,
                         ::llvm::PipelineTuningOptions const& tuning,
                         ::llvm::OptimizationLevel level) {
  ::llvm::LoopAnalysisManager loops;
  ::llvm::FunctionAnalysisManager functions;
  ::llvm::CGSCCAnalysisManager sccs;
  ::llvm::ModuleAnalysisManager modules;

  // These also keep the passes away from functions marked optnone.
  ::llvm::PassInstrumentationCallbacks callbacks;
  ::llvm::StandardInstrumentations instrumentations(m.getContext(), false);
  instrumentations.registerCallbacks(callbacks, &modules);

  ::llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  ::llvm::TargetLibraryInfoImpl const library{::llvm::Triple(m.getTargetTriple())};
  functions.registerPass([&] { return ::llvm::TargetLibraryAnalysis(library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(level).run(m, modules);
}

// The module after adopt(), optimised.
inline outcome<ir_module> optimized(session& s, ::llvm::Module& m, ::llvm::TargetMachine& machine,
                                    ::llvm::PipelineTuningOptions const& tuning,
                                    optimization_level level) {
  if (m.getDataLayout().isDefault()) m.setDataLayout(machine.createDataLayout());
  run_pipeline(m, machine, tuning, pipeline_of(level));
  if (!s.error.empty()) return failure(m, s.error);
  if (std::string const error = verifier_error(m); !error.empty())
    return failure(m, "the optimiser of LLVM 19 made a module that is not well-formed: " + error);
  return sealed(m);
}

}  // namespace llvm_detail

outcome<ir_module> x86::optimize_ir(ir_module const& input, x86_params const& p) {
  using namespace llvm_detail;
  if (diagnostics d = check(p); !d.text.empty()) return d;
  initialize_targets();
  session s;
  s.context.enableDebugTypeODRUniquing();
  auto const m = parse(s, input, layout::as_stated);
  if (!m) return diagnostics{s.error};
  if (diagnostics d = adopt(*m, p); !d.text.empty()) return d;

  ::llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = runs(p.vectorize_loops, p.level);
  tuning.SLPVectorization = runs(p.vectorize_slp, p.level);
  tuning.LoopInterleaving = p.interleave_loops;
  tuning.LoopUnrolling = p.unroll_loops;
  tuning.MergeFunctions = p.merge_functions;
  tuning.CallGraphProfile = p.call_graph_profile;
  tuning.InlinerThreshold = p.inliner_threshold;
  return optimized(s, *m, *middle_end_machine(*m, p), tuning, p.level);
}

outcome<ir_module> ptx::optimize_ir(ir_module const& specialized, ptx_params const& p) {
  using namespace llvm_detail;
  initialize_targets();
  session s;
  s.context.enableDebugTypeODRUniquing();
  auto const m = parse(s, specialized, layout::as_stated);
  if (!m) return diagnostics{s.error};
  if (diagnostics d = adopt(*m, p); !d.text.empty()) return d;

  ::llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = runs(by_level::from_O2, p.level);
  tuning.SLPVectorization = runs(by_level::from_O2, p.level);
  tuning.LoopUnrolling = p.unroll_loops;
  tuning.InlinerThreshold = p.inliner_threshold;
  auto const machine = middle_end_machine(*m, std::string_view());
  outcome<ir_module> result = optimized(s, *m, *machine, tuning, p.level);
  forget_annotations(*m, *machine);
  return result;
}

}  // namespace layerkey
