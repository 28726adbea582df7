// Plain aggregates in keys, taken whole: every member in order, without a tag of its own.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/light_mp11.hpp>
#include <layerkey/value.hpp>

#include <type_traits>

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

template<class List>
constexpr bool all_are_keyable = false;
template<class... T>
constexpr bool all_are_keyable<mp::mp_list<T...>> = all_keyable<T...>;

template<class List>
constexpr bool all_are_fixed_size = false;
template<class... T>
constexpr bool all_are_fixed_size<mp::mp_list<T...>> = all_fixed_size<T...>;

template<class T>
concept keyable_aggregate = plain_aggregate<T> && all_are_keyable<member_types<T>>;

// Not where a member refers to what something else owns.
template<class Members, class Source>
constexpr bool reads_back = false;

template<class... M, class Source>
constexpr bool reads_back<mp::mp_list<M...>, Source> =
    (std::is_same_v<read_type<M, Source>, M> && ...);

template<class T>
concept fixed_aggregate = keyable_aggregate<T> && all_are_fixed_size<member_types<T>>;

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
