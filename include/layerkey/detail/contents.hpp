// Reading values back out of keys: what a value's write() put there, by the form that it says.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/key.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

// ---- the form of a value -----------------------------------------------------------------------

// Nothing says where such a value ends.
struct no_form {};

template<class T>
consteval auto find_form() {
  if constexpr (requires { typename value<T>::form; })
    return typename value<T>::form{};
  else if constexpr (fixed_size<T>)
    return forms::atoms{};
  else
    return no_form{};
}

template<class T>
using form_of = decltype(find_form<T>());

template<class Form>
struct parts_of {
  using type = mp::mp_list<>;
};
template<class... T>
struct parts_of<forms::all<T...>> {
  using type = mp::mp_list<T...>;
};
template<class... T>
struct parts_of<forms::one_of<T...>> {
  using type = mp::mp_list<T...>;
};
template<class T, std::size_t N>
struct parts_of<forms::times<T, N>> {
  using type = mp::mp_list<T>;
};
template<class T>
struct parts_of<forms::sequence<T>> {
  using type = mp::mp_list<T>;
};
template<class T>
struct parts_of<forms::maybe<T>> {
  using type = mp::mp_list<T>;
};

template<class T, class Parts>
struct within_for;

template<class T>
struct within_of : within_for<T, typename parts_of<form_of<T>>::type> {};

template<class T, class... Parts>
struct within_for<T, mp::mp_list<Parts...>> {
  using type = mp::mp_append<mp::mp_list<T>, typename within_of<Parts>::type...>;
};

// T and all values inside it, as far as its form says.
template<class T>
using within = typename within_of<T>::type;

template<class T>
using has_no_form = std::is_same<form_of<T>, no_form>;

template<class T>
using is_process_bound = mp::mp_bool<requires { requires value<T>::process_bound; }>;

// ---- sources -----------------------------------------------------------------------------------

class word_source {
 public:
  constexpr word_source(std::uint64_t const* words, unsigned const* bit)
      : words_(words), bit_(bit) {}

  template<unsigned Bits>
  constexpr std::uint64_t get() {
    return get(Bits);
  }
  constexpr std::uint64_t get(unsigned bits) {
    auto const word = words_[*bit_ / 64] >> *bit_ % 64;
    ++bit_;
    return bits == 64 ? word : word & ((std::uint64_t{1} << bits) - 1);
  }
  constexpr void skip(std::size_t atoms) { bit_ += atoms; }

 private:
  std::uint64_t const* words_;
  unsigned const* bit_;
};

// Never reads behind the end: a variant without a value, for one, is not followed by any.
class byte_source {
 public:
  constexpr byte_source(unsigned char const* begin, std::size_t size)
      : at_(begin), end_(begin + size) {}

  template<unsigned Bits>
  constexpr std::uint64_t get() {
    return get(Bits);
  }
  constexpr std::uint64_t get(unsigned bits) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i != (bits + 7) / 8 && at_ != end_; ++i)
      word |= std::uint64_t{*at_++} << 8 * i;
    return word;
  }
  constexpr void skip(std::size_t) {}

  // Reduces `count` to what there is.
  char const* characters(std::uint64_t& count) {
    if (count > left()) count = left();
    auto const* begin = reinterpret_cast<char const*>(at_);
    at_ += count;
    return begin;
  }
  constexpr void pass(std::uint64_t count) { at_ += count < left() ? count : left(); }

  constexpr unsigned char const* position() const { return at_; }
  constexpr std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

 private:
  unsigned char const* at_;
  unsigned char const* end_;
};

// ---- copying by form ---------------------------------------------------------------------------

template<class T>
using cannot_be_read = mp::mp_bool<!requires(byte_source& from) { value<T>::read(from); }>;

template<class T>
using has_no_end = mp::mp_bool<has_no_form<T>::value && cannot_be_read<T>::value>;

// By the form, or else by read(), which stops behind what write() put.
template<class T>
constexpr bool has_known_end = !mp::mp_any_of<within<T>, has_no_end>::value;

struct no_sink {
  template<unsigned>
  constexpr void put(std::uint64_t) {}
  constexpr void put(unsigned, std::uint64_t) {}
};

template<class T, class Form = form_of<T>>
struct transfer;

template<class T>
struct atom_widths {
  unsigned char at[value<T>::atoms + 1] = {};

  constexpr atom_widths() {
    shape_writer to{at};
    value<T>::shape(to);
  }
};

template<class T>
struct transfer<T, forms::atoms> {
  static constexpr void copy(auto& from, auto& to) {
    if constexpr (word_like<T>)
      to.template put<bits_of<T>>(from.template get<bits_of<T>>());
    else {
      constexpr atom_widths<T> widths;
      for (std::size_t i = 0; i != value<T>::atoms; ++i)
        to.put(widths.at[i], from.get(widths.at[i]));
    }
  }
};

template<class T, class... Parts>
struct transfer<T, forms::all<Parts...>> {
  static constexpr void copy([[maybe_unused]] auto& from, [[maybe_unused]] auto& to) {
    (transfer<Parts>::copy(from, to), ...);
  }
};

template<class T, class Part, std::size_t N>
struct transfer<T, forms::times<Part, N>> {
  static constexpr void copy([[maybe_unused]] auto& from, [[maybe_unused]] auto& to) {
    for (std::size_t i = 0; i != N; ++i) transfer<Part>::copy(from, to);
  }
};

template<class T, class Part>
struct transfer<T, forms::sequence<Part>> {
  static constexpr void copy(auto& from, auto& to) {
    auto count = from.template get<64>();
    to.template put<64>(count);
    for (; count != 0 && from.left() != 0; --count) transfer<Part>::copy(from, to);
  }
};

// Only the place behind it is asked for: what goes on from there takes the bytes as they are.
template<class T>
struct transfer<T, forms::characters> {
  static constexpr void copy(byte_source& from, no_sink&) { from.pass(from.get(64)); }
};

template<class T>
struct transfer<T, no_form> {
  static constexpr void copy(byte_source& from, no_sink&) {
    static_cast<void>(value<T>::read(from));
  }
};

template<class T, class Part>
struct transfer<T, forms::maybe<Part>> {
  static constexpr void copy(auto& from, auto& to) {
    auto const present = from.template get<1>();
    to.template put<1>(present);
    if (present != 0)
      transfer<Part>::copy(from, to);
    else if constexpr (fixed_size<Part>)
      from.skip(value<Part>::atoms);
  }
};

template<class T, class... Parts>
struct transfer<T, forms::one_of<Parts...>> {
  static constexpr void copy(auto& from, auto& to) {
    auto const number = from.template get<16>();
    to.template put<16>(number);
    std::uint64_t i = 0;
    (copy_one<Parts>(from, to, i++ == number), ...);
  }

 private:
  template<class Part>
  static constexpr void copy_one(auto& from, auto& to, bool held) {
    if (held)
      transfer<Part>::copy(from, to);
    else if constexpr (fixed_size<T>)
      from.skip(value<Part>::atoms);
  }
};

// ---- leaves of a key ---------------------------------------------------------------------------

template<class Leaf>
struct leaf_value {
  using type = typename Leaf::type;
};
template<class Leaf>
  requires Leaf::is_held
struct leaf_value<Leaf> {
  using type = typename Leaf::type::type;
};

// The value that a leaf has, where it has one.
template<class Leaf>
using value_of = typename leaf_value<Leaf>::type;

// Whether Path goes on behind Outer, and to which struct.
template<class Outer, class Path>
struct steps_behind {
  static constexpr bool leads_on = false;
};
template<auto First, auto... Rest>
struct steps_behind<path<>, path<First, Rest...>> {
  static constexpr bool leads_on = true;
  using type = owner_of<First>;
};
template<auto Step, auto... Outer, auto... Rest>
struct steps_behind<path<Step, Outer...>, path<Step, Rest...>>
    : steps_behind<path<Outer...>, path<Rest...>> {};

// Whether a state says that what is behind Next is held: an optional's by 1, a variant's by the
// number of the alternative.
template<class Holder, class State, class Next>
struct held_state {
  static constexpr std::uint64_t value = 1;
};
template<class Holder, class Next>
struct held_state<Holder, alternative, Next> {
  static constexpr std::uint64_t value = mp::mp_find<Holder, Next>::value;
};

template<class State, class Leaf>
constexpr std::uint64_t state_that_holds = held_state<
    typename State::member::raw, typename State::member::type,
    typename steps_behind<typename State::whole_path, typename Leaf::whole_path>::type>::value;

struct in_words {};
struct in_fixed {};
struct in_tail {};

template<class Leaf>
using place_in_key =
    std::conditional_t<is_word_leaf<Leaf>::value, in_words,
                       std::conditional_t<is_tail_leaf<Leaf>::value, in_tail, in_fixed>>;

template<class Projector>
constexpr std::size_t atoms_in_words = 0;

template<class P, class... Words, class Fixed, class Tail>
constexpr std::size_t atoms_in_words<projector<P, mp::mp_list<Words...>, Fixed, Tail>> =
    sizeof...(Words);

// Goes through the leaves of a key in the order of the list, whatever order they are packed in.
template<class Layer, class P>
class key_reader {
  using leaves = own_leaves<Layer, P>;
  using projector = projector_of<P, leaves>;

 public:
  explicit constexpr key_reader(basic_key<Layer, P> const& k)
      : words_(k.words_.data(), projector::at.bit),
        fixed_(k.words_.data(), projector::at.bit + atoms_in_words<projector>),
        tail_(k.tail_.data(), k.tail_.size()) {}

  // Reads the part of one layer where it lies in a key of several.
  template<class... OwnKeys>
  explicit constexpr key_reader(layered_key<OwnKeys...> const& k)
      : words_(k.words_.data(), part_in<OwnKeys...>::bits()),
        fixed_(k.words_.data(), part_in<OwnKeys...>::bits() + atoms_in_words<projector>),
        tail_(part_in<OwnKeys...>::tail(k.tail_, k.marks_)) {}

  constexpr word_source& source(in_words) { return words_; }
  constexpr word_source& source(in_fixed) { return fixed_; }
  constexpr byte_source& source(in_tail) { return tail_; }

  // Whether the leaf is there; if it is not, its place is passed over. Takes down the state of an
  // optional or a variant, which the leaves behind ask for.
  template<class Leaf>
  constexpr bool enter() {
    if constexpr (is_state_leaf<Leaf>) {
      auto copy = fixed_;
      if (holds(Leaf{})) states_[mp::mp_find<leaves, Leaf>::value] = copy.get(state_bits<Leaf>);
    }
    if constexpr (Leaf::is_held) {
      if (holds(Leaf{})) return true;
      if constexpr (fixed_size<value_of<Leaf>>) fixed_.skip(value<value_of<Leaf>>::atoms);
      return false;
    } else
      return true;
  }

 private:
  template<class... OwnKeys>
  struct part_in {
    static constexpr std::size_t number =
        mp::mp_find<mp::mp_list<OwnKeys...>, basic_key<Layer, P>>::value;

    static constexpr unsigned const* bits() {
      return layered_key<OwnKeys...>::bits_of_part(number);
    }
    static constexpr byte_source tail(byte_tail const& all, auto const& marks) {
      std::size_t const begin = number == 0 ? 0 : marks.end[number == 0 ? 0 : number - 1];
      return {all.data() + begin, marks.end[number] - begin};
    }
    static constexpr byte_source tail(no_tail, auto const&) { return {nullptr, 0}; }
  };

  template<class Leaf>
  static constexpr bool is_state_leaf = is_state<typename Leaf::member>;
  template<class Leaf>
  static constexpr unsigned state_bits = std::is_same_v<value_of<Leaf>, presence> ? 1 : 16;

  template<class Leaf>
  constexpr bool holds(Leaf) const {
    return [&]<class... Each>(mp::mp_list<Each...>) {
      return (holds_by<Each, Leaf>() && ...);
    }(leaves{});
  }

  template<class State, class Leaf>
  constexpr bool holds_by() const {
    if constexpr (is_state_leaf<State>) {
      if constexpr (steps_behind<typename State::whole_path, typename Leaf::whole_path>::leads_on)
        return states_[mp::mp_find<leaves, State>::value] == state_that_holds<State, Leaf>;
    }
    return true;
  }

  word_source words_;
  word_source fixed_;
  byte_source tail_;
  std::uint64_t states_[mp::mp_size<leaves>::value + 1] = {};
};

}  // namespace layerkey::detail
