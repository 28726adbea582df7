// Reading, serialising and hashing of LLVM IR.
#include <layerkey/llvm/compile.hpp>
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>
#include <layerkey/llvm/ir_module.hpp>

#include <llvm-c/Core.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <system_error>

namespace layerkey {

namespace llvm_detail {

inline bool is_bitcode(std::string_view bytes) {
  auto const* const first = reinterpret_cast<unsigned char const*>(bytes.data());
  return ::llvm::isBitcode(first, first + bytes.size());
}

}  // namespace llvm_detail

outcome<ir_module> ir_module::from_file(std::string const& path) {
  ::llvm::sys::fs::file_status status;
  if (auto const error = ::llvm::sys::fs::status(path, status))
    return diagnostics{path +
                       (error == std::errc::no_such_file_or_directory
                            ? ": no such file"
                            : ": cannot be read: " + error.message()) +
                       "; a .ll or .bc file is expected"};
  if (status.type() == ::llvm::sys::fs::file_type::directory_file)
    return diagnostics{path + ": is a directory; a .ll or .bc file is expected"};
  auto buffer = ::llvm::MemoryBuffer::getFile(path);
  if (!buffer) return diagnostics{path + ": cannot be read: " + buffer.getError().message()};
  ::llvm::StringRef const bytes = (*buffer)->getBuffer();
  return from_memory(std::string_view(bytes.data(), bytes.size()), path);
}

outcome<ir_module> ir_module::from_memory(std::string_view ir, std::string const& name) {
  using namespace llvm_detail;
  if (ir.empty())
    return diagnostics{name + ": is empty; LLVM 19 IR, as text or bitcode, is expected"};

  // Text ends at the first zero: a file of zeros would be a module without anything.
  if (ir.front() == '\0')
    return diagnostics{name + ": is no LLVM IR; IR of LLVM 19, as text or bitcode, is expected"};

  initialize_targets();
  bool const bitcode = is_bitcode(ir);
  session s;
  ::llvm::SMDiagnostic d;
  // The text lexer needs the zero at the end that a copy has.
  auto const buffer = ::llvm::MemoryBuffer::getMemBufferCopy(to_ref(ir), name);
  auto const m = parse(s, buffer->getMemBufferRef(), d, layout::as_stated);
  if (!m) {
    std::string text = located(d, name);
    if (d.getMessage().empty() && !s.error.empty()) text = name + ": " + s.error;
    return diagnostics{text + (bitcode ? "; bitcode of LLVM 19 or older, whole, is expected"
                                       : "; LLVM 19 IR, as text or bitcode, is expected")};
  }
  if (std::string const error = verifier_error(*m); !error.empty())
    return diagnostics{name + ": the module is not well-formed: " + error +
                       "; one that opt-19 -passes=verify accepts is expected"};

  // Bitcode stays as it is: written again, equal modules would differ in the order of their names.
  ir_module canonical = bitcode ? module_of(std::string(ir), *m) : sealed(*m);
  if (!s.error.empty()) return diagnostics{name + ": " + s.error};
  return canonical;
}

std::string llvm_version() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  return "LLVM " + std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

content_digest digest_of(std::string_view bytes) {
  ::llvm::BLAKE3 hasher;
  hasher.update(llvm_detail::to_ref(bytes));
  auto const hash = hasher.final<32>();
  content_digest d;
  d.algorithm = digest_algorithm::blake3;
  std::copy(hash.begin(), hash.end(), d.bytes);
  d.size = bytes.size();
  return d;
}

}  // namespace layerkey
