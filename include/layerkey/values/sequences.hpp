// Vectors, spans and arrays in keys: elements in order, behind their number where it varies.
#pragma once

#include <layerkey/detail/inline.hpp>
#include <layerkey/value.hpp>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace layerkey {

template<detail::keyable T, class Allocator>
struct value<std::vector<T, Allocator>> {
  static constexpr text kind = "vector";
  using form = forms::sequence<T>;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink,
                                                     std::vector<T, Allocator> const& v) {
    sink.template put<64>(v.size());
    for (T const& each : v) value<T>::write(sink, each);
  }
  template<class Source>
  static std::vector<detail::read_type<T, Source>> read(Source& from) {
    std::vector<detail::read_type<T, Source>> v;
    for (auto count = from.template get<64>(); count != 0; --count)
      v.push_back(layerkey::read<T>(from));
    return v;
  }
};

// The key owns a copy of what the span refers to.
template<class T, std::size_t N>
  requires detail::keyable<std::remove_const_t<T>>
struct value<std::span<T, N>> {
  static constexpr text kind = "vector";
  using form = forms::sequence<std::remove_const_t<T>>;
  static constexpr bool borrows = true;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, std::span<T, N> v) {
    sink.template put<64>(v.size());
    for (auto const& each : v) layerkey::write(sink, each);
  }
  template<class Source>
  static std::vector<detail::read_type<std::remove_const_t<T>, Source>> read(Source& from) {
    std::vector<detail::read_type<std::remove_const_t<T>, Source>> v;
    for (auto count = from.template get<64>(); count != 0; --count)
      v.push_back(layerkey::read<std::remove_const_t<T>>(from));
    return v;
  }
};

template<detail::keyable T, std::size_t N>
struct value<std::array<T, N>> {
  static constexpr text kind = "array";
  using form = forms::times<T, N>;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, std::array<T, N> const& v) {
    for (T const& each : v) value<T>::write(sink, each);
  }
  template<class Source>
  static std::vector<detail::read_type<T, Source>> read(Source& from) {
    std::vector<detail::read_type<T, Source>> v;
    for (auto count = N; count != 0; --count) v.push_back(layerkey::read<T>(from));
    return v;
  }
};

template<detail::fixed_size T, std::size_t N>
struct value<std::array<T, N>> {
  static constexpr text kind = "array";
  using form = forms::times<T, N>;
  static constexpr std::size_t atoms = N * value<T>::atoms;
  static constexpr void shape(detail::shape_writer& to) {
    for (std::size_t i = 0; i != N; ++i) value<T>::shape(to);
  }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, std::array<T, N> const& v) {
    for (T const& each : v) value<T>::write(sink, each);
  }
  template<class Source>
  static std::vector<detail::read_type<T, Source>> read(Source& from) {
    std::vector<detail::read_type<T, Source>> v;
    for (auto count = N; count != 0; --count) v.push_back(layerkey::read<T>(from));
    return v;
  }
};

}  // namespace layerkey
