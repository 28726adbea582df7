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

// On both compilers the signature ends with the entity's own identifier and some punctuation.
constexpr bounds last_identifier(char const* all) {
  bounds found;
  while (all[found.end] != '\0') ++found.end;
  while (found.end != 0 && !in_identifier(all[found.end - 1])) --found.end;
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

template<auto Access>
constexpr auto name_of = access_name<Access>::get();

}  // namespace layerkey::detail
