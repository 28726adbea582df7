// The two targets: what they know, what is refused, and their TargetMachines.
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

extern "C" {
void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeX86Target(void);
void LLVMInitializeX86TargetMC(void);
void LLVMInitializeX86AsmPrinter(void);
void LLVMInitializeX86AsmParser(void);
void LLVMInitializeNVPTXTargetInfo(void);
void LLVMInitializeNVPTXTarget(void);
void LLVMInitializeNVPTXTargetMC(void);
void LLVMInitializeNVPTXAsmPrinter(void);
}

namespace layerkey {

namespace llvm_detail {

inline constexpr char x86_triple[] = "x86_64-pc-linux-gnu";
inline constexpr char ptx_triple[] = "nvptx64-nvidia-cuda";

void initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

inline ::llvm::Target const& target_of(char const* triple) {
  initialize_targets();
  std::string error;
  return *::llvm::TargetRegistry::lookupTarget(triple, error);
}

// What the CPU and the features amount to. Every name must have been checked: LLVM prints a line
// for one that it does not know. Features are applied one by one because, given as one string,
// those of AVX-512 bring evex512 on every x86 CPU here, but only on the default CPU in the code
// generator.
inline std::unique_ptr<::llvm::MCSubtargetInfo> subtarget(char const* triple,
                                                          std::string_view cpu = {},
                                                          std::string_view features = {}) {
  std::unique_ptr<::llvm::MCSubtargetInfo> table(
      target_of(triple).createMCSubtargetInfo(triple, to_ref(cpu), {}));
  for (::llvm::StringRef const feature : ::llvm::split(to_ref(features), ','))
    if (!feature.empty()) table->ApplyFeatureFlag(feature);
  return table;
}

// The names that a target knows, in LLVM's order, which is that of the alphabet.
struct known_names {
  std::vector<std::string> cpus, features;

  explicit known_names(char const* triple) {
    auto const table = subtarget(triple);
    for (auto const& cpu : table->getAllProcessorDescriptions()) cpus.emplace_back(cpu.Key);
    for (auto const& feature : table->getAllProcessorFeatures()) features.emplace_back(feature.Key);
  }
};

inline known_names const& x86_names() {
  static known_names const names(x86_triple);
  return names;
}

inline known_names const& ptx_names() {
  static known_names const names(ptx_triple);
  return names;
}

inline bool known(std::vector<std::string> const& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `, did you mean 'NAME'`, or nothing where no name is near.
inline std::string suggestion(std::vector<std::string> const& names, std::string_view name) {
  std::string const* nearest = nullptr;
  unsigned least = static_cast<unsigned>(std::max<std::size_t>(2, name.size() / 3)) + 1;
  for (std::string const& n : names) {
    unsigned const distance = to_ref(name).edit_distance(n, true, least);
    if (distance < least) nearest = &n, least = distance;
  }
  return nearest ? concat(", did you mean '", *nearest, "'") : std::string();
}

// What is wrong with `+a,-b` as a list of features that LLVM knows.
inline std::string feature_problem(std::string_view list) {
  ::llvm::SmallVector<::llvm::StringRef, 16> parts;
  if (!list.empty()) to_ref(list).split(parts, ',');
  for (::llvm::StringRef part : parts) {
    if (part.empty()) return "an empty feature; features are +name or -name, separated by commas";
    if (part.front() != '+' && part.front() != '-')
      return concat("the feature '", part, "' has no sign; write '+", part, "' or '-", part, "'");
    std::string const name = part.drop_front().str();
    if (name == "16bit-mode" || name == "32bit-mode" || name == "64bit-mode" || part == "-64bit")
      return concat("the feature '", part, "' is no choice; code is for 64-bit mode");
    if (!known(x86_names().features, name))
      return concat("unknown feature '", name, "'", suggestion(x86_names().features, name),
                    "; llc-19 -march=x86-64 -mattr=help lists all");
  }
  return {};
}

inline std::string cpu_problem(std::string_view cpu) {
  if (cpu.empty() || known(x86_names().cpus, cpu)) return {};
  if (cpu == "native")
    return "the CPU 'native' is another one on every machine; pass what x86::host() says";
  return concat("unknown CPU '", cpu, "'", suggestion(x86_names().cpus, cpu),
                "; llc-19 -march=x86-64 -mcpu=help lists all");
}

// The code generator's rule: with the default CPU, AVX-512 features bring 512-bit registers.
inline bool implies_evex512(std::string_view cpu, ::llvm::StringRef features) {
  if (!cpu.empty() && cpu != "generic" && cpu != "x86-64") return false;
  std::size_t const off =
      features.ends_with("-avx512f") ? features.size() - 8 : features.rfind("-avx512f,");
  std::size_t const on = features.rfind("+avx512");
  return on != ::llvm::StringRef::npos && (off == ::llvm::StringRef::npos || off < on) &&
         !features.contains("evex512");
}

// What is known to end the process inside LLVM. The names are known ones.
inline std::string combination_problem(std::string_view cpu, std::string_view features) {
  auto const table = subtarget(x86_triple, cpu, features);
  if (!table->checkFeatures("+64bit"))
    return concat("the CPU '", cpu, "' has no 64-bit mode; x86-64 is the oldest that has");
  if (table->checkFeatures("+avx512f") && !table->checkFeatures("+evex512") &&
      !table->checkFeatures("+avx512vl") && !implies_evex512(cpu, to_ref(features)))
    return concat(
        "AVX-512 without 512-bit registers on the CPU '", cpu,
        "' ends LLVM 19; add '+evex512' to the features, or '+avx512vl' for 256-bit code");
  return {};
}

inline std::string x86_problem(std::string_view cpu, std::string_view features) {
  std::string text = cpu_problem(cpu);
  if (text.empty()) text = feature_problem(features);
  if (text.empty()) text = combination_problem(cpu, features);
  return text;
}

// What `-mcpu` and `-mattr` do to a function in opt and llc: its own CPU stays, features are
// appended.
inline void stamp(::llvm::Function& f, ::llvm::StringRef cpu, ::llvm::StringRef features) {
  if (!cpu.empty() && !f.hasFnAttribute("target-cpu")) f.addFnAttr("target-cpu", cpu);
  if (features.empty()) return;
  std::string own = f.getFnAttribute("target-features").getValueAsString().str();
  f.addFnAttr("target-features", own.empty() ? features.str() : own + ',' + features.str());
}

// The kinds of code that a CPU with these features cannot have and that end LLVM 19 where they
// occur.
struct missing_units {
  bool sse2 = false, x87 = false, hardware_float = false;  // true: missing

  explicit missing_units(std::string_view cpu, std::string_view features) {
    auto const table = subtarget(x86_triple, cpu, features);
    sse2 = !table->checkFeatures("+sse2");
    x87 = !table->checkFeatures("+x87");
    hardware_float = table->checkFeatures("+soft-float");
  }

  // Empty, or what a value of this type lacks.
  std::string lacks(::llvm::Type const& type) const {
    if (type.isScalableTy()) return "scalable vectors on x86-64; use vectors of fixed length";
    ::llvm::Type const& scalar = *type.getScalarType();
    bool const is_float = scalar.isFloatingPointTy(), is_vector = type.isVectorTy();
    if (scalar.isX86_FP80Ty() && hardware_float)
      return "x86_fp80 with soft-float; remove '+soft-float'";
    if (scalar.isX86_FP80Ty() && x87) return "x86_fp80 without x87; remove '-x87'";
    if ((is_float || is_vector) && sse2)
      return "floating point or vectors without SSE2; remove '-sse2' and '-sse'";
    if (is_vector && hardware_float) return "vectors with soft-float; remove '+soft-float'";
    return {};
  }
};

// What the target's units lack for the first type in the function that they cannot hold.
template<class Units>
std::string unit_problem(::llvm::Function const& f, Units const& units) {
  std::string text = units.lacks(*f.getReturnType());
  for (::llvm::Argument const& a : f.args())
    if (text.empty()) text = units.lacks(*a.getType());
  for (::llvm::Instruction const& i : ::llvm::instructions(f)) {
    if (text.empty()) text = units.lacks(*i.getType());
    for (::llvm::Value const* operand : i.operand_values())
      if (text.empty()) text = units.lacks(*operand->getType());
    if (!text.empty()) break;
  }
  return text.empty() ? text : concat("LLVM 19 makes no code for ", text);
}

// What a function asks for, after stamp(), and LLVM does not survive or would print a line about.
inline diagnostics function_problem(::llvm::Module const& m) {
  std::map<std::tuple<std::string, std::string, std::string>, missing_units> seen;
  for (::llvm::Function const& f : m) {
    auto const text = [&](char const* name) {
      return f.getFnAttribute(name).getValueAsString().str();
    };
    std::tuple const key(text("target-cpu"), text("target-features"), text("tune-cpu"));
    auto const& [cpu, features, tune] = key;
    std::string problem;
    auto known = seen.find(key);
    if (known == seen.end()) {
      problem = x86_problem(cpu, features);
      if (problem.empty()) problem = cpu_problem(tune);
      if (problem.empty()) known = seen.emplace(key, missing_units(cpu, features)).first;
    }
    if (problem.empty() && !f.isDeclaration()) {
      auto units = known->second;
      units.hardware_float |= f.getFnAttribute("use-soft-float").getValueAsBool();
      problem = unit_problem(f, units);
    }
    if (!problem.empty()) return failure(m, concat("function '", f.getName(), "': ", problem));
  }
  return {};
}

// What ends LLVM 19 in NVPTX.
struct gpu_units {
  std::string lacks(::llvm::Type const& type) const {
    if (type.isScalableTy()) return "scalable vectors on NVPTX; use vectors of fixed length";
    auto const& scalar = *type.getScalarType();
    if (scalar.isX86_FP80Ty() || scalar.isPPC_FP128Ty() || scalar.isX86_AMXTy())
      return "x86_fp80, ppc_fp128 or x86_amx on NVPTX; use float or double";
    return {};
  }
};

inline diagnostics gpu_problem(::llvm::Module const& m) {
  for (::llvm::GlobalVariable const& g : m.globals())
    if (g.isThreadLocal())
      return failure(m, concat("the variable '", g.getName(),
                               "' is thread_local, which NVPTX has not; use a local variable"));
  for (::llvm::Function const& f : m)
    if (std::string const problem = unit_problem(f, gpu_units{}); !problem.empty())
      return failure(m, concat("function '", f.getName(), "': ", problem));
  return {};
}

// The triple that a module gets, and what keeps it from this target; no text where nothing does.
struct placed {
  ::llvm::Triple triple;
  std::string problem;
};

inline placed place_on_x86(std::string const& stated) {
  placed p{::llvm::Triple(stated.empty() ? x86_triple : ::llvm::Triple::normalize(stated)), {}};
  if (p.triple.getArch() != ::llvm::Triple::x86_64)
    p.problem = "the module is for " + stated + "; these params compile for x86-64";
  else if (!p.triple.isOSBinFormatELF())
    p.problem = "the module is for " + stated + "; of x86-64, only ELF targets such as " +
                x86_triple + " are supported so far";
  return p;
}

inline placed place_on_ptx(std::string const& stated) {
  placed p{::llvm::Triple(stated.empty() ? ptx_triple : ::llvm::Triple::normalize(stated)), {}};
  if (p.triple.getArch() == ::llvm::Triple::nvptx)
    p.problem = "the module is for 32-bit " + stated + ", which ptxas rejects; " + ptx_triple +
                " is expected";
  else if (p.triple.getArch() != ::llvm::Triple::nvptx64)
    p.problem = "the module is for " + stated + "; these params compile for nvptx64";
  return p;
}

diagnostics adopt(::llvm::Module& m, x86_params const& p) {
  auto const to = place_on_x86(m.getTargetTriple());
  if (!to.problem.empty()) return failure(m, to.problem);
  m.setTargetTriple(to.triple.str());
  for (::llvm::Function& f : m)
    stamp(f, to_ref(std::string_view(p.cpu)), to_ref(std::string_view(p.features)));
  return function_problem(m);
}

diagnostics adopt(::llvm::Module& m, ptx_params const&) {
  auto const to = place_on_ptx(m.getTargetTriple());
  if (!to.problem.empty()) return failure(m, to.problem);
  m.setTargetTriple(to.triple.str());
  return gpu_problem(m);
}

inline ::llvm::Reloc::Model relocation_of(x86_params const& p) {
  return p.relocation_model == x86::relocation_model::static_ ? ::llvm::Reloc::Static
                                                              : ::llvm::Reloc::PIC_;
}

// As without -code-model where it is small: the code generator then takes the module's own.
inline std::optional<::llvm::CodeModel::Model> code_model_of(x86_params const& p) {
  switch (p.code_model) {
    case x86::code_model::kernel:
      return ::llvm::CodeModel::Kernel;
    case x86::code_model::medium:
      return ::llvm::CodeModel::Medium;
    case x86::code_model::large:
      return ::llvm::CodeModel::Large;
    default:
      return std::nullopt;
  }
}

inline ::llvm::CodeGenOptLevel level_of(optimization_level level) {
  switch (codegen_level_of(level)) {
    case codegen_level::none:
      return ::llvm::CodeGenOptLevel::None;
    case codegen_level::less:
      return ::llvm::CodeGenOptLevel::Less;
    case codegen_level::aggressive:
      return ::llvm::CodeGenOptLevel::Aggressive;
    default:
      return ::llvm::CodeGenOptLevel::Default;
  }
}

inline ::llvm::FPOpFusion::FPOpFusionMode fusion_of(fp_contraction mode) {
  switch (mode) {
    case fp_contraction::off:
      return ::llvm::FPOpFusion::Strict;
    case fp_contraction::fast:
      return ::llvm::FPOpFusion::Fast;
    default:
      return ::llvm::FPOpFusion::Standard;
  }
}

// What opt and llc set without being asked, where LLVM's own default is another one.
inline ::llvm::TargetOptions tool_options() {
  ::llvm::TargetOptions o;
  o.NoTrappingFPMath = false;
  o.UseInitArray = true;
  return o;
}

inline std::unique_ptr<::llvm::TargetMachine> machine(
    ::llvm::StringRef triple, std::string_view cpu, std::string_view features,
    ::llvm::TargetOptions const& options, std::optional<::llvm::Reloc::Model> relocation,
    std::optional<::llvm::CodeModel::Model> code_model, ::llvm::CodeGenOptLevel level) {
  std::string error;
  auto const* const target = ::llvm::TargetRegistry::lookupTarget(triple.str(), error);
  return std::unique_ptr<::llvm::TargetMachine>(target->createTargetMachine(
      triple, to_ref(cpu), to_ref(features), options, relocation, code_model, level));
}

std::unique_ptr<::llvm::TargetMachine> middle_end_machine(::llvm::Module const& m,
                                                          x86_params const& p) {
  return machine(m.getTargetTriple(), std::string_view(p.cpu), std::string_view(p.features),
                 tool_options(), relocation_of(p), code_model_of(p), ::llvm::CodeGenOptLevel::None);
}

std::unique_ptr<::llvm::TargetMachine> middle_end_machine(::llvm::Module const& m,
                                                          std::string_view sm) {
  return machine(m.getTargetTriple(), sm, {}, tool_options(), std::nullopt, std::nullopt,
                 ::llvm::CodeGenOptLevel::None);
}

std::unique_ptr<::llvm::TargetMachine> back_end_machine(::llvm::Module const& m,
                                                        x86_params const& p) {
  ::llvm::TargetOptions o = tool_options();
  o.AllowFPOpFusion = fusion_of(p.fp_contract);
  o.FunctionSections = p.function_sections;
  o.DataSections = p.data_sections;
  o.UniqueSectionNames = p.unique_section_names;
  o.UseInitArray = p.use_init_array;
  o.EmulatedTLS = p.emulated_tls;
  o.GuaranteedTailCallOpt = p.guaranteed_tail_calls;
  o.NoZerosInBSS = !p.zeros_in_bss;
  o.StackSymbolOrdering = p.stack_symbol_ordering;
  o.EnableIPRA = p.interprocedural_registers;
  o.EmitStackSizeSection = p.stack_size_section;
  o.EmitAddrsig = p.address_significance;
  o.TrapUnreachable = p.trap_unreachable;
  o.NoTrapAfterNoreturn = p.no_trap_after_noreturn;
  o.MCOptions.AsmVerbose = p.verbose_assembly;
  auto code_model = code_model_of(p);
  if (!code_model) code_model = m.getCodeModel();
  return machine(m.getTargetTriple(), std::string_view(p.cpu), std::string_view(p.features), o,
                 relocation_of(p), code_model, level_of(p.level));
}

std::unique_ptr<::llvm::TargetMachine> back_end_machine(::llvm::Module const& m,
                                                        ptx_params const& p) {
  ::llvm::TargetOptions o = tool_options();
  o.AllowFPOpFusion = fusion_of(p.fp_contract);
  o.TrapUnreachable = p.trap_unreachable;
  o.EnableIPRA = p.interprocedural_registers;
  o.MCOptions.AsmVerbose = p.verbose_assembly;
  std::string const features =
      p.ptx_version == 0 ? "" : concat("+ptx", std::to_string(p.ptx_version));
  return machine(m.getTargetTriple(), std::string_view(p.sm), features, o, std::nullopt,
                 std::nullopt, level_of(p.level));
}

std::optional<std::string> data_layout_of(std::string_view stated) {
  std::string const triple = ::llvm::Triple::normalize(to_ref(stated));
  auto const arch = ::llvm::Triple(triple).getArch();
  if (arch != ::llvm::Triple::x86_64 && arch != ::llvm::Triple::nvptx64) return std::nullopt;
  initialize_targets();
  return machine(triple, {}, {}, tool_options(), std::nullopt, std::nullopt,
                 ::llvm::CodeGenOptLevel::None)
      ->createDataLayout()
      .getStringRepresentation();
}

}  // namespace llvm_detail

namespace x86 {

diagnostics check(ir_module const& input, x86_params const&) {
  return {llvm_detail::place_on_x86(input.triple()).problem};
}

diagnostics check(x86_params const& p) {
  return {llvm_detail::x86_problem(std::string_view(p.cpu), std::string_view(p.features))};
}

host_target host() {
  std::string const cpu = ::llvm::sys::getHostCPUName().str();
  auto const table = llvm_detail::subtarget(llvm_detail::x86_triple, cpu);
  std::vector<std::string> features;
  for (auto const& feature : ::llvm::sys::getHostCPUFeatures()) {
    std::string const name = feature.first().str();
    if (!llvm_detail::known(llvm_detail::x86_names().features, name)) continue;
    if (table->checkFeatures("+" + name) != feature.second)
      features.push_back((feature.second ? "+" : "-") + name);
  }
  std::sort(features.begin(), features.end(),
            [](auto const& a, auto const& b) { return a.compare(1, a.npos, b, 1, b.npos) < 0; });
  return {cpu, ::llvm::join(features, ",")};
}

std::vector<std::string> cpu_names() { return llvm_detail::x86_names().cpus; }
std::vector<std::string> feature_names() { return llvm_detail::x86_names().features; }

}  // namespace x86

namespace ptx {

diagnostics check(ir_module const& input, ptx_params const&) {
  return {llvm_detail::place_on_ptx(input.triple()).problem};
}

diagnostics check(ptx_params const& p) {
  std::string_view const sm(p.sm);
  std::vector<std::string> const sms = sm_names();
  if (!llvm_detail::known(sms, sm))
    return {llvm_detail::concat("unknown architecture '", sm, "'; LLVM 19 knows ", sms.front(),
                                " to ", sms.back(),
                                "; llc-19 -march=nvptx64 -mcpu=help lists all")};
  std::vector<int> const versions = ptx_versions();
  if (p.ptx_version != 0 && !std::binary_search(versions.begin(), versions.end(), p.ptx_version))
    return {llvm_detail::concat("unknown PTX version ", std::to_string(p.ptx_version),
                                "; LLVM 19 knows ", std::to_string(versions.front()), " (3.2) to ",
                                std::to_string(versions.back()),
                                " (8.5), and 0 for what the architecture needs")};
  return {};
}

std::vector<std::string> sm_names() { return llvm_detail::ptx_names().cpus; }

std::vector<int> ptx_versions() {
  std::vector<int> versions;
  for (::llvm::StringRef name : llvm_detail::ptx_names().features)
    if (int version = 0; name.consume_front("ptx") && !name.getAsInteger(10, version))
      versions.push_back(version);
  return versions;
}

}  // namespace ptx

}  // namespace layerkey
