// What the stages share about the two targets. No LLVM header here.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/llvm/ptx_params.hpp>
#include <layerkey/llvm/x86_params.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace layerkey::llvm_detail {

// Registers X86 and NVPTX with LLVM, once a process.
void initialize_targets();

// Makes the module one of this target: normalised triple, and what `-mcpu` and `-mattr` put on its
// functions. Says why not where the module is for another target or a function asks the impossible.
diagnostics adopt(::llvm::Module&, x86_params const&);
diagnostics adopt(::llvm::Module&, ptx_params const&);

// As opt-19 makes it: options of the code generator left at their defaults.
std::unique_ptr<::llvm::TargetMachine> middle_end_machine(::llvm::Module const&, x86_params const&);
std::unique_ptr<::llvm::TargetMachine> middle_end_machine(::llvm::Module const&,
                                                          std::string_view sm);

// As llc-19 makes it.
std::unique_ptr<::llvm::TargetMachine> back_end_machine(::llvm::Module const&, x86_params const&);
std::unique_ptr<::llvm::TargetMachine> back_end_machine(::llvm::Module const&, ptx_params const&);

// NVPTX remembers what nvvm.annotations says in a cache of the process, by the addresses of modules
// and functions, and only its AsmPrinter forgets. A module that was optimised and freed would then
// speak for the next one at its address: kernels become functions and functions kernels. This
// empties the module and lets the AsmPrinter see it.
void forget_annotations(::llvm::Module&, ::llvm::TargetMachine&);

// The data layout that the target of this triple has; none where it is neither of the two.
std::optional<std::string> data_layout_of(std::string_view triple);

}  // namespace layerkey::llvm_detail
