// The value of an extension: a truth value, a number, text or bytes.
#pragma once

#include <layerkey/value.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace layerkey {

namespace detail {

template<class T>
concept character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template<class T>
concept fits_int64 = std::integral<T> && !std::same_as<T, bool> && !character<T> &&
                     (sizeof(T) < 8 || std::signed_integral<T>);

template<class T>
concept fits_double = std::same_as<T, float> || std::same_as<T, double>;

}  // namespace detail

// A truth value, a number, text or bytes. Kinds differ: 1, 1.0 and true are three values. An
// unsigned 64-bit number does not convert, since it may not fit.
class extension_value {
 public:
  using kinds = std::variant<bool, std::int64_t, double, std::string, std::vector<std::byte>>;

  template<std::same_as<bool> T>
  extension_value(T v) : held_(v) {}
  template<detail::fits_int64 T>
  extension_value(T v) : held_(std::int64_t{v}) {}
  template<detail::fits_double T>
  extension_value(T v) : held_(double{v}) {}
  extension_value(std::string v) : held_(std::move(v)) {}
  extension_value(std::string_view v) : held_(std::string(v)) {}
  extension_value(char const* v) : held_(std::string(v)) {}
  extension_value(std::vector<std::byte> v) : held_(std::move(v)) {}

  kinds const& held() const { return held_; }

  // The value, if it is one of T: bool, std::int64_t, double, std::string, std::vector<std::byte>.
  template<class T>
  T const* get_if() const {
    return std::get_if<T>(&held_);
  }

  // By representation: -0.0 and 0.0 differ, a NaN equals itself.
  friend bool operator==(extension_value const& a, extension_value const& b) {
    auto const* const x = a.get_if<double>();
    auto const* const y = b.get_if<double>();
    if (x != nullptr && y != nullptr)
      return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
    return a.held_ == b.held_;
  }

 private:
  kinds held_;
};

template<>
struct value<extension_value> {
  static constexpr text kind = "extension_value";
  using form = forms::one_of<bool, std::int64_t, double, std::string, std::vector<std::byte>>;

  template<class Sink>
  static void write(Sink& sink, extension_value const& v) {
    sink.template put<16>(v.held().index());
    if (auto const* const b = v.get_if<bool>())
      layerkey::write(sink, *b);
    else if (auto const* const i = v.get_if<std::int64_t>())
      layerkey::write(sink, *i);
    else if (auto const* const d = v.get_if<double>())
      layerkey::write(sink, *d);
    else if (auto const* const s = v.get_if<std::string>())
      layerkey::write(sink, *s);
    else if (auto const* const bytes = v.get_if<std::vector<std::byte>>())
      layerkey::write(sink, *bytes);
  }

  template<class Source>
  static extension_value read(Source& from) {
    switch (from.template get<16>()) {
      case 0:
        return layerkey::read<bool>(from);
      case 1:
        return layerkey::read<std::int64_t>(from);
      case 2:
        return layerkey::read<double>(from);
      case 3:
        return layerkey::read<std::string>(from);
      default:
        return layerkey::read<std::vector<std::byte>>(from);
    }
  }

  template<class Printer>
  static void print(Printer& to, extension_value const& v) {
    if (auto const* const b = v.get_if<bool>())
      to.value(*b);
    else if (auto const* const i = v.get_if<std::int64_t>())
      to.value(*i);
    else if (auto const* const d = v.get_if<double>())
      print_double(to, *d);
    else if (auto const* const s = v.get_if<std::string>())
      to.value(*s);
    else if (auto const* const bytes = v.get_if<std::vector<std::byte>>()) {
      constexpr char const* hex = "0123456789abcdef";
      std::string digits = "0x";
      for (auto const each : *bytes)
        (digits += hex[std::to_integer<unsigned>(each) / 16]) +=
            hex[std::to_integer<unsigned>(each) % 16];
      to.text(digits);
    }
  }

 private:
  // A whole number must not read like an integer, which is another value.
  template<class Printer>
  static void print_double(Printer& to, double v) {
    char digits[32];
    auto const* const end = std::to_chars(digits, digits + sizeof digits, v).ptr;
    std::string_view const shortest(digits, static_cast<std::size_t>(end - digits));
    to.text(shortest);
    if (shortest.find_first_not_of("-0123456789") == std::string_view::npos) to.text(".0");
  }
};

}  // namespace layerkey
