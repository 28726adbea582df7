// One field of a struct as one layer sees it: canonical form, then projection, then conditions.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/bind.hpp>
#include <layerkey/detail/holder.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/value.hpp>

namespace layerkey::detail {

template<class Layer, class Field>
constexpr bool contributes = any_of_q<typename Field::tags, names_layer<Layer>>;

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

// ---- where a member stands ---------------------------------------------------------------------

// Read from the struct that owns it.
struct alone {};

// Read from a struct around that one, whose refinements reach the member; Steps lead inwards.
template<class Root, auto... Steps>
struct inside {};

template<class P, class Place>
struct place_of;

template<class P>
struct place_of<P, alone> {
  using root = P;
  using steps = path<>;
  static constexpr P const& owner(P const& root) { return root; }
};

template<class P, class Root, auto... Steps>
struct place_of<P, inside<Root, Steps...>> {
  using root = Root;
  using steps = path<Steps...>;

  // Called only while the optionals and variants on the way hold what they lead to.
  static constexpr P const& owner(Root const& root) { return locate<P, Steps...>::in(root); }
};

// A modifier, and the steps from the root to the struct in whose list it stands: its reads start
// there.
template<class Modifier, auto... Scope>
struct placed {
  using modifier = Modifier;
  using scope = path<Scope...>;
  static constexpr std::size_t depth = sizeof...(Scope);
};

template<class Placed>
using modifier_of = typename Placed::modifier;

template<class... Placed>
mp::mp_list<modifier_of<Placed>...> modifiers_of_placed(mp::mp_list<Placed...>);

template<class Placed>
using is_placed_condition_q = is_condition_q<typename Placed::modifier>;

template<class Modifiers, class Scope>
struct place_all;

template<class... Modifiers, auto... Scope>
struct place_all<mp::mp_list<Modifiers...>, path<Scope...>> {
  using type = mp::mp_list<placed<Modifiers, Scope...>...>;
};

template<class Path>
struct refines_path {
  template<class Refinement>
  using fn = std::is_same<typename Refinement::refined, Path>;
};

template<class Refinement>
using modifiers_of = typename Refinement::modifiers;

// What the refinements in S add to the member that Path leads to from there.
template<class S, class Path>
using refined_by =
    typename joined_each<modifiers_of,
                         mp::mp_copy_if_q<refinements_of<S>, refines_path<Path>>>::type;

// What the structs around the owner of a member add to it, placed, outermost first.
template<class S, class Scope, auto... Path>
struct added_from {
  using type = mp::mp_list<>;
};

template<class S, auto... Scope, auto First, auto Second, auto... Rest>
struct added_from<S, path<Scope...>, First, Second, Rest...> {
  using type = mp::mp_append<
      typename place_all<refined_by<S, path<First, Second, Rest...>>, path<Scope...>>::type,
      typename added_from<owner_of<Second>, path<Scope..., First>, Second, Rest...>::type>;
};

// Of the modifiers of a member at this place: those that are added, all of them, and all conditions
// with where they stand. Aliases, so that a member that stands alone costs no instantiation.
template<class Place>
struct at_place;

template<>
struct at_place<alone> {
  template<class Field>
  using added = mp::mp_list<>;
  template<class Field>
  using modifiers = typename Field::tags;
  template<class Conditions, class Field>
  using placed_conditions = typename place_all<Conditions, path<>>::type;
};

template<class Root, auto... Steps>
struct at_place<inside<Root, Steps...>> {
  template<class Field>
  using added = typename added_from<Root, path<>, Steps..., Field::access>::type;
  template<class Field>
  using modifiers =
      mp::mp_append<typename Field::tags, decltype(modifiers_of_placed(added<Field>{}))>;
  template<class, class Field>
  using placed_conditions =
      mp::mp_append<typename place_all<mp::mp_copy_if<typename Field::tags, is_condition_q>,
                                       path<Steps...>>::type,
                    mp::mp_copy_if<added<Field>, is_placed_condition_q>>;
};

template<class Field, class Place>
using added = typename at_place<Place>::template added<Field>;

// ---- the member --------------------------------------------------------------------------------

// Member Field of P as Layer sees it. Its functions take the struct that it is read from.
template<class Layer, class P, class Field, class Place = alone>
struct member;

template<class Root, auto... Steps>
struct place_at {
  using type = inside<Root, Steps...>;
};
template<class Root>
struct place_at<Root> {
  using type = alone;
};

// The member that Path leads to from Root: Walked goes as far as P.
template<class Layer, class Root, class P, class Walked, auto... Path>
struct member_at;

template<class Layer, class Root, class P, auto... Walked, auto Last>
struct member_at<Layer, Root, P, path<Walked...>, Last> {
  using type =
      member<Layer, P, mp::mp_front<field_at<P, Last>>, typename place_at<Root, Walked...>::type>;
};

template<class Layer, class Root, class P, auto... Walked, auto First, auto Second, auto... Rest>
struct member_at<Layer, Root, P, path<Walked...>, First, Second, Rest...>
    : member_at<Layer, Root, owner_of<Second>, path<Walked..., First>, Second, Rest...> {};

// A read is a member of the struct in whose list the condition stands, or a path from there.
template<class Layer, class Root, class Scope, auto Read>
struct member_read;

template<class Layer, class Root, auto... Scope, auto Read>
struct member_read<Layer, Root, path<Scope...>, Read> {
  using type = typename member_at<Layer, Root, Root, path<>, Scope..., Read>::type;
};

template<class Layer, class Root, auto... Scope, auto... Steps, path<Steps...> Read>
struct member_read<Layer, Root, path<Scope...>, Read> {
  using type = typename member_at<Layer, Root, Root, path<>, Scope..., Steps...>::type;
};

template<class Layer, class Root, class Scope, class Condition, class Reads>
struct holds;

template<class Layer, class Root, class Scope, class Condition, auto... Reads>
struct holds<Layer, Root, Scope, Condition, path<Reads...>> {
  static constexpr bool in(Root const& root) {
    if (!(member_read<Layer, Root, Scope, Reads>::type::active(root) && ...)) return false;
    if constexpr (asks_for_truth<Condition>)
      return (static_cast<bool>(member_read<Layer, Root, Scope, Reads>::type::get(root)) && ...);
    else
      return static_cast<bool>(
          call<Condition::predicate>(member_read<Layer, Root, Scope, Reads>::type::get(root)...));
  }
};

template<class Layer, class Root, class... Conditions>
constexpr bool all_hold([[maybe_unused]] Root const& root, mp::mp_list<Conditions...>) {
  return (holds<Layer, Root, typename Conditions::scope, typename Conditions::modifier,
                typename condition_reads<typename Conditions::modifier>::type>::in(root) &&
          ...);
}

template<class Layer, class P, class Field, class Place>
struct member {
  using layer = Layer;
  using owner = P;
  using field = Field;
  using place = place_of<P, Place>;
  using root = typename place::root;
  using raw = member_type<Field::access>;
  using tag = mp::mp_front<mp::mp_copy_if_q<typename Field::tags, names_layer<Layer>>>;
  using type = form_type<tag, raw>;

  // All that modifies it: its own modifiers, then those that structs around its owner add.
  using refined = added<Field, Place>;
  using modifiers = typename at_place<Place>::template modifiers<Field>;
  using conditions = mp::mp_copy_if<modifiers, is_condition_q>;
  using canonicals = mp::mp_copy_if<modifiers, is_canonical_q>;
  using placed_conditions = typename at_place<Place>::template placed_conditions<conditions, Field>;

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

  // Whether a projection that returns a reference is read where that leads: not into a temporary.
  static constexpr bool projects_in_place() {
    if constexpr (has_projection<tag>)
      return std::is_lvalue_reference_v<decltype(call<tag::projection>(
                 std::declval<raw const&>()))> &&
             std::is_lvalue_reference_v<decltype(access<Field::access>::get(
                 std::declval<P const&>()))> &&
             mp::mp_empty<canonicals>::value && mp::mp_empty<conditions>::value;
    else
      return false;
  }

  static constexpr bool active(root const& r) { return all_hold<Layer>(r, placed_conditions{}); }

  static constexpr decltype(auto) get(root const& r) {
    if constexpr (plain)
      return access<Field::access>::get(place::owner(r));
    else if constexpr (projects_in_place())
      return static_cast<type const&>(
          call<tag::projection>(access<Field::access>::get(place::owner(r))));
    else if constexpr (mp::mp_empty<conditions>::value)
      return shaped(access<Field::access>::get(place::owner(r)));
    else
      return active(r) ? shaped(access<Field::access>::get(place::owner(r)))
                       : shaped(inactive_value<P, Field::access, conditions>());
  }

  // The value that a narrowed struct holds in place of the member.
  static constexpr raw representative(root const& r) {
    if constexpr (has_section<tag>)
      return call<tag::section>(get(r));
    else
      return get(r);
  }

  static constexpr bool can_be_filled =
      access<Field::access>::can_set && (has_section<tag> || !has_projection<tag>);
};

// Which struct an optional or a variant holds, in the key of each layer that reads of one of them.
template<class Layer, class P, class Field, class Place = alone>
struct state_member {
  using layer = Layer;
  using owner = P;
  using field = Field;
  using place = place_of<P, Place>;
  using root = typename place::root;
  using raw = member_type<Field::access>;
  using tag = affects<Layer>;
  using type = typename holder<raw>::state;
  using refined = mp::mp_list<>;
  using conditions = mp::mp_list<>;
  using canonicals = mp::mp_list<>;
  using placed_conditions = mp::mp_list<>;

  static constexpr bool plain = false;
  static constexpr bool can_be_filled = !is_constant<Field::access>;

  static constexpr raw const& held(root const& r) {
    return access<Field::access>::get(place::owner(r));
  }
  static constexpr type get(root const& r) { return holder<raw>::state_of(held(r)); }
};

template<class Member>
constexpr bool is_state = false;

template<class Layer, class P, class Field, class Place>
constexpr bool is_state<state_member<Layer, P, Field, Place>> = true;

// ---- reads of conditions -----------------------------------------------------------------------

// Whether Path leads from P to a member that Layer keys. Through an optional or a variant it leads
// nowhere, since what is behind may be absent.
template<class Layer, class P, auto... Path>
constexpr bool leads_to_member = false;

template<class Layer, class P, auto Last>
constexpr bool leads_to_member<Layer, P, Last> = layer_reads<Layer, P, Last>;

template<class Layer, class P, auto First, auto Second, auto... Rest>
consteval bool leads_on() {
  if constexpr (mp::mp_empty<field_at<P, First>>::value)
    return false;
  else if constexpr (!contains<typename mp::mp_front<field_at<P, First>>::tags, per_member>)
    return false;
  else if constexpr (!std::is_same_v<member_type<First>, owner_of<Second>>)
    return false;
  else
    return leads_to_member<Layer, member_type<First>, Second, Rest...>;
}

template<class Layer, class P, auto First, auto Second, auto... Rest>
constexpr bool leads_to_member<Layer, P, First, Second, Rest...> =
    leads_on<Layer, P, First, Second, Rest...>();

template<class Layer, class P, auto Read>
struct read_leads {
  static constexpr bool value = leads_to_member<Layer, P, Read>;
};

template<class Layer, class P, auto... Steps, path<Steps...> Read>
struct read_leads<Layer, P, Read> {
  static constexpr bool value = leads_to_member<Layer, P, Steps...>;
};

// ---- cycles ------------------------------------------------------------------------------------

// All conditions of the member that Path leads to from Root, placed. P owns the last step.
template<class Root, class P, class Walked, auto... Path>
struct conditions_at;

template<class Root, class P, auto... Walked, auto Last>
struct conditions_at<Root, P, path<Walked...>, Last> {
  static consteval auto find() {
    if constexpr (mp::mp_empty<field_at<P, Last>>::value)
      return mp::mp_list<>{};
    else {
      using field = mp::mp_front<field_at<P, Last>>;
      return mp::mp_append<typename place_all<mp::mp_copy_if<typename field::tags, is_condition_q>,
                                              path<Walked...>>::type,
                           mp::mp_copy_if<added<field, typename place_at<Root, Walked...>::type>,
                                          is_placed_condition_q>>{};
    }
  }
  using type = decltype(find());
};

template<class Root, class P, auto... Walked, auto First, auto Second, auto... Rest>
struct conditions_at<Root, P, path<Walked...>, First, Second, Rest...>
    : conditions_at<Root, owner_of<Second>, path<Walked..., First>, Second, Rest...> {};

template<class Scope, auto Read>
struct whole_read;

template<auto... Scope, auto Read>
struct whole_read<path<Scope...>, Read> {
  using type = path<Scope..., Read>;
};

template<auto... Scope, auto... Steps, path<Steps...> Read>
struct whole_read<path<Scope...>, Read> {
  using type = path<Scope..., Steps...>;
};

template<class Root, class Visited, class Conditions>
struct reaches;

// Whether the member at Path depends on itself, or on a member that does.
template<class Root, class Visited, auto... Path>
consteval bool reaches_itself(path<Path...>) {
  if constexpr (contains<Visited, path<Path...>>)
    return true;
  else
    return reaches<Root, mp::mp_push_back<Visited, path<Path...>>,
                   typename conditions_at<Root, Root, path<>, Path...>::type>::itself();
}

template<class Root, class Visited, class... Conditions>
struct reaches<Root, Visited, mp::mp_list<Conditions...>> {
  template<class Scope, auto... Reads>
  static consteval bool through(path<Reads...>) {
    return (reaches_itself<Root, Visited>(typename whole_read<Scope, Reads>::type{}) || ...);
  }

  static consteval bool itself() {
    return (through<typename Conditions::scope>(
                typename condition_reads<typename Conditions::modifier>::type{}) ||
            ...);
  }
};

}  // namespace layerkey::detail
