// The work of the LLVM layers as plain functions of their inputs: what the stages call. No LLVM
// header is needed here; the implementation is in layerkey::llvm, or in <layerkey/llvm/src.hpp>.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/llvm/digest.hpp>
#include <layerkey/llvm/ir_module.hpp>
#include <layerkey/llvm/ptx_params.hpp>
#include <layerkey/llvm/x86_params.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

// Of the LLVM that this process runs: "LLVM 19.1.7". Part of what stores know of the layers here.
// Builds of one version may differ (patches, linked plug-ins): to tell them apart, open stores with
// this_build({"libLLVM"}).
std::string llvm_version();

namespace x86 {

// What `opt-19 -ON -mcpu=CPU -mattr=FEATURES -relocation-model=MODEL` makes, bit for bit.
outcome<ir_module> optimize_ir(ir_module const&, x86_params const&);

// What `llc-19 -ON -mcpu=CPU -mattr=FEATURES -relocation-model=MODEL ...` makes of optimised IR.
outcome<machine_code> generate_code(ir_module const& optimized, x86_params const&);

// Says what is wrong with the params before any work is done: an unknown CPU or feature, or a
// combination that is known to make LLVM abort. Empty text: nothing.
diagnostics check(x86_params const&);

// Whether the module is for this target, by its triple; one that names none is for every target.
diagnostics check(ir_module const&, x86_params const&);

// The CPU of this machine, and in which features it differs from what LLVM knows of that CPU, for
// "native", which is never a key.
struct host_target {
  std::string cpu;
  std::string features;
};
host_target host();

std::vector<std::string> cpu_names();      // as -mcpu=help lists them
std::vector<std::string> feature_names();  // as -mattr=help lists them

}  // namespace x86

namespace ptx {

// Links the device library and folds what the kernel asks about its architecture (__nvvm_reflect),
// so that what follows needs no sm.
outcome<ir_module> specialize_ir(ir_module const&, ptx_params const&);

// What `opt-19 -ON` makes for a generic target.
outcome<ir_module> optimize_ir(ir_module const& specialized, ptx_params const&);

// What `llc-19 -ON -mcpu=SM -mattr=+ptxNN` makes, with the numbers that LLVM takes from a
// process-wide counter (`// callseq N`, `prototype_N`) renumbered from 0 within the text.
//
// A program that itself runs NVPTX passes over modules and destroys them without generating code
// leaves stale entries in LLVM 19's process-wide table of kernel annotations, by address of module
// and function; LLVM may then take a kernel of a later module for a function, here as anywhere in
// that process. The functions here leave none.
outcome<machine_code> generate_code(ir_module const& optimized, ptx_params const&);

diagnostics check(ptx_params const&);
diagnostics check(ir_module const&, ptx_params const&);

std::vector<std::string> sm_names();  // sm_20 ... sm_90a
std::vector<int> ptx_versions();      // 32 ... 85

// A device library (libdevice.10.bc, or another one that defines the same functions), read once:
// the bytes that are hashed are the bytes that are linked. Registered for the life of the process.
outcome<content_digest> load_device_library(std::string const& path);

}  // namespace ptx

}  // namespace layerkey
