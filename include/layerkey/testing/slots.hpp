// The members of params as verifications read and set them: also those that may be absent, and
// which struct an optional or a variant holds.
#pragma once

#include <layerkey/detail/holder.hpp>
#include <layerkey/members.hpp>
#include <layerkey/testing/values.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace layerkey::testing::detail {

// A member that can be read where is_there(p), as a value of `type`.
template<class Member>
struct slot;

template<class P, class Field, auto... Prefix>
struct slot<member_info<P, Field, Prefix...>> {
  using member = member_info<P, Field, Prefix...>;
  using type = typename member::type;
  using field = Field;

  // One that may be absent is set where it lies, so that nothing has to be made around it.
  static constexpr bool can_be_set =
      member::can_be_set &&
      (!member::is_held || layerkey::detail::access<Field::access>::is_member);
  static constexpr bool is_state = false;

  static bool is_there(P const& p) { return member::is_there(p); }
  static decltype(auto) get(P const& p) {
    if constexpr (!member::is_held)
      return member::get(p);
    else if constexpr (std::is_pointer_v<decltype(member::get(p))>)
      return (*member::get(p));
    else
      return type(*member::get(p));
  }
  static void set(P& p, type const& v)
    requires can_be_set
  {
    if constexpr (member::is_held)
      const_cast<type&>(get(p)) = v;
    else
      member::set(p, v);
  }

  static std::string written(type const& v) { return snapshot<type>(v); }
  static std::string printed(type const& v) { return layerkey::detail::printed<type>(v); }
};

// Its value is all that the optional or variant holds; what is written of it is only which struct.
template<class P, class Field, auto... Prefix>
struct slot<state_info<P, Field, Prefix...>> {
  using member = state_info<P, Field, Prefix...>;
  using type = typename member::held;
  using field = Field;
  using state = typename member::type;

  static constexpr bool can_be_set =
      !member::is_held && std::is_copy_assignable_v<P> && std::is_copy_assignable_v<type>;
  static constexpr bool is_state = true;

  static bool is_there(P const& p) { return member::is_there(p); }
  static type const& get(P const& p) {
    if constexpr (member::is_held)
      return *member::get(p);
    else
      return member::get(p);
  }
  static void set(P& p, type const& v)
    requires can_be_set
  {
    const_cast<type&>(member::get(std::as_const(p))) = v;
  }

  static std::string written(type const& v) { return snapshot<state>(state_of(v)); }
  static std::string printed(type const& v) {
    return layerkey::detail::printed<state>(state_of(v));
  }

 private:
  static state state_of(type const& v) { return layerkey::detail::holder<type>::state_of(v); }
};

template<class P, class Visit>
void for_each_slot(Visit&& visit) {
  for_each_member<P>([&visit](auto member) { visit(slot<decltype(member)>{}); });
}

template<class Slot, class P>
std::string written_in(P const& p) {
  return Slot::is_there(p) ? Slot::written(Slot::get(p)) : "absent";
}

template<class Slot, class P>
std::string printed_in(P const& p) {
  return Slot::is_there(p) ? Slot::printed(Slot::get(p)) : "absent";
}

}  // namespace layerkey::testing::detail
