// Provenance: what it says, and what this_build() finds out about loaded code.
#include <layerkey/store/provenance.hpp>

#include "entries.hpp"

#include <catch2/catch.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

using namespace layerkey;

namespace {

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool is_id(std::string_view text) {
  std::string_view hex = text.substr(text.find(':') + 1);
  return (text.starts_with("build-id:") ? hex.size() >= 16
                                        : text.starts_with("blake2b:") && hex.size() == 64) &&
         hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string value_of(provenance const& p, std::string_view name) {
  for (auto const& [each, value] : p.pairs())
    if (each == name) return value;
  return "(none)";
}

std::string blake2b_of(std::string const& bytes) {
  unsigned char digest[32];
  crypto_generichash(digest, sizeof digest, reinterpret_cast<unsigned char const*>(bytes.data()),
                     bytes.size(), nullptr, 0);
  std::string hex(2 * sizeof digest + 1, '\0');
  sodium_bin2hex(hex.data(), hex.size(), digest, sizeof digest);
  hex.pop_back();
  return "blake2b:" + hex;
}

// A shared library of one page with nothing in it, and no build id if that is empty.
std::string library(std::string const& build_id, char filling) {
  std::string image(0x400, filling);
  auto const put = [&image](std::size_t at, auto const& what) {
    std::memcpy(image.data() + at, &what, sizeof what);
  };
  ElfW(Ehdr) header = {};
  std::ifstream self("/proc/self/exe", std::ios::binary);
  self.read(reinterpret_cast<char*>(&header), sizeof header);  // of this machine
  header.e_type = ET_DYN;
  header.e_entry = 0;
  header.e_phoff = sizeof header;
  header.e_phnum = 4;
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  put(0, header);

  constexpr std::size_t dynamic = 0x180;
  constexpr std::size_t strings = 0x280;
  constexpr std::size_t symbols = 0x288;
  constexpr std::size_t hash = 0x2c0;
  constexpr std::size_t note = 0x300;
  ElfW(Dyn) entries[6] = {};
  std::pair<int, std::size_t> const wanted[] = {{DT_STRTAB, strings},
                                                {DT_SYMTAB, symbols},
                                                {DT_STRSZ, 1},
                                                {DT_SYMENT, sizeof(ElfW(Sym))},
                                                {DT_HASH, hash}};
  for (std::size_t i = 0; i != std::size(wanted); ++i) {
    entries[i].d_tag = wanted[i].first;
    entries[i].d_un.d_val = wanted[i].second;
  }
  put(dynamic, entries);
  put(strings, '\0');
  put(symbols, ElfW(Sym){});
  std::uint32_t const table[] = {1, 1, 0, 0};
  put(hash, table);
  std::uint32_t const note_header[] = {4, static_cast<std::uint32_t>(build_id.size()),
                                       NT_GNU_BUILD_ID};
  put(note, note_header);
  std::string const note_bytes = std::string("GNU\0", 4) + build_id;
  image.replace(note + sizeof note_header, note_bytes.size(), note_bytes);

  auto const segment = [](unsigned type, unsigned flags, std::size_t at, std::size_t size) {
    ElfW(Phdr) s = {};
    s.p_type = type;
    s.p_flags = flags;
    s.p_offset = s.p_vaddr = s.p_paddr = at;
    s.p_filesz = s.p_memsz = size;
    s.p_align = type == PT_LOAD ? 0x1000 : 4;
    return s;
  };
  ElfW(Phdr) const segments[] = {
      segment(PT_LOAD, PF_R, 0, image.size()),
      segment(PT_DYNAMIC, PF_R, dynamic, sizeof entries),
      segment(PT_GNU_STACK, PF_R | PF_W, 0, 0),
      segment(build_id.empty() ? PT_NULL : PT_NOTE, PF_R, note,
              sizeof note_header + note_bytes.size()),
  };
  put(sizeof header, segments);
  return image;
}

// A folder with libraries, which go with it.
class libraries {
 public:
  libraries() {
    std::string name =
        (std::filesystem::temp_directory_path() / "layerkey_provenance_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  libraries(libraries const&) = delete;
  libraries& operator=(libraries const&) = delete;
  ~libraries() { std::filesystem::remove_all(folder_); }

  std::string path(std::string const& name) const { return (folder_ / name).string(); }
  // A new file in the place of an old one.
  void write(std::string const& name, std::string const& bytes) const {
    std::filesystem::remove(path(name));
    std::ofstream(path(name), std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path folder_;
};

class loaded {
 public:
  explicit loaded(std::string const& path) : handle(::dlopen(path.c_str(), RTLD_NOW)) {
    INFO(path << (handle == nullptr ? ::dlerror() : ""));
    REQUIRE(handle != nullptr);
  }
  loaded(loaded const&) = delete;
  loaded& operator=(loaded const&) = delete;
  ~loaded() { ::dlclose(handle); }

  // An address inside.
  void const* base() const {
    link_map* map = nullptr;
    REQUIRE(::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0);
    return reinterpret_cast<void const*>(map->l_addr);
  }

  void* handle;
};

int first(int x) { return x + 1; }
int second(int x) { return x + 2; }

void const* code(int (*f)(int)) { return reinterpret_cast<void const*>(f); }

}  // namespace

// ---- names and values --------------------------------------------------------------------------

TEST_CASE("provenance: names and values, in any order") {
  provenance const p{{"scheme", "2"}, {"clang", "19.1.7"}};
  CHECK(p.text() == "clang=19.1.7, scheme=2");
  CHECK(to_text(p) == p.text());
  CHECK(p.problem() == "");
  CHECK(!p.empty());
  CHECK(!p.by_build());
  CHECK(p == provenance{{"clang", "19.1.7"}, {"scheme", "2"}});
  CHECK(p == provenance().add("clang", "19.1.7").add("scheme", "2"));
  CHECK(p == provenance{{"scheme", "2"}}.add(provenance{{"clang", "19.1.7"}}));
  CHECK(!(p == provenance{{"clang", "19.1.7"}}));
  REQUIRE(p.pairs().size() == 2);
  CHECK(p.pairs()[0] == provenance::pair("clang", "19.1.7"));
  std::ostringstream out;
  out << p;
  CHECK(out.str() == p.text());

  provenance twice = p;
  twice.add(twice);
  CHECK(twice.text() == "clang=19.1.7, clang=19.1.7, scheme=2, scheme=2");
}

TEST_CASE("provenance: texts are equal for equal pairs only") {
  provenance const all[] = {
      {{"a", "b"}},      {{"a", "b"}, {"c", "d"}},
      {{"a", "b, c=d"}}, {{"a=b, c", "d"}},
      {{"a", "b,"}},     {{"a", "b\\x2c"}},
      {{"a", "b\n"}},    {{"a", std::string_view("b\0", 2)}},
      {{"a", ""}},       {{"a=", ""}},
      {{"a", "="}},      {{"a", "\x7f"}},
      {{"a", "ä"}},      {{" a", "b"}},
      {{"a", "b "}},
  };
  for (auto const& one : all)
    for (auto const& other : all) CHECK((&one == &other) == (one.text() == other.text()));
  CHECK(all[2].text() == "a=b\\x2c c\\x3dd");
  CHECK(all[7].text() == "a=b\\x00");
  CHECK(all[12].text() == "a=ä");
}

TEST_CASE("provenance: empty, and without names") {
  CHECK(provenance().empty());
  CHECK(provenance().text() == "");
  CHECK(provenance().problem() == "");
  CHECK(has(provenance{{"", "19"}}.problem(), "a value without a name"));
  provenance const taken_over = provenance{{"a", "b"}}.add(provenance{{"", "19"}});
  CHECK(has(taken_over.problem(), "a value without a name"));
}

// ---- this build --------------------------------------------------------------------------------

TEST_CASE("provenance: this build") {
  provenance const p = this_build();
  CHECK(p.problem() == "");
  CHECK(p.by_build());
  CHECK(is_id(value_of(p, "program")));
  CHECK(p == this_build());
  provenance const with_tools = provenance{{"ptxas", "12.4"}}.add(this_build());
  CHECK(with_tools.by_build());
  CHECK(with_tools == this_build().add("ptxas", "12.4"));
  CHECK(!(with_tools == p));
}

TEST_CASE("provenance: libraries that are loaded") {
  provenance const p = this_build({"libc"});
  CHECK(p.problem() == "");
  CHECK(is_id(value_of(p, "libc")));
  CHECK(value_of(p, "libc") != value_of(p, "program"));
  CHECK(build_id_of_library("libc") == value_of(p, "libc"));
  CHECK(build_id_of_library("libc.so.6") == value_of(p, "libc"));
  CHECK(build_id_of_library("lib") == "");
}

TEST_CASE("provenance: libraries that are not loaded") {
  for (std::string_view const name : {"liblayerkey_none", "lib", ""}) {
    provenance const p = this_build({name});
    CHECK(has(p.problem(), "no library of the name " + std::string(name) + " is loaded"));
    CHECK(build_id_of_library(name) == "");
  }
}

TEST_CASE("provenance: a library by its build id") {
  libraries const in;
  std::string const id = store_test::from_hex("00112233445566778899aabbccddeeff00112233");
  in.write("liblkone.so.1", library(id, 'x'));
  std::string const expected = "build-id:00112233445566778899aabbccddeeff00112233";
  {
    loaded const one(in.path("liblkone.so.1"));
    CHECK(value_of(this_build({"liblkone"}), "liblkone") == expected);
    CHECK(build_id_of_library("liblkone.so") == expected);
    CHECK(build_id_of_library("liblkon") == "");
    // Its file may go: the id is in memory.
    in.write("liblkone.so.1", "");
    CHECK(build_id_of_library("liblkone") == expected);

    // Each of a name.
    in.write("liblkone-2.so", library(id + "2", 'x'));
    loaded const two(in.path("liblkone-2.so"));
    CHECK(build_id_of_library("liblkone") == expected + " " + expected + "32");
    CHECK(this_build({"liblkone"}).pairs().size() == this_build().pairs().size() + 2);
    in.write("liblkoneX.so", library(id + "3", 'x'));
    loaded const third(in.path("liblkoneX.so"));
    in.write("liblkone_x.so", library(id + "4", 'x'));
    loaded const fourth(in.path("liblkone_x.so"));
    CHECK(build_id_of_library("liblkone") == expected + " " + expected + "32");
  }
  CHECK(build_id_of_library("liblkone") == "");
}

TEST_CASE("provenance: a library without build id by its file") {
  libraries const in;
  for (std::string const& id : {std::string(), std::string(20, '\0')})
    for (char const filling : {'a', 'b'}) {
      std::string const bytes = library(id, filling);
      in.write("liblktwo.so", bytes);
      loaded const one(in.path("liblktwo.so"));
      provenance const p = this_build({"liblktwo"});
      CHECK(p.problem() == "");
      CHECK(value_of(p, "liblktwo") == blake2b_of(bytes));
      CHECK(build_id_of_library("liblktwo") == blake2b_of(bytes));
      CHECK(build_id_of_code(one.base()) == blake2b_of(bytes) + "+0x0");
    }
}

TEST_CASE("provenance: a library without build id whose file is another one now") {
  libraries const in;
  for (std::string const& now :
       {library("", 'b'), library("", 'a').substr(0, 1000), std::string()}) {
    in.write("liblkthree.so", library("", 'a'));
    loaded const one(in.path("liblkthree.so"));
    in.write("liblkthree.so", now);
    provenance const p = this_build({"liblkthree"});
    CHECK(has(p.problem(), in.path("liblkthree.so") + " has no build id and its file is not what"));
    CHECK(has(p.problem(), "Start the program anew"));
    CHECK(build_id_of_library("liblkthree") == "");
    // Nobody can say which code that is.
    CHECK(build_id_of_code(one.base()).starts_with("process:"));
  }
  in.write("liblkthree.so", library("", 'a'));
  loaded const one(in.path("liblkthree.so"));
  std::filesystem::remove(in.path("liblkthree.so"));
  CHECK(has(this_build({"liblkthree"}).problem(), "its file cannot be read: "));
}

// ---- code --------------------------------------------------------------------------------------

TEST_CASE("provenance: which code a function is") {
  std::string const program = value_of(this_build(), "program");
  std::string const one = build_id_of_code(code(first));
  CHECK(one == build_id_of_code(code(first)));
  CHECK(one.starts_with(program + "+0x"));
  CHECK(build_id_of_code(code(second)).starts_with(program + "+0x"));
  CHECK(build_id_of_code(code(second)) != one);
  // Where in the program does not depend on where it lies in memory.
  Dl_info info;
  REQUIRE(::dladdr(code(first), &info) != 0);
  std::uintptr_t const offset = std::stoul(one.substr(program.size() + 1), nullptr, 16);
  auto const at = reinterpret_cast<std::uintptr_t>(code(first));
  CHECK((offset == at || offset == at - reinterpret_cast<std::uintptr_t>(info.dli_fbase)));
}

TEST_CASE("provenance: a function of a library") {
  void* const library = ::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(library != nullptr);
  void* const found = ::dlsym(library, "strtok");
  ::dlclose(library);
  REQUIRE(found != nullptr);
  CHECK(build_id_of_code(found).starts_with(build_id_of_library("libc") + "+0x"));
}

TEST_CASE("provenance: code in no file is of this process only") {
  void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(page != MAP_FAILED);
  std::string const id = build_id_of_code(page);
  CHECK(id.starts_with("process:"));
  CHECK(id == build_id_of_code(page));
  CHECK(id != build_id_of_code(static_cast<char const*>(page) + 1));
  ::munmap(page, 4096);
}
