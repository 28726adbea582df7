// Where the description of a struct is found: inside it, or beside it for a struct of someone
// else's.
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/text.hpp>

namespace layerkey {

// Specialise it for a struct that you do not own:
//
//   template<> struct layerkey::describe<their_options> {
//     using fields = layerkey::fields<...>;
//     static constexpr layerkey::text uncounted = "has constructors";  // where P is no aggregate
//     static their_options defaults();                                  // where P{} is no constant
//   };
//
// `defaults()` (P::layerkey_defaults() in a struct of one's own) is what a stage reads of a member
// that does not count, so it has to give the same at every call: what it reads of the process is in
// no key. Guard such a description by a static_assert on the version of the library that owns the
// struct.
template<class P>
struct describe {};

template<class P>
  requires requires { typename P::layerkey_fields; }
struct describe<P> {
  using fields = typename P::layerkey_fields;
};

namespace detail {

template<class P>
concept described = requires { typename describe<P>::fields; };

// ---- fields and refinements --------------------------------------------------------------------

// Overloads, so that a field costs no instantiation.
consteval bool is_refinement(void const*) { return false; }

template<class Path, class... Modifiers>
consteval bool is_refinement(refine<Path, Modifiers...> const*) {
  return true;
}

template<class... Entries>
consteval bool any_refinement(mp::mp_list<Entries...>) {
  bool const each[] = {false, is_refinement(static_cast<Entries*>(nullptr))...};
  for (bool is : each)
    if (is) return true;
  return false;
}

template<class Entry>
using is_refinement_q = mp::mp_bool<is_refinement(static_cast<Entry*>(nullptr))>;

// Most lists hold no refinement, and are left as they are.
template<class Entries, bool Refines>
struct split_entries {
  using fields = Entries;
  using refinements = mp::mp_list<>;
};

template<class Entries>
struct split_entries<Entries, true> {
  using fields = mp::mp_remove_if<Entries, is_refinement_q>;
  using refinements = mp::mp_copy_if<Entries, is_refinement_q>;
};

template<class P>
struct entries_of {
  using all = mp::mp_rename<typename describe<P>::fields, mp::mp_list>;
  static constexpr bool refines = detail::any_refinement(all{});
  using split = split_entries<all, refines>;
};

template<class P>
using fields_of = typename entries_of<P>::split::fields;

template<class P>
using refinements_of = typename entries_of<P>::split::refinements;

template<class P>
constexpr bool refines = entries_of<P>::refines;

// ---- what else a description says --------------------------------------------------------------

template<class P>
concept says_uncounted =
    requires { describe<P>::uncounted; } || requires { P::layerkey_uncounted; };

template<class P>
concept supplies_defaults =
    requires { describe<P>::defaults(); } || requires { P::layerkey_defaults(); };

template<class P>
constexpr P supplied_defaults() {
  if constexpr (requires { describe<P>::defaults(); })
    return describe<P>::defaults();
  else
    return P::layerkey_defaults();
}

}  // namespace detail
}  // namespace layerkey
