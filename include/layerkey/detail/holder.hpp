// What may hold a described struct that is tagged per_member: the member itself, or a type that
// may hold it or not, or one of several.
#pragma once

#include <layerkey/detail/access.hpp>
#include <layerkey/detail/light_mp11.hpp>
#include <layerkey/value.hpp>

#include <cstdint>

namespace layerkey::detail {

// The member itself is the struct. Specialised by values/optional.hpp and values/variant.hpp with
//   state                      which struct is held: a value for the key
//   state_of(holder)
//   has<S>(holder)             whether it holds an S
//   get<S>(holder)             the S inside
//   take_state(to, from, make) makes `to` hold what `from` does, from make<S>() where it did not
//   put<S>(holder, make)       makes it hold an S
//   map(holder, f)             the same type of holder, with f(s) in it
template<class T>
struct holder {
  using structs = mp::mp_list<T>;
};

template<class T>
concept holds_structs = requires { typename holder<T>::state; };

// A member that leads to its struct only while it holds it.
template<auto Access>
constexpr bool may_be_absent = holds_structs<member_type<Access>>;

template<class Path>
constexpr bool leads_through_holder = false;

template<auto... Steps>
constexpr bool leads_through_holder<path<Steps...>> = (may_be_absent<Steps> || ...);

// ---- states ------------------------------------------------------------------------------------

struct presence {
  bool present;
};

struct alternative {
  std::uint16_t index;
};

// ---- the way to a struct -----------------------------------------------------------------------

template<auto... Path>
struct follow;

template<>
struct follow<> {
  static constexpr auto const& in(auto const& object) { return object; }
};

template<auto First, auto... Rest>
struct follow<First, Rest...> {
  static constexpr auto const& in(auto const& object) {
    return follow<Rest...>::in(access<First>::get(object));
  }
};

// The same to a struct End that may not be there. Presence is no null pointer, since g++ 12
// compares none with the address of a temporary in a constant expression.
template<class End, auto... Path>
struct locate;

template<class End>
struct locate<End> {
  static constexpr bool is_there(End const&) { return true; }
  static constexpr End const& in(End const& object) { return object; }
};

template<class End, auto... Rest>
struct next_struct {
  using type = End;
};
template<class End, auto First, auto... Rest>
struct next_struct<End, First, Rest...> {
  using type = owner_of<First>;
};

template<class End, auto First, auto... Rest>
struct locate<End, First, Rest...> {
  using rest = locate<End, Rest...>;
  using next = typename next_struct<End, Rest...>::type;

  static constexpr bool is_there(auto const& object) {
    decltype(auto) held = access<First>::get(object);
    if constexpr (may_be_absent<First>) {
      using holder = detail::holder<member_type<First>>;
      return holder::template has<next>(held) && rest::is_there(holder::template get<next>(held));
    } else
      return rest::is_there(held);
  }

  static constexpr End const& in(auto const& object) {
    decltype(auto) held = access<First>::get(object);
    if constexpr (may_be_absent<First>)
      return rest::in(holder<member_type<First>>::template get<next>(held));
    else
      return rest::in(held);
  }
};

// Calls f(s) for the struct that is held, if one is.
template<class T, class F>
constexpr void visit_held(T const& object, F const& f) {
  if constexpr (holds_structs<T>)
    [&]<class... S>(mp::mp_list<S...>) {
      ((holder<T>::template has<S>(object) ? f(holder<T>::template get<S>(object)) : void()), ...);
    }(typename holder<T>::structs{});
  else
    f(object);
}

}  // namespace layerkey::detail

namespace layerkey {

template<>
struct value<detail::presence> {
  static constexpr text kind = "presence";
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { to.put(1); }

  template<class Sink>
  static constexpr void write(Sink& sink, detail::presence v) {
    sink.template put<1>(v.present);
  }

  template<class Printer>
  static void print(Printer& to, detail::presence v) {
    to.text(v.present ? "present" : "none");
  }
};

template<>
struct value<detail::alternative> {
  static constexpr text kind = "alternative";
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { to.put(16); }

  template<class Sink>
  static constexpr void write(Sink& sink, detail::alternative v) {
    sink.template put<16>(v.index);
  }

  template<class Printer>
  static void print(Printer& to, detail::alternative v) {
    to.text("#");
    to.value(v.index);
  }
};

}  // namespace layerkey
