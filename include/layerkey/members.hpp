// The members of a described struct, one after another: for option parsers, printers and tests.
#pragma once

#include <layerkey/detail/leaves.hpp>

#include <string>
#include <string_view>

namespace layerkey {

// A member of P, reached through the per_member structs that Prefix names.
template<class P, class Field, auto... Prefix>
struct member_info {
  using type = detail::member_type<Field::access>;

  static constexpr bool is_runtime_only =
      mp::mp_contains<typename Field::tags, runtime_only>::value;
  static constexpr bool is_check_only = mp::mp_contains<typename Field::tags, check_only>::value;
  static constexpr bool can_be_set =
      detail::access<Field::access>::can_set && (!detail::is_constant<Prefix> && ...);

  // Whether a tag names this layer; not whether the member counts under its conditions.
  template<class Layer>
  static constexpr bool is_tagged_with = detail::contributes<Layer, Field>;

  // Without the structs that lead to it.
  static constexpr std::string_view name() { return detail::name_of<Field::access>.data(); }

  // With them: "target.sm".
  static std::string path() {
    std::string full;
    ((full += detail::name_of<Prefix>.data(), full += '.'), ...);
    return full += name();
  }

  static constexpr decltype(auto) get(P const& p) {
    return detail::access<Field::access>::get(detail::follow<Prefix...>::in(p));
  }

  static constexpr void set(P& p, type const& v)
    requires can_be_set
  {
    auto const& owner = detail::follow<Prefix...>::in(std::as_const(p));
    detail::access<Field::access>::set(const_cast<std::remove_cvref_t<decltype(owner)>&>(owner), v);
  }
};

namespace detail {

template<class P, class Owner, auto... Prefix, class Visit>
constexpr void visit_members(Visit& visit, path<Prefix...>);

template<class P, class Field, auto... Prefix, class Visit>
constexpr void visit_member(Visit& visit, path<Prefix...>) {
  if constexpr (is_per_member<Field>)
    visit_members<P, member_type<Field::access>>(visit, path<Prefix..., Field::access>{});
  else
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
// entered.
template<class P, class Visit>
constexpr void for_each_member(Visit&& visit) {
  static_assert(complete<P>);
  detail::visit_members<P, P>(visit, path<>{});
}

}  // namespace layerkey
