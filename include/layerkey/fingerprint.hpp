// 128 bits that name the schema of a stored key: what is in it, in which form, in which order.
//
// The fingerprint of an own key is the FNV-1a hash of 128 bits (Fowler, Noll, Vo) over the schema
// as text, in ASCII:
//
//   schema   = "layerkey-schema/1;layer=" quoted ";" [version] [name] { member }
//   version  = "version=" (number | quoted) ";"                  Layer::version, where declared
//   name     = "schema=" quoted ";"                              P::layerkey_schema, where declared
//   member   = path ":" kind { held } { canonical } [as] { condition } ";"      in the order of the
//   list held     = "," number "={" quoted "}"                       of an optional or a variant
//   that is
//                                  tagged per_member, for each struct that has a layerkey_schema
//   canonical = ",canonical=" name
//   as       = ",as=" name [ ",by=" name ]
//   condition = ",if=" [name] "(" path { "," path } ")" [ ",otherwise=" (name | kind "=" hex) ]
//   kind     = "bool" | ("i" | "u" | "c" | "f") bits             signed, unsigned, character, float
//            | "byte" | "enum(" kind { "," name "=" number } ")"
//            | quoted [ "{" quoted "}" ] [ "[" number { "," number } "]" ] [form]
//                                  value<T>::kind, T::layerkey_schema, value<T>::extents and ::form
//   form     = "(" kind { "," kind } ")" | "(" kind "*" number ")" | "(" kind "...)" | "(text)"
//            | "(" kind "?)" | "(" kind { "|" kind } ")"         all, times, sequence, characters,
//                                                                maybe, one_of
//   quoted   = number ":" characters                             the number of characters first
//
// A plain aggregate's parts are `name:kind`. A member behind an optional or a variant stands behind
// a member of kind "8:presence" or "11:alternative". Names are those of the program's own members,
// functions and enumerators; no type name is in it, so renaming a type, moving it, or wrapping it
// in another struct changes nothing. Two structs with the same members and kinds are therefore one:
// where one layer keys both, or a variant holds both, give each `static constexpr text
// layerkey_schema`
// (`schema` in layerkey::describe). The bodies of functions are not in it either: the key holds
// their results.
//
// The fingerprint of a layer's key is the same hash over "layerkey-key/1;layer=" quoted ";" and the
// fingerprints of the own keys, upstream first, 16 bytes each, the lowest byte first.
#pragma once

#include <layerkey/detail/schema.hpp>
#include <layerkey/key.hpp>

namespace layerkey {

// Of the key's schema, on every compiler and in every build the same. What may not be stored (an
// object by identity, an enumeration whose enumerators cannot be told) does not compile.
template<class Layer, class P>
consteval digest128 fingerprint() {
  if constexpr (detail::key_is_storable<key<Layer, P>>())
    return detail::key_fingerprint<key<Layer, P>>;
  else
    return {};
}

// Of the layer's own key alone.
template<class Layer, class P>
consteval digest128 own_fingerprint() {
  if constexpr (detail::key_is_storable<own_key<Layer, P>>())
    return detail::key_fingerprint<own_key<Layer, P>>;
  else
    return {};
}

}  // namespace layerkey
