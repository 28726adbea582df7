// What the tags and modifiers of a field say, as traits.
#pragma once

#include <layerkey/detail/light_mp11.hpp>
#include <layerkey/field.hpp>

#include <type_traits>

namespace layerkey::detail {

// ---- tags --------------------------------------------------------------------------------------

template<class Layer>
constexpr bool is_layer = requires { typename Layer::upstream; };

// A layer itself is no tag, although its base gives it a member type `layer` too.
template<class Tag>
constexpr bool is_affects = requires { typename Tag::layer; } && !is_layer<Tag>;

template<class Tag>
constexpr bool is_lone_tag = std::is_same_v<Tag, runtime_only> || std::is_same_v<Tag, check_only> ||
                             std::is_same_v<Tag, per_member>;

template<class Tag>
constexpr bool is_tag = is_affects<Tag> || is_lone_tag<Tag>;

template<class Tag>
using layer_of = typename Tag::layer;

// A quoted predicate over tags: does it name this layer?
template<class Layer>
struct names_layer {
  template<class Tag, class = void>
  struct asks : std::false_type {};
  template<class Tag>
  struct asks<Tag, std::void_t<typename Tag::layer>> : std::is_same<typename Tag::layer, Layer> {};

  template<class Tag>
  using fn = asks<Tag>;
};

template<class Tag>
constexpr bool has_projection = requires { Tag::projection; };

template<class Tag>
constexpr bool has_section = requires { Tag::section; };

// ---- modifiers ---------------------------------------------------------------------------------

template<class Tag>
constexpr bool is_condition = requires { Tag::predicate; };

template<class Tag>
constexpr bool is_canonical = requires { Tag::canonical_function; };

template<class Tag>
constexpr bool is_modifier = is_condition<Tag> || is_canonical<Tag>;

template<class Tag>
using is_modifier_q = std::bool_constant<is_modifier<Tag>>;

template<class Tag>
using is_condition_q = std::bool_constant<is_condition<Tag>>;

template<class Tag>
using says_otherwise_q = std::bool_constant<requires { Tag::otherwise_value; }>;

template<class Tag>
using is_canonical_q = std::bool_constant<is_canonical<Tag>>;

template<class T>
constexpr bool is_path = false;

template<auto... Members>
constexpr bool is_path<path<Members...>> = true;

template<class T>
constexpr bool is_accessor = false;

template<auto Get, auto Set>
constexpr bool is_accessor<accessor_type<Get, Set>> = true;

template<class T>
constexpr bool names_member = std::is_member_object_pointer_v<T> || is_path<T> || is_accessor<T>;

// A member pointer as the predicate is a read too: it asks for the truth of itself and of every
// other read. So are an accessor and the path to a member.
template<class Condition>
constexpr bool asks_for_truth = names_member<std::remove_const_t<decltype(Condition::predicate)>>;

template<class Condition, class Reads = typename Condition::reads>
struct condition_reads {
  using type = Reads;
};

template<class Condition, auto... Reads>
  requires(sizeof...(Reads) == 0 || asks_for_truth<Condition>)
struct condition_reads<Condition, path<Reads...>> {
  using type = path<Condition::predicate, Reads...>;
};

// ---- functions as template arguments -----------------------------------------------------------

template<class F>
constexpr bool is_named_function =
    std::is_member_pointer_v<F> ||
    (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>);

template<class Tag>
consteval bool functions_are_named() {
  if constexpr (is_condition<Tag>)
    return is_named_function<std::remove_const_t<decltype(Tag::predicate)>> || asks_for_truth<Tag>;
  else if constexpr (is_canonical<Tag>)
    return is_named_function<std::remove_const_t<decltype(Tag::canonical_function)>>;
  else if constexpr (has_section<Tag>)
    return is_named_function<std::remove_const_t<decltype(Tag::projection)>> &&
           is_named_function<std::remove_const_t<decltype(Tag::section)>>;
  else if constexpr (has_projection<Tag>)
    return is_named_function<std::remove_const_t<decltype(Tag::projection)>>;
  else
    return true;
}

template<auto Function, class... Arguments>
constexpr decltype(auto) call(Arguments const&... arguments) {
  if constexpr (std::is_member_object_pointer_v<decltype(Function)>)
    return (arguments.*....*Function);
  else if constexpr (std::is_member_function_pointer_v<decltype(Function)>)
    return ((arguments.*Function)(), ...);
  else
    return Function(arguments...);
}

// ---- the form in which a layer sees a member of type T -----------------------------------------

template<class Tag, class T>
struct form {
  using type = T;
};

template<class Tag, class T>
  requires has_projection<Tag>
struct form<Tag, T> {
  using type = std::remove_cvref_t<decltype(call<Tag::projection>(std::declval<T const&>()))>;
};

template<class Tag, class T>
using form_type = typename form<Tag, T>::type;

}  // namespace layerkey::detail
