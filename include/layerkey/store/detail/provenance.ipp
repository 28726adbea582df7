// Provenance, and build ids of what the dynamic linker has loaded.
#include <layerkey/store/detail/sodium.hpp>
#include <layerkey/store/provenance.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>

namespace layerkey {
namespace detail {
namespace {

void append_hex(std::string& out, unsigned char byte) {
  constexpr char const* digits = "0123456789abcdef";
  (out += digits[byte / 16]) += digits[byte % 16];
}

std::string hex_of(unsigned char const* bytes, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i != count; ++i) append_hex(out, bytes[i]);
  return out;
}

std::string hex_of(std::uintptr_t number) {
  std::string out;
  do out.insert(out.begin(), "0123456789abcdef"[number % 16]);
  while ((number /= 16) != 0);
  return out;
}

void append_escaped(std::string& out, std::string_view text) {
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == ',' || c == '=' || c == '\\')
      append_hex(out += "\\x", byte);
    else
      out += c;
  }
}

// ---- what the dynamic linker has loaded --------------------------------------------------------

// As long as it is being looked at, which keeps it loaded.
struct loaded_object {
  dl_phdr_info const& info;
  bool is_program;

  std::string path() const { return is_program ? "/proc/self/exe" : info.dlpi_name; }
  // The kernel's part has a name and no file.
  bool is_file() const { return is_program || std::strchr(info.dlpi_name, '/') != nullptr; }
  std::string_view file_name() const {
    std::string_view const path = is_program ? std::string_view() : info.dlpi_name;
    return path.substr(path.rfind('/') + 1);
  }

  template<class F>
  void for_each_segment(unsigned type, F&& f) const {
    for (std::size_t i = 0; i != info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == type) f(info.dlpi_phdr[i]);
  }

  // Of an address in memory with so many bytes behind it.
  bool has(std::uintptr_t address, std::uintptr_t size) const {
    bool found = false;
    for_each_segment(PT_LOAD, [&](ElfW(Phdr) const& segment) {
      std::uintptr_t const in = address - info.dlpi_addr - segment.p_vaddr;
      found |= in < segment.p_memsz && size <= segment.p_memsz - in;
    });
    return found;
  }
};

// Calls f with each loaded object, the program first.
template<class F>
void for_each_loaded(F&& f) {
  struct step {
    F& f;
    bool is_first;
  } each{f, true};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& now = *static_cast<step*>(data);
        now.f(loaded_object{*info, std::exchange(now.is_first, false)});
        return 0;
      },
      &each);
}

unsigned char const* in_memory(std::uintptr_t address) {
  return std::bit_cast<unsigned char const*>(address);
}

std::string build_id_in(unsigned char const* notes, std::size_t size, std::size_t align) {
  auto const padded = [align](std::size_t n) { return (n + align - 1) / align * align; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    std::size_t const name = sizeof note;
    std::size_t const content = padded(name + note.n_namesz);
    if (note.n_namesz > size || content > size || note.n_descsz > size - content) return {};
    auto const* const first = notes + content;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes + name, ELF_NOTE_GNU, 4) == 0 &&
        std::any_of(first, first + note.n_descsz, [](unsigned char byte) { return byte != 0; }))
      return "build-id:" + hex_of(first, note.n_descsz);
    std::size_t const whole = padded(content + note.n_descsz);
    if (whole > size) return {};
    notes += whole;
    size -= whole;
  }
  return {};
}

// Empty: the linker was not asked to write one.
std::string build_id_of(loaded_object const& object) {
  std::string found;
  object.for_each_segment(PT_NOTE, [&](ElfW(Phdr) const& segment) {
    std::uintptr_t const at = object.info.dlpi_addr + segment.p_vaddr;
    if (found.empty() && object.has(at, segment.p_memsz))
      found = build_id_in(in_memory(at), segment.p_memsz, segment.p_align == 8 ? 8 : 4);
  });
  return found;
}

struct identity {
  std::string id;
  std::string problem;
};

// Whether the piece of a file that begins at `offset` is what was loaded of it. Breakpoints that a
// debugger set make no difference.
bool is_loaded(loaded_object const& object, std::uint64_t offset, unsigned char const* piece,
               std::size_t size) {
  bool same = true;
  object.for_each_segment(PT_LOAD, [&](ElfW(Phdr) const& segment) {
    if ((segment.p_flags & PF_W) != 0 || (segment.p_flags & PF_R) == 0) return;
    std::uint64_t const first = std::max<std::uint64_t>(offset, segment.p_offset);
    std::uint64_t const last =
        std::min<std::uint64_t>(offset + size, segment.p_offset + segment.p_filesz);
    if (first >= last) return;
    auto const* const memory =
        in_memory(object.info.dlpi_addr + segment.p_vaddr + (first - segment.p_offset));
    constexpr unsigned char breakpoint = 0xcc;
    for (std::uint64_t i = 0; i != last - first; ++i)
      same &= memory[i] == piece[first - offset + i] || memory[i] == breakpoint;
  });
  return same;
}

identity digest_of_file(loaded_object const& object) {
  std::string const path = object.path();
  std::string const where = "provenance: " + (object.is_program ? "this program" : path);
  auto const cannot_read = [&](int error) {
    return identity{{},
                    where + " has no build id and its file cannot be read: " +
                        std::generic_category().message(error) + ". Link it with -Wl,--build-id"};
  };
  int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot_read(errno);
  struct closing {
    int file;
    ~closing() { ::close(file); }
  } const closes{file};

  blake2b digest;
  std::vector<unsigned char> piece(std::size_t{1} << 18);
  std::uint64_t offset = 0;
  bool same = true;
  for (;;) {
    ssize_t const count = ::read(file, piece.data(), piece.size());
    if (count == 0) break;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read(errno);
    auto const size = static_cast<std::size_t>(count);
    digest.add({reinterpret_cast<char const*>(piece.data()), size});
    same = same && is_loaded(object, offset, piece.data(), size);
    offset += size;
  }
  // A file that is cut says too little of what is loaded.
  object.for_each_segment(PT_LOAD, [&](ElfW(Phdr) const& segment) {
    same &= segment.p_offset + segment.p_filesz <= offset;
  });
  if (!same)
    return {{},
            where + " has no build id and its file is not what is loaded any more. Start the " +
                "program anew, or link it with -Wl,--build-id"};
  auto const bytes = digest.end();
  return {"blake2b:" + hex_of(bytes.data(), bytes.size()), {}};
}

identity identity_of(loaded_object const& object) {
  if (std::string id = build_id_of(object); !id.empty()) return {std::move(id), {}};
  // A place in memory is another file's only after something was unloaded.
  static std::mutex mutex;
  static std::map<std::tuple<std::string, std::uintptr_t, unsigned long long>, identity> known;
  std::lock_guard const lock(mutex);
  auto const [found, is_new] = known.try_emplace(
      std::tuple(object.path(), object.info.dlpi_addr, object.info.dlpi_subs), identity());
  if (is_new) found->second = digest_of_file(object);
  return found->second;
}

// "libLLVM" is libLLVM.so.19.1 and libLLVM-19.so.1.
bool is_named(std::string_view file_name, std::string_view name) {
  if (name.empty() || !file_name.starts_with(name)) return false;
  if (file_name.size() == name.size()) return true;
  auto const next = static_cast<unsigned char>(file_name[name.size()]);
  return !(next >= 'a' && next <= 'z') && !(next >= 'A' && next <= 'Z') && next != '_';
}

std::vector<identity> identities_of_library(std::string_view name) {
  std::vector<identity> found;
  for_each_loaded([&](loaded_object const& object) {
    if (object.is_file() && is_named(object.file_name(), name))
      found.push_back(identity_of(object));
  });
  return found;
}

std::uintptr_t address_of_this() { return reinterpret_cast<std::uintptr_t>(&address_of_this); }

// Whether it is a jump to a function of a library, which a program that is not position-independent
// takes for the function's address.
bool is_jump_elsewhere(void const* address) {
  Dl_info info;
  void* extra = nullptr;
  if (dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0) return false;
  auto const* const symbol = static_cast<ElfW(Sym) const*>(extra);
  return symbol != nullptr && info.dli_saddr == address && symbol->st_shndx == SHN_UNDEF;
}

// Of everything that is loaded, for code of which nobody knows where it is.
std::string identity_of_all() {
  std::vector<std::string> all;
  for_each_loaded([&](loaded_object const& object) {
    if (!object.is_file()) return;
    auto const [id, problem] = identity_of(object);
    all.push_back(id.empty() ? problem : id);
  });
  std::sort(all.begin(), all.end());
  blake2b digest;
  for (auto const& each : all) digest.add_sized(each);
  auto const bytes = digest.end();
  return "all-loaded:" + hex_of(bytes.data(), bytes.size());
}

// Nothing else in the world is called so.
std::string const& name_of_this_process() {
  static std::string const name = [] {
    prepare_sodium();
    unsigned char bytes[16];
    randombytes_buf(bytes, sizeof bytes);
    return "process:" + hex_of(bytes, sizeof bytes);
  }();
  return name;
}

}  // namespace
}  // namespace detail

provenance::provenance(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  for (auto const& [name, value] : pairs) add(name, value);
}

provenance& provenance::add(std::string_view name, std::string_view value) {
  if (name.empty()) fail("provenance: a value without a name. Name what it is the version of");
  pair added(name, value);
  pairs_.insert(std::upper_bound(pairs_.begin(), pairs_.end(), added), std::move(added));
  text_.clear();
  for (auto const& [each, its_value] : pairs_) {
    if (!text_.empty()) text_ += ", ";
    detail::append_escaped(text_, each);
    detail::append_escaped(text_ += '=', its_value);
  }
  return *this;
}

provenance& provenance::add(provenance const& other) {
  for (auto const& [name, value] : std::vector(other.pairs_)) add(name, value);
  if (!other.problem_.empty()) fail(other.problem_);
  by_build_ = by_build_ || other.by_build_;
  return *this;
}

void provenance::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

provenance this_build(std::initializer_list<std::string_view> libraries) {
  using namespace detail;
  provenance made;
  made.by_build_ = true;
  auto const add = [&made](std::string_view name, identity const& found) {
    if (found.problem.empty())
      made.add(name, found.id);
    else
      made.fail(found.problem);
  };
  for_each_loaded([&](loaded_object const& object) {
    if (object.is_program)
      add("program", identity_of(object));
    else if (object.has(address_of_this(), 1))
      add("layerkey", identity_of(object));
  });
  for (std::string_view const name : libraries) {
    auto const found = identities_of_library(name);
    for (auto const& each : found) add(name, each);
    if (found.empty())
      made.fail("provenance: no library of the name " + std::string(name) +
                " is loaded. Give the beginning of its file's name, such as libLLVM, after it is " +
                "loaded; what is linked into the program itself needs no name");
  }
  return made;
}

std::string build_id_of_library(std::string_view name) {
  std::string all;
  for (auto const& [id, problem] : detail::identities_of_library(name)) {
    if (!problem.empty()) return {};
    if (!all.empty()) all += ' ';
    all += id;
  }
  return all;
}

std::string build_id_of_code(void const* address) {
  using namespace detail;
  auto const at = reinterpret_cast<std::uintptr_t>(address);
  std::string found;
  for_each_loaded([&](loaded_object const& object) {
    if (!object.is_file() || !object.has(at, 1)) return;
    if (std::string const id = identity_of(object).id; !id.empty())
      found = id + "+0x" + hex_of(at - object.info.dlpi_addr);
  });
  if (!found.empty() && is_jump_elsewhere(address)) found += ' ' + identity_of_all();
  return found.empty() ? name_of_this_process() + "+0x" + hex_of(at) : found;
}

}  // namespace layerkey
