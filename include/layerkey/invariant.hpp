// What has to hold between the members of a struct, declared beside them.
#pragma once

#include <layerkey/detail/leaves.hpp>
#include <layerkey/detail/path_name.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace layerkey {

// Predicate(members that Reads names...) has to be true; Sentence says so to the user. Predicate is
// a named function, so that it can be tested by itself.
//
//   using layerkey_invariants = layerkey::invariants<
//       layerkey::invariant<"tma needs sm 90 or later", tma_needs_90, &params::tma, &params::sm>>;
//
// (`invariants` in layerkey::describe for a struct that one does not own.)
template<text Sentence, auto Predicate, auto... Reads>
struct invariant {};

template<class... Invariants>
struct invariants {};

// An invariant that does not hold.
struct violation {
  std::string path;  // the per_member struct that it belongs to: "target", empty for P itself
  std::string_view sentence;

  friend bool operator==(violation const&, violation const&) = default;
};

namespace error {

template<class P, text Sentence, text... Members>
constexpr bool the_invariant_holds = false;
template<class P, text Sentence, text... Members>
consteval bool broken_invariant() {
  static_assert(
      the_invariant_holds<P, Sentence, Members...>,
      "layerkey: the members of this configuration contradict the struct's own invariant. "
      "Change one of the members that are named.");
  return true;
}

}  // namespace error

namespace detail {

template<class P>
consteval auto find_invariants() {
  if constexpr (requires { typename describe<P>::invariants; })
    return typename describe<P>::invariants{};
  else if constexpr (requires { typename P::layerkey_invariants; })
    return typename P::layerkey_invariants{};
  else
    return invariants<>{};
}

template<class P>
using invariants_of = decltype(find_invariants<P>());

template<class P, text Sentence, auto Predicate, auto... Reads>
constexpr bool holds_for(P const& p, invariant<Sentence, Predicate, Reads...>) {
  return static_cast<bool>(Predicate(access<Reads>::get(p)...));
}

template<text Sentence, auto Predicate, auto... Reads>
constexpr std::string_view sentence_of(invariant<Sentence, Predicate, Reads...>) {
  return {Sentence.data(), Sentence.size()};
}

template<class Field>
using is_per_member_q = mp::mp_bool<is_per_member<Field>>;

template<class P>
using per_member_fields = mp::mp_copy_if<fields_of<P>, is_per_member_q>;

template<class P, auto... Prefix, class Found>
constexpr bool visit_broken(P const& p, path<Prefix...> prefix, Found const& found);

// In the struct that the member is, or holds if it holds one.
template<class T, auto... Prefix, class Found>
constexpr bool visit_broken_inside(T const& member, path<Prefix...> prefix, Found const& found) {
  bool stopped = false;
  visit_held(member, [&](auto const& s) { stopped = visit_broken(s, prefix, found); });
  return stopped;
}

// Calls found(invariant, path...) for each invariant of P, and of the per_member structs inside,
// that is broken; stops where found says true.
template<class P, auto... Prefix, class Found>
constexpr bool visit_broken(P const& p, path<Prefix...> prefix, Found const& found) {
  bool const stopped = [&]<class... I>(invariants<I...>) {
    return ((!holds_for(p, I{}) && found(I{}, prefix)) || ...);
  }(invariants_of<P>{});
  if (stopped) return true;
  return [&]<class... Fields>(mp::mp_list<Fields...>) {
    return (visit_broken_inside(access<Fields::access>::get(p), path<Prefix..., Fields::access>{},
                                found) ||
            ...);
  }(per_member_fields<P>{});
}

// ---- at compile time ---------------------------------------------------------------------------

template<class Outer, auto Params, auto... Prefix, text Sentence, auto Predicate, auto... Reads>
consteval bool check_one(path<Prefix...>, invariant<Sentence, Predicate, Reads...>) {
  constexpr auto const& p = follow<Prefix...>::in(Params);
  if constexpr (holds_for(p, invariant<Sentence, Predicate, Reads...>{}))
    return true;
  else
    return error::broken_invariant<std::remove_cvref_t<decltype(p)>, Sentence, name_of<Reads>...>();
}

// No structural type holds a std::optional or a std::variant.
template<class P, auto Params, auto... Prefix>
consteval bool check_all(path<Prefix...> prefix) {
  bool const own = []<class... I>(path<Prefix...> at, invariants<I...>) {
    return (check_one<P, Params>(at, I{}) && ...);
  }(prefix, invariants_of<P>{});
  bool const inner = []<class... Fields>(mp::mp_list<Fields...>) {
    return (check_all<member_type<Fields::access>, Params>(path<Prefix..., Fields::access>{}) &&
            ...);
  }(per_member_fields<P>{});
  return own && inner;
}

}  // namespace detail

// The sentence of the first invariant that does not hold, in the order of the list, then inside
// per_member structs; empty if all hold.
template<class P>
constexpr std::string_view broken_invariant(P const& p) {
  static_assert(complete<P>);
  std::string_view sentence;
  detail::visit_broken(p, path<>{}, [&sentence](auto broken, auto) {
    sentence = detail::sentence_of(broken);
    return true;
  });
  return sentence;
}

// All invariants that do not hold.
template<class P>
std::vector<violation> broken_invariants(P const& p) {
  static_assert(complete<P>);
  std::vector<violation> all;
  detail::visit_broken(p, path<>{}, [&all](auto broken, auto at) {
    all.push_back({detail::path_name(at), detail::sentence_of(broken)});
    return false;
  });
  return all;
}

// static_assert(checked<params{.sm = 80, .tma = true}>()): does not compile, and the error holds
// the author's sentence and the members. For structural params.
template<auto Params>
consteval bool checked() {
  using P = std::remove_const_t<decltype(Params)>;
  static_assert(complete<P>);
  return detail::check_all<P, Params>(path<>{});
}

}  // namespace layerkey
