// Identifiers as the compiler prints them. Only messages and explanations need them.
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/text.hpp>

#include <cstddef>

namespace layerkey::detail {

template<auto Entity>
constexpr char const* signature() {
  return __PRETTY_FUNCTION__;
}

constexpr bool in_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct bounds {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Where the template arguments begin that end here; where there are none, the same place.
constexpr std::size_t before_arguments(char const* all, std::size_t end) {
  if (end == 0 || all[end - 1] != '>') return end;
  std::size_t begin = end;
  int depth = 0;
  do {
    --begin;
    depth += all[begin] == '>' ? 1 : all[begin] == '<' ? -1 : 0;
  } while (begin != 0 && depth != 0);
  return begin;
}

// On both compilers the signature ends with the entity's own identifier, the arguments if it is a
// template's, and some punctuation.
constexpr bounds last_identifier(char const* all) {
  bounds found;
  while (all[found.end] != '\0') ++found.end;
  while (found.end != 0 && !in_identifier(all[found.end - 1]) && all[found.end - 1] != '>')
    --found.end;
  found.end = before_arguments(all, found.end);
  found.begin = found.end;
  while (found.begin != 0 && in_identifier(all[found.begin - 1])) --found.begin;
  return found;
}

template<auto Entity>
struct entity_name {
  static consteval auto get() {
    constexpr bounds at = last_identifier(signature<Entity>());
    text<at.end - at.begin> name;
    for (auto i = at.begin; i != at.end; ++i) name.chars[i - at.begin] = signature<Entity>()[i];
    name.chars[at.end - at.begin] = '\0';
    return name;
  }
};

// An accessor is named after the function that reads.
template<auto Access>
struct access_name : entity_name<Access> {};

template<auto Get, auto Set, accessor_type<Get, Set> Access>
struct access_name<Access> : entity_name<Get> {};

// A path by the names of its members: "target.sm".
template<auto... Members, path<Members...> Path>
struct access_name<Path> {
  static consteval auto get() {
    constexpr std::size_t size =
        (access_name<Members>::get().size() + ... + sizeof...(Members)) - 1;
    text<size> name;
    std::size_t at = 0;
    auto const append = [&](auto const& each) {
      if (at != 0) name.chars[at++] = '.';
      for (std::size_t i = 0; i != each.size(); ++i) name.chars[at++] = each.chars[i];
    };
    (append(access_name<Members>::get()), ...);
    name.chars[size] = '\0';
    return name;
  }
};

template<auto Access>
constexpr auto name_of = access_name<Access>::get();

}  // namespace layerkey::detail
