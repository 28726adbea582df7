// The members of a described struct, one after another: for option parsers, printers and tests.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/view.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace layerkey {
namespace detail {

template<auto... Path>
std::string dotted() {
  std::string full;
  ((full += full.empty() ? "" : ".", full += name_of<Path>.data()), ...);
  return full;
}

template<auto... Path>
struct open_way;

template<>
struct open_way<> {
  template<class End>
  static constexpr void in(auto& object, auto const& use) {
    use(object);
  }
};

template<auto First, auto... Rest>
struct open_way<First, Rest...> {
  template<class End>
  static constexpr void in(auto& object, auto const& use) {
    auto& held = const_cast<member_type<First>&>(access<First>::get(object));
    if constexpr (may_be_absent<First>) {
      using next = typename next_struct<End, Rest...>::type;
      holder<member_type<First>>::template put<next>(held, defaults_of{});
      auto const& inside = holder<member_type<First>>::template get<next>(std::as_const(held));
      open_way<Rest...>::template in<End>(const_cast<next&>(inside), use);
    } else
      open_way<Rest...>::template in<End>(held, use);
  }
};

}  // namespace detail

// A member of P, reached through the per_member structs that Prefix names.
template<class P, class Field, auto... Prefix>
struct member_info {
  using type = detail::member_type<Field::access>;

  static constexpr bool is_runtime_only =
      mp::mp_contains<typename Field::tags, runtime_only>::value;
  static constexpr bool is_check_only = mp::mp_contains<typename Field::tags, check_only>::value;
  static constexpr bool can_be_set =
      detail::access<Field::access>::can_set && (!detail::is_constant<Prefix> && ...);

  // Whether an optional or a variant leads to it, so that it may be absent.
  static constexpr bool is_held = (detail::may_be_absent<Prefix> || ...);
  // A member_info of which struct an optional or a variant holds?
  static constexpr bool is_state = false;

  // Whether a tag names this layer; not whether the member counts under its conditions.
  template<class Layer>
  static constexpr bool is_tagged_with = detail::contributes<Layer, Field>;

  // Without the structs that lead to it.
  static constexpr std::string_view name() { return detail::name_of<Field::access>.data(); }

  // With them: "target.sm".
  static std::string path() { return detail::dotted<Prefix..., Field::access>(); }

  // The member itself; of one that may be absent, a pointer that is null where it is.
  static constexpr decltype(auto) get(P const& p) {
    if constexpr (!is_held)
      return detail::access<Field::access>::get(detail::follow<Prefix...>::in(p));
    else if constexpr (std::is_reference_v<decltype(read_in(p))>)
      return is_there(p) ? __builtin_addressof(read_in(p)) : nullptr;
    else
      return is_there(p) ? std::optional<type>(read_in(p)) : std::nullopt;
  }

  static constexpr bool is_there(P const& p) { return way::is_there(p); }

  // Makes the optionals and variants on the way hold what leads to the member, from its defaults.
  static constexpr void set(P& p, type const& v)
    requires can_be_set
  {
    detail::open_way<Prefix...>::template in<detail::owner_of<Field::access>>(
        p, [&v](auto& owner) { detail::access<Field::access>::set(owner, v); });
  }

 private:
  using way = detail::locate<detail::owner_of<Field::access>, Prefix...>;

  static constexpr decltype(auto) read_in(P const& p) {
    return detail::access<Field::access>::get(way::in(p));
  }
};

// Which struct an optional or a variant holds: before the members of those structs.
template<class P, class Field, auto... Prefix>
struct state_info {
  using held = detail::member_type<Field::access>;
  using type = typename detail::holder<held>::state;

  static constexpr bool is_runtime_only = false;
  static constexpr bool is_check_only = false;
  static constexpr bool can_be_set = false;
  static constexpr bool is_held = (detail::may_be_absent<Prefix> || ...);
  static constexpr bool is_state = true;

  // Whether the layer reads a member of one of those structs.
  template<class Layer>
  static constexpr bool is_tagged_with =
      !mp::mp_empty<decltype(detail::leaves_of_holder<Layer, Field>())>::value;

  static constexpr std::string_view name() { return detail::name_of<Field::access>.data(); }
  static std::string path() { return detail::dotted<Prefix..., Field::access>(); }

  // The optional or variant itself, by the same rule as member_info.
  static constexpr decltype(auto) get(P const& p) {
    if constexpr (!is_held)
      return detail::access<Field::access>::get(way::in(p));
    else
      return is_there(p) ? __builtin_addressof(detail::access<Field::access>::get(way::in(p)))
                         : nullptr;
  }

  static constexpr bool is_there(P const& p) { return way::is_there(p); }

 private:
  using way = detail::locate<detail::owner_of<Field::access>, Prefix...>;
};

namespace detail {

template<class P, class Owner, auto... Prefix, class Visit>
constexpr void visit_members(Visit& visit, path<Prefix...>);

template<class P, class Field, auto... Prefix, class Visit>
constexpr void visit_member(Visit& visit, path<Prefix...>) {
  if constexpr (is_per_member<Field>) {
    using raw = member_type<Field::access>;
    if constexpr (holds_structs<raw>) visit(state_info<P, Field, Prefix...>{});
    [&visit]<class... S>(mp::mp_list<S...>) {
      (visit_members<P, S>(visit, path<Prefix..., Field::access>{}), ...);
    }(typename holder<raw>::structs{});
  } else
    visit(member_info<P, Field, Prefix...>{});
}

template<class P, class Owner, auto... Prefix, class Visit>
constexpr void visit_members(Visit& visit, path<Prefix...> prefix) {
  [&]<class... Fields>(mp::mp_list<Fields...>) {
    static_cast<void>(in_order{0, (visit_member<P, Fields>(visit, prefix), 0)...});
  }(fields_of<Owner>{});
}

}  // namespace detail

// Calls visit(member_info<...>{}) for each member, in the order of the list; per_member structs are
// entered, those in an optional or a variant behind a state_info<...>{}.
template<class P, class Visit>
constexpr void for_each_member(Visit&& visit) {
  static_assert(complete<P>);
  detail::visit_members<P, P>(visit, path<>{});
}

}  // namespace layerkey
