// Prints include/layerkey/llvm/target_options.hpp:
//
//   describe_target_options > target_options.hpp
//
// For another version of LLVM: change the number, run, and say what each new member affects.
#include "print_description.hpp"

#include <llvm/Config/llvm-config.h>
#include <llvm/Target/TargetOptions.h>

using describe_foreign::entry, describe_foreign::subject;

namespace {

constexpr char const* codegen = "x86::affects_codegen";
constexpr char const* dead = "dead on x86 and NVPTX";

entry reads(char const* name) { return {name, codegen}; }
entry reads(char const* name, char const* comment) { return {name, codegen, comment}; }
entry ignores(char const* name) { return {name, "runtime_only", dead}; }

subject const mc_options{
    "llvm::MCTargetOptions",
    "mc_target_options",
    {
        reads("MCRelaxAll"),
        ignores("MCNoExecStack"),
        reads("MCFatalWarnings", "of diagnostics, which are part of the artifact"),
        reads("MCNoWarn", "the same"),
        reads("MCNoDeprecatedWarn", "the same"),
        reads("MCNoTypeCheck", "the same"),
        reads("MCSaveTempLabels"),
        ignores("MCIncrementalLinkerCompatible"),
        ignores("FDPIC"),
        reads("ShowMCEncoding", "of assembly"),
        reads("ShowMCInst", "of assembly"),
        reads("AsmVerbose", "of assembly"),
        reads("PreserveAsmComments", "of assembly"),
        reads("Dwarf64"),
        reads("Crel"),
        reads("X86RelaxRelocations"),
        reads("X86Sse2Avx"),
        ignores("EmitDwarfUnwind"),
        reads("DwarfVersion"),
        reads("MCUseDwarfDirectory"),
        reads("CompressDebugSections"),
        ignores("ABIName"),
        ignores("AssemblyLanguage"),
        reads("SplitDwarfFile"),
        reads("AsSecureLogFile", "names a file that a compile writes"),
        ignores("Argv0"),
        ignores("CommandLineArgs"),
        reads("IASSearchPaths", "the files found there are no part of the key"),
        ignores("EmitCompactUnwindNonCanonical"),
        ignores("PPCUseFullRegisterNames"),
    }};

subject const options{
    "llvm::TargetOptions",
    "target_options",
    {
        reads("BinutilsVersion"),
        ignores("UnsafeFPMath"),
        ignores("NoInfsFPMath"),
        ignores("NoNaNsFPMath"),
        ignores("NoTrappingFPMath"),
        ignores("NoSignedZerosFPMath"),
        ignores("ApproxFuncFPMath"),
        ignores("EnableAIXExtendedAltivecABI"),
        ignores("HonorSignDependentRoundingFPMathOption"),
        reads("NoZerosInBSS"),
        reads("GuaranteedTailCallOpt"),
        reads("StackSymbolOrdering"),
        reads("EnableFastISel", "written by the code generator, too"),
        reads("EnableGlobalISel"),
        reads("GlobalISelAbort"),
        reads("SwiftAsyncFramePointer"),
        reads("UseInitArray"),
        reads("DisableIntegratedAS"),
        reads("FunctionSections"),
        reads("DataSections"),
        ignores("IgnoreXCOFFVisibility"),
        ignores("XCOFFTracebackTable"),
        reads("UniqueSectionNames"),
        reads("UniqueBasicBlockSectionNames"),
        reads("SeparateNamedSections"),
        reads("TrapUnreachable"),
        {"NoTrapAfterNoreturn",
         "x86::affects_codegen, only_if<accessor<target_options::TrapUnreachable, "
         "target_options::set_TrapUnreachable>>::otherwise<0u>"},
        ignores("TLSSize"),
        reads("EmulatedTLS"),
        reads("EnableTLSDESC"),
        reads("EnableIPRA"),
        reads("EmitStackSizeSection"),
        ignores("EnableMachineOutliner"),
        reads("EnableMachineFunctionSplitter"),
        reads("SupportsDefaultOutlining"),
        reads("EmitAddrsig"),
        reads("BBAddrMap"),
        reads("BBSections"),
        {"BBSectionsFuncListBuf", "x86::affects_codegen::as<target_options::content>"},
        reads("EmitCallSiteInfo"),
        ignores("SupportsDebugEntryValues"),
        reads("EnableDebugEntryValues"),
        ignores("ValueTrackingVariableLocations"),
        reads("ForceDwarfFrameSection"),
        reads("XRayFunctionIndex"),
        reads("DebugStrictDwarf"),
        ignores("Hotpatch"),
        ignores("PPCGenScalarMASSEntries"),
        reads("JMCInstrument"),
        reads("EnableCFIFixup"),
        ignores("MisExpect"),
        ignores("XCOFFReadOnlyPointers"),
        reads("StackUsageOutput", "names a file that a compile writes"),
        reads("LoopAlignment"),
        ignores("FloatABIType"),
        reads("AllowFPOpFusion"),
        {"ThreadModel", "x86::affects_optimization, x86::affects_codegen"},
        ignores("EABIVersion"),
        reads("DebuggerTuning"),
        {"FPDenormalMode", "runtime_only", dead,
         "accessor<target_options::FPDenormalMode, target_options::set_FPDenormalMode>"},
        {"FP32DenormalMode", "runtime_only", dead,
         "accessor<target_options::FP32DenormalMode, target_options::set_FP32DenormalMode>"},
        reads("ExceptionModel"),
        {"MCOptions", "per_member"},
        ignores("ObjectFilenameForDebug"),
    }};

constexpr char const* head =
    R"(// llvm::TargetOptions and llvm::MCTargetOptions of LLVM %d, described: every member, bit-fields and
// private ones included, with the layer whose artifact it changes. Each tag was measured by flipping
// the member alone over modules that exercise it; a dead one has no reader for x86-64 ELF or NVPTX.
// Printed by examples/describe_foreign.
#pragma once

#include <layerkey/llvm/x86_params.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/tuples.hpp>

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetOptions.h>

#include <memory>
#include <string>

// clang-format off

namespace layerkey {

static_assert(LLVM_VERSION_MAJOR == %d,
              "layerkey: this description is that of LLVM %d; print it anew for another version.");

)";

constexpr char const* by_hand = R"(// What has no member pointer and is no bit-field.
namespace target_options {

inline std::string content(std::shared_ptr<llvm::MemoryBuffer> const& list) {
  return list == nullptr ? std::string() : list->getBuffer().str();
}

inline llvm::DenormalMode FPDenormalMode(llvm::TargetOptions const& o) { return o.getRawFPDenormalMode(); }
inline void set_FPDenormalMode(llvm::TargetOptions& o, llvm::DenormalMode v) { o.setFPDenormalMode(v); }
inline llvm::DenormalMode FP32DenormalMode(llvm::TargetOptions const& o) { return o.getRawFP32DenormalMode(); }
inline void set_FP32DenormalMode(llvm::TargetOptions& o, llvm::DenormalMode v) { o.setFP32DenormalMode(v); }

}  // namespace target_options

)";

}  // namespace

int main() {
  auto const mc_members = describe_foreign::members_of(llvm::MCTargetOptions{});
  auto const members = describe_foreign::members_of(llvm::TargetOptions{});
  std::printf(head, LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR, LLVM_VERSION_MAJOR);
  describe_foreign::print_accessors(stdout, mc_options, mc_members);
  describe_foreign::print_accessors(stdout, options, members);
  std::printf("%s", by_hand);
  describe_foreign::print_description(stdout, mc_options, mc_members);
  describe_foreign::print_description(stdout, options, members);
  std::printf("static_assert(complete<llvm::TargetOptions>);\n\n}  // namespace layerkey\n");
}
