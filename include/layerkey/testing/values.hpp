// Values of any type for verifications: what is written of them, whether two are the same, others.
#pragma once

#include <layerkey/detail/print.hpp>
#include <layerkey/enumerators.hpp>
#include <layerkey/text.hpp>
#include <layerkey/value.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace layerkey::testing::detail {

// A type as the compiler spells it, for messages only.
template<class T>
constexpr char const* type_signature() {
  return __PRETTY_FUNCTION__;
}

template<class T>
std::string type_name() {
  std::string_view all = type_signature<T>();
  all.remove_prefix(all.find("T = ") + 4);
  return std::string(all.substr(0, all.rfind(']')));
}

// ---- what value<T> writes ----------------------------------------------------------------------

// Notes the width of each word; 0 for one that is skipped.
struct spy_sink {
  std::vector<unsigned> widths = {};
  std::string stream = {};
  bool overfull = false;  // a word had bits beyond its width

  template<unsigned Bits>
  constexpr void put(std::uint64_t v) {
    widths.push_back(Bits);
    if constexpr (Bits < 64) overfull = overfull || v >> Bits != 0;
    for (unsigned i = 0; i != (Bits + 7) / 8; ++i) stream += static_cast<char>(v >> 8 * i & 0xff);
  }
  constexpr void bytes(char const* from, std::size_t count) { stream.append(from, count); }
  constexpr void skip(std::size_t words) {
    widths.insert(widths.end(), words, 0);
    stream.append(words, '\0');
  }
};

template<class T>
spy_sink spied(T const& v) {
  spy_sink sink;
  layerkey::value<T>::write(sink, v);
  return sink;
}

// All that two values differ by, as far as it can be known: what is written of a value that can be
// in a key, the address in a pointer, else how it prints.
template<class T>
std::string snapshot(T const& v) {
  if constexpr (layerkey::detail::keyable<T>)
    return spied(v).stream;
  else if constexpr (std::is_pointer_v<T>)
    return std::to_string(reinterpret_cast<std::uintptr_t>(v));
  else
    return layerkey::detail::printed<T>(v);
}

// What the words promised differs from what is written, in one phrase; empty if nothing does.
template<class T>
std::string shape_fault([[maybe_unused]] spy_sink const& written) {
  if constexpr (layerkey::detail::fixed_size<T>) {
    constexpr std::size_t promised = layerkey::value<T>::atoms;
    unsigned char width[promised + 1] = {};
    layerkey::detail::shape_writer writer{width};
    layerkey::value<T>::shape(writer);
    auto const shaped = static_cast<std::size_t>(writer.out - width);
    if (shaped != promised)
      return "atoms is " + std::to_string(promised) + " and shape has " + std::to_string(shaped);
    if (written.widths.size() != promised)
      return "atoms is " + std::to_string(promised) + " and write puts or skips " +
             std::to_string(written.widths.size());
    for (std::size_t i = 0; i != promised; ++i)
      if (written.widths[i] != 0 && written.widths[i] != width[i])
        return "word " + std::to_string(i) + " has " + std::to_string(width[i]) +
               " bits in shape and " + std::to_string(written.widths[i]) + " in write";
  }
  if (written.overfull) return "write puts a number that does not fit the width it names";
  return {};
}

// ---- whether two values are the same -----------------------------------------------------------

enum class sameness : std::uint8_t { same, different, unknown };

constexpr sameness both(sameness a, sameness b) {
  if (a == sameness::different || b == sameness::different) return sameness::different;
  return a == sameness::unknown || b == sameness::unknown ? sameness::unknown : sameness::same;
}

constexpr sameness said(bool same) { return same ? sameness::same : sameness::different; }

template<class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template<class T>
concept variant_like = requires { std::variant_size<T>::value; };

template<class T>
concept unordered_like = requires { typename T::hasher; };

template<class T>
concept range_of_others =
    layerkey::detail::range_like<T> && !unordered_like<T> && !layerkey::detail::text_like<T> &&
    requires(T const& t) { requires !std::same_as<std::remove_cvref_t<decltype(*t.begin())>, T>; };

template<class T>
sameness compare(T const& a, T const& b);

template<class T>
sameness compare_ranges(T const& a, T const& b) {
  auto result = sameness::same;
  auto x = a.begin();
  auto y = b.begin();
  for (; x != a.end() && y != b.end(); ++x, ++y) {
    using element = std::remove_cvref_t<decltype(*x)>;
    result = both(result, compare<element>(*x, *y));
  }
  return both(result, said((x != a.end()) == (y != b.end())));
}

template<class A, class B>
sameness compare_tuples(A const& a, B const& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto result = sameness::same;
    ((result = both(result, compare<std::remove_cvref_t<std::tuple_element_t<I, A>>>(
                                std::get<I>(a), std::get<I>(b)))),
     ...);
    return result;
  }(std::make_index_sequence<std::tuple_size_v<A>>{});
}

// References to the members of an aggregate.
struct tie_members {
  template<class... T>
  std::tuple<T const&...> operator()(T const&... member) const {
    return {member...};
  }
};

template<class T>
auto members_of(T const& v) {
  return layerkey::detail::bind(layerkey::detail::size_c<layerkey::detail::arity<T>>{}, v,
                                tie_members{});
}

// Written without value<T>, which it is to be compared with. By representation, so -0.0 and 0.0
// differ; else by the type's own equality, where it has one.
template<class T>
sameness compare(T const& a, T const& b) {
  if constexpr (std::is_same_v<T, float>)
    return said(std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b));
  else if constexpr (std::is_same_v<T, double>)
    return said(std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b));
  else if constexpr (std::is_scalar_v<T>)
    return said(a == b);
  else if constexpr (range_of_others<T>)
    return compare_ranges(a, b);
  else if constexpr (tuple_like<T>)
    return compare_tuples(a, b);
  else if constexpr (variant_like<T>) {
    if (a.index() != b.index()) return sameness::different;
    auto result = sameness::same;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto const alternative = [&](auto const* x, auto const* y) {
        if (x != nullptr) result = compare(*x, *y);
      };
      (alternative(std::get_if<I>(&a), std::get_if<I>(&b)), ...);
    }(std::make_index_sequence<std::variant_size_v<T>>{});
    return result;
  } else if constexpr (layerkey::detail::optional_like<T>) {
    if (a.has_value() != b.has_value()) return sameness::different;
    return a.has_value() ? compare<std::remove_cvref_t<decltype(*a)>>(*a, *b) : sameness::same;
  } else if constexpr (std::equality_comparable<T>)
    return a == a && b == b ? said(a == b) : sameness::unknown;
  else if constexpr (layerkey::detail::can_be_taken_apart<T>)
    return compare_tuples(members_of(a), members_of(b));
  else
    return sameness::unknown;
}

// ---- other values ------------------------------------------------------------------------------

template<class T>
constexpr bool is_inline_text = false;
template<std::size_t N>
constexpr bool is_inline_text<layerkey::inline_text<N>> = true;

// Some near the given one: of truth values, numbers, named enumerators, text and optionals of them;
// none of another type.
template<class T>
std::vector<T> others(T const& v) {
  if constexpr (std::is_same_v<T, bool>)
    return {!v};
  else if constexpr (std::is_enum_v<T>) {
    std::vector<T> found;
    for (auto const& each : enumerators<T>())
      if (each.first != v && found.size() != 4) found.push_back(each.first);
    return found;
  } else if constexpr (std::is_integral_v<T>) {
    using bits = std::make_unsigned_t<T>;
    auto const flipped = [&v](bits by) { return static_cast<T>(static_cast<bits>(v) ^ by); };
    return {flipped(1), flipped(static_cast<bits>(bits{1} << (8 * sizeof(T) - 1)))};
  } else if constexpr (std::is_floating_point_v<T>)
    return {-v, v + 1};
  else if constexpr (is_inline_text<T>) {
    T other = v;
    if (v.empty())
      static_cast<void>(other.assign("x", T::capacity() == 0 ? 0 : 1));
    else
      static_cast<void>(other.assign(v.data(), v.size() - 1));
    return {other};
  } else if constexpr (std::is_same_v<T, std::string>) {
    std::vector<T> found = {v + '\0', v + "x"};
    if (!v.empty()) found.push_back(v.substr(0, v.size() - 1));
    return found;
  } else if constexpr (requires(T t) {
                         typename T::value_type;
                         t.has_value();
                         t = std::nullopt;
                       }) {
    if (!v.has_value()) {
      if constexpr (std::is_default_constructible_v<typename T::value_type>)
        return {T(typename T::value_type{})};
      else
        return {};
    }
    std::vector<T> found = {T(std::nullopt)};
    for (auto& each : others<typename T::value_type>(*v)) found.push_back(T(std::move(each)));
    return found;
  } else
    return {};
}

}  // namespace layerkey::testing::detail
