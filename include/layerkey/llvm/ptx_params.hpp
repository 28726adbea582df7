// The options of a PTX compile with LLVM 19, each tagged with the layer whose artifact it changes.
#pragma once

#include <layerkey/content_digest.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/llvm/options.hpp>

namespace layerkey {

namespace ptx {

struct specialize;
struct optimization;
struct codegen;
using affects_specialize = affects<specialize>;
using affects_optimization = affects<optimization>;
using affects_codegen = affects<codegen>;

}  // namespace ptx

// Defaults are those of `opt-19 -O2 | llc-19 -O2`. What a kernel asks about its architecture is
// folded by the layer `specialize`; the optimiser then works for a generic target, so `sm` is not
// its affair. Options that make LLVM fail or make PTX that ptxas rejects (sections, GlobalISel,
// ...) are absent.
struct ptx_params {
  optimization_level level = optimization_level::O2;
  inline_text<7> sm = "sm_75";  // sm_20 ... sm_90a, as -mcpu
  int ptx_version = 0;          // 83 is PTX 8.3; 0, or less than sm needs: what sm needs
  bool ftz = false;             // flush subnormal float inputs and results to zero
  content_digest libdevice{};   // of the bitcode linked in; see device_library

  // Middle end
  bool unroll_loops = true;
  int inliner_threshold = -1;  // -1: LLVM's own, by level

  // Back end
  fp_contraction fp_contract = fp_contraction::on;
  bool trap_unreachable = false;
  bool interprocedural_registers = false;  // -enable-ipra
  bool verbose_assembly = false;

  inline_text<63> label{};  // how progress and statistics call this compile

  using layerkey_fields = fields<
      field<&ptx_params::level, ptx::affects_optimization,
            ptx::affects_codegen::as<codegen_level_of>::represented_by<optimization_level_of>>,
      field<&ptx_params::sm, ptx::affects_specialize, ptx::affects_codegen>,
      field<&ptx_params::ptx_version, ptx::affects_codegen>,
      field<&ptx_params::ftz, ptx::affects_specialize>,
      field<&ptx_params::libdevice, ptx::affects_specialize>,
      field<&ptx_params::unroll_loops, ptx::affects_optimization>,
      field<&ptx_params::inliner_threshold, ptx::affects_optimization>,
      field<&ptx_params::fp_contract, ptx::affects_codegen>,
      field<&ptx_params::trap_unreachable, ptx::affects_codegen>,
      field<&ptx_params::interprocedural_registers, ptx::affects_codegen>,
      field<&ptx_params::verbose_assembly, ptx::affects_codegen>,
      field<&ptx_params::label, runtime_only>>;  // no artifact holds it
};

}  // namespace layerkey
