// The names of enumerators, as the compiler knows them.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey {
namespace detail {

// Values beyond have no name here.
constexpr std::size_t most_enumerators = 64;

template<class E, E... Values>
constexpr char const* enumerator_signature() {
  return __PRETTY_FUNCTION__;
}

// The text that the compiler prints for the I-th of the values 0 to 63: `level::O2`, or `(level)7`.
// One instantiation an enumeration, where one a value would cost 64.
template<class E, std::size_t... I>
std::string_view enumerator_text(std::size_t which, std::index_sequence<I...>) {
  std::string_view all =
      enumerator_signature<E, static_cast<E>(static_cast<std::underlying_type_t<E>>(I))...>();
  // g++ ends the list with "}]", clang with ">]"; both separate by ", ", as the arguments of a
  // template around the enumeration are too.
  all.remove_suffix(2);
  std::size_t depth = 0;
  for (std::size_t begin = all.size(), behind = sizeof...(I) - 1 - which; begin != 0; --begin) {
    char const c = all[begin - 1];
    if (c == ')' || c == '>' || c == '}') ++depth;
    bool const opens = c == '(' || c == '<' || c == '{';
    if (depth == 0 && (opens || c == ',')) {
      if (behind == 0 || opens) return all.substr(begin);
      all.remove_suffix(all.size() - begin + 1);
      --behind;
    }
    if (depth != 0 && opens) --depth;
  }
  return {};
}

// A value that no enumerator names is no constant expression in an enumeration without one.
template<class E>
concept has_fixed_underlying_type = std::is_enum_v<E> && requires { E{0}; };

}  // namespace detail

// The enumerator's name without its scope; empty where the value has none, lies outside 0 ... 63,
// or the enumeration has no fixed underlying type.
template<class E>
std::string_view enumerator_name(E v) {
  auto const number = static_cast<std::underlying_type_t<E>>(v);
  if constexpr (detail::has_fixed_underlying_type<E>)
    if (static_cast<std::size_t>(number) < detail::most_enumerators) {
      auto const name = detail::enumerator_text<E>(
          static_cast<std::size_t>(number), std::make_index_sequence<detail::most_enumerators>{});
      auto const own = name.substr(name.find_last_of(": ") + 1);
      if (own.find(')') == std::string_view::npos) return own;
    }
  return {};
}

// All enumerators that have such a name, in the order of their values.
template<class E>
std::vector<std::pair<E, std::string_view>> enumerators() {
  std::vector<std::pair<E, std::string_view>> found;
  if constexpr (detail::has_fixed_underlying_type<E>)
    for (std::size_t i = 0; i != detail::most_enumerators; ++i) {
      auto const v = static_cast<E>(static_cast<std::underlying_type_t<E>>(i));
      bool const is_its_value = static_cast<std::size_t>(v) == i;  // not so beyond 1 in a bool
      if (auto const name = enumerator_name(v); is_its_value && !name.empty())
        found.emplace_back(v, name);
    }
  return found;
}

}  // namespace layerkey
