// Whether the list of fields has all members, where the compiler cannot tell: private ones of a
// class that says why it is not counted.
#pragma once

#include <layerkey/detail/real_members.hpp>
#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/walk.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace layerkey::testing {
namespace detail {

template<class P>
concept says_equal = requires(P const& a, P const& b) { static_cast<bool>(a == b); };

// Whether all members that the list has are the same in both, as far as their types tell.
template<class P>
bool listed_are_same(P const& a, P const& b) {
  bool same = true;
  for_each_slot<P>([&]<class Slot>(Slot) {
    if (!same) return;
    if (!Slot::is_there(a) || !Slot::is_there(b))
      same = Slot::is_there(a) == Slot::is_there(b);
    else
      same = compare<typename Slot::type>(Slot::get(a), Slot::get(b)) == sameness::same;
  });
  return same;
}

template<class P>
void verify_values_are_listed(std::vector<P> const& values, std::size_t most, reporter& to) {
  for (std::size_t i = 0; i != values.size() && i != most; ++i)
    for (std::size_t j = 0; j != i; ++j) {
      auto const& a = values[j];
      auto const& b = values[i];
      if (!(a == a) || !(b == b)) continue;  // a NaN
      to.check(a == b || !listed_are_same(a, b), law::lists_every_member, "", "", [&] {
        return "values " + std::to_string(j) + " and " + std::to_string(i) +
               " differ by operator==, and no listed member does: " + print_members(a);
      });
    }
}

#ifdef __clang__

template<class P>
void verify_names_are_listed(P const& p, reporter& to) {
  auto const real = layerkey::detail::real_members_of(p);
  auto const faults = layerkey::detail::compare_names_with(real, layerkey::detail::fields_of<P>{});
  for (std::size_t i = 0; i != faults.missing_count; ++i) {
    auto const name = real.at[faults.missing[i]];
    to.check(false, law::lists_every_member, std::string(name.begin, name.size), "",
             [] { return std::string("no field lists this one"); });
  }
}

#endif

}  // namespace detail

// Of the list of fields: two values that differ by the params' own operator== differ in a listed
// member. Of a class that is no aggregate, clang also compares the names in the list with those of
// the real members.
template<class P>
report verify_listing(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  if constexpr (detail::says_equal<P>)
    detail::verify_values_are_listed(values, options.most_params, to);
  if constexpr (!std::is_aggregate_v<P>) {
#ifdef __clang__
    if (!values.empty()) detail::verify_names_are_listed(values.front(), to);
#else
    to.found.leave_unchecked("whether each private member is listed, which only clang sees");
#endif
  }
  return std::move(to.found);
}

}  // namespace layerkey::testing
