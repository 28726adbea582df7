// Verifies narrowed params.
#pragma once

#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/walk.hpp>
#include <layerkey/view.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey::testing {
namespace detail {

template<auto... Steps>
constexpr bool nothing_constant(path<Steps...>) {
  return (!layerkey::detail::is_constant<Steps> && ...);
}

template<class S>
using has_constant_defaults = boost::mp11::mp_bool<layerkey::detail::supplies_defaults<S> ||
                                                   layerkey::detail::constant_initialisers<S>>;

// Where an optional or a variant is filled, its structs are made first.
template<class Member>
constexpr bool can_be_made() {
  if constexpr (layerkey::detail::is_state<Member>)
    return boost::mp11::mp_all_of<typename layerkey::detail::holder<typename Member::raw>::structs,
                                  has_constant_defaults>::value;
  else
    return true;
}

template<class Leaf>
using fills =
    boost::mp11::mp_bool<Leaf::member::can_be_filled && nothing_constant(typename Leaf::way{}) &&
                         can_be_made<typename Leaf::member>()>;

template<class Layer, class P>
constexpr bool can_be_narrowed =
    has_constant_defaults<P>::value &&
    boost::mp11::mp_all_of<layerkey::detail::own_leaves<Layer, P>, fills>::value;

template<class Layer, class P>
void verify_narrowed_for(std::vector<P> const& values, reporter& to) {
  auto const layer = name_of_layer<Layer>();
  if constexpr (!can_be_narrowed<Layer, P>) {
    to.found.leave_unchecked("narrowed, layer " + layer +
                             ": its defaults are no constants, or a member cannot be filled");
  } else {
    std::vector<narrowed<Layer, P>> all;
    for (auto const& each : values) all.emplace_back(each);
    for (std::size_t i = 0; i != values.size(); ++i) {
      auto const before = seen_by<Layer>(values[i]);
      auto const after = seen_by<Layer>(*all[i]);
      for (std::size_t m = 0; m != before.size(); ++m)
        to.check(before[m].written == after[m].written, law::narrowed_agrees, before[m].path, layer,
                 [&] {
                   return "the view reads " + before[m].printed + " and the narrowed params hold " +
                          after[m].printed;
                 });
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (!(make_own_key<Layer>(values[i - 1]) == make_own_key<Layer>(values[i]))) continue;
      auto const x = raw_members(*all[i - 1]);
      auto const y = raw_members(*all[i]);
      for (std::size_t m = 0; m != x.size(); ++m)
        to.check(x[m].value == y[m].value, law::narrowed_agrees, x[m].path, layer, [&] {
          return "of one own key come " + print_members(*all[i - 1]) + " and " +
                 print_members(*all[i]);
        });
    }
  }
}

}  // namespace detail

// Of narrowed params: a layer's stage finds in them what its view reads, and nothing else.
template<class P, class... Layers>
report verify_narrowed(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(
      detail::with_upstream<Layers...>{},
      [&]<class Layer>(std::type_identity<Layer>) { detail::verify_narrowed_for<Layer>(all, to); });
  return std::move(to.found);
}

}  // namespace layerkey::testing
