// What a PTX module needs before its architecture can be forgotten: the device library, the
// treatment of subnormal numbers, and the answers to __nvvm_reflect.
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>

#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace layerkey {

namespace llvm_detail {

struct device_library {
  std::string path;
  std::string bytes;
  std::set<std::string, std::less<>> defines;
};

// Every device library that this process has read, by digest. Entries are never removed or changed.
class device_libraries {
 public:
  static device_libraries& instance() {
    static device_libraries libraries;
    return libraries;
  }

  device_library const* find(content_digest const& d) {
    std::lock_guard const lock(mutex_);
    auto const found = libraries_.find(name_of(d));
    return found == libraries_.end() ? nullptr : &found->second;
  }

  void add(content_digest const& d, device_library library) {
    std::lock_guard const lock(mutex_);
    libraries_.emplace(name_of(d), std::move(library));
  }

 private:
  static std::string name_of(content_digest const& d) {
    std::string name(std::begin(d.bytes), std::end(d.bytes));
    return name + std::to_string(d.size) + static_cast<char>('0' + static_cast<int>(d.algorithm));
  }

  std::mutex mutex_;
  std::map<std::string, device_library> libraries_;
};

inline bool lacks_what_defines(::llvm::Module const& m, device_library const& library) {
  return std::any_of(m.begin(), m.end(), [&](::llvm::Function const& f) {
    return f.isDeclaration() && !f.isIntrinsic() && !f.use_empty() &&
           library.defines.contains(std::string_view(f.getName()));
  });
}

// Links what the module lacks, as internal functions. A module that lacks nothing stays as it is:
// the library is not even read into its context, which would leave its metadata kinds in the bytes.
inline diagnostics link_device_library(session& s, ::llvm::Module& m, content_digest const& digest,
                                       bool& changed) {
  device_library const* const known = device_libraries::instance().find(digest);
  if (!known)
    return failure(m,
                   "the device library of these params was not read in this process; "
                   "ptx::load_device_library reads it");
  if (!lacks_what_defines(m, *known)) return {};
  ::llvm::SMDiagnostic d;
  auto library = ::llvm::getLazyIRModule(
      ::llvm::MemoryBuffer::getMemBuffer(known->bytes, known->path, false), d, s.context);
  if (!library) return {located(d, known->path)};
  changed = true;
  library->setTargetTriple(m.getTargetTriple());
  library->setDataLayout(m.getDataLayout());
  bool const failed = ::llvm::Linker::linkModules(
      m, std::move(library), ::llvm::Linker::LinkOnlyNeeded,
      [](::llvm::Module& linked, ::llvm::StringSet<> const& added) {
        ::llvm::internalizeModule(linked, [&](::llvm::GlobalValue const& v) {
          return !v.hasName() || !added.count(v.getName());
        });
      });
  if (failed || !s.error.empty())
    return failure(m, "cannot be linked with " + known->path + ": " + s.error);
  return {};
}

inline void flush_subnormals(::llvm::Module& m) {
  auto* const one = ::llvm::ConstantInt::get(::llvm::Type::getInt32Ty(m.getContext()), 1);
  m.setModuleFlag(::llvm::Module::Override, "nvvm-reflect-ftz",
                  ::llvm::ConstantAsMetadata::get(one));
  for (::llvm::Function& f : m)
    if (!f.isDeclaration()) f.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

inline bool is_reflect(::llvm::Function const& f) {
  return f.getName() == "__nvvm_reflect" || f.getName() == "__nvvm_reflect_ocl" ||
         f.getIntrinsicID() == ::llvm::Intrinsic::nvvm_reflect;
}

inline bool asks(::llvm::Module const& m) {
  return std::any_of(m.begin(), m.end(),
                     [](auto const& f) { return is_reflect(f) && !f.use_empty(); });
}

// LLVM's pass takes the form of a question for granted.
inline bool is_answerable(::llvm::CallInst const& call) {
  if (!call.getType()->isIntegerTy() || call.arg_size() != 1) return false;
  ::llvm::Value const* text = call.getArgOperand(0);
  if (auto const* const conversion = ::llvm::dyn_cast<::llvm::CallInst>(text)) {
    if (conversion->arg_size() == 0) return false;
    text = conversion->getArgOperand(0);
  }
  auto const* constant = ::llvm::dyn_cast<::llvm::Constant>(text->stripPointerCasts());
  if (!constant || constant->getNumOperands() == 0) return false;
  ::llvm::Value const* operand = constant->getOperand(0);
  if (auto const* const global = ::llvm::dyn_cast<::llvm::GlobalVariable>(operand)) {
    if (!global->hasInitializer()) return false;
    operand = global->getInitializer();
  }
  auto const* const data = ::llvm::dyn_cast<::llvm::ConstantDataSequential>(operand);
  return data && data->isCString();
}

inline diagnostics reflect_problem(::llvm::Module const& m) {
  for (::llvm::Function const& f : m) {
    if (is_reflect(f) && !f.isDeclaration())
      return failure(
          m, concat("'", f.getName(), "' has a body; LLVM answers it, and it is only declared"));
    for (::llvm::Instruction const& i : ::llvm::instructions(f)) {
      auto const* const call = ::llvm::dyn_cast<::llvm::CallInst>(&i);
      if (!call || !call->getCalledFunction() || !is_reflect(*call->getCalledFunction())) continue;
      if (!is_answerable(*call))
        return failure(
            m, concat("function '", f.getName(), "' calls '", call->getCalledFunction()->getName(),
                      "' with something else than a constant string; only constant strings such "
                      "as \"__CUDA_ARCH\" are answered"));
    }
  }
  return {};
}

// Runs LLVM's own NVVMReflect pass and no other. Its answer needs the architecture, which it only
// gets where the TargetMachine itself puts the pass at the start of a pipeline.
inline void answer_reflect(::llvm::Module& m, ::llvm::TargetMachine& machine) {
  ::llvm::LoopAnalysisManager loops;
  ::llvm::FunctionAnalysisManager functions;
  ::llvm::CGSCCAnalysisManager sccs;
  ::llvm::ModuleAnalysisManager modules;
  ::llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](::llvm::StringRef pass, ::llvm::Any) { return pass == "NVVMReflectPass"; });
  ::llvm::PassBuilder builder(&machine, {}, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  ::llvm::ModulePassManager passes;
  builder.invokePipelineStartEPCallbacks(passes, ::llvm::OptimizationLevel::O2);
  passes.run(m, modules);
}

}  // namespace llvm_detail

outcome<ir_module> ptx::specialize_ir(ir_module const& input, ptx_params const& p) {
  using namespace llvm_detail;
  if (diagnostics d = check(p); !d.text.empty()) return d;
  initialize_targets();
  session s;
  auto const m = parse(s, input, layout::as_stated);
  if (!m) return diagnostics{s.error};
  if (diagnostics d = adopt(*m, p); !d.text.empty()) return d;
  auto const machine = middle_end_machine(*m, std::string_view(p.sm));
  if (m->getDataLayout().isDefault()) m->setDataLayout(machine->createDataLayout());

  bool changed = false;
  if (p.libdevice)
    if (diagnostics d = link_device_library(s, *m, p.libdevice, changed); !d.text.empty()) return d;
  if (p.ftz) flush_subnormals(*m);
  bool const asking = asks(*m);
  if (asking) {
    if (diagnostics d = reflect_problem(*m); !d.text.empty()) return d;
    answer_reflect(*m, *machine);
  }
  if (!s.error.empty()) return failure(*m, s.error);
  if (!changed && !p.ftz && !asking) return input;
  if (std::string const error = verifier_error(*m); !error.empty())
    return failure(*m, "the linked module is not well-formed: " + error);
  return sealed(*m);
}

outcome<content_digest> ptx::load_device_library(std::string const& path) {
  using namespace llvm_detail;
  if (::llvm::sys::fs::is_directory(path))
    return diagnostics{path +
                       ": is a directory; a device library such as libdevice.10.bc is expected"};
  auto const buffer = ::llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return diagnostics{path + ": cannot be read: " + buffer.getError().message() +
                       "; a device library such as libdevice.10.bc is expected"};
  device_library library{path, (*buffer)->getBuffer().str(), {}};
  content_digest const digest = digest_of(library.bytes);
  if (device_libraries::instance().find(digest)) return digest;

  // Read whole, once: later it is read lazily, and an error would come late.
  outcome<ir_module> const whole = ir_module::from_memory(library.bytes, path);
  if (!whole) return whole.error();
  ::llvm::Triple const triple(::llvm::Triple::normalize(whole->triple()));
  if (!whole->triple().empty() && triple.getArch() != ::llvm::Triple::nvptx64)
    return diagnostics{path + ": is for " + whole->triple() +
                       "; a device library for nvptx64 is expected"};
  session s;
  auto const m = parse(s, *whole, layout::as_stated);
  if (!m) return diagnostics{path + ": " + s.error};
  for (::llvm::Function const& f : *m)
    if (!f.isDeclaration()) library.defines.insert(f.getName().str());
  device_libraries::instance().add(digest, std::move(library));
  return digest;
}

}  // namespace layerkey
