// Pairs and tuples in keys: element by element.
#pragma once

#include <layerkey/value.hpp>

#include <tuple>
#include <utility>

namespace layerkey {

template<detail::keyable A, detail::keyable B>
struct value<std::pair<A, B>> {
  static constexpr text kind = "pair";
  using form = forms::all<A, B>;

  template<class Sink>
  static constexpr void write(Sink& sink, std::pair<A, B> const& v) {
    value<A>::write(sink, v.first);
    value<B>::write(sink, v.second);
  }
  template<class Source>
  static std::pair<detail::read_type<A, Source>, detail::read_type<B, Source>> read(Source& from) {
    return {layerkey::read<A>(from), layerkey::read<B>(from)};
  }

  template<class Printer>
  static void print(Printer& to, std::pair<A, B> const& v) {
    to.list(v.first, v.second);
  }
};

template<detail::fixed_size A, detail::fixed_size B>
struct value<std::pair<A, B>> {
  static constexpr text kind = "pair";
  using form = forms::all<A, B>;
  static constexpr std::size_t atoms = value<A>::atoms + value<B>::atoms;
  static constexpr void shape(detail::shape_writer& to) {
    value<A>::shape(to);
    value<B>::shape(to);
  }

  template<class Sink>
  static constexpr void write(Sink& sink, std::pair<A, B> const& v) {
    value<A>::write(sink, v.first);
    value<B>::write(sink, v.second);
  }
  template<class Source>
  static std::pair<detail::read_type<A, Source>, detail::read_type<B, Source>> read(Source& from) {
    return {layerkey::read<A>(from), layerkey::read<B>(from)};
  }

  template<class Printer>
  static void print(Printer& to, std::pair<A, B> const& v) {
    to.list(v.first, v.second);
  }
};

template<class... T>
  requires detail::all_keyable<T...>
struct value<std::tuple<T...>> {
  static constexpr text kind = "tuple";
  using form = forms::all<T...>;

  template<class Sink>
  static constexpr void write(Sink& sink, std::tuple<T...> const& v) {
    std::apply([&](T const&... each) { (value<T>::write(sink, each), ...); }, v);
  }
  template<class Source>
  static std::tuple<detail::read_type<T, Source>...> read([[maybe_unused]] Source& from) {
    return std::tuple<detail::read_type<T, Source>...>{layerkey::read<T>(from)...};
  }

  template<class Printer>
  static void print(Printer& to, std::tuple<T...> const& v) {
    std::apply([&to](T const&... each) { to.list(each...); }, v);
  }
};

template<class... T>
  requires detail::all_fixed_size<T...>
struct value<std::tuple<T...>> {
  static constexpr text kind = "tuple";
  using form = forms::all<T...>;
  static constexpr std::size_t atoms = (std::size_t{0} + ... + value<T>::atoms);
  static constexpr void shape(detail::shape_writer& to) { (value<T>::shape(to), ...); }

  template<class Sink>
  static constexpr void write(Sink& sink, std::tuple<T...> const& v) {
    std::apply([&](T const&... each) { (value<T>::write(sink, each), ...); }, v);
  }
  template<class Source>
  static std::tuple<detail::read_type<T, Source>...> read([[maybe_unused]] Source& from) {
    return std::tuple<detail::read_type<T, Source>...>{layerkey::read<T>(from)...};
  }

  template<class Printer>
  static void print(Printer& to, std::tuple<T...> const& v) {
    std::apply([&to](T const&... each) { to.list(each...); }, v);
  }
};

}  // namespace layerkey
