// Every sentence that a wrong use makes the compiler print. The arguments of the false constant say
// who is at fault: struct, member, then what else matters. Each function returns, so one mistake is
// one error.
#pragma once

#include <layerkey/text.hpp>

#include <cstddef>

namespace layerkey::error {

// ---- the list of fields ------------------------------------------------------------------------

template<class P>
constexpr bool the_struct_is_complete_here = false;
template<class P>
consteval bool incomplete_struct() {
  static_assert(the_struct_is_complete_here<P>,
                "layerkey: the struct is not complete at this point. Move "
                "static_assert(layerkey::complete<...>) after its closing brace.");
  return true;
}

template<class P>
constexpr bool the_struct_is_described = false;
template<class P>
consteval bool no_description() {
  static_assert(
      the_struct_is_described<P>,
      "layerkey: nothing says what the members of this struct affect. Write `using "
      "layerkey_fields = layerkey::fields<...>` in it, or specialise layerkey::describe for "
      "it. A std::optional or std::variant of described structs needs its header from "
      "<layerkey/values/>.");
  return true;
}

template<class P>
constexpr bool the_description_is_public = false;
template<class P>
consteval bool private_description() {
  static_assert(the_description_is_public<P>,
                "layerkey: layerkey_fields is private or protected in this struct, so that no key "
                "can be made of it. Declare it in a public part.");
  return true;
}

template<class P>
constexpr bool the_params_are_no_union = false;
template<class P>
consteval bool union_params() {
  static_assert(the_params_are_no_union<P>,
                "layerkey: a union holds one of its members, and nothing says which. Describe a "
                "struct that holds a std::variant.");
  return true;
}

template<class P, class Entry>
constexpr bool the_list_holds_fields = false;
template<class P, class Entry>
consteval bool no_field() {
  static_assert(the_list_holds_fields<P, Entry>,
                "layerkey: a description is fields<...>, a list of field<&P::member, tags...> and "
                "refine<path<...>, modifiers...>, and this is none of them. Write each member's "
                "tags into its field.");
  return true;
}

template<class P, auto Access>
constexpr bool the_field_names_a_member = false;
template<class P, auto Access>
consteval bool field_without_member() {
  static_assert(the_field_names_a_member<P, Access>,
                "layerkey: this is no data member. List the member itself, &P::member, or the "
                "function that reads it by layerkey::accessor<&P::get>.");
  return true;
}

template<class P, text... Members>
constexpr bool every_member_is_tagged = false;
template<class P, text... Members>
consteval bool untagged_member() {
  static_assert(every_member_is_tagged<P, Members...>,
                "layerkey: a member carries no tag. List it in the struct's fields and say what it "
                "affects; tag it runtime_only if no artifact depends on it.");
  return true;
}

template<class P, text Member>
constexpr bool the_member_is_listed_once = false;
template<class P, text Member>
consteval bool listed_twice() {
  static_assert(the_member_is_listed_once<P, Member>,
                "layerkey: a member is listed twice. Keep one field for it, with all its tags.");
  return true;
}

template<class P, std::size_t Members, std::size_t Listed>
constexpr bool as_many_fields_as_members = false;
template<class P, std::size_t Members, std::size_t Listed>
consteval bool wrong_count() {
  static_assert(as_many_fields_as_members<P, Members, Listed>,
                "layerkey: the struct has another number of members than its list has fields. List "
                "every member once; a bit-field by layerkey::accessor.");
  return true;
}

template<class P>
constexpr bool the_members_can_be_counted = false;
template<class P>
consteval bool no_aggregate() {
  static_assert(
      the_members_can_be_counted<P>,
      "layerkey: the struct has constructors, private members or virtual functions, so its "
      "members cannot be counted and a forgotten one would not be noticed. Make it an "
      "aggregate, or say why not in layerkey::describe<P>::uncounted or "
      "P::layerkey_uncounted.");
  return true;
}

template<class P, text Accessor>
constexpr bool the_accessor_is_needed = false;
template<class P, text Accessor>
consteval bool needless_accessor() {
  static_assert(
      the_accessor_is_needed<P, Accessor>,
      "layerkey: each member of this struct has an address, so an accessor that returns a "
      "value would only hide which member it reads. List the member itself, &P::member.");
  return true;
}

template<class P, text Accessor>
constexpr bool the_accessor_is_named_after_a_member = false;
template<class P, text Accessor>
consteval bool names_no_member() {
  static_assert(the_accessor_is_named_after_a_member<P, Accessor>,
                "layerkey: the struct has no member of this name. Name an accessor after its "
                "member: level, get_level or getLevel for level, level_ or m_level.");
  return true;
}

template<class P, std::size_t Position>
constexpr bool every_member_is_read = false;
template<class P, std::size_t Position>
consteval bool unread_member() {
  static_assert(every_member_is_read<P, Position>,
                "layerkey: no field reads the member at this position, from 0: two accessors read "
                "one member, or one reads none. Let each read the member that it is named after.");
  return true;
}

template<class P>
constexpr bool the_struct_has_no_base = false;
template<class P>
consteval bool has_base() {
  static_assert(
      the_struct_has_no_base<P>,
      "layerkey: the struct has a base class. Hold the base as a member and tag that member "
      "per_member.");
  return true;
}

template<class P>
constexpr bool the_struct_has_no_reference = false;
template<class P>
consteval bool uncountable() {
  static_assert(the_struct_has_no_reference<P>,
                "layerkey: the members of this struct cannot be counted; most likely one is a "
                "reference. Hold a pointer, tagged runtime_only, or the value itself.");
  return true;
}

template<class P, std::size_t Position>
constexpr bool the_struct_has_no_array = false;
template<class P, std::size_t Position>
consteval bool has_array() {
  static_assert(
      the_struct_has_no_array<P, Position>,
      "layerkey: the struct holds a C array, at this position among its members, from 0. Use "
      "std::array.");
  return true;
}

template<class P>
constexpr bool the_struct_has_no_anonymous_union = false;
template<class P>
consteval bool anonymous_union() {
  static_assert(the_struct_has_no_anonymous_union<P>,
                "layerkey: the struct holds an anonymous union, and nothing says which of its "
                "members counts. Hold a std::variant, or each as a member of its own.");
  return true;
}

template<class P, text Member>
constexpr bool the_member_is_its_own = false;
template<class P, text Member>
consteval bool inherited_member() {
  static_assert(the_member_is_its_own<P, Member>,
                "layerkey: this member belongs to a base class or to another struct. Describe that "
                "struct, hold it as a member and tag that member per_member.");
  return true;
}

// ---- tags --------------------------------------------------------------------------------------

template<class P, text Member, class Unknown>
constexpr bool the_tag_is_known = false;
template<class P, text Member, class Unknown>
consteval bool unknown_tag() {
  static_assert(
      the_tag_is_known<P, Member, Unknown>,
      "layerkey: this is neither a tag (affects<Layer>, affects<Layer>::as<f>, runtime_only, "
      "check_only, per_member) nor a modifier (only_if<...>, canonical<f>).");
  return true;
}

template<class P, text Member>
constexpr bool the_member_has_a_tag = false;
template<class P, text Member>
consteval bool only_modifiers() {
  static_assert(the_member_has_a_tag<P, Member>,
                "layerkey: this member has modifiers but no tag. Say what it affects.");
  return true;
}

template<class P, text Member>
constexpr bool the_tag_stands_alone = false;
template<class P, text Member>
consteval bool tag_not_alone() {
  static_assert(
      the_tag_stands_alone<P, Member>,
      "layerkey: runtime_only, check_only and per_member stand alone. A member that affects "
      "a layer is not runtime_only: remove one of the tags.");
  return true;
}

template<class P, text Member>
constexpr bool each_modifier_speaks_once = false;
template<class P, text Member>
consteval bool modifier_twice() {
  static_assert(each_modifier_speaks_once<P, Member>,
                "layerkey: this member has two canonical forms, or two values to read while a "
                "condition is false. Keep one canonical<f> and one only_if<...>::otherwise<v>.");
  return true;
}

template<class P, text Member>
constexpr bool the_struct_is_accessed_by_reference = false;
template<class P, text Member>
consteval bool per_member_by_value() {
  static_assert(the_struct_is_accessed_by_reference<P, Member>,
                "layerkey: the accessor of a per_member struct has to return a reference.");
  return true;
}

template<class P, text Member, class Layer>
constexpr bool each_layer_is_named_once = false;
template<class P, text Member, class Layer>
consteval bool layer_named_twice() {
  static_assert(each_layer_is_named_once<P, Member, Layer>,
                "layerkey: this member names a layer twice. Keep one tag for each layer.");
  return true;
}

template<class P, text Member>
constexpr bool each_alternative_is_another_struct = false;
template<class P, text Member>
consteval bool held_twice() {
  static_assert(each_alternative_is_another_struct<P, Member>,
                "layerkey: a variant tagged per_member holds each struct in one alternative only, "
                "since members are named by their struct.");
  return true;
}

// ---- values -------------------------------------------------------------------------------------

template<class P, text Member>
constexpr bool the_member_keeps_its_value = false;
template<class P, text Member>
consteval bool volatile_member() {
  static_assert(the_member_keeps_its_value<P, Member>,
                "layerkey: this member is volatile, so a stage might read another value than its "
                "key holds. Hold a plain copy of it, or tag the member runtime_only.");
  return true;
}

// A type that knows better why no key holds it says so by `say<P, Member>()`.
template<class T>
struct unkeyed {};

template<class P, text Member, class T>
constexpr bool the_value_can_be_keyed = false;
template<class P, text Member, class T>
consteval bool no_value() {
  if constexpr (requires { sizeof(unkeyed<T>::template say<P, Member>()); })
    return unkeyed<T>::template say<P, Member>();
  else {
    static_assert(
        the_value_can_be_keyed<P, Member, T>,
        "layerkey: a value of this type cannot be in a key. A pointer has no identity that "
        "outlives the process: key what it points to, or tag the member runtime_only. For a "
        "standard type include its header from <layerkey/values/>, for one of your own "
        "specialise layerkey::value.");
    return true;
  }
}

// ---- functions ----------------------------------------------------------------------------------

template<class P, text Member>
constexpr bool the_function_has_a_name = false;
template<class P, text Member>
consteval bool unnamed_function() {
  static_assert(
      the_function_has_a_name<P, Member>,
      "layerkey: a condition, projection or canonical form has to be a named function or a "
      "member pointer, no closure: explanations and fingerprints need the name.");
  return true;
}

template<class P, text Member, class T>
constexpr bool the_projection_takes_the_member = false;
template<class P, text Member, class T>
consteval bool unsuitable_projection() {
  static_assert(the_projection_takes_the_member<P, Member, T>,
                "layerkey: this projection cannot be called with the member, whose type stands "
                "last, or returns nothing. Write it as `U f(T const&)`, or name a const function "
                "or a member of T.");
  return true;
}

template<class P, text Member, class T>
constexpr bool the_canonical_form_is_such_a_value = false;
template<class P, text Member, class T>
consteval bool unsuitable_canonical_form() {
  static_assert(the_canonical_form_is_such_a_value<P, Member, T>,
                "layerkey: this canonical form cannot be called with the member, whose type stands "
                "last, or returns something else. Write it as `T f(T const&)`; a value of another "
                "type is made by affects<Layer>::as<f>.");
  return true;
}

template<class P, text Member, class T, class U>
constexpr bool the_projection_is_represented = false;
template<class P, text Member, class T, class U>
consteval bool unsuitable_section() {
  static_assert(the_projection_is_represented<P, Member, T, U>,
                "layerkey: what represents this projection takes a value of the last of these "
                "types and returns one of the member's, which stands before it. Write it as `T "
                "g(U const&)`.");
  return true;
}

template<class P, text Member>
constexpr bool the_projection_owns_its_result = false;
template<class P, text Member>
consteval bool dangling_projection() {
  static_assert(
      the_projection_owns_its_result<P, Member>,
      "layerkey: this projection returns a view of its argument, which is a temporary where the "
      "member has a canonical form, a condition or an accessor that returns a value. Return a "
      "value that owns, such as std::string.");
  return true;
}

// ---- refinements -------------------------------------------------------------------------------

template<class P, text Path>
constexpr bool the_refinement_leads_to_a_member = false;
template<class P, text Path>
consteval bool refinement_leads_nowhere() {
  static_assert(
      the_refinement_leads_to_a_member<P, Path>,
      "layerkey: this refinement leads to no member that a layer reads. Its path starts with a "
      "per_member field of this struct, goes on with one member of each struct on the way, and "
      "ends with a field that affects a layer; modifiers of an own member stand in its own field.");
  return true;
}

template<class P, text Path>
constexpr bool a_refinement_only_adds_modifiers = false;
template<class P, text Path>
consteval bool refinement_no_modifier() {
  static_assert(
      a_refinement_only_adds_modifiers<P, Path>,
      "layerkey: a refinement adds only_if<...> or canonical<f>, at least one. Which layers "
      "read a member is said by the struct that owns it, and no refinement changes that.");
  return true;
}

template<class P, text Path>
constexpr bool the_member_is_refined_once = false;
template<class P, text Path>
consteval bool refined_twice() {
  static_assert(the_member_is_refined_once<P, Path>,
                "layerkey: a member is refined twice. Keep one refine<> with all its modifiers.");
  return true;
}

// ---- conditions --------------------------------------------------------------------------------

template<class Layer, class P, text Member, text Read>
constexpr bool the_condition_reads_the_own_key = false;
template<class Layer, class P, text Member, text Read>
consteval bool condition_outside_layer() {
  static_assert(
      the_condition_reads_the_own_key<Layer, P, Member, Read>,
      "layerkey: the condition of a member reads a member that is not in this layer's own "
      "key. Tag the second one with this layer as well.");
  return true;
}

template<class P, text Member>
constexpr bool the_condition_names_its_reads = false;
template<class P, text Member>
consteval bool condition_without_reads() {
  static_assert(the_condition_names_its_reads<P, Member>,
                "layerkey: the condition of this member is a function and names no member that it "
                "reads. Name them behind it: only_if<f, &P::a, &P::b>.");
  return true;
}

template<class P, text Member, class... Reads>
constexpr bool the_condition_takes_its_reads = false;
template<class P, text Member, class... Reads>
consteval bool unsuitable_condition() {
  static_assert(the_condition_takes_its_reads<P, Member, Reads...>,
                "layerkey: the condition of this member cannot be called with the members that it "
                "reads, whose types as the layer sees them stand last, or gives nothing that is "
                "true or false. Write it as `bool f(A const&, B const&)`, with one parameter for "
                "each read.");
  return true;
}

template<class P, text Member>
constexpr bool the_condition_is_not_cyclic = false;
template<class P, text Member>
consteval bool cyclic_condition() {
  static_assert(the_condition_is_not_cyclic<P, Member>,
                "layerkey: the condition of this member depends on the member itself.");
  return true;
}

template<class P, text Member, auto Value>
constexpr bool the_member_can_hold_it = false;
template<class P, text Member, auto Value>
consteval bool otherwise_does_not_fit() {
  static_assert(the_member_can_hold_it<P, Member, Value>,
                "layerkey: the value that this member reads while its condition is false does not "
                "fit into the member. Say otherwise<v> with a value that it can hold, or with a "
                "function without parameters that returns one.");
  return true;
}

template<class P, text Member>
constexpr bool the_initialiser_is_a_constant = false;
template<class P, text Member>
consteval bool computed_default() {
  static_assert(
      the_initialiser_is_a_constant<P, Member>,
      "layerkey: while its condition is false this member reads its initialiser, and that "
      "has to be a constant. Say only_if<...>::otherwise<value>, or supply "
      "layerkey_defaults() in the struct (defaults() in layerkey::describe). With clang and "
      "libstdc++ 12 any std::string member with an initialiser needs one of these.");
  return true;
}

// ---- views --------------------------------------------------------------------------------------

template<class Layer, class P, text Member>
constexpr bool the_layer_reads_this_member = false;
template<class Layer, class P, text Member>
consteval bool member_outside_layer() {
  static_assert(
      the_layer_reads_this_member<Layer, P, Member>,
      "layerkey: this member is not in the layer's own key, so the stage of the layer must "
      "not read it. If it has to, tag the member with affects<Layer> as well.");
  return true;
}

template<class Layer, class P, text Holder, text Member>
constexpr bool the_struct_is_there = false;
template<class Layer, class P, text Holder, text Member>
consteval bool read_through_holder() {
  static_assert(
      the_struct_is_there<Layer, P, Holder, Member>,
      "layerkey: this member is inside an optional or a variant and may be absent. Ask for that "
      "first: get<&P::holder>() gives an optional or a variant of views, and those read members.");
  return true;
}

template<class P>
constexpr bool the_defaults_are_constants = false;
template<class P>
consteval bool computed_defaults() {
  static_assert(
      the_defaults_are_constants<P>,
      "layerkey: narrowed<> starts from the struct's defaults, and those have to be constants: a "
      "computed one would reach the stage past the key. Supply layerkey_defaults() in the struct "
      "(defaults() in layerkey::describe).");
  return true;
}

template<class Layer, class P, text Member>
constexpr bool the_member_can_be_filled = false;
template<class Layer, class P, text Member>
consteval bool not_narrowable() {
  static_assert(the_member_can_be_filled<Layer, P, Member>,
                "layerkey: narrowed<> cannot fill this member. A projection needs "
                "as<f>::represented_by<g>, an accessor needs a function that sets, and no "
                "struct on the way to it may be const.");
  return true;
}

}  // namespace layerkey::error
