// Optional values in keys: a flag, then the value. An absent one differs from every present one.
#pragma once

#include <layerkey/value.hpp>

#include <optional>

namespace layerkey {

template<detail::keyable T>
struct value<std::optional<T>> {
  static constexpr text kind = "optional";

  template<class Sink>
  static constexpr void write(Sink& sink, std::optional<T> const& v) {
    sink.template put<1>(v.has_value());
    if (v) value<T>::write(sink, *v);
  }
};

template<detail::fixed_size T>
struct value<std::optional<T>> {
  static constexpr text kind = "optional";
  static constexpr std::size_t atoms = 1 + value<T>::atoms;
  static constexpr void shape(detail::shape_writer& to) {
    to.put(1);
    value<T>::shape(to);
  }

  template<class Sink>
  static constexpr void write(Sink& sink, std::optional<T> const& v) {
    sink.template put<1>(v.has_value());
    if (v)
      value<T>::write(sink, *v);
    else
      sink.skip(value<T>::atoms);
  }
};

}  // namespace layerkey
