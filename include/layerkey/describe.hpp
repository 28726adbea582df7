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
// Guard such a description by a static_assert on the version of the library that owns the struct.
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

template<class P>
using fields_of = mp::mp_rename<typename describe<P>::fields, mp::mp_list>;

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
