// The back end: what llc-19 runs, to an object, assembly or PTX.
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/renumber.hpp>
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Triple.h>

namespace layerkey {

namespace llvm_detail {

// False where the target makes no output of this kind.
inline bool emit(::llvm::Module& m, ::llvm::TargetMachine& machine, ::llvm::CodeGenFileType type,
                 ::llvm::SmallVectorImpl<char>& bytes) {
  ::llvm::raw_svector_ostream stream(bytes);
  ::llvm::legacy::PassManager passes;
  passes.add(new ::llvm::TargetLibraryInfoWrapperPass(
      ::llvm::TargetLibraryInfoImpl(::llvm::Triple(m.getTargetTriple()))));
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, true)) return false;
  passes.run(m);
  return true;
}

// The module after adopt(), as machine code. The code generator consumes it.
inline outcome<machine_code> generated(session& s, ::llvm::Module& m,
                                       ::llvm::TargetMachine& machine,
                                       ::llvm::CodeGenFileType type) {
  if (m.getDataLayout().isDefault()) m.setDataLayout(machine.createDataLayout());
  ::llvm::SmallVector<char, 0> bytes;
  if (!emit(m, machine, type, bytes))
    return failure(m, "LLVM 19 makes no output of this kind for " + m.getTargetTriple());
  if (!s.error.empty()) return failure(m, s.error);
  return machine_code{std::string(bytes.data(), bytes.size())};
}

void forget_annotations(::llvm::Module& m, ::llvm::TargetMachine& machine) {
  m.dropAllReferences();
  m.setModuleInlineAsm("");
  while (!m.named_metadata_empty()) m.eraseNamedMetadata(&*m.named_metadata_begin());
  while (!m.global_empty()) m.global_begin()->eraseFromParent();
  while (!m.empty()) m.begin()->eraseFromParent();
  while (!m.alias_empty()) m.alias_begin()->eraseFromParent();
  while (!m.ifunc_empty()) m.ifunc_begin()->eraseFromParent();
  ::llvm::SmallVector<char, 0> nothing;
  emit(m, machine, ::llvm::CodeGenFileType::AssemblyFile, nothing);
}

}  // namespace llvm_detail

outcome<machine_code> x86::generate_code(ir_module const& optimized, x86_params const& p) {
  using namespace llvm_detail;
  if (diagnostics d = check(p); !d.text.empty()) return d;
  initialize_targets();
  session s;
  auto const m = parse(s, optimized, layout::of_target);
  if (!m) return diagnostics{s.error};
  if (diagnostics d = adopt(*m, p); !d.text.empty()) return d;
  return generated(s, *m, *back_end_machine(*m, p),
                   is_assembly(p.output) ? ::llvm::CodeGenFileType::AssemblyFile
                                         : ::llvm::CodeGenFileType::ObjectFile);
}

outcome<machine_code> ptx::generate_code(ir_module const& optimized, ptx_params const& p) {
  using namespace llvm_detail;
  if (diagnostics d = check(p); !d.text.empty()) return d;
  initialize_targets();
  session s;
  auto const m = parse(s, optimized, layout::of_target);
  if (!m) return diagnostics{s.error};
  if (diagnostics d = adopt(*m, p); !d.text.empty()) return d;
  outcome<machine_code> code =
      generated(s, *m, *back_end_machine(*m, p), ::llvm::CodeGenFileType::AssemblyFile);
  if (!code) return code;
  return machine_code{renumbered(code->bytes)};
}

}  // namespace layerkey
