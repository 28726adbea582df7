// Values for generated tests: another value, a random value, and whether two are the same value.
#pragma once

#include <layerkey/text.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace vary {

// ---- another value -----------------------------------------------------------------------------

// Another value of the type, near the given one. A struct says by another(T const&) of its own.
template<class T>
T other(T const& v) {
  if constexpr (std::is_same_v<T, bool>)
    return !v;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(v + 1);
  else if constexpr (std::is_enum_v<T>)
    return v == T{} ? static_cast<T>(1) : T{};
  else if constexpr (std::is_floating_point_v<T>)
    return -v;  // of zero, only the sign
  else if constexpr (std::is_pointer_v<T>) {
    static int somewhere;
    return &somewhere;
  } else
    return another(v);
}

template<std::size_t N>
layerkey::inline_text<N> other(layerkey::inline_text<N> const& v) {
  auto result = v;
  ++result.chars[0];
  if (v.empty()) result.length = 1;
  return result;
}

inline std::string other(std::string const& v) { return v + '\0'; }

template<class T>
std::vector<T> other(std::vector<T> v) {
  v.push_back(T{});
  return v;
}

template<class T>
std::optional<T> other(std::optional<T> const& v) {
  if (v) return std::nullopt;
  return T{};
}

template<class T, std::size_t N>
std::array<T, N> other(std::array<T, N> v) {
  v.back() = other(v.back());
  return v;
}

// ---- a random value ----------------------------------------------------------------------------

using engine = std::mt19937;

inline int below(engine& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

// From so few values that equal ones are common.
template<class T>
struct random_value {
  static T get(engine& random) {
    if constexpr (std::is_same_v<T, bool>)
      return below(random, 2) != 0;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(below(random, 3) - 1);
    else if constexpr (std::is_enum_v<T>)
      return static_cast<T>(below(random, 3));
    else if constexpr (std::is_floating_point_v<T>) {
      T const values[] = {T{0}, -T{0}, T{1}};
      return values[below(random, 3)];
    } else if constexpr (std::is_pointer_v<T>)
      return below(random, 2) ? other(T{}) : T{};
    else
      return T::any(random);
  }
};

template<std::size_t N>
struct random_value<layerkey::inline_text<N>> {
  static layerkey::inline_text<N> get(engine& random) {
    static_assert(N >= 10);
    layerkey::inline_text<N> const values[] = {"", "a", "a\0", "ab", "abcdefgh", "abcdefghij"};
    return values[below(random, 6)];
  }
};

template<>
struct random_value<std::string> {
  static std::string get(engine& random) {
    std::string result;
    while (below(random, 2)) result += "a\0b"[below(random, 3)];
    return below(random, 16) ? result : std::string(40, 'x') + result;
  }
};

template<class T>
struct random_value<std::vector<T>> {
  static std::vector<T> get(engine& random) {
    std::vector<T> result;
    while (below(random, 2)) result.push_back(random_value<T>::get(random));
    return result;
  }
};

template<class T>
struct random_value<std::optional<T>> {
  static std::optional<T> get(engine& random) {
    if (below(random, 2)) return std::nullopt;
    return random_value<T>::get(random);
  }
};

template<class T, std::size_t N>
struct random_value<std::array<T, N>> {
  static std::array<T, N> get(engine& random) {
    std::array<T, N> result{};
    for (auto& each : result) each = random_value<T>::get(random);
    return result;
  }
};

// ---- the same value ----------------------------------------------------------------------------

// By representation, and written without the library: floats by their bits.
template<class T>
struct sameness {
  static bool of(T const& a, T const& b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::memcmp(&a, &b, sizeof a) == 0;
    else
      return a == b;
  }
};

template<class T>
struct sameness<std::optional<T>> {
  static bool of(std::optional<T> const& a, std::optional<T> const& b) {
    return a.has_value() == b.has_value() && (!a || sameness<T>::of(*a, *b));
  }
};

template<class T>
struct sameness<std::vector<T>> {
  static bool of(std::vector<T> const& a, std::vector<T> const& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i != a.size(); ++i) same = sameness<T>::of(a[i], b[i]);
    return same;
  }
};

}  // namespace vary
