// The members that a layer reads, found through the described structs inside a struct.
#pragma once

#include <layerkey/complete.hpp>
#include <layerkey/detail/member.hpp>
#include <layerkey/layer.hpp>

namespace layerkey {

// The params of a layer that reads nothing of them.
template<class Layer>
struct nothing {
  using layerkey_fields = fields<>;

  friend constexpr bool operator==(nothing const&, nothing const&) = default;
};

namespace detail {

template<class Layer>
constexpr nothing<Layer> the_nothing{};

// ---- leaves ------------------------------------------------------------------------------------

// What a layer sees of a member inside an optional or a variant: nothing, where that holds
// something else. Refers to the params.
template<class Member>
class held_value {
 public:
  using type = typename Member::type;

  constexpr held_value() = default;
  explicit constexpr held_value(typename Member::root const& root)
      : root_(__builtin_addressof(root)), is_there_(true) {}

  constexpr bool has_value() const { return is_there_; }
  explicit constexpr operator bool() const { return has_value(); }
  constexpr decltype(auto) operator*() const { return Member::get(*root_); }

 private:
  typename Member::root const* root_ = nullptr;
  bool is_there_ = false;
};

// A member as a layer sees it, and the way to the struct that it is read from.
template<class Member, auto... Prefix>
struct leaf;

template<class Member, auto... Prefix>
struct held_leaf;

template<class Steps, auto... Prefix>
struct joined_path;

template<auto... Steps, auto... Prefix>
struct joined_path<path<Steps...>, Prefix...> {
  using way = path<Prefix..., Steps...>;
  template<auto Access>
  using to = path<Prefix..., Steps..., Access>;
};

template<class Member, auto... Prefix>
struct leaf {
  using member = Member;
  using type = typename Member::type;
  using whole_path = typename joined_path<typename Member::place::steps,
                                          Prefix...>::template to<Member::field::access>;
  using way = typename joined_path<typename Member::place::steps, Prefix...>::way;  // to the owner
  static constexpr bool is_held = false;
  static constexpr std::size_t depth = sizeof...(Prefix);

  template<auto Outer>
  using inside = leaf<Member, Outer, Prefix...>;
  template<auto Outer>
  using held_inside = held_leaf<Member, Outer, Prefix...>;

  // Read in one expression of member accesses, without a function of its own.
  static constexpr bool plain = Member::plain && (access<Prefix>::is_member && ...);

  template<class P>
  static constexpr decltype(auto) get(P const& p) {
    return Member::get(follow<Prefix...>::in(p));
  }

  template<class P>
  static constexpr typename Member::root const& root_in(P const& p) {
    return follow<Prefix...>::in(p);
  }
};

// The same where an optional or a variant is on the way.
template<class Member, auto... Prefix>
struct held_leaf {
  using member = Member;
  using type = held_value<Member>;
  using whole_path = typename leaf<Member, Prefix...>::whole_path;
  using way = typename leaf<Member, Prefix...>::way;
  static constexpr bool is_held = true;
  static constexpr std::size_t depth = sizeof...(Prefix);
  static constexpr bool plain = false;

  template<auto Outer>
  using inside = held_leaf<Member, Outer, Prefix...>;
  template<auto Outer>
  using held_inside = held_leaf<Member, Outer, Prefix...>;

  template<class P>
  static constexpr type get(P const& p) {
    return is_there(p) ? type(root_in(p)) : type();
  }

  template<class P>
  static constexpr bool is_there(P const& p) {
    if constexpr (leads_through_holder<path<Prefix...>>)
      if (!locate<typename Member::root, Prefix...>::is_there(p)) return false;
    if constexpr (leads_through_holder<typename Member::place::steps>)
      return owner_is_there(root_in(p), typename Member::place::steps{});
    else
      return true;
  }

  // The struct that the member is read from. Only while it is there.
  template<class P>
  static constexpr typename Member::root const& root_in(P const& p) {
    return locate<typename Member::root, Prefix...>::in(p);
  }

 private:
  template<auto... Steps>
  static constexpr bool owner_is_there(typename Member::root const& root, path<Steps...>) {
    return locate<typename Member::owner, Steps...>::is_there(root);
  }
};

template<class Layer, class P>
struct own_leaves_of;

template<class Layer, class P>
using own_leaves = typename own_leaves_of<Layer, P>::type;

template<class... Lists>
using joined = mp::mp_append<mp::mp_list<>, Lists...>;

// A struct that refines members of structs inside it reads all of them itself. Steps lead to S.
template<class Layer, class Root, class S, bool Held, auto... Steps>
struct leaves_inside;

template<class Layer, class Root, auto... Steps>
struct leaves_held {
  template<class... S>
  static consteval auto of(mp::mp_list<S...>) {
    return joined<typename leaves_inside<Layer, Root, S, true, Steps...>::type...>{};
  }
};

template<class Layer, class Root, class S, class Field, bool Held, auto... Steps>
consteval auto leaves_of_field_inside() {
  using place = typename place_at<Root, Steps...>::type;
  if constexpr (!is_per_member<Field>) {
    using seen = member<Layer, S, Field, place>;
    return mp::mp_list<std::conditional_t<Held, held_leaf<seen>, leaf<seen>>>{};
  } else if constexpr (may_be_absent<Field::access>) {
    using structs = typename holder<member_type<Field::access>>::structs;
    using inner = decltype(leaves_held<Layer, Root, Steps..., Field::access>::of(structs{}));
    using state = state_member<Layer, S, Field, place>;
    if constexpr (mp::mp_empty<inner>::value)
      return inner{};
    else
      return mp::mp_push_front<inner, std::conditional_t<Held, held_leaf<state>, leaf<state>>>{};
  } else
    return typename leaves_inside<Layer, Root, member_type<Field::access>, Held, Steps...,
                                  Field::access>::type{};
}

template<class Layer, class Field>
consteval auto leaves_of_holder();

template<class Layer, class P, class Field>
consteval auto leaves_of_field() {
  if constexpr (!is_per_member<Field>) {
    if constexpr (contributes<Layer, Field>)
      return mp::mp_list<leaf<member<Layer, P, Field>>>{};
    else
      return mp::mp_list<>{};
  } else if constexpr (may_be_absent<Field::access>) {
    using inner = decltype(leaves_of_holder<Layer, Field>());
    if constexpr (mp::mp_empty<inner>::value)
      return inner{};
    else
      return mp::mp_push_front<inner, leaf<state_member<Layer, P, Field>>>{};
  } else
    return []<class... Leaves>(mp::mp_list<Leaves...>) {
      return mp::mp_list<typename Leaves::template inside<Field::access>...>{};
    }(own_leaves<Layer, member_type<Field::access>>{});
}

template<class Layer, class Field>
consteval auto leaves_of_holder() {
  return []<class... S>(mp::mp_list<S...>) {
    return []<class... Leaves>(mp::mp_list<Leaves...>) {
      return mp::mp_list<typename Leaves::template held_inside<Field::access>...>{};
    }(joined<own_leaves<Layer, S>...>{});
  }(typename holder<member_type<Field::access>>::structs{});
}

template<class Layer, class P>
struct reach {
  template<class Field>
  using fn = mp::mp_bool<is_per_member<Field> || contributes<Layer, Field>>;

  template<class Field>
  using leaves = decltype(leaves_of_field<Layer, P, Field>());
};

template<class Layer, class Root, class S, bool Held, auto... Steps>
struct leaves_inside {
  template<class Field>
  using leaves = decltype(leaves_of_field_inside<Layer, Root, S, Field, Held, Steps...>());
  using type = typename joined_each<leaves, mp::mp_copy_if_q<fields_of<S>, reach<Layer, S>>>::type;
};

// Filters before it expands: a field of another layer costs no function.
template<class Layer, class P>
struct own_leaves_of {
  static_assert(complete<P>);
  using type = typename joined_each<reach<Layer, P>::template leaves,
                                    mp::mp_copy_if_q<fields_of<P>, reach<Layer, P>>>::type;
};

template<class Layer, class P>
  requires refines<P>
struct own_leaves_of<Layer, P> {
  static_assert(complete<P>);
  using type = typename leaves_inside<Layer, P, P, false>::type;
};

// ---- the rule that makes a key independent of the struct around it -----------------------------

template<class Layer, class P>
struct gives_leaves {
  template<class Field>
  using fn = mp::mp_bool<!mp::mp_empty<typename reach<Layer, P>::template leaves<Field>>::value>;
};

template<class Layer, class P>
using contributing_fields =
    mp::mp_copy_if_q<mp::mp_copy_if_q<fields_of<P>, reach<Layer, P>>, gives_leaves<Layer, P>>;

template<class Layer, auto First>
struct refines_behind {
  template<auto Only>
  static consteval bool ends_in_layer(path<Only>) {
    return layer_reads<Layer, owner_of<Only>, Only>;
  }
  template<auto Next, auto Second, auto... Rest>
  static consteval bool ends_in_layer(path<Next, Second, Rest...>) {
    return ends_in_layer(path<Second, Rest...>{});
  }

  template<class Refined>
  struct asks : std::false_type {};
  template<auto... Path>
  struct asks<path<First, Path...>> : mp::mp_bool<ends_in_layer(path<First, Path...>{})> {};

  template<class Refinement>
  using fn = asks<typename Refinement::refined>;
};

// Whether P refines a member behind Access that Layer reads.
template<class Layer, class P, auto Access>
consteval bool refines_member_of() {
  if constexpr (refines<P>)
    return any_of_q<refinements_of<P>, refines_behind<Layer, Access>>;
  else
    return false;
}

template<class Layer, class P, class Contributing>
struct normal_for {
  using type = P;
  static constexpr P const& of(P const& p) { return p; }
};

template<class Layer, class P>
struct normal_for<Layer, P, mp::mp_list<>> {
  using type = nothing<Layer>;
  static constexpr nothing<Layer> const& of(P const&) { return the_nothing<Layer>; }
};

template<class Layer, class P>
struct normal : normal_for<Layer, P, contributing_fields<Layer, P>> {
  static_assert(complete<P>);
};

template<class Layer>
struct normal<Layer, nothing<Layer>> {
  using type = nothing<Layer>;
  static constexpr nothing<Layer> const& of(nothing<Layer> const& p) { return p; }
};

// A layer that reads a member of P itself is about P.
template<class Layer, class P>
  requires reads_words<Layer, P>
struct normal<Layer, P> {
  static_assert(complete<P>);
  using type = P;
  static constexpr P const& of(P const& p) { return p; }
};

// A refinement keeps what it reads beside what it refines, and so does an optional or a variant.
template<class Layer, class P, class Field>
  requires(is_per_member<Field> && !may_be_absent<Field::access> &&
           !refines_member_of<Layer, P, Field::access>())
struct normal_for<Layer, P, mp::mp_list<Field>> {
  using inner = normal<Layer, member_type<Field::access>>;
  using type = typename inner::type;
  static constexpr auto const& of(P const& p) { return inner::of(access<Field::access>::get(p)); }
};

}  // namespace detail

template<class Member>
  requires detail::keyable<typename Member::type>
struct value<detail::held_value<Member>> {
  using type = typename Member::type;
  static constexpr text kind = "held";

  template<class Sink>
  static constexpr void write(Sink& sink, detail::held_value<Member> const& v) {
    if (v) value<type>::write(sink, *v);
  }

  template<class Printer>
  static void print(Printer& to, detail::held_value<Member> const& v) {
    if (v)
      to.template value<type>(*v);
    else
      to.text("none");
  }
};

// Behind the state of the optional or variant, which says whether there is a value.
template<class Member>
  requires detail::fixed_size<typename Member::type>
struct value<detail::held_value<Member>> {
  using type = typename Member::type;
  static constexpr text kind = "held";
  static constexpr std::size_t atoms = value<type>::atoms;
  static constexpr void shape(detail::shape_writer& to) { value<type>::shape(to); }

  template<class Sink>
  static constexpr void write(Sink& sink, detail::held_value<Member> const& v) {
    if (v)
      value<type>::write(sink, *v);
    else
      sink.skip(atoms);
  }

  template<class Printer>
  static void print(Printer& to, detail::held_value<Member> const& v) {
    if (v)
      to.template value<type>(*v);
    else
      to.text("none");
  }
};

// The struct that Layer's own key is about: where all that the layer reads stands in one per_member
// struct, that struct, however deep; where it reads nothing, nothing<Layer>; else P. So jobs that
// wrap one config in several ways share its entries.
template<class Layer, class P>
using normal_params = typename detail::normal<Layer, P>::type;

}  // namespace layerkey
