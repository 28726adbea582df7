// llvm::TargetOptions and llvm::MCTargetOptions of LLVM 19, described: every member, bit-fields and
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

static_assert(LLVM_VERSION_MAJOR == 19,
              "layerkey: this description is that of LLVM 19; print it anew for another version.");

namespace mc_target_options {

constexpr bool MCRelaxAll(llvm::MCTargetOptions const& o) { return o.MCRelaxAll; }
constexpr void set_MCRelaxAll(llvm::MCTargetOptions& o, bool v) { o.MCRelaxAll = v; }
constexpr bool MCNoExecStack(llvm::MCTargetOptions const& o) { return o.MCNoExecStack; }
constexpr void set_MCNoExecStack(llvm::MCTargetOptions& o, bool v) { o.MCNoExecStack = v; }
constexpr bool MCFatalWarnings(llvm::MCTargetOptions const& o) { return o.MCFatalWarnings; }
constexpr void set_MCFatalWarnings(llvm::MCTargetOptions& o, bool v) { o.MCFatalWarnings = v; }
constexpr bool MCNoWarn(llvm::MCTargetOptions const& o) { return o.MCNoWarn; }
constexpr void set_MCNoWarn(llvm::MCTargetOptions& o, bool v) { o.MCNoWarn = v; }
constexpr bool MCNoDeprecatedWarn(llvm::MCTargetOptions const& o) { return o.MCNoDeprecatedWarn; }
constexpr void set_MCNoDeprecatedWarn(llvm::MCTargetOptions& o, bool v) { o.MCNoDeprecatedWarn = v; }
constexpr bool MCNoTypeCheck(llvm::MCTargetOptions const& o) { return o.MCNoTypeCheck; }
constexpr void set_MCNoTypeCheck(llvm::MCTargetOptions& o, bool v) { o.MCNoTypeCheck = v; }
constexpr bool MCSaveTempLabels(llvm::MCTargetOptions const& o) { return o.MCSaveTempLabels; }
constexpr void set_MCSaveTempLabels(llvm::MCTargetOptions& o, bool v) { o.MCSaveTempLabels = v; }
constexpr bool MCIncrementalLinkerCompatible(llvm::MCTargetOptions const& o) { return o.MCIncrementalLinkerCompatible; }
constexpr void set_MCIncrementalLinkerCompatible(llvm::MCTargetOptions& o, bool v) { o.MCIncrementalLinkerCompatible = v; }
constexpr bool FDPIC(llvm::MCTargetOptions const& o) { return o.FDPIC; }
constexpr void set_FDPIC(llvm::MCTargetOptions& o, bool v) { o.FDPIC = v; }
constexpr bool ShowMCEncoding(llvm::MCTargetOptions const& o) { return o.ShowMCEncoding; }
constexpr void set_ShowMCEncoding(llvm::MCTargetOptions& o, bool v) { o.ShowMCEncoding = v; }
constexpr bool ShowMCInst(llvm::MCTargetOptions const& o) { return o.ShowMCInst; }
constexpr void set_ShowMCInst(llvm::MCTargetOptions& o, bool v) { o.ShowMCInst = v; }
constexpr bool AsmVerbose(llvm::MCTargetOptions const& o) { return o.AsmVerbose; }
constexpr void set_AsmVerbose(llvm::MCTargetOptions& o, bool v) { o.AsmVerbose = v; }
constexpr bool PreserveAsmComments(llvm::MCTargetOptions const& o) { return o.PreserveAsmComments; }
constexpr void set_PreserveAsmComments(llvm::MCTargetOptions& o, bool v) { o.PreserveAsmComments = v; }
constexpr bool Dwarf64(llvm::MCTargetOptions const& o) { return o.Dwarf64; }
constexpr void set_Dwarf64(llvm::MCTargetOptions& o, bool v) { o.Dwarf64 = v; }
constexpr bool EmitCompactUnwindNonCanonical(llvm::MCTargetOptions const& o) { return o.EmitCompactUnwindNonCanonical; }
constexpr void set_EmitCompactUnwindNonCanonical(llvm::MCTargetOptions& o, bool v) { o.EmitCompactUnwindNonCanonical = v; }
constexpr bool PPCUseFullRegisterNames(llvm::MCTargetOptions const& o) { return o.PPCUseFullRegisterNames; }
constexpr void set_PPCUseFullRegisterNames(llvm::MCTargetOptions& o, bool v) { o.PPCUseFullRegisterNames = v; }

}  // namespace mc_target_options

namespace target_options {

constexpr unsigned int UnsafeFPMath(llvm::TargetOptions const& o) { return o.UnsafeFPMath; }
constexpr void set_UnsafeFPMath(llvm::TargetOptions& o, unsigned int v) { o.UnsafeFPMath = v & 1u; }
constexpr unsigned int NoInfsFPMath(llvm::TargetOptions const& o) { return o.NoInfsFPMath; }
constexpr void set_NoInfsFPMath(llvm::TargetOptions& o, unsigned int v) { o.NoInfsFPMath = v & 1u; }
constexpr unsigned int NoNaNsFPMath(llvm::TargetOptions const& o) { return o.NoNaNsFPMath; }
constexpr void set_NoNaNsFPMath(llvm::TargetOptions& o, unsigned int v) { o.NoNaNsFPMath = v & 1u; }
constexpr unsigned int NoTrappingFPMath(llvm::TargetOptions const& o) { return o.NoTrappingFPMath; }
constexpr void set_NoTrappingFPMath(llvm::TargetOptions& o, unsigned int v) { o.NoTrappingFPMath = v & 1u; }
constexpr unsigned int NoSignedZerosFPMath(llvm::TargetOptions const& o) { return o.NoSignedZerosFPMath; }
constexpr void set_NoSignedZerosFPMath(llvm::TargetOptions& o, unsigned int v) { o.NoSignedZerosFPMath = v & 1u; }
constexpr unsigned int ApproxFuncFPMath(llvm::TargetOptions const& o) { return o.ApproxFuncFPMath; }
constexpr void set_ApproxFuncFPMath(llvm::TargetOptions& o, unsigned int v) { o.ApproxFuncFPMath = v & 1u; }
constexpr unsigned int EnableAIXExtendedAltivecABI(llvm::TargetOptions const& o) { return o.EnableAIXExtendedAltivecABI; }
constexpr void set_EnableAIXExtendedAltivecABI(llvm::TargetOptions& o, unsigned int v) { o.EnableAIXExtendedAltivecABI = v & 1u; }
constexpr unsigned int HonorSignDependentRoundingFPMathOption(llvm::TargetOptions const& o) { return o.HonorSignDependentRoundingFPMathOption; }
constexpr void set_HonorSignDependentRoundingFPMathOption(llvm::TargetOptions& o, unsigned int v) { o.HonorSignDependentRoundingFPMathOption = v & 1u; }
constexpr unsigned int NoZerosInBSS(llvm::TargetOptions const& o) { return o.NoZerosInBSS; }
constexpr void set_NoZerosInBSS(llvm::TargetOptions& o, unsigned int v) { o.NoZerosInBSS = v & 1u; }
constexpr unsigned int GuaranteedTailCallOpt(llvm::TargetOptions const& o) { return o.GuaranteedTailCallOpt; }
constexpr void set_GuaranteedTailCallOpt(llvm::TargetOptions& o, unsigned int v) { o.GuaranteedTailCallOpt = v & 1u; }
constexpr unsigned int StackSymbolOrdering(llvm::TargetOptions const& o) { return o.StackSymbolOrdering; }
constexpr void set_StackSymbolOrdering(llvm::TargetOptions& o, unsigned int v) { o.StackSymbolOrdering = v & 1u; }
constexpr unsigned int EnableFastISel(llvm::TargetOptions const& o) { return o.EnableFastISel; }
constexpr void set_EnableFastISel(llvm::TargetOptions& o, unsigned int v) { o.EnableFastISel = v & 1u; }
constexpr unsigned int EnableGlobalISel(llvm::TargetOptions const& o) { return o.EnableGlobalISel; }
constexpr void set_EnableGlobalISel(llvm::TargetOptions& o, unsigned int v) { o.EnableGlobalISel = v & 1u; }
constexpr unsigned int UseInitArray(llvm::TargetOptions const& o) { return o.UseInitArray; }
constexpr void set_UseInitArray(llvm::TargetOptions& o, unsigned int v) { o.UseInitArray = v & 1u; }
constexpr unsigned int DisableIntegratedAS(llvm::TargetOptions const& o) { return o.DisableIntegratedAS; }
constexpr void set_DisableIntegratedAS(llvm::TargetOptions& o, unsigned int v) { o.DisableIntegratedAS = v & 1u; }
constexpr unsigned int FunctionSections(llvm::TargetOptions const& o) { return o.FunctionSections; }
constexpr void set_FunctionSections(llvm::TargetOptions& o, unsigned int v) { o.FunctionSections = v & 1u; }
constexpr unsigned int DataSections(llvm::TargetOptions const& o) { return o.DataSections; }
constexpr void set_DataSections(llvm::TargetOptions& o, unsigned int v) { o.DataSections = v & 1u; }
constexpr unsigned int IgnoreXCOFFVisibility(llvm::TargetOptions const& o) { return o.IgnoreXCOFFVisibility; }
constexpr void set_IgnoreXCOFFVisibility(llvm::TargetOptions& o, unsigned int v) { o.IgnoreXCOFFVisibility = v & 1u; }
constexpr unsigned int XCOFFTracebackTable(llvm::TargetOptions const& o) { return o.XCOFFTracebackTable; }
constexpr void set_XCOFFTracebackTable(llvm::TargetOptions& o, unsigned int v) { o.XCOFFTracebackTable = v & 1u; }
constexpr unsigned int UniqueSectionNames(llvm::TargetOptions const& o) { return o.UniqueSectionNames; }
constexpr void set_UniqueSectionNames(llvm::TargetOptions& o, unsigned int v) { o.UniqueSectionNames = v & 1u; }
constexpr unsigned int UniqueBasicBlockSectionNames(llvm::TargetOptions const& o) { return o.UniqueBasicBlockSectionNames; }
constexpr void set_UniqueBasicBlockSectionNames(llvm::TargetOptions& o, unsigned int v) { o.UniqueBasicBlockSectionNames = v & 1u; }
constexpr unsigned int SeparateNamedSections(llvm::TargetOptions const& o) { return o.SeparateNamedSections; }
constexpr void set_SeparateNamedSections(llvm::TargetOptions& o, unsigned int v) { o.SeparateNamedSections = v & 1u; }
constexpr unsigned int TrapUnreachable(llvm::TargetOptions const& o) { return o.TrapUnreachable; }
constexpr void set_TrapUnreachable(llvm::TargetOptions& o, unsigned int v) { o.TrapUnreachable = v & 1u; }
constexpr unsigned int NoTrapAfterNoreturn(llvm::TargetOptions const& o) { return o.NoTrapAfterNoreturn; }
constexpr void set_NoTrapAfterNoreturn(llvm::TargetOptions& o, unsigned int v) { o.NoTrapAfterNoreturn = v & 1u; }
constexpr unsigned int TLSSize(llvm::TargetOptions const& o) { return o.TLSSize; }
constexpr void set_TLSSize(llvm::TargetOptions& o, unsigned int v) { o.TLSSize = v & 255u; }
constexpr unsigned int EmulatedTLS(llvm::TargetOptions const& o) { return o.EmulatedTLS; }
constexpr void set_EmulatedTLS(llvm::TargetOptions& o, unsigned int v) { o.EmulatedTLS = v & 1u; }
constexpr unsigned int EnableTLSDESC(llvm::TargetOptions const& o) { return o.EnableTLSDESC; }
constexpr void set_EnableTLSDESC(llvm::TargetOptions& o, unsigned int v) { o.EnableTLSDESC = v & 1u; }
constexpr unsigned int EnableIPRA(llvm::TargetOptions const& o) { return o.EnableIPRA; }
constexpr void set_EnableIPRA(llvm::TargetOptions& o, unsigned int v) { o.EnableIPRA = v & 1u; }
constexpr unsigned int EmitStackSizeSection(llvm::TargetOptions const& o) { return o.EmitStackSizeSection; }
constexpr void set_EmitStackSizeSection(llvm::TargetOptions& o, unsigned int v) { o.EmitStackSizeSection = v & 1u; }
constexpr unsigned int EnableMachineOutliner(llvm::TargetOptions const& o) { return o.EnableMachineOutliner; }
constexpr void set_EnableMachineOutliner(llvm::TargetOptions& o, unsigned int v) { o.EnableMachineOutliner = v & 1u; }
constexpr unsigned int EnableMachineFunctionSplitter(llvm::TargetOptions const& o) { return o.EnableMachineFunctionSplitter; }
constexpr void set_EnableMachineFunctionSplitter(llvm::TargetOptions& o, unsigned int v) { o.EnableMachineFunctionSplitter = v & 1u; }
constexpr unsigned int SupportsDefaultOutlining(llvm::TargetOptions const& o) { return o.SupportsDefaultOutlining; }
constexpr void set_SupportsDefaultOutlining(llvm::TargetOptions& o, unsigned int v) { o.SupportsDefaultOutlining = v & 1u; }
constexpr unsigned int EmitAddrsig(llvm::TargetOptions const& o) { return o.EmitAddrsig; }
constexpr void set_EmitAddrsig(llvm::TargetOptions& o, unsigned int v) { o.EmitAddrsig = v & 1u; }
constexpr unsigned int BBAddrMap(llvm::TargetOptions const& o) { return o.BBAddrMap; }
constexpr void set_BBAddrMap(llvm::TargetOptions& o, unsigned int v) { o.BBAddrMap = v & 1u; }
constexpr unsigned int EmitCallSiteInfo(llvm::TargetOptions const& o) { return o.EmitCallSiteInfo; }
constexpr void set_EmitCallSiteInfo(llvm::TargetOptions& o, unsigned int v) { o.EmitCallSiteInfo = v & 1u; }
constexpr unsigned int SupportsDebugEntryValues(llvm::TargetOptions const& o) { return o.SupportsDebugEntryValues; }
constexpr void set_SupportsDebugEntryValues(llvm::TargetOptions& o, unsigned int v) { o.SupportsDebugEntryValues = v & 1u; }
constexpr unsigned int EnableDebugEntryValues(llvm::TargetOptions const& o) { return o.EnableDebugEntryValues; }
constexpr void set_EnableDebugEntryValues(llvm::TargetOptions& o, unsigned int v) { o.EnableDebugEntryValues = v & 1u; }
constexpr unsigned int ValueTrackingVariableLocations(llvm::TargetOptions const& o) { return o.ValueTrackingVariableLocations; }
constexpr void set_ValueTrackingVariableLocations(llvm::TargetOptions& o, unsigned int v) { o.ValueTrackingVariableLocations = v & 1u; }
constexpr unsigned int ForceDwarfFrameSection(llvm::TargetOptions const& o) { return o.ForceDwarfFrameSection; }
constexpr void set_ForceDwarfFrameSection(llvm::TargetOptions& o, unsigned int v) { o.ForceDwarfFrameSection = v & 1u; }
constexpr unsigned int XRayFunctionIndex(llvm::TargetOptions const& o) { return o.XRayFunctionIndex; }
constexpr void set_XRayFunctionIndex(llvm::TargetOptions& o, unsigned int v) { o.XRayFunctionIndex = v & 1u; }
constexpr unsigned int DebugStrictDwarf(llvm::TargetOptions const& o) { return o.DebugStrictDwarf; }
constexpr void set_DebugStrictDwarf(llvm::TargetOptions& o, unsigned int v) { o.DebugStrictDwarf = v & 1u; }
constexpr unsigned int Hotpatch(llvm::TargetOptions const& o) { return o.Hotpatch; }
constexpr void set_Hotpatch(llvm::TargetOptions& o, unsigned int v) { o.Hotpatch = v & 1u; }
constexpr unsigned int PPCGenScalarMASSEntries(llvm::TargetOptions const& o) { return o.PPCGenScalarMASSEntries; }
constexpr void set_PPCGenScalarMASSEntries(llvm::TargetOptions& o, unsigned int v) { o.PPCGenScalarMASSEntries = v & 1u; }
constexpr unsigned int JMCInstrument(llvm::TargetOptions const& o) { return o.JMCInstrument; }
constexpr void set_JMCInstrument(llvm::TargetOptions& o, unsigned int v) { o.JMCInstrument = v & 1u; }
constexpr unsigned int EnableCFIFixup(llvm::TargetOptions const& o) { return o.EnableCFIFixup; }
constexpr void set_EnableCFIFixup(llvm::TargetOptions& o, unsigned int v) { o.EnableCFIFixup = v & 1u; }
constexpr unsigned int MisExpect(llvm::TargetOptions const& o) { return o.MisExpect; }
constexpr void set_MisExpect(llvm::TargetOptions& o, unsigned int v) { o.MisExpect = v & 1u; }
constexpr unsigned int XCOFFReadOnlyPointers(llvm::TargetOptions const& o) { return o.XCOFFReadOnlyPointers; }
constexpr void set_XCOFFReadOnlyPointers(llvm::TargetOptions& o, unsigned int v) { o.XCOFFReadOnlyPointers = v & 1u; }

}  // namespace target_options

// What has no member pointer and is no bit-field.
namespace target_options {

inline std::string content(std::shared_ptr<llvm::MemoryBuffer> const& list) {
  return list == nullptr ? std::string() : list->getBuffer().str();
}

inline llvm::DenormalMode FPDenormalMode(llvm::TargetOptions const& o) { return o.getRawFPDenormalMode(); }
inline void set_FPDenormalMode(llvm::TargetOptions& o, llvm::DenormalMode v) { o.setFPDenormalMode(v); }
inline llvm::DenormalMode FP32DenormalMode(llvm::TargetOptions const& o) { return o.getRawFP32DenormalMode(); }
inline void set_FP32DenormalMode(llvm::TargetOptions& o, llvm::DenormalMode v) { o.setFP32DenormalMode(v); }

}  // namespace target_options

template<>
struct describe<llvm::MCTargetOptions> {
  using o = llvm::MCTargetOptions;
  static constexpr text uncounted = "has a constructor; the names are compared with the real members by a test";
  static o defaults() { return {}; }
  using fields = layerkey::fields<
      field<accessor<mc_target_options::MCRelaxAll, mc_target_options::set_MCRelaxAll>, x86::affects_codegen>,
      field<accessor<mc_target_options::MCNoExecStack, mc_target_options::set_MCNoExecStack>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<mc_target_options::MCFatalWarnings, mc_target_options::set_MCFatalWarnings>, x86::affects_codegen>,  // of diagnostics, which are part of the artifact
      field<accessor<mc_target_options::MCNoWarn, mc_target_options::set_MCNoWarn>, x86::affects_codegen>,  // the same
      field<accessor<mc_target_options::MCNoDeprecatedWarn, mc_target_options::set_MCNoDeprecatedWarn>, x86::affects_codegen>,  // the same
      field<accessor<mc_target_options::MCNoTypeCheck, mc_target_options::set_MCNoTypeCheck>, x86::affects_codegen>,  // the same
      field<accessor<mc_target_options::MCSaveTempLabels, mc_target_options::set_MCSaveTempLabels>, x86::affects_codegen>,
      field<accessor<mc_target_options::MCIncrementalLinkerCompatible, mc_target_options::set_MCIncrementalLinkerCompatible>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<mc_target_options::FDPIC, mc_target_options::set_FDPIC>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<mc_target_options::ShowMCEncoding, mc_target_options::set_ShowMCEncoding>, x86::affects_codegen>,  // of assembly
      field<accessor<mc_target_options::ShowMCInst, mc_target_options::set_ShowMCInst>, x86::affects_codegen>,  // of assembly
      field<accessor<mc_target_options::AsmVerbose, mc_target_options::set_AsmVerbose>, x86::affects_codegen>,  // of assembly
      field<accessor<mc_target_options::PreserveAsmComments, mc_target_options::set_PreserveAsmComments>, x86::affects_codegen>,  // of assembly
      field<accessor<mc_target_options::Dwarf64, mc_target_options::set_Dwarf64>, x86::affects_codegen>,
      field<&o::Crel, x86::affects_codegen>,
      field<&o::X86RelaxRelocations, x86::affects_codegen>,
      field<&o::X86Sse2Avx, x86::affects_codegen>,
      field<&o::EmitDwarfUnwind, runtime_only>,  // dead on x86 and NVPTX
      field<&o::DwarfVersion, x86::affects_codegen>,
      field<&o::MCUseDwarfDirectory, x86::affects_codegen>,
      field<&o::CompressDebugSections, x86::affects_codegen>,
      field<&o::ABIName, runtime_only>,  // dead on x86 and NVPTX
      field<&o::AssemblyLanguage, runtime_only>,  // dead on x86 and NVPTX
      field<&o::SplitDwarfFile, x86::affects_codegen>,
      field<&o::AsSecureLogFile, x86::affects_codegen>,  // names a file that a compile writes
      field<&o::Argv0, runtime_only>,  // dead on x86 and NVPTX
      field<&o::CommandLineArgs, runtime_only>,  // dead on x86 and NVPTX
      field<&o::IASSearchPaths, x86::affects_codegen>,  // the files found there are no part of the key
      field<accessor<mc_target_options::EmitCompactUnwindNonCanonical, mc_target_options::set_EmitCompactUnwindNonCanonical>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<mc_target_options::PPCUseFullRegisterNames, mc_target_options::set_PPCUseFullRegisterNames>, runtime_only>>;  // dead on x86 and NVPTX
};

template<>
struct describe<llvm::TargetOptions> {
  using o = llvm::TargetOptions;
  static constexpr text uncounted = "has a constructor; the names are compared with the real members by a test";
  static o defaults() { return {}; }
  using fields = layerkey::fields<
      field<&o::BinutilsVersion, x86::affects_codegen>,
      field<accessor<target_options::UnsafeFPMath, target_options::set_UnsafeFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::NoInfsFPMath, target_options::set_NoInfsFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::NoNaNsFPMath, target_options::set_NoNaNsFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::NoTrappingFPMath, target_options::set_NoTrappingFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::NoSignedZerosFPMath, target_options::set_NoSignedZerosFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::ApproxFuncFPMath, target_options::set_ApproxFuncFPMath>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::EnableAIXExtendedAltivecABI, target_options::set_EnableAIXExtendedAltivecABI>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::HonorSignDependentRoundingFPMathOption, target_options::set_HonorSignDependentRoundingFPMathOption>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::NoZerosInBSS, target_options::set_NoZerosInBSS>, x86::affects_codegen>,
      field<accessor<target_options::GuaranteedTailCallOpt, target_options::set_GuaranteedTailCallOpt>, x86::affects_codegen>,
      field<accessor<target_options::StackSymbolOrdering, target_options::set_StackSymbolOrdering>, x86::affects_codegen>,
      field<accessor<target_options::EnableFastISel, target_options::set_EnableFastISel>, x86::affects_codegen>,  // written by the code generator, too
      field<accessor<target_options::EnableGlobalISel, target_options::set_EnableGlobalISel>, x86::affects_codegen>,
      field<&o::GlobalISelAbort, x86::affects_codegen>,
      field<&o::SwiftAsyncFramePointer, x86::affects_codegen>,
      field<accessor<target_options::UseInitArray, target_options::set_UseInitArray>, x86::affects_codegen>,
      field<accessor<target_options::DisableIntegratedAS, target_options::set_DisableIntegratedAS>, x86::affects_codegen>,
      field<accessor<target_options::FunctionSections, target_options::set_FunctionSections>, x86::affects_codegen>,
      field<accessor<target_options::DataSections, target_options::set_DataSections>, x86::affects_codegen>,
      field<accessor<target_options::IgnoreXCOFFVisibility, target_options::set_IgnoreXCOFFVisibility>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::XCOFFTracebackTable, target_options::set_XCOFFTracebackTable>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::UniqueSectionNames, target_options::set_UniqueSectionNames>, x86::affects_codegen>,
      field<accessor<target_options::UniqueBasicBlockSectionNames, target_options::set_UniqueBasicBlockSectionNames>, x86::affects_codegen>,
      field<accessor<target_options::SeparateNamedSections, target_options::set_SeparateNamedSections>, x86::affects_codegen>,
      field<accessor<target_options::TrapUnreachable, target_options::set_TrapUnreachable>, x86::affects_codegen>,
      field<accessor<target_options::NoTrapAfterNoreturn, target_options::set_NoTrapAfterNoreturn>, x86::affects_codegen, only_if<accessor<target_options::TrapUnreachable, target_options::set_TrapUnreachable>>::otherwise<0u>>,
      field<accessor<target_options::TLSSize, target_options::set_TLSSize>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::EmulatedTLS, target_options::set_EmulatedTLS>, x86::affects_codegen>,
      field<accessor<target_options::EnableTLSDESC, target_options::set_EnableTLSDESC>, x86::affects_codegen>,
      field<accessor<target_options::EnableIPRA, target_options::set_EnableIPRA>, x86::affects_codegen>,
      field<accessor<target_options::EmitStackSizeSection, target_options::set_EmitStackSizeSection>, x86::affects_codegen>,
      field<accessor<target_options::EnableMachineOutliner, target_options::set_EnableMachineOutliner>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::EnableMachineFunctionSplitter, target_options::set_EnableMachineFunctionSplitter>, x86::affects_codegen>,
      field<accessor<target_options::SupportsDefaultOutlining, target_options::set_SupportsDefaultOutlining>, x86::affects_codegen>,
      field<accessor<target_options::EmitAddrsig, target_options::set_EmitAddrsig>, x86::affects_codegen>,
      field<accessor<target_options::BBAddrMap, target_options::set_BBAddrMap>, x86::affects_codegen>,
      field<&o::BBSections, x86::affects_codegen>,
      field<&o::BBSectionsFuncListBuf, x86::affects_codegen::as<target_options::content>>,
      field<accessor<target_options::EmitCallSiteInfo, target_options::set_EmitCallSiteInfo>, x86::affects_codegen>,
      field<accessor<target_options::SupportsDebugEntryValues, target_options::set_SupportsDebugEntryValues>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::EnableDebugEntryValues, target_options::set_EnableDebugEntryValues>, x86::affects_codegen>,
      field<accessor<target_options::ValueTrackingVariableLocations, target_options::set_ValueTrackingVariableLocations>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::ForceDwarfFrameSection, target_options::set_ForceDwarfFrameSection>, x86::affects_codegen>,
      field<accessor<target_options::XRayFunctionIndex, target_options::set_XRayFunctionIndex>, x86::affects_codegen>,
      field<accessor<target_options::DebugStrictDwarf, target_options::set_DebugStrictDwarf>, x86::affects_codegen>,
      field<accessor<target_options::Hotpatch, target_options::set_Hotpatch>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::PPCGenScalarMASSEntries, target_options::set_PPCGenScalarMASSEntries>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::JMCInstrument, target_options::set_JMCInstrument>, x86::affects_codegen>,
      field<accessor<target_options::EnableCFIFixup, target_options::set_EnableCFIFixup>, x86::affects_codegen>,
      field<accessor<target_options::MisExpect, target_options::set_MisExpect>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::XCOFFReadOnlyPointers, target_options::set_XCOFFReadOnlyPointers>, runtime_only>,  // dead on x86 and NVPTX
      field<&o::StackUsageOutput, x86::affects_codegen>,  // names a file that a compile writes
      field<&o::LoopAlignment, x86::affects_codegen>,
      field<&o::FloatABIType, runtime_only>,  // dead on x86 and NVPTX
      field<&o::AllowFPOpFusion, x86::affects_codegen>,
      field<&o::ThreadModel, x86::affects_optimization, x86::affects_codegen>,
      field<&o::EABIVersion, runtime_only>,  // dead on x86 and NVPTX
      field<&o::DebuggerTuning, x86::affects_codegen>,
      field<accessor<target_options::FPDenormalMode, target_options::set_FPDenormalMode>, runtime_only>,  // dead on x86 and NVPTX
      field<accessor<target_options::FP32DenormalMode, target_options::set_FP32DenormalMode>, runtime_only>,  // dead on x86 and NVPTX
      field<&o::ExceptionModel, x86::affects_codegen>,
      field<&o::MCOptions, per_member>,
      field<&o::ObjectFilenameForDebug, runtime_only>>;  // dead on x86 and NVPTX
};

static_assert(complete<llvm::TargetOptions>);

}  // namespace layerkey
