// Objects of which there is only one each, such as interned types and method instances, as values
// of a key: by their address.
#pragma once

#include <layerkey/value.hpp>

#include <cstddef>
#include <cstdint>

namespace layerkey {
namespace error {

template<class T>
constexpr bool the_value_outlives_its_process = false;
template<class T>
constexpr bool identity_encoded() {
  static_assert(
      the_value_outlives_its_process<T>,
      "layerkey: a value that is to be encoded holds the identity of an object, which "
      "means nothing in another process. Say `static constexpr bool process_bound = true` "
      "in its layerkey::value, and keep it out of stored keys.");
  return true;
}

}  // namespace error

// Two are the same exactly when they point to one object. Whoever makes one keeps the object alive,
// and at its place, as long as a key with it is used. A key that holds one means nothing in another
// process: it has no canonical encoding and no fingerprint.
template<class T>
struct by_identity {
  T const* object = nullptr;

  constexpr T const& operator*() const { return *object; }
  constexpr T const* operator->() const { return object; }
  friend constexpr bool operator==(by_identity const&, by_identity const&) = default;
};

template<class T>
by_identity(T*) -> by_identity<T>;

template<class T>
struct value<by_identity<T>> {
  static constexpr text kind = "identity";
  static constexpr bool process_bound = true;
  static constexpr std::size_t atoms = 1;
  static constexpr void shape(detail::shape_writer& to) { to.put(64); }

  template<class Sink>
  static void write(Sink& sink, by_identity<T> v) {
    // What a value's form says has been refused by its member's name; this is one that says none.
    if constexpr (requires { typename Sink::is_stored; })
      static_cast<void>(error::identity_encoded<T>());
    else
      sink.template put<64>(reinterpret_cast<std::uintptr_t>(v.object));
  }

  template<class Source>
  static by_identity<T> read(Source& from) {
    return {reinterpret_cast<T const*>(static_cast<std::uintptr_t>(from.template get<64>()))};
  }

  template<class Printer>
  static void print(Printer& to, by_identity<T> v) {
    constexpr char const* hex = "0123456789abcdef";
    char digits[] = "object 0x0000000000000000";
    auto word = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(v.object));
    for (std::size_t at = sizeof digits - 2; word != 0; word >>= 4, --at)
      digits[at] = hex[word & 15];
    to.text(v.object == nullptr ? "none" : digits);
  }
};

}  // namespace layerkey
