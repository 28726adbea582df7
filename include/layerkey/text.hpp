// Text inside a type or a value: names as template arguments, and short strings without allocation.
#pragma once

#include <cstddef>

namespace layerkey {

// A string literal as a template argument, for names and sentences: `text{"codegen"}`.
// Clang prints the letters of an argument only if every element was written, the zero included.
template<std::size_t N>
struct text {
  char chars[N + 1] = {};

  constexpr text() = default;
  constexpr text(char const (&literal)[N + 1]) {
    for (std::size_t i = 0; i != N + 1; ++i) chars[i] = literal[i];
  }

  static constexpr std::size_t size() { return N; }
  constexpr char const* data() const { return chars; }
};

template<std::size_t M>
text(char const (&)[M]) -> text<M - 1>;

// At most N characters, held inside the value. Structural, so that a params struct that holds one
// can be a template argument, and usable in `static_assert` where `std::string` is not (clang with
// libstdc++ 12). A literal that is too long does not compile; `assign` says false for one at run
// time.
template<std::size_t N>
struct inline_text {
  static_assert(N <= 65'535, "layerkey: inline_text holds at most 65,535 characters.");

  char chars[N + 1] = {};
  unsigned short length = 0;

  constexpr inline_text() = default;

  template<std::size_t M>
  constexpr inline_text(char const (&literal)[M]) {
    static_assert(M <= N + 1, "layerkey: this literal does not fit; use a larger inline_text.");
    static_cast<void>(assign(literal, M - 1));
  }

  // Takes the characters over and says true, or says false and stays as it was if they do not fit.
  [[nodiscard]] constexpr bool assign(char const* from, std::size_t count) {
    if (count > N) return false;
    for (std::size_t i = 0; i != N + 1; ++i) chars[i] = i < count ? from[i] : '\0';
    length = static_cast<unsigned short>(count);
    return true;
  }

  template<class Text>
    requires requires(Text const& t) { t.data(), t.size(); }
  [[nodiscard]] constexpr bool assign(Text const& from) {
    return assign(from.data(), from.size());
  }

  static constexpr std::size_t capacity() { return N; }
  constexpr char const* data() const { return chars; }
  constexpr char const* c_str() const { return chars; }
  constexpr std::size_t size() const { return length; }
  constexpr bool empty() const { return length == 0; }
  constexpr char const* begin() const { return chars; }
  constexpr char const* end() const { return chars + length; }

  // To std::string, std::string_view and whatever else is made from characters and a length.
  template<class Text>
    requires requires(char const* p, std::size_t n) { Text(p, n); }
  explicit constexpr operator Text() const {
    return Text(chars, length);
  }

  friend constexpr bool operator==(inline_text const&, inline_text const&) = default;

  template<std::size_t M>
  friend constexpr bool operator==(inline_text const& a, char const (&literal)[M]) {
    if (a.length != M - 1) return false;
    for (std::size_t i = 0; i != M - 1; ++i)
      if (a.chars[i] != literal[i]) return false;
    return true;
  }
};

}  // namespace layerkey
