// One compile's LLVMContext, what LLVM reports through it, and the way from canonical bytes to a
// module and back.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/concat.hpp>
#include <layerkey/llvm/detail/targets.hpp>
#include <layerkey/llvm/ir_module.hpp>

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Bitcode/BitcodeWriterPass.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace layerkey::llvm_detail {

inline ::llvm::StringRef to_ref(std::string_view s) { return {s.data(), s.size()}; }

// LLVM's messages may run over several lines; ours do not.
inline std::string one_line(::llvm::StringRef message) {
  std::string line;
  for (char c : message.trim()) {
    bool const blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

// `FILE:LINE:COLUMN: message`, as far as they are known.
inline std::string located(::llvm::SMDiagnostic const& d, std::string_view file) {
  bool const has_line = d.getLineNo() > 0, has_column = has_line && d.getColumnNo() >= 0;
  std::string const line = has_line ? concat(":", std::to_string(d.getLineNo())) : std::string();
  std::string const column =
      has_column ? concat(":", std::to_string(d.getColumnNo() + 1)) : std::string();
  return concat(file, line, column, ": ", one_line(d.getMessage()));
}

// Keeps the first error that LLVM reports through a context and prints nothing. LLVM's own handler
// writes to stderr and ends the process.
class first_error final : public ::llvm::DiagnosticHandler {
 public:
  explicit first_error(std::string& text) : text_(text) {}

  bool handleDiagnostics(::llvm::DiagnosticInfo const& d) override {
    if (d.getSeverity() == ::llvm::DS_Error && text_.empty()) text_ = text_of(d);
    return true;
  }

 private:
  static std::string text_of(::llvm::DiagnosticInfo const& d) {
    if (d.getKind() == ::llvm::DK_SrcMgr) {
      auto const& source = static_cast<::llvm::DiagnosticInfoSrcMgr const&>(d);
      return located(source.getSMDiag(), "inline assembly");
    }
    ::llvm::SmallString<128> message;
    ::llvm::raw_svector_ostream stream(message);
    ::llvm::DiagnosticPrinterRawOStream printer(stream);
    d.print(printer);
    ::llvm::StringRef text = message;
    text.consume_front("<unknown>:0:0: ");  // LLVM's way to say that there is no debug information
    return one_line(text);
  }

  std::string& text_;
};

// A context that collects what LLVM says. Not shared between threads, not used for a second
// compile.
struct session {
  std::string error;
  ::llvm::LLVMContext context;

  session() { context.setDiagnosticHandler(std::make_unique<first_error>(error)); }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
};

// The error of a stage: the module's source file stands for the file.
inline diagnostics failure(::llvm::Module const& m, std::string_view what) {
  std::string const& file = m.getSourceFileName();
  return {file.empty() ? std::string(what) : concat(file, ": ", what)};
}

// Whose data layout a module gets: in opt-19 the target's where it states none, in llc-19 always
// the target's.
enum class layout { as_stated, of_target };

inline std::unique_ptr<::llvm::Module> parse(session& s, ::llvm::MemoryBufferRef bytes,
                                             ::llvm::SMDiagnostic& d, layout whose) {
  auto const chosen = [whose](::llvm::StringRef triple,
                              ::llvm::StringRef stated) -> std::optional<std::string> {
    if (whose == layout::as_stated && !stated.empty()) return std::nullopt;
    return data_layout_of({triple.data(), triple.size()});
  };
  return ::llvm::parseIR(bytes, d, s.context, ::llvm::ParserCallbacks(chosen));
}

// The canonical bytes as a module. They were verified when they were read or made.
inline std::unique_ptr<::llvm::Module> parse(session& s, ir_module const& canonical, layout whose) {
  ::llvm::SMDiagnostic d;
  auto m = parse(s, ::llvm::MemoryBufferRef(to_ref(canonical.bitcode()), "module"), d, whose);
  if (!m && s.error.empty()) s.error = one_line(d.getMessage());
  return m;
}

inline ir_module module_of(std::string bitcode, ::llvm::Module const& m) {
  auto c = std::make_shared<ir_module::content>();
  c->bitcode = std::move(bitcode);
  c->digest = digest_of(c->bitcode);
  c->triple = m.getTargetTriple();
  for (::llvm::Function const& f : m)
    c->functions_with_own_target += f.hasFnAttribute("target-cpu");
  return ir_module(std::move(c));
}

// The module as what opt-19 writes, use-list order included, because that order changes what LLVM
// makes of a module.
inline ir_module sealed(::llvm::Module& m) {
  std::string bitcode;
  ::llvm::raw_string_ostream stream(bitcode);
  ::llvm::ModuleAnalysisManager none;
  ::llvm::BitcodeWriterPass(stream, true).run(m, none);
  stream.flush();
  return module_of(std::move(bitcode), m);
}

// What the verifier says of a module; empty where it is well-formed.
inline std::string verifier_error(::llvm::Module const& m) {
  std::string text;
  ::llvm::raw_string_ostream stream(text);
  if (!::llvm::verifyModule(m, &stream)) return {};
  return one_line(text);
}

}  // namespace layerkey::llvm_detail
