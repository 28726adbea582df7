// One field of a struct as one layer sees it: canonical form, then projection, then conditions.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/value.hpp>

namespace layerkey::detail {

template<class Layer, class Field>
constexpr bool contributes = mp::mp_any_of_q<typename Field::tags, names_layer<Layer>>::value;

template<auto Access>
struct accesses {
  template<class Field>
  using fn = std::is_same<path<Field::access>, path<Access>>;
};

// The field of P that Access names, in a list of one; an empty list if P lists no such member.
template<class P, auto Access>
using field_at = mp::mp_copy_if_q<fields_of<P>, accesses<Access>>;

template<class Layer, class P, auto Access>
constexpr bool layer_reads = false;

template<class Layer, class P, auto Access>
  requires(!mp::mp_empty<field_at<P, Access>>::value)
constexpr bool layer_reads<Layer, P, Access> =
    contributes<Layer, mp::mp_front<field_at<P, Access>>>;

// ---- what an inactive member reads -------------------------------------------------------------

template<class P>
concept constant_initialisers = requires { typename size_c<(static_cast<void>(P{}), 0)>; };

template<class Conditions>
using with_otherwise = mp::mp_copy_if<Conditions, says_otherwise_q>;

template<class P, auto Access, class Conditions>
constexpr auto inactive_value() {
  if constexpr (!mp::mp_empty<with_otherwise<Conditions>>::value) {
    constexpr auto otherwise = mp::mp_front<with_otherwise<Conditions>>::otherwise_value;
    if constexpr (is_named_function<std::remove_const_t<decltype(otherwise)>>)
      return member_type<Access>(otherwise());
    else
      return member_type<Access>(otherwise);
  } else if constexpr (supplies_defaults<P>)
    return member_type<Access>(access<Access>::get(supplied_defaults<P>()));
  else
    return member_type<Access>(access<Access>::get(P{}));
}

// ---- the member --------------------------------------------------------------------------------

template<class Layer, class P, class Field>
struct member;

template<class Layer, class P, auto Access>
using member_at = member<Layer, P, mp::mp_front<field_at<P, Access>>>;

template<class Layer, class P, class Condition, class Reads>
struct holds;

template<class Layer, class P, class Condition, auto... Reads>
struct holds<Layer, P, Condition, path<Reads...>> {
  static constexpr bool in(P const& p) {
    if (!(member_at<Layer, P, Reads>::active(p) && ...)) return false;
    if constexpr (asks_for_truth<Condition>)
      return (static_cast<bool>(member_at<Layer, P, Reads>::get(p)) && ...);
    else
      return static_cast<bool>(call<Condition::predicate>(member_at<Layer, P, Reads>::get(p)...));
  }
};

template<class Layer, class P, class... Conditions>
constexpr bool all_hold([[maybe_unused]] P const& p, mp::mp_list<Conditions...>) {
  return (holds<Layer, P, Conditions, typename condition_reads<Conditions>::type>::in(p) && ...);
}

template<class Layer, class P, class Field>
struct member {
  using layer = Layer;
  using owner = P;
  using field = Field;
  using raw = member_type<Field::access>;
  using tag = mp::mp_front<mp::mp_copy_if_q<typename Field::tags, names_layer<Layer>>>;
  using type = form_type<tag, raw>;
  using conditions = mp::mp_copy_if<typename Field::tags, is_condition_q>;
  using canonicals = mp::mp_copy_if<typename Field::tags, is_canonical_q>;

  // The stored member itself, with nothing computed.
  static constexpr bool plain = access<Field::access>::is_member && !has_projection<tag> &&
                                mp::mp_empty<conditions>::value && mp::mp_empty<canonicals>::value;

  // Copies nothing where there is no canonical form: a projection may read what cannot be copied.
  static constexpr std::conditional_t<mp::mp_empty<canonicals>::value, raw const&, raw>
  canonical_value(raw const& v) {
    if constexpr (mp::mp_empty<canonicals>::value)
      return v;
    else
      return call<mp::mp_front<canonicals>::canonical_function>(v);
  }

  static constexpr type shaped(raw const& v) {
    if constexpr (has_projection<tag>)
      return call<tag::projection>(canonical_value(v));
    else
      return canonical_value(v);
  }

  static constexpr bool active(P const& p) { return all_hold<Layer>(p, conditions{}); }

  static constexpr decltype(auto) get(P const& p) {
    if constexpr (plain)
      return access<Field::access>::get(p);
    else if constexpr (mp::mp_empty<conditions>::value)
      return shaped(access<Field::access>::get(p));
    else
      return active(p) ? shaped(access<Field::access>::get(p))
                       : shaped(inactive_value<P, Field::access, conditions>());
  }

  // The value that a narrowed struct holds in place of the member.
  static constexpr raw representative(P const& p) {
    if constexpr (has_section<tag>)
      return call<tag::section>(get(p));
    else
      return get(p);
  }

  static constexpr bool can_be_filled =
      access<Field::access>::can_set && (has_section<tag> || !has_projection<tag>);
};

// ---- cycles ------------------------------------------------------------------------------------

template<class P, class Visited, class Reads>
struct reaches;

template<class P, class Visited, auto Access>
consteval bool reaches_itself() {
  if constexpr (mp::mp_contains<Visited, path<Access>>::value)
    return true;
  else if constexpr (mp::mp_empty<field_at<P, Access>>::value)
    return false;
  else
    return reaches<
        P, mp::mp_push_back<Visited, path<Access>>,
        mp::mp_copy_if<typename mp::mp_front<field_at<P, Access>>::tags, is_condition_q>>::itself();
}

template<class P, class Visited, class... Conditions>
struct reaches<P, Visited, mp::mp_list<Conditions...>> {
  template<auto... Reads>
  static consteval bool through(path<Reads...>) {
    return (reaches_itself<P, Visited, Reads>() || ...);
  }

  static consteval bool itself() {
    return (through(typename condition_reads<Conditions>::type{}) || ...);
  }
};

}  // namespace layerkey::detail
