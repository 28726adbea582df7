// Reading and writing a member through a member pointer or an accessor.
#pragma once

#include <layerkey/field.hpp>

#include <type_traits>

namespace layerkey::detail {

template<auto Access>
struct access;

template<class P, class T, T P::* Member>
struct access<Member> {
  using owner = P;
  using type = std::remove_cv_t<T>;
  static constexpr bool is_member = true;
  static constexpr bool can_set = !std::is_const_v<T>;

  static constexpr T const& get(P const& p) { return p.*Member; }
  static constexpr void set(P& p, type const& v)
    requires can_set
  {
    p.*Member = v;
  }
};

template<class P, class T>
P parameter_of(T (*)(P const&));
template<class P, class T>
P parameter_of(T (*)(P const&) noexcept);
template<class P, class T>
P parameter_of(T (P::*)() const);
template<class P, class T>
P parameter_of(T (P::*)() const noexcept);

template<auto Get, auto Set, accessor_type<Get, Set> Access>
struct access<Access> {
  using owner = decltype(parameter_of(Get));
  static constexpr bool is_member = false;
  static constexpr bool can_set = !std::is_null_pointer_v<decltype(Set)>;

  static constexpr decltype(auto) get(owner const& p) {
    if constexpr (std::is_member_function_pointer_v<decltype(Get)>)
      return (p.*Get)();
    else
      return Get(p);
  }

  using type = std::remove_cvref_t<decltype(get(std::declval<owner const&>()))>;

  static constexpr void set(owner& p, type const& v)
    requires can_set
  {
    if constexpr (std::is_member_function_pointer_v<decltype(Set)>)
      (p.*Set)(v);
    else
      Set(p, v);
  }
};

// A member that nothing may write to.
template<auto Access>
constexpr bool is_constant = access<Access>::is_member && !access<Access>::can_set;

template<auto Access>
using owner_of = typename access<Access>::owner;

template<auto Access>
using member_type = typename access<Access>::type;

}  // namespace layerkey::detail
