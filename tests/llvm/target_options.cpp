// The description of llvm::TargetOptions: every member is there under its own name, and each one
// moves the keys that its tag says.
#include <layerkey/llvm/target_options.hpp>
#include <layerkey/llvm/x86.hpp>

#include <layerkey/key.hpp>
#include <layerkey/members.hpp>
#include <layerkey/view.hpp>

#include <catch2/catch.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace {

using layerkey::x86::codegen, layerkey::x86::optimization;

template<class P>
std::vector<std::string> described_names() {
  return []<class... Fields>(boost::mp11::mp_list<Fields...>) {
    return std::vector<std::string>{layerkey::detail::name_of<Fields::access>.data()...};
  }(layerkey::detail::fields_of<P>{});
}

template<class T>
T other(T const& v) {
  if constexpr (std::is_same_v<T, bool>)
    return !v;
  else if constexpr (std::is_integral_v<T>)
    return v == 0 ? T{1} : T{0};
  else if constexpr (std::is_enum_v<T>)
    return static_cast<T>(static_cast<std::underlying_type_t<T>>(v) == 0 ? 1 : 0);
  else if constexpr (std::is_same_v<T, std::string>)
    return v + "x";
  else if constexpr (std::is_same_v<T, std::pair<int, int>>)
    return {v.first + 1, v.second};
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return {"include"};
  else if constexpr (std::is_same_v<T, llvm::DenormalMode>)
    return llvm::DenormalMode::getPreserveSign();
  else if constexpr (std::is_same_v<T, char const*>)
    return "argv0";
  else if constexpr (std::is_same_v<T, std::shared_ptr<llvm::MemoryBuffer>>)
    return llvm::MemoryBuffer::getMemBufferCopy("!f");
  else
    return v;
}

#ifdef __clang__

struct note_name {
  template<class... Value>
  void operator()(std::vector<std::string>& found, char const*, char const* indent, char const*,
                  char const* name, Value const&...) const {
    if (std::strcmp(indent, "  ") == 0) found.push_back(name);
  }
  void operator()(std::vector<std::string>&, char const*) const {}
  void operator()(std::vector<std::string>&, char const*, char const*) const {}
  void operator()(std::vector<std::string>&, char const*, char const*, char const*) const {}
};

template<class... Printed>
void note_printed(std::vector<std::string>& found, Printed const&... printed) {
  note_name{}(found, printed...);
}

template<class P>
std::vector<std::string> real_names() {
  std::vector<std::string> found;
  P const p;
  __builtin_dump_struct(&p, note_printed, found);
  return found;
}

#endif

}  // namespace

#ifdef __clang__
TEST_CASE("the description lists the real members of TargetOptions, in their order") {
  CHECK(described_names<llvm::TargetOptions>() == real_names<llvm::TargetOptions>());
  CHECK(described_names<llvm::MCTargetOptions>() == real_names<llvm::MCTargetOptions>());
}
#endif

TEST_CASE("TargetOptions has 64 members, MCTargetOptions 30") {
  CHECK(described_names<llvm::TargetOptions>().size() == 64);
  CHECK(described_names<llvm::MCTargetOptions>().size() == 30);
}

TEST_CASE("each member of TargetOptions moves exactly the keys that its tag names") {
  llvm::TargetOptions base;
  base.TrapUnreachable = 1;  // or NoTrapAfterNoreturn means nothing
  int changed = 0;
  layerkey::for_each_member<llvm::TargetOptions>([&]<class Member>(Member) {
    INFO(Member::path());
    if (Member::name() == "CommandLineArgs") return;
    llvm::TargetOptions after = base;
    Member::set(after, other<typename Member::type>(Member::get(base)));
    CHECK((layerkey::make_own_key<codegen>(base) != layerkey::make_own_key<codegen>(after)) ==
          Member::template is_tagged_with<codegen>);
    CHECK((layerkey::make_own_key<optimization>(base) !=
           layerkey::make_own_key<optimization>(after)) ==
          Member::template is_tagged_with<optimization>);
    ++changed;
  });
  CHECK(changed == 63 + 29);
}

TEST_CASE("a list of basic block sections is keyed by its content") {
  llvm::TargetOptions a, b;
  a.BBSectionsFuncListBuf = llvm::MemoryBuffer::getMemBufferCopy("!f\n!!1", "a.txt");
  b.BBSectionsFuncListBuf = llvm::MemoryBuffer::getMemBufferCopy("!f\n!!1", "b.txt");
  CHECK(layerkey::same_key<codegen>(a, b));
  b.BBSectionsFuncListBuf = llvm::MemoryBuffer::getMemBufferCopy("!f\n!!2", "a.txt");
  CHECK_FALSE(layerkey::same_key<codegen>(a, b));
}

TEST_CASE("a view of TargetOptions reads bit-fields by their accessors") {
  llvm::TargetOptions options;
  options.FunctionSections = 1;
  options.NoTrapAfterNoreturn = 1;
  layerkey::view<codegen, llvm::TargetOptions> const in(options);
  namespace read = layerkey::target_options;
  CHECK(in.get<layerkey::accessor<read::FunctionSections, read::set_FunctionSections>>() == 1);
  CHECK(in.get<layerkey::accessor<read::NoTrapAfterNoreturn, read::set_NoTrapAfterNoreturn>>() ==
        0);
  CHECK(in.get<&llvm::TargetOptions::MCOptions, &llvm::MCTargetOptions::DwarfVersion>() == 0);
}
