// Keys, differences and extensions on streams, in std::format and, with <layerkey/fmt.hpp>, in fmt.
#pragma once

#include <layerkey/detail/print.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/extensions.hpp>
#include <layerkey/key.hpp>
#include <layerkey/to_text.hpp>

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <version>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace layerkey {

inline std::string to_text(difference const& d) {
  return d.member + ": " + d.before + " -> " + d.after;
}

// {"fast": true (codegen), "level": 3 (codegen, inference)}
inline std::string to_text(extensions const& all) { return detail::printed(all); }

// {"fast": true, "level": 3}
inline std::string to_text(extensions_part const& part) { return detail::printed(part); }

namespace detail {

// What formatters write.
template<class T>
concept has_text = requires(T const& v) {
  { to_text(v) } -> std::same_as<std::string>;
};

}  // namespace detail

// A line for each member: see to_text.
template<class Char, class Traits, class... OwnKeys>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             layered_key<OwnKeys...> const& key) {
  return out << to_text(key).c_str();
}

template<class Char, class Traits, class Layer, class P>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             basic_key<Layer, P> const& key) {
  return out << to_text(key).c_str();
}

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             extensions const& all) {
  return out << to_text(all).c_str();
}

template<class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out,
                                             extensions_part const& part) {
  return out << to_text(part).c_str();
}

}  // namespace layerkey

#if defined(__cpp_lib_format)
// With the format specifications of text: "{:>20}".
template<layerkey::detail::has_text T>
struct std::formatter<T> : std::formatter<std::string_view> {
  auto format(T const& v, auto& context) const {
    return std::formatter<std::string_view>::format(to_text(v), context);
  }
};
#endif
