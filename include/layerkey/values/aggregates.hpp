// Plain aggregates in keys, taken whole: every member in order, without a tag of its own.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/value.hpp>

#include <utility>

namespace layerkey {
namespace detail {

// A described struct is no plain aggregate: its members have tags, so it is a member tagged
// per_member. Neither is a container.
template<class T>
concept plain_aggregate = std::is_aggregate_v<T> && std::is_class_v<T> && !described<T> &&
                          !requires(T const& t) { t.begin(); } && !has_base<T> && (arity<T> > 0) &&
                          (arity<T> <= most_bindings) && first_array<T>() == arity<T>;

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

template<class T>
concept fixed_aggregate =
    keyable_aggregate<T> && mp::mp_all_of<member_types<T>, is_fixed_size_q>::value;

}  // namespace detail

template<detail::keyable_aggregate T>
struct value<T> {
  static constexpr text kind = "aggregate";

  template<class Sink>
  static constexpr void write(Sink& sink, T const& v) {
    detail::bind(detail::size_c<detail::arity<T>>{}, v,
                 [&sink](auto const&... member) { (layerkey::write(sink, member), ...); });
  }
};

template<detail::fixed_aggregate T>
struct value<T> {
  static constexpr text kind = "aggregate";
  static constexpr std::size_t atoms = []<class... M>(mp::mp_list<M...>) {
    return (value<M>::atoms + ...);
  }(detail::member_types<T>{});
  static constexpr void shape(detail::shape_writer& to) {
    [&to]<class... M>(mp::mp_list<M...>) { (value<M>::shape(to), ...); }(detail::member_types<T>{});
  }

  template<class Sink>
  static constexpr void write(Sink& sink, T const& v) {
    detail::bind(detail::size_c<detail::arity<T>>{}, v,
                 [&sink](auto const&... member) { (layerkey::write(sink, member), ...); });
  }
};

}  // namespace layerkey
