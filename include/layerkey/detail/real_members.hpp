// Whether the names in a description are those of the members: the only way to tell where a member
// has no address. Between accessors on every compiler, against the struct itself on clang.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/member.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/text.hpp>

#include <cstddef>

namespace layerkey::detail {

// ---- names that mean the same member -----------------------------------------------------------

struct name_view {
  char const* begin;
  std::size_t size;
};

constexpr bool starts_with(name_view name, char const* prefix) {
  std::size_t i = 0;
  for (; prefix[i] != '\0'; ++i)
    if (i == name.size || name.begin[i] != prefix[i]) return false;
  return i < name.size;
}

constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// Without what people put around the name of a member or of its reader: get_level, getLevel,
// level_, m_level, _level.
constexpr name_view bare_name(name_view name) {
  std::size_t cut = 0;
  if (starts_with(name, "get_"))
    cut = 4;
  else if (starts_with(name, "get") && is_capital(name.begin[3]))
    cut = 3;
  else if (starts_with(name, "m_"))
    cut = 2;
  else if (starts_with(name, "_"))
    cut = 1;
  name = {name.begin + cut, name.size - cut};
  if (name.size > 1 && name.begin[name.size - 1] == '_') --name.size;
  return name;
}

constexpr char small(char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool same_member(name_view a, name_view b) {
  a = bare_name(a);
  b = bare_name(b);
  if (a.size != b.size || small(a.begin[0]) != small(b.begin[0])) return false;
  for (std::size_t i = 1; i < a.size; ++i)
    if (a.begin[i] != b.begin[i]) return false;
  return true;
}

template<auto Access>
constexpr name_view view_of_name{name_of<Access>.data(), name_of<Access>.size()};

constexpr std::size_t none = static_cast<std::size_t>(-1);

// The first accessor that is named after a member that another field lists.
template<class... Fields>
consteval std::size_t accessor_of_listed(mp::mp_list<Fields...>) {
  constexpr std::size_t count = sizeof...(Fields);
  name_view const names[] = {view_of_name<Fields::access>..., {nullptr, 0}};
  bool const members[] = {access<Fields::access>::is_member..., true};
  for (std::size_t i = 0; i != count; ++i)
    if (!members[i])
      for (std::size_t j = 0; j != count; ++j)
        if (i != j && same_member(names[i], names[j])) return i;
  return none;
}

// ---- the members themselves --------------------------------------------------------------------

#ifdef __clang__

constexpr std::size_t most_real_members = 1024;

struct real_members {
  name_view at[most_real_members] = {};
  std::size_t count = 0;
};

struct take_name {
  // Members of the struct itself are indented once, those of structs inside it more.
  template<class... Value>
  constexpr void operator()(real_members& found, char const*, char const* indent, char const*,
                            char const* name, Value const&...) const {
    if (indent[0] != ' ' || indent[1] != ' ' || indent[2] != '\0' ||
        found.count == most_real_members)
      return;
    std::size_t size = 0;
    while (name[size] != '\0') ++size;
    found.at[found.count++] = {name, size};
  }
  constexpr void operator()(real_members&, char const*) const {}
  constexpr void operator()(real_members&, char const*, char const*) const {}
  constexpr void operator()(real_members&, char const*, char const*, char const*) const {}
};

template<class... Printed>
constexpr void note_printed(real_members& found, Printed const&... printed) {
  take_name{}(found, printed...);
}

// Bit-fields and private members too.
template<class P>
constexpr real_members real_members_of(P const& p) {
  real_members found;
  __builtin_dump_struct(&p, note_printed, found);
  return found;
}

template<class P>
consteval real_members find_real_members() {
  if constexpr (constant_initialisers<P>)
    return real_members_of(P{});
  else
    return real_members_of(supplied_defaults<P>());
}

template<class P>
concept constant_somehow = constant_initialisers<P> || (supplies_defaults<P> && requires {
                             typename size_c<(static_cast<void>(supplied_defaults<P>()), 0)>;
                           });

// Where there is a constant to look at.
template<class P>
concept can_be_looked_into =
    constant_somehow<P> && requires { typename size_c<(find_real_members<P>(), 0)>; };

// What of the struct no field lists, and what of the fields no member is.
struct name_faults {
  std::size_t missing[most_real_members] = {};
  std::size_t missing_count = 0;
  std::size_t invented = none;
};

template<class... Fields>
constexpr name_faults compare_names_with(real_members const& real, mp::mp_list<Fields...>) {
  constexpr std::size_t count = sizeof...(Fields);
  name_view const names[] = {view_of_name<Fields::access>..., {nullptr, 0}};
  name_faults faults;
  bool taken[count + 1] = {};
  for (std::size_t i = 0; i != real.count; ++i) {
    std::size_t j = 0;
    while (j != count && (taken[j] || !same_member(names[j], real.at[i]))) ++j;
    if (j != count)
      taken[j] = true;
    else
      faults.missing[faults.missing_count++] = i;
  }
  for (std::size_t j = count; j != 0; --j)
    if (!taken[j - 1]) faults.invented = j - 1;
  return faults;
}

template<class P, class... Fields>
consteval name_faults compare_names(mp::mp_list<Fields...> list) {
  return compare_names_with(find_real_members<P>(), list);
}

template<class P, std::size_t I>
consteval auto real_name() {
  constexpr std::size_t size = find_real_members<P>().at[I].size;
  text<size> name;
  auto const found = find_real_members<P>().at[I];
  for (std::size_t i = 0; i != size; ++i) name.chars[i] = found.begin[i];
  name.chars[size] = '\0';
  return name;
}

#else

template<class P>
concept can_be_looked_into = false;

#endif

}  // namespace layerkey::detail
