// Variants in keys: which alternative, then its value. Two alternatives never write the same.
#pragma once

#include <layerkey/detail/holder.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/value.hpp>

#include <optional>
#include <type_traits>
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

template<class Source, class... T>
using read_variant = std::variant<read_type<T, Source>...>;

// Reads the alternative that stands first in the source; the first one where no such exists. In
// words, the others have their places around it.
template<class... T, class Source>
read_variant<Source, T...> read_alternative(Source& from) {
  using result = read_variant<Source, T...>;
  auto const number = from.template get<16>();
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::optional<result> held;
    auto const skip = [&]<class Alternative>(std::type_identity<Alternative>) {
      if constexpr (fixed_size<std::variant<T...>>) from.skip(value<Alternative>::atoms);
    };
    ((I == number ? void(held.emplace(std::in_place_index<I>, layerkey::read<T>(from)))
                  : skip(std::type_identity<T>{})),
     ...);
    return held ? std::move(*held) : result();
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
  using form = forms::one_of<T...>;

  template<class Sink>
  static constexpr void write(Sink& sink, std::variant<T...> const& v) {
    sink.template put<16>(v.index() & 0xffff);
    detail::write_alternative(v, [&](auto const& held, auto) { layerkey::write(sink, held); });
  }

  template<class Source>
  static detail::read_variant<Source, T...> read(Source& from) {
    return detail::read_alternative<T...>(from);
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
  using form = forms::one_of<T...>;
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

  template<class Source>
  static detail::read_variant<Source, T...> read(Source& from) {
    return detail::read_alternative<T...>(from);
  }

  template<class Printer>
  static void print(Printer& to, std::variant<T...> const& v) {
    detail::print_alternative(to, v);
  }
};

template<>
struct value<std::monostate> {
  static constexpr text kind = "nothing";
  using form = forms::all<>;
  static constexpr std::size_t atoms = 0;
  static constexpr void shape(detail::shape_writer&) {}

  template<class Sink>
  static constexpr void write(Sink&, std::monostate) {}
  template<class Source>
  static constexpr std::monostate read(Source&) {
    return {};
  }

  template<class Printer>
  static void print(Printer& to, std::monostate) {
    to.text("nothing");
  }
};

// One of several described structs, tagged per_member; std::monostate stands for none.
template<class... T>
struct detail::holder<std::variant<T...>> {
  using structs = mp::mp_remove<mp::mp_list<T...>, std::monostate>;
  using state = alternative;

  static constexpr state state_of(std::variant<T...> const& v) {
    return {static_cast<std::uint16_t>(v.index() & 0xffff)};
  }

  template<class S>
  static constexpr bool has(std::variant<T...> const& v) {
    return std::holds_alternative<S>(v);
  }
  template<class S>
  static constexpr S const& get(std::variant<T...> const& v) {
    return std::get<S>(v);
  }

  template<class S, class Make>
  static constexpr void put(std::variant<T...>& v, Make make) {
    if (!has<S>(v)) v = std::variant<T...>(std::in_place_type<S>, make.template make<S>());
  }

  template<class Make>
  static constexpr void take_state(std::variant<T...>& to, std::variant<T...> const& from,
                                   Make make) {
    auto const take = [&]<class S, std::size_t I>(S const*,
                                                  std::integral_constant<std::size_t, I>) {
      if (from.index() != I || to.index() == I) return;
      if constexpr (std::is_same_v<S, std::monostate>)
        to = std::variant<T...>(std::in_place_index<I>);
      else
        to = std::variant<T...>(std::in_place_index<I>, make.template make<S>());
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (take(static_cast<T const*>(nullptr), std::integral_constant<std::size_t, I>{}), ...);
    }(std::index_sequence_for<T...>{});
  }

  template<class F>
  struct mapped {
    template<class S>
    static constexpr auto of(F const& f, S const& s) {
      if constexpr (std::is_same_v<S, std::monostate>)
        return s;
      else
        return f(s);
    }
  };

  // A view of every alternative; a variant without a value has none to give, and ends the process
  // or throws as std::visit does.
  template<class F>
  static constexpr auto map(std::variant<T...> const& v, F const& f) {
    using views = std::variant<decltype(mapped<F>::of(f, std::declval<T const&>()))...>;
    return std::visit(
        [&f]<class S>(S const& s) {
          constexpr auto index = mp::mp_find<mp::mp_list<T...>, S>::value;
          return views(std::in_place_index<index>, mapped<F>::of(f, s));
        },
        v);
  }
};

}  // namespace layerkey
