// Prints the layerkey::describe of a struct of someone else's, accessors of its bit-fields
// included: the names and types come from clang, what each member affects from you.
#pragma once

#ifndef __clang__
#error "clang's __builtin_dump_struct says which members there are; build this program with clang++"
#endif

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace describe_foreign {

struct member {
  std::string name;
  std::string type;
  int bits = 0;  // of a bit-field
};

namespace detail {

struct collect {
  template<class... More>
  void operator()(std::vector<member>& found, char const* format, char const* indent,
                  char const* type, char const* name, More... more) const {
    if (std::strcmp(indent, "  ") != 0) return;  // a member of a member
    member each{name, type};
    if (std::strstr(format, " : %zu") != nullptr) each.bits = width(more...);
    found.push_back(each);
  }
  void operator()(std::vector<member>&, char const*) const {}
  void operator()(std::vector<member>&, char const*, char const*) const {}
  void operator()(std::vector<member>&, char const*, char const*, char const*) const {}

 private:
  template<class... Rest>
  static int width(std::size_t bits, Rest...) {
    return static_cast<int>(bits);
  }
  template<class... Rest>
  static int width(Rest...) {
    return 0;
  }
};

template<class... Printed>
void note(std::vector<member>& found, Printed... printed) {
  collect{}(found, printed...);
}

}  // namespace detail

// All members, private ones and bit-fields included, in order.
template<class P>
std::vector<member> members_of(P const& object) {
  std::vector<member> found;
  __builtin_dump_struct(&object, detail::note, found);
  return found;
}

// What you say of one member. Without tags the printed description does not compile, so that no
// member of a new version of the library goes by unnoticed.
struct entry {
  std::string_view name;
  std::string_view tags;           // "affects_codegen"
  std::string_view comment = {};   // why
  std::string_view accessor = {};  // of a private member, in place of &P::member
};

struct subject {
  std::string type;       // "llvm::TargetOptions"
  std::string accessors;  // the namespace for the accessors of its bit-fields, within layerkey
  std::vector<entry> entries;

  entry find(std::string_view name) const {
    for (auto const& each : entries)
      if (each.name == name) return each;
    return {name, {}};
  }
};

inline void print_accessors(std::FILE* out, subject const& s, std::vector<member> const& members) {
  std::fprintf(out, "namespace %s {\n\n", s.accessors.c_str());
  for (auto const& each : members) {
    if (each.bits == 0) continue;
    auto const name = each.name.c_str();
    std::fprintf(out, "constexpr %s %s(%s const& o) { return o.%s; }\n", each.type.c_str(), name,
                 s.type.c_str(), name);
    // Conversion warnings ask for a mask where the type is wider than the field.
    if (each.type == "bool")
      std::fprintf(out, "constexpr void set_%s(%s& o, bool v) { o.%s = v; }\n", name,
                   s.type.c_str(), name);
    else
      std::fprintf(out, "constexpr void set_%s(%s& o, %s v) { o.%s = v & %uu; }\n", name,
                   s.type.c_str(), each.type.c_str(), name, (1u << each.bits) - 1);
  }
  std::fprintf(out, "\n}  // namespace %s\n\n", s.accessors.c_str());
}

inline void print_description(std::FILE* out, subject const& s,
                              std::vector<member> const& members) {
  std::fprintf(out, "template<>\nstruct describe<%s> {\n  using o = %s;\n", s.type.c_str(),
               s.type.c_str());
  std::fprintf(out,
               "  static constexpr text uncounted = \"has a constructor; the names are compared "
               "with the real members by a test\";\n");
  std::fprintf(out, "  static o defaults() { return {}; }\n  using fields = layerkey::fields<\n");
  for (auto const& each : members) {
    auto const said = s.find(each.name);
    bool const last = &each == &members.back();
    std::string access = "&o::" + each.name;
    if (!said.accessor.empty())
      access = said.accessor;
    else if (each.bits != 0)
      access = "accessor<" + s.accessors + "::" + each.name + ", " + s.accessors + "::set_" +
               each.name + ">";
    std::string const tags(said.tags);
    std::fprintf(out, "      field<%s%s%s>%s", access.c_str(), tags.empty() ? "" : ", ",
                 tags.c_str(), last ? ">;" : ",");
    if (!said.comment.empty())
      std::fprintf(out, "  // %.*s", static_cast<int>(said.comment.size()), said.comment.data());
    std::fprintf(out, "\n");
  }
  std::fprintf(out, "};\n\n");
}

}  // namespace describe_foreign
