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

template<auto... Path>
struct follow;

template<>
struct follow<> {
  static constexpr auto const& in(auto const& object) { return object; }
};

template<auto First, auto... Rest>
struct follow<First, Rest...> {
  static constexpr auto const& in(auto const& object) {
    return follow<Rest...>::in(access<First>::get(object));
  }
};

// A member as a layer sees it, and the way to the struct that owns it.
template<class Member, auto... Prefix>
struct leaf {
  using member = Member;
  using type = typename Member::type;
  using whole_path = path<Prefix..., Member::field::access>;

  template<auto Outer>
  using inside = leaf<Member, Outer, Prefix...>;

  // Read in one expression of member accesses, without a function of its own.
  static constexpr bool plain =
      Member::plain && mp::mp_all<std::bool_constant<access<Prefix>::is_member>...>::value;

  template<class P>
  static constexpr decltype(auto) get(P const& p) {
    return Member::get(follow<Prefix...>::in(p));
  }
};

template<class Layer, class P>
struct own_leaves_of;

template<class Layer, class P>
using own_leaves = typename own_leaves_of<Layer, P>::type;

template<class Layer, class P, class Field>
consteval auto leaves_of_field() {
  if constexpr (is_per_member<Field>)
    return []<class... Leaves>(mp::mp_list<Leaves...>) {
      return mp::mp_list<typename Leaves::template inside<Field::access>...>{};
    }(own_leaves<Layer, member_type<Field::access>>{});
  else if constexpr (contributes<Layer, Field>)
    return mp::mp_list<leaf<member<Layer, P, Field>>>{};
  else
    return mp::mp_list<>{};
}

template<class Layer, class P>
struct reach {
  template<class Field>
  using fn = mp::mp_bool<is_per_member<Field> || contributes<Layer, Field>>;

  template<class Field>
  using leaves = decltype(leaves_of_field<Layer, P, Field>());
};

// Filters before it expands: a field of another layer costs no function.
template<class Layer, class P>
struct own_leaves_of {
  static_assert(complete<P>);
  using type = mp::mp_apply<
      mp::mp_append,
      mp::mp_push_front<mp::mp_transform<reach<Layer, P>::template leaves,
                                         mp::mp_copy_if_q<fields_of<P>, reach<Layer, P>>>,
                        mp::mp_list<>>>;
};

// ---- the rule that makes a key independent of the struct around it -----------------------------

template<class Layer, class P>
struct gives_leaves {
  template<class Field>
  using fn = mp::mp_not<mp::mp_empty<typename reach<Layer, P>::template leaves<Field>>>;
};

template<class Layer, class P>
using contributing_fields =
    mp::mp_copy_if_q<mp::mp_copy_if_q<fields_of<P>, reach<Layer, P>>, gives_leaves<Layer, P>>;

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

template<class Layer, class P, class Field>
  requires is_per_member<Field>
struct normal_for<Layer, P, mp::mp_list<Field>> {
  using inner = normal<Layer, member_type<Field::access>>;
  using type = typename inner::type;
  static constexpr auto const& of(P const& p) { return inner::of(access<Field::access>::get(p)); }
};

}  // namespace detail

// The struct that Layer's own key is about: where all that the layer reads stands in one per_member
// struct, that struct, however deep; where it reads nothing, nothing<Layer>; else P. So jobs that
// wrap one config in several ways share its entries.
template<class Layer, class P>
using normal_params = typename detail::normal<Layer, P>::type;

}  // namespace layerkey
