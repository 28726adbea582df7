// Plain aggregates in keys, taken whole: every member in order, without a tag of its own.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/value.hpp>

#include <type_traits>
#include <utility>

namespace layerkey {
namespace detail {

// A described struct is no plain aggregate: its members have tags, so it is a member tagged
// per_member. Neither is a container.
template<class T>
concept plain_aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !described<T> &&
                          !requires(T const& t) { t.begin(); } && !has_base<T> && (arity<T> > 0) &&
                          bindable<arity<T>> && first_array<T>() == arity<T>;

// A function object, since g++ 12 takes no lambda where a constraint is checked.
struct list_of_types {
  template<class... M>
  constexpr auto operator()(M const&...) const {
    return mp::mp_list<std::remove_cv_t<M>...>{};
  }
};

template<class T>
using member_types = decltype(bind(size_c<arity<T>>{}, std::declval<T&>(), list_of_types{}));

template<class T>
using is_keyable_q = mp::mp_bool<keyable<T>>;

template<class T>
using is_fixed_size_q = mp::mp_bool<fixed_size<T>>;

template<class T>
concept keyable_aggregate =
    plain_aggregate<T> && mp::mp_all_of<member_types<T>, is_keyable_q>::value;

// Not where a member refers to what something else owns.
template<class Members, class Source>
constexpr bool reads_back = false;

template<class... M, class Source>
constexpr bool reads_back<mp::mp_list<M...>, Source> =
    (std::is_same_v<read_type<M, Source>, M> && ...);

template<class T>
concept fixed_aggregate =
    keyable_aggregate<T> && mp::mp_all_of<member_types<T>, is_fixed_size_q>::value;

}  // namespace detail

template<detail::keyable_aggregate T>
struct value<T> {
  static constexpr text kind = "aggregate";
  using form = mp::mp_rename<detail::member_types<T>, forms::all>;
  using named_parts = T;  // a schema tells their names

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, T const& v) {
    detail::bind(detail::size_c<detail::arity<T>>{}, v,
                 [&sink](auto const&... member)
                     LAYERKEY_ALWAYS_INLINE_LAMBDA { (layerkey::write(sink, member), ...); });
  }
  template<class Source>
    requires detail::reads_back<detail::member_types<T>, Source>
  static constexpr T read(Source& from) {
    return [&from]<class... M>(mp::mp_list<M...>) {
      return T{layerkey::read<M>(from)...};
    }(detail::member_types<T>{});
  }
};

template<detail::fixed_aggregate T>
struct value<T> {
  static constexpr text kind = "aggregate";
  using form = mp::mp_rename<detail::member_types<T>, forms::all>;
  using named_parts = T;  // a schema tells their names
  static constexpr std::size_t atoms = []<class... M>(mp::mp_list<M...>) {
    return (value<M>::atoms + ...);
  }(detail::member_types<T>{});
  static constexpr void shape(detail::shape_writer& to) {
    [&to]<class... M>(mp::mp_list<M...>) { (value<M>::shape(to), ...); }(detail::member_types<T>{});
  }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink, T const& v) {
    detail::bind(detail::size_c<detail::arity<T>>{}, v,
                 [&sink](auto const&... member)
                     LAYERKEY_ALWAYS_INLINE_LAMBDA { (layerkey::write(sink, member), ...); });
  }
  template<class Source>
    requires detail::reads_back<detail::member_types<T>, Source>
  static constexpr T read(Source& from) {
    return [&from]<class... M>(mp::mp_list<M...>) {
      return T{layerkey::read<M>(from)...};
    }(detail::member_types<T>{});
  }
};

}  // namespace layerkey
