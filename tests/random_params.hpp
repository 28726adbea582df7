// Random params, and whether a layer's view tells two of them apart, for property tests.
#pragma once

#include <layerkey/detail/whole_value.hpp>
#include <layerkey/members.hpp>
#include <layerkey/view.hpp>

#include "vary.hpp"

namespace vary {

// What stands in an optional or a variant is no member that can be set: its struct says how it
// varies, each of those values with a chance of one in so many.
template<class P>
void vary_held(P& p, engine& random, int one_in) {
  if constexpr (requires { P::vary_held(p, random, one_in); }) P::vary_held(p, random, one_in);
}

// Every member random.
template<class P>
P random_params(engine& random) {
  P p{};
  layerkey::for_each_member<P>([&]<class Member>(Member) {
    if constexpr (Member::can_be_set)
      Member::set(p, random_value<typename Member::type>::get(random));
  });
  vary_held(p, random, 1);
  return p;
}

// A copy of which some members, mostly few, are random.
template<class P>
P neighbour(P p, engine& random) {
  constexpr auto listed = boost::mp11::mp_size<layerkey::detail::fields_of<P>>::value;
  int const one_in = 1 << below(random, listed > 64 ? 12 : 6);
  layerkey::for_each_member<P>([&]<class Member>(Member) {
    if constexpr (Member::can_be_set)
      if (below(random, one_in) == 0)
        Member::set(p, random_value<typename Member::type>::get(random));
  });
  vary_held(p, random, one_in);
  return p;
}

// By the view where that reads the member, else, inside optionals and variants, as the view would.
template<class Leaf, class Layer, class P, auto... Path>
bool reads_same(P const& a, P const& b, layerkey::path<Path...>) {
  using type = typename Leaf::member::type;
  if constexpr (Leaf::is_held) {
    auto const in_a = Leaf::get(a);
    auto const in_b = Leaf::get(b);
    return in_a.has_value() == in_b.has_value() && (!in_a || sameness<type>::of(*in_a, *in_b));
  } else if constexpr (layerkey::detail::is_state<typename Leaf::member>)
    return layerkey::detail::whole_value<type>(Leaf::get(a)) ==
           layerkey::detail::whole_value<type>(Leaf::get(b));
  else
    return sameness<type>::of(layerkey::view<Layer, P>(a).template get<Path...>(),
                              layerkey::view<Layer, P>(b).template get<Path...>());
}

// Whether all that the layer's stage can read is the same in both.
template<class Layer, class P>
bool view_is_same(P const& a, P const& b) {
  return [&]<class... Leaves>(boost::mp11::mp_list<Leaves...>) {
    return (reads_same<Leaves, Layer>(a, b, typename Leaves::whole_path{}) && ...);
  }(layerkey::detail::own_leaves<Layer, P>{});
}

template<class P, class... Layers>
bool views_are_same(P const& a, P const& b, boost::mp11::mp_list<Layers...>) {
  return (view_is_same<Layers>(a, b) && ...);
}

}  // namespace vary
