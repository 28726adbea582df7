// Whether the description of a struct accounts for every member, and for each in a way that makes
// sense.
#pragma once

#include <layerkey/describe.hpp>
#include <layerkey/detail/access.hpp>
#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/member.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/detail/reading.hpp>
#include <layerkey/detail/real_members.hpp>
#include <layerkey/detail/tags.hpp>
#include <layerkey/error.hpp>
#include <layerkey/value.hpp>

namespace layerkey {
namespace detail {

// ---- names and addresses of members ------------------------------------------------------------

template<class P>
struct member_addresses {
  void const volatile* at[arity<P> + 1] = {};
};

template<class P>
consteval member_addresses<P> addresses_of_members() {
  return bind(size_c<arity<P>>{}, phantom<P>::object, [](auto&... member) {
    return member_addresses<P>{{__builtin_addressof(member)...}};
  });
}

// False where a bit-field has no address.
template<class P>
concept addressable = requires { typename size_c<(addresses_of_members<P>(), 0)>; };

template<class P, auto Access>
consteval void const volatile* address_of() {
  return __builtin_addressof(phantom<P>::object.*Access);
}

template<std::size_t N>
struct positions {
  std::size_t at[N] = {};
};

template<class P, std::size_t Missing, class... Fields>
consteval positions<Missing> absent(mp::mp_list<Fields...>) {
  constexpr void const volatile* listed[] = {address_of<P, Fields::access>()..., nullptr};
  constexpr auto members = addresses_of_members<P>();
  positions<Missing> result;
  std::size_t count = 0;
  for (std::size_t i = 0; i != arity<P> && count != Missing; ++i) {
    bool found = false;
    for (auto const volatile* each : listed) found = found || each == members.at[i];
    if (!found) result.at[count++] = i;
  }
  return result;
}

// Runs only once the count is known to be wrong, so that a complete struct never pays for it.
template<class P, class... Fields, std::size_t... I>
consteval bool report_untagged(mp::mp_list<Fields...> list, index_sequence<I...>) {
  constexpr auto missing = absent<P, sizeof...(I)>(decltype(list){});
  constexpr auto members = addresses_of_members<P>();
  return error::untagged_member<P, name_of<members.at[missing.at[I]]>...>();
}

template<class Field>
constexpr bool is_read_in_place = std::is_reference_v<decltype(access<Field::access>::get(
    std::declval<owner_of<Field::access> const&>()))>;

// Whether each member can be named by a pointer, so that no accessor is needed.
template<class P>
consteval bool all_have_addresses() {
  if constexpr (std::is_aggregate_v<P> && bindable<arity<P>>)
    return addressable<P>;
  else
    return false;
}

template<class... Fields>
consteval std::size_t first_value_accessor(mp::mp_list<Fields...>) {
  bool const in_place[] = {is_read_in_place<Fields>..., true};
  for (std::size_t i = 0; i != sizeof...(Fields); ++i)
    if (!in_place[i]) return i;
  return none;
}

// By the members of a P, where that can be made at compile time, and accessors that are constexpr.
template<class P, class... Fields>
consteval std::size_t find_accessor_of_listed_address(mp::mp_list<Fields...>) {
  P const p{};
  void const volatile* const at[] = {__builtin_addressof(access<Fields::access>::get(p))...,
                                     nullptr};
  bool const members[] = {access<Fields::access>::is_member..., true};
  for (std::size_t i = 0; i != sizeof...(Fields); ++i)
    for (std::size_t j = 0; j != sizeof...(Fields); ++j)
      if (i != j && !members[i] && at[i] == at[j]) return i;
  return none;
}

template<class P, class List>
consteval std::size_t accessor_of_listed_address() {
  if constexpr (all_have_addresses<P>() && constant_initialisers<P>) {
    if constexpr (requires { typename size_c<find_accessor_of_listed_address<P>(List{})>; })
      return find_accessor_of_listed_address<P>(List{});
  }
  return none;
}

// ---- members that no accessor reads ------------------------------------------------------------

// What a scalar member is set to, to see which fields read it.
enum class trial { zero, one, most };

template<trial Value>
struct any_scalar {
  template<class T>
    requires(std::is_arithmetic_v<T> || (std::is_enum_v<T> && Value != trial::most))
  constexpr operator T() const noexcept {
    return static_cast<T>(Value == trial::zero ? 0 : Value == trial::one ? 1 : -1);
  }
};

struct any_default {
  template<class T>
  constexpr operator T() const noexcept {
    return T{};
  }
};

struct any_class {
  template<class T>
    requires std::is_class_v<T>
  operator T() const noexcept;
};

// That a value does not fit into a bit-field is part of the trial.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wbitfield-constant-conversion"
#pragma GCC diagnostic ignored "-Wsingle-bit-bitfield-constant-conversion"
#else
#pragma GCC diagnostic ignored "-Woverflow"
#endif

template<class P, class Last, std::size_t... Before>
constexpr P with_last(index_sequence<Before...>) {
  return P{(static_cast<void>(Before), any_default{})..., Last{}};
}

template<class P, class Last, std::size_t... Before>
consteval bool takes_last(index_sequence<Before...>) {
  return requires { P{(static_cast<void>(Before), any_default{})..., Last{}}; };
}

#pragma GCC diagnostic pop

template<class T>
constexpr bool reads_the_same(T const& a, T const& b) {
  if constexpr (std::is_array_v<T>)
    return reads_the_same(a[0], b[0]);
  else if constexpr (requires { static_cast<bool>(a == b); })
    return static_cast<bool>(a == b);
  else
    return true;
}

template<class P, trial Value, std::size_t I, class... Fields>
consteval bool find_reader(mp::mp_list<Fields...>) {
  P const a = with_last<P, any_scalar<trial::zero>>(make_index_sequence<I>{});
  P const b = with_last<P, any_scalar<Value>>(make_index_sequence<I>{});
  return !(reads_the_same(access<Fields::access>::get(a), access<Fields::access>::get(b)) && ...);
}

// False only if it is sure: the member is a scalar, all accessors are constexpr, and none of them
// nor any listed member is another for another value.
template<class P, class List, trial Value, std::size_t I>
constexpr bool may_be_read() {
  if constexpr (requires { typename size_c<(find_reader<P, Value, I>(List{}), 0)>; })
    return find_reader<P, Value, I>(List{});
  else
    return true;
}

template<class P, class List, std::size_t I>
constexpr bool position_is_read() {
  if constexpr (!takes_last<P, any_scalar<trial::one>>(make_index_sequence<I>{}) ||
                takes_last<P, any_class>(make_index_sequence<I>{}))
    return true;
  else if constexpr (may_be_read<P, List, trial::one, I>())
    return true;
  else if constexpr (takes_last<P, any_scalar<trial::most>>(make_index_sequence<I>{}))
    return may_be_read<P, List, trial::most, I>();
  else
    return false;
}

template<class P, class List, std::size_t... I>
constexpr std::size_t first_unread(index_sequence<I...>) {
  bool const read[] = {position_is_read<P, List, I>()..., true};
  for (std::size_t i = 0; i != sizeof...(I); ++i)
    if (!read[i]) return i;
  return none;
}

template<class P, class List>
constexpr bool each_member_is_read() {
  if constexpr (std::is_aggregate_v<P>) {
    constexpr auto unread = first_unread<P, List>(make_index_sequence<arity<P>>{});
    if constexpr (unread != none) return !error::unread_member<P, unread>();
  }
  return true;
}

// ---- each field --------------------------------------------------------------------------------

template<class P, class Field>
constexpr bool is_own_member() {
  if constexpr (std::is_same_v<owner_of<Field::access>, P>)
    return true;
  else
    return error::inherited_member<P, name_of<Field::access>>();
}

// ---- functions ---------------------------------------------------------------------------------

template<auto Member, class T>
concept has_member = requires(T const& object) { object.*Member; };

template<auto Member, class T>
concept has_const_function = requires(T const& object) { (object.*Member)(); };

template<class T>
concept true_or_false = requires(T const& v) { static_cast<bool>(v); };

template<auto Function, class... Arguments>
consteval bool can_be_called() {
  using function = std::remove_const_t<decltype(Function)>;
  if constexpr (std::is_member_pointer_v<function> && sizeof...(Arguments) != 1)
    return false;
  else if constexpr (std::is_member_object_pointer_v<function>)
    return (has_member<Function, Arguments> && ...);
  else if constexpr (std::is_member_function_pointer_v<function>)
    return (has_const_function<Function, Arguments> && ...);
  else
    return requires(Arguments const&... arguments) { Function(arguments...); };
}

template<auto Function, class Result, class... Arguments>
consteval bool is_function_to() {
  if constexpr (can_be_called<Function, Arguments...>())
    return std::is_convertible_v<decltype(call<Function>(std::declval<Arguments const&>()...)),
                                 Result>;
  else
    return false;
}

// Whether the form that the tag names can be made of a T.
template<class Tag, class T>
consteval bool has_form() {
  if constexpr (!has_projection<Tag>)
    return true;
  else if constexpr (can_be_called<Tag::projection, T>())
    return !std::is_void_v<form_type<Tag, T>>;
  else
    return false;
}

template<class Tag, class T>
consteval bool can_be_represented() {
  if constexpr (has_section<Tag>)
    return is_function_to<Tag::section, T, form_type<Tag, T>>();
  else
    return true;
}

template<class Modifier, class T>
consteval bool is_canonical_for() {
  if constexpr (is_canonical<Modifier>)
    return is_function_to<Modifier::canonical_function, T, T>();
  else
    return true;
}

// ---- conditions --------------------------------------------------------------------------------

template<class P, auto Member, class Layer, auto Read>
constexpr bool read_is_sound() {
  if constexpr (!read_leads<Layer, P, Read>::value)
    return error::condition_outside_layer<Layer, P, name_of<Member>, name_of<Read>>();
  else
    return true;
}

// The member that a condition in the list of P reads, as the layer sees it; its own projection may
// be what is wrong.
template<class Layer, class P, auto Read>
using read_by = typename member_read<Layer, P, path<>, Read>::type;

template<class Member>
constexpr bool read_has_form = has_form<typename Member::tag, typename Member::raw>();

template<class Condition>
constexpr bool names_no_read =
    !asks_for_truth<Condition> && std::is_same_v<typename Condition::reads, path<>>;

template<class Condition, class... Forms>
consteval bool can_be_asked() {
  if constexpr (asks_for_truth<Condition>)
    return (true_or_false<Forms> && ...);
  else if constexpr (can_be_called<Condition::predicate, Forms...>())
    return requires(Forms const&... read) {
      static_cast<bool>(call<Condition::predicate>(read...));
    };
  else
    return false;
}

template<class P, auto Member, class Layer, class Condition, auto... Reads>
constexpr bool condition_is_sound(path<Reads...>) {
  if constexpr (names_no_read<Condition>)
    return error::condition_without_reads<P, name_of<Member>>();
  else if constexpr (!(read_leads<Layer, P, Reads>::value && ...))
    return (read_is_sound<P, Member, Layer, Reads>() && ...);
  else if constexpr (!(read_has_form<read_by<Layer, P, Reads>> && ...))
    return true;
  else if constexpr (!can_be_asked<Condition, typename read_by<Layer, P, Reads>::type...>())
    return error::unsuitable_condition<P, name_of<Member>,
                                       typename read_by<Layer, P, Reads>::type...>();
  else
    return true;
}

// Of one list, which stands in P.
template<class P, auto Member, class Layer, class... Conditions>
constexpr bool all_reads_are_sound(mp::mp_list<Conditions...>) {
  return (condition_is_sound<P, Member, Layer, Conditions>(
              typename condition_reads<Conditions>::type{}) &&
          ...);
}

// A number does not fit that would become another one; anything else, if it does not convert.
template<class T, auto Value>
consteval bool value_fits() {
  using value = std::remove_const_t<decltype(Value)>;
  if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<value>)
    return requires { T{Value}; };
  else if constexpr (is_named_function<value>)
    return requires { T(Value()); };
  else
    return requires { T(Value); };
}

template<class T, class Conditions>
consteval bool otherwise_fits() {
  using said = with_otherwise<Conditions>;
  if constexpr (!mp::mp_empty<said>::value)
    return value_fits<T, mp::mp_front<said>::otherwise_value>();
  else
    return true;
}

// What does not depend on the layer's other members: P is where the last condition was added,
// Access or the path leads to the member from there.
template<class P, auto Member, class Seen, auto... Path>
constexpr bool inactive_value_is_sound(path<Path...> whole) {
  using owner = typename Seen::owner;
  if constexpr (reaches_itself<P, mp::mp_list<>>(decltype(whole){}))
    return error::cyclic_condition<P, name_of<Member>>();
  else if constexpr (mp::mp_empty<with_otherwise<typename Seen::conditions>>::value &&
                     !supplies_defaults<owner> && !constant_initialisers<owner>)
    return error::computed_default<owner, name_of<Member>>();
  else if constexpr (!otherwise_fits<typename Seen::raw, typename Seen::conditions>())
    return error::otherwise_does_not_fit<
        owner, name_of<Member>,
        mp::mp_front<with_otherwise<typename Seen::conditions>>::otherwise_value>();
  else
    return true;
}

template<class P, class Field, class Layer>
constexpr bool conditions_are_sound() {
  using seen = member<Layer, P, Field>;
  if constexpr (mp::mp_empty<typename seen::conditions>::value)
    return true;
  else
    return inactive_value_is_sound<P, Field::access, seen>(path<Field::access>{}) &&
           all_reads_are_sound<P, Field::access, Layer>(typename seen::conditions{});
}

// ---- each tag ---------------------------------------------------------------------------------

template<class Field, class Tag, class Modifiers>
consteval bool projection_dangles() {
  if constexpr (has_projection<Tag>)
    return borrows<form_type<Tag, member_type<Field::access>>> &&
           (any_of<Modifiers, is_modifier_q> || !is_read_in_place<Field>);
  else
    return false;
}

template<auto Access>
constexpr bool is_volatile = false;
template<class P, class T, T volatile P::* Member>
constexpr bool is_volatile<Member> = true;

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
  else if constexpr (is_canonical<Tag>) {
    using type = member_type<Field::access>;
    if constexpr (!is_canonical_for<Tag, type>())
      return error::unsuitable_canonical_form<P, name_of<Field::access>, type>();
    else
      return true;
  } else if constexpr (is_affects<Tag>) {
    using type = member_type<Field::access>;
    if constexpr (count_if<typename Field::tags, names_layer<layer_of<Tag>>::template fn> != 1)
      return error::layer_named_twice<P, name_of<Field::access>, layer_of<Tag>>();
    else if constexpr (is_volatile<Field::access>)
      return error::volatile_member<P, name_of<Field::access>>();
    else if constexpr (!has_form<Tag, type>())
      return error::unsuitable_projection<P, name_of<Field::access>, type>();
    else if constexpr (!keyable<form_type<Tag, type>>)
      return error::no_value<P, name_of<Field::access>, form_type<Tag, type>>();
    else if constexpr (!can_be_represented<Tag, type>())
      return error::unsuitable_section<P, name_of<Field::access>, type, form_type<Tag, type>>();
    else if constexpr (projection_dangles<Field, Tag, typename Field::tags>())
      return error::dangling_projection<P, name_of<Field::access>>();
    else
      return conditions_are_sound<P, Field, layer_of<Tag>>();
  } else
    return true;
}

template<class P>
constexpr bool check_complete();

template<class Field>
constexpr bool is_per_member = contains<typename Field::tags, per_member>;

// Whether two modifiers of a member would each have to say the last word.
template<class Modifiers>
constexpr bool says_twice =
    (count_if<Modifiers, is_canonical_q> > 1) || (count_if<Modifiers, says_otherwise_q> > 1);

template<class P, class Field, class... S>
constexpr bool held_are_sound(mp::mp_list<S...>) {
  if constexpr (!(stands_once<S, S...> && ...))
    return error::held_twice<P, name_of<Field::access>>();
  else
    return (check_complete<S>() && ...);
}

template<class P, class Field, class... Tags>
constexpr bool tags_are_sound(mp::mp_list<Tags...>) {
  constexpr auto tags = (std::size_t{0} + ... + is_tag<Tags>);
  constexpr bool standing_alone = (is_lone_tag<Tags> || ...);
  if constexpr (standing_alone && sizeof...(Tags) != 1)
    return error::tag_not_alone<P, name_of<Field::access>>();
  else if constexpr (tags == 0 && (is_modifier<Tags> && ...))
    return error::only_modifiers<P, name_of<Field::access>>();
  else if constexpr (says_twice<typename Field::tags>)
    return error::modifier_twice<P, name_of<Field::access>>();
  else if constexpr (is_per_member<Field>) {
    if constexpr (!is_read_in_place<Field>)
      return error::per_member_by_value<P, name_of<Field::access>>();
    else
      return held_are_sound<P, Field>(typename holder<member_type<Field::access>>::structs{});
  } else
    return (tag_is_sound<P, Field, Tags>() && ...);
}

template<class P, class Field>
constexpr bool field_is_sound() {
  return is_own_member<P, Field>() && tags_are_sound<P, Field>(typename Field::tags{});
}

// ---- refinements -------------------------------------------------------------------------------

// The field that the path leads to, in a list of one; an empty list if it leads nowhere.
template<class S, auto First, auto... Rest>
consteval auto field_behind(path<First, Rest...>) {
  using found = field_at<S, First>;
  if constexpr (mp::mp_empty<found>::value || sizeof...(Rest) == 0)
    return found{};
  else if constexpr (!is_per_member<mp::mp_front<found>>)
    return mp::mp_list<>{};
  else {
    using next = typename next_struct<void, Rest...>::type;
    if constexpr (contains<typename holder<member_type<First>>::structs, next>)
      return field_behind<next>(path<Rest...>{});
    else
      return mp::mp_list<>{};
  }
}

template<class Tag>
using is_affects_q = mp::mp_bool<is_affects<Tag>>;

// At least one step to a struct, and one to a member of it that some layer reads.
template<class P, class Path>
constexpr bool leads_to_keyed = false;

template<class P, auto First, auto Second, auto... Rest>
constexpr bool leads_to_keyed<P, path<First, Second, Rest...>> =
    []<class... Field>(mp::mp_list<Field...>) {
      return (any_of<typename Field::tags, is_affects_q> || ...);
    }(field_behind<P>(path<First, Second, Rest...>{}));

template<class T>
constexpr auto refined_name = text<1>("?");
template<auto... Steps>
constexpr auto refined_name<path<Steps...>> = name_of<path<Steps...>{}>;
template<>
inline constexpr auto refined_name<path<>> = text<1>("?");

template<class Modifiers, class T>
constexpr bool has_canonical_form = false;
template<class... Modifiers, class T>
constexpr bool has_canonical_form<mp::mp_list<Modifiers...>, T> =
    (is_canonical_for<Modifiers, T>() && ...);

template<class P, class Refinement, class Layer, auto... Path>
constexpr bool refined_is_sound(path<Path...> whole) {
  using seen = typename member_at<Layer, P, P, path<>, Path...>::type;
  using conditions = mp::mp_copy_if<typename Refinement::modifiers, is_condition_q>;
  constexpr auto name = name_of<path<Path...>{}>;
  if constexpr (says_twice<typename seen::modifiers>)
    return error::modifier_twice<P, name>();
  else if constexpr (!has_canonical_form<typename Refinement::modifiers, typename seen::raw>)
    return error::unsuitable_canonical_form<P, name, typename seen::raw>();
  else if constexpr (projection_dangles<typename seen::field, typename seen::tag,
                                        typename seen::modifiers>())
    return error::dangling_projection<P, name>();
  else if constexpr (mp::mp_empty<conditions>::value)
    return true;
  else
    return inactive_value_is_sound<P, path<Path...>{}, seen>(whole) &&
           all_reads_are_sound<P, path<Path...>{}, Layer>(conditions{});
}

template<class P, class Refinement, class... Tags>
constexpr bool refined_in_each_layer(mp::mp_list<Tags...>) {
  return (refined_is_sound<P, Refinement, layer_of<Tags>>(typename Refinement::refined{}) && ...);
}

template<class Tag>
using has_no_name_q = mp::mp_bool<!functions_are_named<Tag>()>;

template<class P, class Refinement>
constexpr bool refinement_is_sound() {
  using target = typename Refinement::refined;
  using modifiers = typename Refinement::modifiers;
  if constexpr (!leads_to_keyed<P, target>)
    return error::refinement_leads_nowhere<P, refined_name<target>>();
  else if constexpr (mp::mp_empty<modifiers>::value ||
                     count_if<modifiers, is_modifier_q> != mp::mp_size<modifiers>::value)
    return error::refinement_no_modifier<P, refined_name<target>>();
  else if constexpr (any_of<modifiers, has_no_name_q>)
    return error::unnamed_function<P, refined_name<target>>();
  else if constexpr (count_if<refinements_of<P>, refines_path<target>::template fn> != 1)
    return error::refined_twice<P, refined_name<target>>();
  else {
    using field = mp::mp_front<decltype(field_behind<P>(target{}))>;
    return refined_in_each_layer<P, Refinement>(
        mp::mp_copy_if<typename field::tags, is_affects_q>{});
  }
}

template<class P, class... Refinements>
constexpr bool refinements_are_sound(mp::mp_list<Refinements...>) {
  return (refinement_is_sound<P, Refinements>() && ...);
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
struct numbered_fields<index_sequence<I...>, Fields...> : numbered<I, Fields>... {};

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
  using all = numbered_fields<index_sequence_for<Fields...>, Fields...>;
  using type = mp::mp_copy_if_q<mp::mp_list<Fields...>, stands_twice<all>>;
};

template<class... Fields>
consteval bool all_are_members(mp::mp_list<Fields...>) {
  bool const each[] = {true, access<Fields::access>::is_member...};
  for (bool is : each)
    if (!is) return false;
  return true;
}

template<std::size_t I, class Field>
Field field_number(numbered<I, Field>*);

template<class List, std::size_t I>
constexpr auto name_in = name_of<decltype(detail::field_number<I>(
    static_cast<typename repeated<List>::all*>(nullptr)))::access>;

#ifdef __clang__

template<class P, class List, std::size_t... I>
constexpr bool report_names(index_sequence<I...>) {
  constexpr auto faults = compare_names<P>(List{});
  return error::untagged_member<P, real_name<P, faults.missing[I]>()...>();
}

// Whether each field stands for a member of its own and none is left, by their names.
template<class P, class List>
constexpr bool names_agree() {
  constexpr auto faults = compare_names<P>(List{});
  if constexpr (faults.missing_count != 0)
    return !report_names<P, List>(make_index_sequence<faults.missing_count>{});
  else if constexpr (faults.invented != none)
    return !error::names_no_member<P, name_in<List, faults.invented>>();
  else
    return true;
}

template<class P, class List>
constexpr bool lacks_names = compare_names<P>(List{}).missing_count != 0;

#else

template<class P, class List>
constexpr bool names_agree() {
  return true;
}

template<class P, class List>
constexpr bool lacks_names = false;

#endif

template<class P, class... Fields>
constexpr bool report_missing(mp::mp_list<Fields...> list) {
  using fields = mp::mp_list<Fields...>;
  constexpr auto count = sizeof...(Fields);
  if constexpr (all_are_members(fields{}) && all_have_addresses<P>())
    return !report_untagged<P>(list, make_index_sequence<arity<P> - count>{});
  else if constexpr (!can_be_looked_into<P>)
    return !error::wrong_count<P, arity<P>, count>();
  else if constexpr (lacks_names<P, fields>)
    return names_agree<P, fields>();
  else
    return !error::wrong_count<P, arity<P>, count>();
}

// Whether an accessor stands for a member that another field lists too, as far as names and
// addresses tell.
template<class P, class... Fields>
constexpr bool accessors_are_sound(mp::mp_list<Fields...>) {
  using fields = mp::mp_list<Fields...>;
  if constexpr (std::is_aggregate_v<P> && all_are_members(fields{}))
    return true;
  else if constexpr (constexpr auto named = accessor_of_listed(fields{}); named != none)
    return !error::listed_twice<P, name_in<fields, named>>();
  else if constexpr (constexpr bool needless =
                         all_have_addresses<P>() && first_value_accessor(fields{}) != none;
                     needless)
    return !error::needless_accessor<P, name_in<fields, first_value_accessor(fields{})>>();
  else if constexpr (constexpr auto at_listed = accessor_of_listed_address<P, fields>();
                     at_listed != none)
    return !error::listed_twice<P, name_in<fields, at_listed>>();
  else if constexpr (can_be_looked_into<P>) {
    if constexpr (constexpr bool agree = names_agree<P, fields>(); agree)
      return each_member_is_read<P, fields>();
    else
      return false;
  } else
    return each_member_is_read<P, fields>();
}

// False where what is wrong with the struct would only show again in its fields.
template<class P, class... Fields>
constexpr bool lists_every_member(mp::mp_list<Fields...> list) {
  constexpr auto count = sizeof...(Fields);
  if constexpr (!std::is_aggregate_v<P>) {
    if constexpr (!says_uncounted<P>)
      return !error::no_aggregate<P>();
    else
      return accessors_are_sound<P>(list);
  } else if constexpr (has_base<P>)
    return !error::has_base<P>();
  else if constexpr ((arity<P> == 0 && !std::is_empty_v<P>) || stops_at_reference<P>)
    return !error::uncountable<P>();
  else if constexpr (arity<P> != count && first_array<P>() != arity<P>)
    return !error::has_array<P, first_array<P>()>();
  else if constexpr (arity<P> > count)
    return report_missing<P>(list);
  else if constexpr (arity<P> != count)
    return !error::wrong_count<P, arity<P>, count>();
  else if constexpr (!can_be_bound<P, arity<P>>())
    return !error::anonymous_union<P>();
  else
    return accessors_are_sound<P>(list);
}

template<class Field>
using names_no_member =
    mp::mp_bool<!std::is_member_object_pointer_v<std::remove_const_t<decltype(Field::access)>> &&
                !is_accessor<std::remove_const_t<decltype(Field::access)>>>;

template<class P, class... Fields>
constexpr bool report_fields(mp::mp_list<Fields...> list) {
  using strangers = mp::mp_copy_if<mp::mp_list<Fields...>, names_no_member>;
  using twice = typename repeated<mp::mp_list<Fields...>>::type;
  if constexpr (!mp::mp_empty<strangers>::value)
    return error::field_without_member<P, mp::mp_front<strangers>::access>();
  else if constexpr (!mp::mp_empty<twice>::value)
    return error::listed_twice<P, name_of<mp::mp_front<twice>::access>>();
  else if constexpr (lists_every_member<P>(list)) {
    bool const each[] = {true, field_is_sound<P, Fields>()...};
    if constexpr (refines<P>)
      return each[0] && refinements_are_sound<P>(refinements_of<P>{});
    else
      return each[0];
  } else
    return true;
}

template<class P, class... Fields>
constexpr bool check_fields(mp::mp_list<Fields...> list) {
  return detail::report_fields<P>(list);
}

// A list that P does not show: a class that has both its names and another one cannot tell them
// apart, whether it may use them or not.
struct has_list_of_its_own {
  using layerkey_fields = fields<>;
};

template<class P>
struct with_two_lists : P, has_list_of_its_own {};

template<class P>
consteval bool hides_list() {
  if constexpr (std::is_class_v<P> && !std::is_final_v<P>)
    return !requires { typename with_two_lists<P>::layerkey_fields; };
  else
    return false;
}

template<class List>
constexpr bool is_list = false;
template<class... Entries>
constexpr bool is_list<fields<Entries...>> = true;

// One declaration for a whole list: what is not a field has no tags.
template<class... Fields>
void take_tags(mp::mp_list<Fields...>, void (*)(typename Fields::tags*...));

template<class P>
concept lists_fields = requires { detail::take_tags(fields_of<P>{}, nullptr); };

template<class... Entries>
consteval auto find_stranger(mp::mp_list<Entries...>) {
  return mp::mp_front<
      mp::mp_append<std::conditional_t<(requires { typename Entries::tags; }), mp::mp_list<>,
                                       mp::mp_list<std::type_identity<Entries>>>...>>{};
}

template<class P>
using stranger = typename decltype(find_stranger(fields_of<P>{}))::type;

template<class P>
constexpr bool check_complete() {
  if constexpr (!requires { sizeof(P); })
    return error::incomplete_struct<P>();
  else if constexpr (detail::complete_at_sight<P>())
    return true;
  else if constexpr (!described<P> && hides_list<P>())
    return error::private_description<P>();
  else if constexpr (!described<P>)
    return error::no_description<P>();
  else if constexpr (std::is_union_v<P>)
    return error::union_params<P>();
  else if constexpr (!is_list<typename describe<P>::fields>)
    return error::no_field<P, typename describe<P>::fields>();
  else if constexpr (!lists_fields<P>)
    return error::no_field<P, stranger<P>>();
  else
    return detail::check_fields<P>(fields_of<P>{});
}

}  // namespace detail

// True where the description of P lists each member once, with tags that make sense and values that
// a key can hold. Anything else does not compile, and the error names struct and member.
//
// Put `static_assert(layerkey::complete<P>)` after the struct. Every key, view and stage checks it
// too, but a translation unit that only declares P, and makes no key of it, checks nothing without
// that line: the forgotten tag would show where the key is made, or never in a library that others
// key.
//
// Members are counted, and compared by their addresses. A bit-field has none, and neither has
// private state: there an accessor named after the member (level, get_level, getLevel for level,
// level_, m_level) stands for it. Of an aggregate each number and enumeration is set to other
// values, to see that some field reads it, where that and the accessors are constant expressions.
// Clang also compares the accessors' names with the real members wherever P{} is a constant
// expression, private members and non-aggregates (layerkey_uncounted) included. Of those g++ finds
// only an accessor that shares its name with a listed member: compile them with clang too, or have
// testing::verify look at values. docs/errors.md lists what is not found.
template<class P>
constexpr bool complete = detail::check_complete<P>();

}  // namespace layerkey
