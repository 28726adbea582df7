// x86-64 objects, linked into this process by ORC.
#include <layerkey/llvm/detail/session.hpp>
#include <layerkey/llvm/detail/targets.hpp>
#include <layerkey/llvm/loaded_code.hpp>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Object/ELFObjectFile.h>

#include <map>
#include <vector>

namespace layerkey {

struct loaded_code::image {
  std::unique_ptr<::llvm::orc::LLJIT> jit;
  std::map<std::string, void*, std::less<>> symbols;
};

namespace llvm_detail {

// The names that an object defines for others to see, or why it cannot be loaded.
inline std::string scan(::llvm::StringRef bytes, std::vector<std::string>& names) {
  if (!bytes.starts_with("\177ELF"))
    return "not an ELF object; a stage with output object makes one, assembly text and PTX cannot "
           "be loaded";
  auto file =
      ::llvm::object::ObjectFile::createObjectFile(::llvm::MemoryBufferRef(bytes, "object"));
  if (!file) return one_line(::llvm::toString(file.takeError()));
  auto const* const elf = ::llvm::dyn_cast<::llvm::object::ELF64LEObjectFile>(file->get());
  if (!elf || elf->getArch() != ::llvm::Triple::x86_64 || !elf->isRelocatableObject())
    return "not a relocatable x86-64 object";
  for (::llvm::object::ELFSymbolRef const symbol : elf->symbols()) {
    auto name = symbol.getName();
    if (!name) return one_line(::llvm::toString(name.takeError()));
    auto flags = symbol.getFlags();
    if (!flags) return one_line(::llvm::toString(flags.takeError()));
    if (symbol.getELFType() == ::llvm::ELF::STT_TLS)
      return concat("thread-local variable '", *name,
                    "'; native ones cannot be loaded, emulated_tls makes ones that can");
    bool const defined = !(*flags & ::llvm::object::SymbolRef::SF_Undefined);
    bool const global =
        *flags & (::llvm::object::SymbolRef::SF_Global | ::llvm::object::SymbolRef::SF_Weak);
    if (defined && global) names.push_back(name->str());
  }
  return {};
}

}  // namespace llvm_detail

outcome<loaded_code> loaded_code::from_object(machine_code const& object) {
  using namespace llvm_detail;
  std::vector<std::string> names;
  if (std::string error = scan(to_ref(object.bytes), names); !error.empty())
    return diagnostics{"object: " + error};

  initialize_targets();
  auto const failed = [](::llvm::Error e) {
    return diagnostics{
        concat("object: cannot be loaded: ", one_line(::llvm::toString(std::move(e))))};
  };
  auto made = std::make_shared<image>();
  auto jit = ::llvm::orc::LLJITBuilder().create();
  if (!jit) return failed(jit.takeError());
  made->jit = std::move(*jit);

  // The session reports why a lookup failed apart from the lookup, by default on stderr.
  auto const reported = std::make_shared<std::string>();
  made->jit->getExecutionSession().setErrorReporter([reported](::llvm::Error e) {
    std::string const text = one_line(::llvm::toString(std::move(e)));
    if (reported->empty()) *reported = text;
  });
  if (auto e = made->jit->addObjectFile(
          ::llvm::MemoryBuffer::getMemBufferCopy(to_ref(object.bytes), "object")))
    return failed(std::move(e));
  for (std::string const& name : names) {
    auto address = made->jit->lookup(name);
    if (!address) {
      diagnostics d = failed(address.takeError());
      if (!reported->empty()) d.text = "object: cannot be loaded: " + *reported;
      return d;
    }
    made->symbols.emplace(name, address->toPtr<void*>());
  }
  return loaded_code(std::shared_ptr<image const>(std::move(made)));
}

void* loaded_code::address(std::string const& symbol) const {
  auto const found = image_->symbols.find(symbol);
  return found == image_->symbols.end() ? nullptr : found->second;
}

}  // namespace layerkey
