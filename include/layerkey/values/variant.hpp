// Variants in keys: which alternative, then its value. Two alternatives never write the same.
#pragma once

#include <layerkey/value.hpp>

#include <utility>
#include <variant>

namespace layerkey {
namespace detail {

// Calls write(value, alternative number) for the alternative that is held; none where there is
// none.
template<class... T, class Write>
constexpr void write_alternative(std::variant<T...> const& v, Write write) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (void)((v.index() == I &&
            (write(*std::get_if<I>(&v), std::integral_constant<std::size_t, I>{}), true)) ||
           ...);
  }(std::index_sequence_for<T...>{});
}

// The alternatives may print alike, so the number of the one that is held comes first.
template<class Printer, class... T>
void print_alternative(Printer& to, std::variant<T...> const& v) {
  to.text("#");
  to.value(v.index());
  write_alternative(v, [&](auto const& held, auto) {
    to.text(" ");
    to.value(held);
  });
}

}  // namespace detail

template<class... T>
  requires detail::all_keyable<T...>
struct value<std::variant<T...>> {
  static constexpr text kind = "variant";

  template<class Sink>
  static constexpr void write(Sink& sink, std::variant<T...> const& v) {
    sink.template put<16>(v.index() & 0xffff);
    detail::write_alternative(v, [&](auto const& held, auto) { layerkey::write(sink, held); });
  }

  template<class Printer>
  static void print(Printer& to, std::variant<T...> const& v) {
    detail::print_alternative(to, v);
  }
};

// In words each alternative has a place of its own; those that are not held stay zero.
template<class... T>
  requires detail::all_fixed_size<T...>
struct value<std::variant<T...>> {
  static constexpr text kind = "variant";
  static constexpr std::size_t atoms = 1 + (std::size_t{0} + ... + value<T>::atoms);
  static constexpr void shape(detail::shape_writer& to) {
    to.put(16);
    (value<T>::shape(to), ...);
  }

  template<class Sink>
  static constexpr void write(Sink& sink, std::variant<T...> const& v) {
    sink.template put<16>(v.index() & 0xffff);
    constexpr std::size_t before[] = {value<T>::atoms...};
    std::size_t skipped = 0;
    std::size_t held_atoms = 0;
    detail::write_alternative(v, [&](auto const& held, auto i) {
      for (std::size_t j = 0; j != i(); ++j) skipped += before[j];
      held_atoms = before[i()];
      sink.skip(skipped);
      layerkey::write(sink, held);
    });
    sink.skip(atoms - 1 - skipped - held_atoms);
  }

  template<class Printer>
  static void print(Printer& to, std::variant<T...> const& v) {
    detail::print_alternative(to, v);
  }
};

template<>
struct value<std::monostate> {
  static constexpr text kind = "nothing";
  static constexpr std::size_t atoms = 0;
  static constexpr void shape(detail::shape_writer&) {}

  template<class Sink>
  static constexpr void write(Sink&, std::monostate) {}

  template<class Printer>
  static void print(Printer& to, std::monostate) {
    to.text("nothing");
  }
};

}  // namespace layerkey
