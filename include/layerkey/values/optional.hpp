// Optional values in keys: a flag, then the value. An absent one differs from every present one.
#pragma once

#include <layerkey/detail/holder.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/value.hpp>

#include <optional>

namespace layerkey {

template<detail::keyable T>
struct value<std::optional<T>> {
  static constexpr text kind = "optional";
  using form = forms::maybe<T>;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, std::optional<T> const& v) {
    sink.template put<1>(v.has_value());
    if (v) value<T>::write(sink, *v);
  }
  template<class Source>
  static std::optional<detail::read_type<T, Source>> read(Source& from) {
    if (from.template get<1>() != 0) return layerkey::read<T>(from);
    return std::nullopt;
  }
};

template<detail::fixed_size T>
struct value<std::optional<T>> {
  static constexpr text kind = "optional";
  using form = forms::maybe<T>;
  static constexpr std::size_t atoms = 1 + value<T>::atoms;
  static constexpr void shape(detail::shape_writer& to) {
    to.put(1);
    value<T>::shape(to);
  }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, std::optional<T> const& v) {
    sink.template put<1>(v.has_value());
    if (v)
      value<T>::write(sink, *v);
    else
      sink.skip(value<T>::atoms);
  }
  template<class Source>
  static std::optional<detail::read_type<T, Source>> read(Source& from) {
    if (from.template get<1>() != 0) return layerkey::read<T>(from);
    from.skip(value<T>::atoms);
    return std::nullopt;
  }
};

// An optional described struct, tagged per_member.
template<class S>
struct detail::holder<std::optional<S>> {
  using structs = mp::mp_list<S>;
  using state = presence;

  static constexpr state state_of(std::optional<S> const& v) { return {v.has_value()}; }

  template<class>
  static constexpr bool has(std::optional<S> const& v) {
    return v.has_value();
  }
  template<class>
  static constexpr S const& get(std::optional<S> const& v) {
    return *v;
  }

  template<class, class Make>
  static constexpr void put(std::optional<S>& v, Make make) {
    if (!v) v.emplace(make.template make<S>());
  }

  template<class Make>
  static constexpr void take_state(std::optional<S>& to, std::optional<S> const& from, Make make) {
    if (from)
      put<S>(to, make);
    else
      to.reset();
  }

  template<class F>
  static constexpr auto map(std::optional<S> const& v, F const& f)
      -> std::optional<decltype(f(*v))> {
    if (v) return f(*v);
    return std::nullopt;
  }
};

}  // namespace layerkey
