// Values as people write them, for explanations: 90, true, O2, "znver4", none, {1, 2}.
#pragma once

#include <layerkey/content_digest.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/enumerators.hpp>
#include <layerkey/value.hpp>

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace layerkey::detail {

inline void print_number(std::string& out, auto v) {
  char digits[32];
  auto const end = std::to_chars(digits, digits + sizeof digits, v).ptr;
  out.append(digits, end);
}

template<class E>
void print_enumerator(std::string& out, E v) {
  if (auto const name = enumerator_name(v); !name.empty())
    out += name;
  else
    print_number(out, +static_cast<std::underlying_type_t<E>>(v));
}

template<class T>
concept text_like = requires(T const& t) {
  { t.data() } -> std::convertible_to<char const*>;
  t.size();
};

template<class T>
concept optional_like = requires(T const& t) {
  t.has_value();
  *t;
};

template<class T>
concept range_like = requires(T const& t) {
  t.begin();
  t.end();
};

// By structured bindings, as plain aggregates enter keys.
template<class T>
concept can_be_taken_apart = std::is_aggregate_v<T> && std::is_class_v<T> && !has_base<T> &&
                             bindable<arity<T>> && first_array<T>() == arity<T>;

inline void print_text(std::string& out, std::string_view v) {
  constexpr char const* hex = "0123456789abcdef";
  out += '"';
  for (char c : v) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (byte < 0x20 || byte == 0x7f)
      ((out += "\\x") += hex[byte / 16]) += hex[byte % 16];
    else
      out += c;
  }
  out += '"';
}

inline void print_digest(std::string& out, content_digest const& v) {
  constexpr char const* hex = "0123456789abcdef";
  if (!v) {
    out += "none";
    return;
  }
  print_enumerator(out, v.algorithm);
  out += ':';
  for (int i = 0; i != 6; ++i) (out += hex[v.bytes[i] / 16]) += hex[v.bytes[i] % 16];
  out += "... (";
  print_number(out, v.size);
  out += " bytes)";
}

template<class T>
void print(std::string& out, T const& v);

// What value<T>::print(to, v) is given where the value knows best how it reads.
struct printer {
  std::string& out;

  void text(std::string_view words) { out += words; }

  template<class T>
  void value(T const& v) {
    print<T>(out, v);
  }

  // {a, b, c}
  template<class... T>
  void list(T const&... each) {
    char const* separator = "{";
    ((out += std::exchange(separator, ", "), print<T>(out, each)), ...);
    out += '}';
  }
};

template<class T>
void print(std::string& out, T const& v) {
  if constexpr (requires(printer to) { layerkey::value<T>::print(to, v); }) {
    printer to{out};
    layerkey::value<T>::print(to, v);
  } else if constexpr (std::is_same_v<T, bool>)
    out += v ? "true" : "false";
  else if constexpr (std::is_enum_v<T>)
    print_enumerator(out, v);
  else if constexpr (std::is_same_v<T, char>)
    print_text(out, std::string_view(&v, 1));
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 1)
    print_number(out, static_cast<int>(v));
  else if constexpr (std::is_arithmetic_v<T> && requires(char* p) { std::to_chars(p, p, v); })
    print_number(out, v);
  else if constexpr (std::is_same_v<T, content_digest>)
    print_digest(out, v);
  else if constexpr (text_like<T>)
    print_text(out, std::string_view(v.data(), v.size()));
  else if constexpr (optional_like<T>) {
    if (v.has_value())
      print(out, *v);
    else
      out += "none";
  } else if constexpr (range_like<T>) {
    char const* separator = "";
    out += '{';
    for (auto const& each : v) {
      out += std::exchange(separator, ", ");
      print<std::remove_cvref_t<decltype(each)>>(out, each);
    }
    out += '}';
  } else if constexpr (requires { v.to_text(); })
    out += v.to_text();
  else if constexpr (can_be_taken_apart<T>) {
    char const* separator = "";
    out += '{';
    bind(size_c<arity<T>>{}, v, [&](auto const&... member) {
      ((out += std::exchange(separator, ", "), print(out, member)), ...);
    });
    out += '}';
  } else
    out += "?";
}

template<class T>
std::string printed(T const& v) {
  std::string out;
  print<T>(out, v);
  return out;
}

}  // namespace layerkey::detail
