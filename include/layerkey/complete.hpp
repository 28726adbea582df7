// Whether the description of a struct accounts for every member, and for each in a way that makes
// sense.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/member.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/error.hpp>
#include <layerkey/value.hpp>

namespace layerkey {
namespace detail {

// ---- names and addresses of members ------------------------------------------------------------

// Never defined: only the addresses of its members are taken.
template<class P>
struct phantom {
  static P const object;
};

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

template<class P>
struct member_addresses {
  void const* at[arity<P> + 1] = {};
};

// Binding is also what refuses an anonymous union: the compiler says so by itself, with the
// struct's name.

template<class P>
consteval member_addresses<P> addresses_of_members() {
  return bind(size_c<arity<P>>{}, phantom<P>::object, [](auto&... member) {
    return member_addresses<P>{{__builtin_addressof(member)...}};
  });
}

template<class P>
consteval bool can_be_bound() {
  using bound [[maybe_unused]] =
      decltype(bind(size_c<arity<P>>{}, std::declval<P&>(), [](auto const&...) {}));
  return true;
}

// False where a bit-field has no address.
template<class P>
concept addressable = requires { typename size_c<(addresses_of_members<P>(), 0)>; };

template<class P, auto Access>
consteval void const* address_of() {
  if constexpr (std::is_member_object_pointer_v<decltype(Access)>)
    return __builtin_addressof(phantom<P>::object.*Access);
  else
    return nullptr;  // an accessor
}

template<std::size_t N>
struct positions {
  std::size_t at[N] = {};
};

template<class P, std::size_t Missing, class... Fields>
consteval positions<Missing> absent(mp::mp_list<Fields...>) {
  constexpr void const* listed[] = {address_of<P, Fields::access>()..., nullptr};
  constexpr auto members = addresses_of_members<P>();
  positions<Missing> result;
  std::size_t count = 0;
  for (std::size_t i = 0; i != arity<P> && count != Missing; ++i) {
    bool found = false;
    for (auto const* each : listed) found = found || each == members.at[i];
    if (!found) result.at[count++] = i;
  }
  return result;
}

// Runs only once the count is known to be wrong, so that a complete struct never pays for it.
template<class P, class... Fields, std::size_t... I>
consteval bool report_untagged(mp::mp_list<Fields...> list, std::index_sequence<I...>) {
  constexpr auto missing = absent<P, sizeof...(I)>(decltype(list){});
  constexpr auto members = addresses_of_members<P>();
  return error::untagged_member<P, name_of<members.at[missing.at[I]]>...>();
}

#ifdef __clang__
#pragma clang diagnostic pop
#endif

// ---- each tag ---------------------------------------------------------------------------------

template<class P, class Field>
constexpr bool is_own_member() {
  if constexpr (std::is_same_v<owner_of<Field::access>, P>)
    return true;
  else
    return error::inherited_member<P, name_of<Field::access>>();
}

// ---- conditions --------------------------------------------------------------------------------

template<class P, class Field, class Layer, auto Read>
constexpr bool read_is_sound() {
  if constexpr (!layer_reads<Layer, P, Read>)
    return error::condition_outside_layer<Layer, P, name_of<Field::access>, name_of<Read>>();
  else
    return true;
}

template<class P, class Field, class Layer, auto... Reads>
constexpr bool reads_are_sound(path<Reads...>) {
  return (read_is_sound<P, Field, Layer, Reads>() && ...);
}

// A number that a number cannot hold; other values convert or do not compile.
template<class T, class Conditions>
consteval bool otherwise_fits() {
  using said = with_otherwise<Conditions>;
  if constexpr (std::is_arithmetic_v<T> && !mp::mp_empty<said>::value) {
    if constexpr (std::is_arithmetic_v<
                      std::remove_const_t<decltype(mp::mp_front<said>::otherwise_value)>>)
      return requires { T{mp::mp_front<said>::otherwise_value}; };
  }
  return true;
}

template<class P, class Field, class Layer>
constexpr bool conditions_are_sound() {
  using seen = member<Layer, P, Field>;
  if constexpr (mp::mp_empty<typename seen::conditions>::value)
    return true;
  else if constexpr (reaches_itself<P, mp::mp_list<>, Field::access>())
    return error::cyclic_condition<P, name_of<Field::access>>();
  else if constexpr (mp::mp_empty<with_otherwise<typename seen::conditions>>::value &&
                     !supplies_defaults<P> && !constant_initialisers<P>)
    return error::computed_default<P, name_of<Field::access>>();
  else if constexpr (!otherwise_fits<member_type<Field::access>, typename seen::conditions>())
    return error::otherwise_does_not_fit<
        P, name_of<Field::access>,
        mp::mp_front<with_otherwise<typename seen::conditions>>::otherwise_value>();
  else
    return []<class... Conditions>(mp::mp_list<Conditions...>) {
      return (reads_are_sound<P, Field, Layer>(typename condition_reads<Conditions>::type{}) &&
              ...);
    }(typename seen::conditions{});
}

// ---- each tag ---------------------------------------------------------------------------------

template<class P, class Field, class Tag>
consteval bool projection_dangles() {
  if constexpr (has_projection<Tag>)
    return borrows<form_type<Tag, member_type<Field::access>>> &&
           (mp::mp_any_of<typename Field::tags, is_modifier_q>::value ||
            !std::is_reference_v<decltype(access<Field::access>::get(std::declval<P const&>()))>);
  else
    return false;
}

template<class Tag>
constexpr bool names_no_layer() {
  if constexpr (is_affects<Tag>)
    return requires { sizeof(layer_of<Tag>); } && !is_layer<layer_of<Tag>>;
  else
    return false;
}

template<class P, class Field, class Tag>
constexpr bool tag_is_sound() {
  if constexpr (!is_tag<Tag> && !is_modifier<Tag>)
    return error::unknown_tag<P, name_of<Field::access>, Tag>();
  else if constexpr (names_no_layer<Tag>())
    return error::unknown_tag<P, name_of<Field::access>, Tag>();
  else if constexpr (!functions_are_named<Tag>())
    return error::unnamed_function<P, name_of<Field::access>>();
  else if constexpr (is_affects<Tag>) {
    if constexpr (mp::mp_count_if_q<typename Field::tags, names_layer<layer_of<Tag>>>::value != 1)
      return error::layer_named_twice<P, name_of<Field::access>, layer_of<Tag>>();
    else if constexpr (!keyable<form_type<Tag, member_type<Field::access>>>)
      return error::no_value<P, name_of<Field::access>,
                             form_type<Tag, member_type<Field::access>>>();
    else if constexpr (projection_dangles<P, Field, Tag>())
      return error::dangling_projection<P, name_of<Field::access>>();
    else
      return conditions_are_sound<P, Field, layer_of<Tag>>();
  } else
    return true;
}

template<class P>
constexpr bool check_complete();

template<class Field>
constexpr bool is_per_member = mp::mp_contains<typename Field::tags, per_member>::value;

// Whether two modifiers of a member would each have to say the last word.
template<class Field>
constexpr bool says_twice = (mp::mp_count_if<typename Field::tags, is_canonical_q>::value > 1) ||
                            (mp::mp_count_if<typename Field::tags, says_otherwise_q>::value > 1);

template<class P, class Field, class... Tags>
constexpr bool tags_are_sound(mp::mp_list<Tags...>) {
  constexpr auto tags = (std::size_t{is_tag<Tags>} + ...);
  constexpr bool standing_alone = (is_lone_tag<Tags> || ...);
  if constexpr (standing_alone && sizeof...(Tags) != 1)
    return error::tag_not_alone<P, name_of<Field::access>>();
  else if constexpr (tags == 0 && (is_modifier<Tags> && ...))
    return error::only_modifiers<P, name_of<Field::access>>();
  else if constexpr (says_twice<Field>)
    return error::modifier_twice<P, name_of<Field::access>>();
  else if constexpr (is_per_member<Field>) {
    if constexpr (!std::is_reference_v<decltype(access<Field::access>::get(
                      std::declval<P const&>()))>)
      return error::per_member_by_value<P, name_of<Field::access>>();
    else
      return check_complete<member_type<Field::access>>();
  } else
    return (tag_is_sound<P, Field, Tags>() && ...);
}

template<class P, class Field>
constexpr bool field_is_sound() {
  return is_own_member<P, Field>() && tags_are_sound<P, Field>(typename Field::tags{});
}

// ---- the list as a whole -----------------------------------------------------------------------

// A class may not have one base twice, and a conversion to a base that is there twice is ambiguous:
// no list is compared with itself.
template<auto Access>
struct listed {};

template<std::size_t I, class Field>
struct numbered : listed<Field::access> {};

template<class Sequence, class... Fields>
struct numbered_fields;

template<std::size_t... I, class... Fields>
struct numbered_fields<std::index_sequence<I...>, Fields...> : numbered<I, Fields>... {};

template<class All>
struct stands_twice {
  template<class Field>
  using fn = std::bool_constant<!std::is_convertible_v<All*, listed<Field::access>*>>;
};

// The fields whose member another field lists too.
template<class List>
struct repeated;

template<class... Fields>
struct repeated<mp::mp_list<Fields...>> {
  using all = numbered_fields<std::index_sequence_for<Fields...>, Fields...>;
  using type = mp::mp_copy_if_q<mp::mp_list<Fields...>, stands_twice<all>>;
};

template<class P, class... Fields>
constexpr bool report_missing(mp::mp_list<Fields...> list) {
  constexpr auto count = sizeof...(Fields);
  if constexpr (arity<P> > most_bindings ||
                !mp::mp_all<std::bool_constant<access<Fields::access>::is_member>...>::value)
    return error::wrong_count<P, arity<P>, count>();
  else if constexpr (!addressable<P>)
    return error::wrong_count<P, arity<P>, count>();
  else
    return report_untagged<P>(list, std::make_index_sequence<arity<P> - count>{});
}

// False where what is wrong with the struct would only show again in its fields.
template<class P, class... Fields>
constexpr bool lists_every_member(mp::mp_list<Fields...> list) {
  constexpr auto count = sizeof...(Fields);
  if constexpr (!std::is_aggregate_v<P>) {
    if constexpr (says_uncounted<P>)
      return true;
    else
      return error::no_aggregate<P>();
  } else if constexpr (has_base<P>)
    return !error::has_base<P>();
  else if constexpr (arity<P> == 0 && !std::is_empty_v<P>)
    return error::uncountable<P>();
  else if constexpr (arity<P> != count && first_array<P>() != arity<P>)
    return !error::has_array<P, first_array<P>()>();
  else if constexpr (arity<P> > count)
    return report_missing<P>(list);
  else if constexpr (arity<P> != count)
    return error::wrong_count<P, arity<P>, count>();
  else if constexpr (arity<P> <= most_bindings)
    return can_be_bound<P>();
  else
    return true;
}

template<class P, class... Fields>
constexpr bool check_fields(mp::mp_list<Fields...> list) {
  using twice = typename repeated<mp::mp_list<Fields...>>::type;
  if constexpr (!mp::mp_empty<twice>::value)
    return error::listed_twice<P, name_of<mp::mp_front<twice>::access>>();
  else if constexpr (lists_every_member<P>(list)) {
    bool const each[] = {true, field_is_sound<P, Fields>()...};
    return each[0];
  } else
    return true;
}

template<class P>
constexpr bool check_complete() {
  if constexpr (!requires { sizeof(P); })
    return error::incomplete_struct<P>();
  else if constexpr (!described<P>)
    return error::no_description<P>();
  else
    return check_fields<P>(fields_of<P>{});
}

}  // namespace detail

// True where the description of P lists each member once, with tags that make sense and values that
// a key can hold. Anything else does not compile, and the error names struct and member. Put
// `static_assert(layerkey::complete<P>)` after the struct; every key, view and stage checks it too.
template<class P>
constexpr bool complete = detail::check_complete<P>();

}  // namespace layerkey
