// Canonical words and the tail behind them: two keys have the same exactly when their members are
// the same, so that equality and hash read nothing else.
#pragma once

#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/leaves.hpp>
#include <layerkey/hash.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

template<class P, class... Layers>
class word_key;

// ---- words: values of fixed size ---------------------------------------------------------------

template<std::size_t N>
struct word_array {
  std::uint64_t at[N];  // word_array{} is zero; an initialiser here would be a loop with clang

  static constexpr std::size_t size = N;
  constexpr std::uint64_t const* data() const { return at; }
  constexpr std::uint64_t* data() { return at; }

  LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t hash(std::uint64_t state) const {
    return hash_words(at, state);
  }

  LAYERKEY_ALWAYS_INLINE constexpr void add(word_array const& other) {
    if constexpr (N <= 32)
      add(other, make_index_sequence<N>{});
    else
      for (std::size_t i = 0; i != N; ++i) at[i] |= other.at[i];
  }

  // One branch a word: the only form that both compilers make good code of.
  LAYERKEY_ALWAYS_INLINE friend constexpr bool operator==(word_array const& a,
                                                          word_array const& b) {
    if constexpr (N <= 32)
      return same(a, b, make_index_sequence<N>{});
    else {
      for (std::size_t i = 0; i != N; ++i)
        if (a.at[i] != b.at[i]) return false;
      return true;
    }
  }

 private:
  template<std::size_t... I>
  LAYERKEY_ALWAYS_INLINE constexpr void add(word_array const& other, index_sequence<I...>) {
    ((at[I] |= other.at[I]), ...);
  }
  template<std::size_t... I>
  LAYERKEY_ALWAYS_INLINE static constexpr bool same(word_array const& a, word_array const& b,
                                                    index_sequence<I...>) {
    return ((a.at[N - 1 - I] == b.at[N - 1 - I]) && ...);
  }
};

template<>
struct word_array<0> {
  static constexpr std::size_t size = 0;
  constexpr std::uint64_t const* data() const { return nullptr; }
  constexpr std::uint64_t* data() { return nullptr; }
  constexpr std::uint64_t hash(std::uint64_t state) const { return state; }
  friend constexpr bool operator==(word_array const&, word_array const&) = default;
};

template<std::size_t Atoms, std::size_t Parts = 1>
struct layout {
  static constexpr std::size_t atoms = Atoms;

  unsigned bit[Atoms + 1] = {};
  std::size_t part[Parts + 1] = {};  // the first atom of each part, and the end
  std::size_t words = 0;

  // Widest first: every width divides 64, so no atom straddles two words and no hole is left. Among
  // equals the last part comes first.
  consteval void place(unsigned char const* width) {
    unsigned next = 0;
    for (unsigned each = 64; each != 0; each /= 2)
      for (std::size_t k = Parts; k-- != 0;)
        for (std::size_t i = part[k]; i != part[k + 1]; ++i)
          if (width[i] == each) {
            bit[i] = next;
            next += each;
          }
    words = (next + 63) / 64;
  }
};

struct word_sink {
  std::uint64_t* out;
  unsigned const* bit;

  template<unsigned Bits>
  LAYERKEY_ALWAYS_INLINE constexpr void put(std::uint64_t v) {
    static_assert(Bits != 0 && 64 % Bits == 0, "layerkey: a word takes 1, 2, 4, ... or 64 bits.");
    out[*bit / 64] |= v << *bit % 64;
    ++bit;
  }

  // Leaves the words of an absent value zero.
  constexpr void skip(std::size_t atoms) { bit += atoms; }
};

// ---- tail: values of variable size -------------------------------------------------------------

struct counting_sink {
  std::size_t size = 0;

  template<unsigned Bits>
  constexpr void put(std::uint64_t) {
    size += (Bits + 7) / 8;
  }
  constexpr void bytes(char const*, std::size_t count) { size += count; }
  constexpr void skip(std::size_t) {}
};

// The least unsigned number that an atom of this width fits into.
template<unsigned Bits>
using atom_of = std::conditional_t<
    (Bits > 32), std::uint64_t,
    std::conditional_t<(Bits > 16), std::uint32_t,
                       std::conditional_t<(Bits > 8), std::uint16_t, std::uint8_t>>>;

// Short runs, which most are, by two moves that overlap and without a call.
LAYERKEY_ALWAYS_INLINE constexpr void copy_bytes(unsigned char* to, char const* from,
                                                 std::size_t count) {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i != count; ++i) to[i] = static_cast<unsigned char>(from[i]);
  } else if (count > 16) {
    __builtin_memcpy(to, from, count);
  } else if (count >= 8) {
    std::uint64_t first, last;
    __builtin_memcpy(&first, from, 8);
    __builtin_memcpy(&last, from + count - 8, 8);
    __builtin_memcpy(to, &first, 8);
    __builtin_memcpy(to + count - 8, &last, 8);
  } else if (count >= 4) {
    std::uint32_t first, last;
    __builtin_memcpy(&first, from, 4);
    __builtin_memcpy(&last, from + count - 4, 4);
    __builtin_memcpy(to, &first, 4);
    __builtin_memcpy(to + count - 4, &last, 4);
  } else if (count != 0) {
    unsigned char const first = static_cast<unsigned char>(from[0]);
    unsigned char const middle = static_cast<unsigned char>(from[count / 2]);
    to[count - 1] = static_cast<unsigned char>(from[count - 1]);
    to[count / 2] = middle;
    to[0] = first;
  }
}

template<class Word>
LAYERKEY_ALWAYS_INLINE inline Word differs_at(unsigned char const* a, char const* b) {
  Word x, y;
  __builtin_memcpy(&x, a, sizeof x);
  __builtin_memcpy(&y, b, sizeof y);
  return x ^ y;
}

LAYERKEY_ALWAYS_INLINE constexpr bool same_bytes(unsigned char const* a, char const* b,
                                                 std::size_t count) {
  if (std::is_constant_evaluated()) {
    for (std::size_t i = 0; i != count; ++i)
      if (a[i] != static_cast<unsigned char>(b[i])) return false;
    return true;
  }
  if (count > 16) return __builtin_memcmp(a, b, count) == 0;
  if (count >= 8)
    return (differs_at<std::uint64_t>(a, b) |
            differs_at<std::uint64_t>(a + count - 8, b + count - 8)) == 0;
  if (count >= 4)
    return (differs_at<std::uint32_t>(a, b) |
            differs_at<std::uint32_t>(a + count - 4, b + count - 4)) == 0;
  for (std::size_t i = 0; i != count; ++i)
    if (a[i] != static_cast<unsigned char>(b[i])) return false;
  return true;
}

struct byte_sink {
  unsigned char* out;

  template<unsigned Bits>
  constexpr void put(std::uint64_t v) {
    save(out, static_cast<atom_of<Bits>>(v));
    out += sizeof(atom_of<Bits>);
  }
  constexpr void bytes(char const* from, std::size_t count) {
    copy_bytes(out, from, count);
    out += count;
  }
  constexpr void skip(std::size_t) {}
};

// Hashes what a tail would hold, without holding it: numbers, and the runs of bytes between them. A
// run may come in any pieces. All of its state fits into registers.
class hash_sink {
 public:
  template<unsigned Bits>
  LAYERKEY_ALWAYS_INLINE constexpr void put(std::uint64_t v) {
    settle();
    number_ = v << 32 | v >> 32;
  }
  LAYERKEY_ALWAYS_INLINE constexpr void bytes(char const* from, std::size_t count) {
    if (std::is_constant_evaluated() || run_ != 0) {
      *this = continued(*this, from, count);
      return;
    }
    for (; count > 16; from += 16, count -= 16)
      take(read<std::uint64_t>(from), read<std::uint64_t>(from + 8));
    run_ = count;
    if (count >= 8) {
      low_ = read<std::uint64_t>(from);
      high_ = read<std::uint64_t>(from + count - 8) ^ count;
    } else if (count >= 4) {
      low_ = read<std::uint32_t>(from);
      high_ = read<std::uint32_t>(from + count - 4) ^ count;
    } else if (count != 0) {
      low_ = std::uint64_t{read<std::uint8_t>(from)} |
             std::uint64_t{read<std::uint8_t>(from + count / 2)} << 8 |
             std::uint64_t{read<std::uint8_t>(from + count - 1)} << 16;
      high_ = count;
    }
  }
  constexpr void skip(std::size_t) {}

  LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t result() {
    settle();
    return state_;
  }

 private:
  template<class Word>
  LAYERKEY_ALWAYS_INLINE static constexpr Word read(char const* from) {
    Word word;
    __builtin_memcpy(&word, from, sizeof word);
    return in_little_endian(word);
  }

  LAYERKEY_ALWAYS_INLINE constexpr void take(std::uint64_t low, std::uint64_t high) {
    state_ = fold(low ^ state_, high ^ number_ ^ hash_odd_1);
    number_ = 0;
  }
  LAYERKEY_ALWAYS_INLINE constexpr void settle() {
    take(low_, high_);
    low_ = 0;
    high_ = 0;
    run_ = 0;
  }

  // A run that had begun. By value, so that the address of no sink is ever taken.
  [[gnu::noinline, gnu::cold]] static constexpr hash_sink continued(hash_sink to, char const* from,
                                                                    std::size_t count) {
    unsigned char piece[16] = {};
    std::size_t size = to.run_;
    if (size >= 8) {
      save(piece, to.low_);
      save(piece + size - 8, to.high_ ^ size);
    } else if (size >= 4) {
      save(piece, static_cast<std::uint32_t>(to.low_));
      save(piece + size - 4, static_cast<std::uint32_t>(to.high_ ^ size));
    } else if (size != 0) {
      piece[0] = static_cast<unsigned char>(to.low_);
      piece[size / 2] = static_cast<unsigned char>(to.low_ >> 8);
      piece[size - 1] = static_cast<unsigned char>(to.low_ >> 16);
    }
    for (; count != 0; ++from, --count) {
      if (size == 16) {
        to.take(load<std::uint64_t>(piece), load<std::uint64_t>(piece + 8));
        size = 0;
      }
      piece[size++] = static_cast<unsigned char>(*from);
    }
    to.run_ = size;
    if (size >= 8) {
      to.low_ = load<std::uint64_t>(piece);
      to.high_ = load<std::uint64_t>(piece + size - 8) ^ size;
    } else if (size >= 4) {
      to.low_ = load<std::uint32_t>(piece);
      to.high_ = load<std::uint32_t>(piece + size - 4) ^ size;
    } else if (size != 0) {
      to.low_ = std::uint64_t{piece[0]} | std::uint64_t{piece[size / 2]} << 8 |
                std::uint64_t{piece[size - 1]} << 16;
      to.high_ = size;
    }
    return to;
  }

  std::uint64_t state_ = hash_odd_2;
  std::uint64_t number_ = 0;  // its halves exchanged
  std::uint64_t low_ = 0;     // of the last piece of a run: its first bytes,
  std::uint64_t high_ = 0;    // its last bytes, which may be the same, and how many there are
  std::size_t run_ = 0;       // how many
};

// Compares what a tail would hold with one that is stored.
class equal_sink {
 public:
  constexpr equal_sink(unsigned char const* at, std::size_t size) : at_(at), left_(size) {}

  template<unsigned Bits>
  LAYERKEY_ALWAYS_INLINE constexpr void put(std::uint64_t v) {
    using atom = atom_of<Bits>;
    if (left_ >= sizeof(atom) && load<atom>(at_) == static_cast<atom>(v))
      pass(sizeof(atom));
    else
      fail();
  }
  LAYERKEY_ALWAYS_INLINE constexpr void bytes(char const* from, std::size_t count) {
    if (left_ >= count && same_bytes(at_, from, count))
      pass(count);
    else
      fail();
  }
  constexpr void skip(std::size_t) {}

  constexpr bool same() const { return same_ && left_ == 0; }

 private:
  constexpr void pass(std::size_t count) {
    at_ += count;
    left_ -= count;
  }
  constexpr void fail() {
    same_ = false;
    left_ = 0;
  }

  unsigned char const* at_;
  std::size_t left_;
  bool same_ = true;
};

// Never written to; what an empty tail points to, so that none is null.
inline constexpr unsigned char no_bytes = 0;

// The least that owns bytes and works in constant expressions without a heavy header.
class byte_tail {
 public:
  constexpr byte_tail() = default;
  explicit constexpr byte_tail(std::size_t size)
      : bytes_(size == 0 ? nowhere() : new unsigned char[size]{}), size_(size) {}
  constexpr byte_tail(byte_tail const& other) : byte_tail(other.size_) {
    if (std::is_constant_evaluated())
      for (std::size_t i = 0; i != size_; ++i) bytes_[i] = other.bytes_[i];
    else
      __builtin_memcpy(bytes_, other.bytes_, size_);
  }
  constexpr byte_tail(byte_tail&& other) noexcept { swap(other); }
  constexpr byte_tail& operator=(byte_tail other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~byte_tail() {
    if (size_ != 0) delete[] bytes_;
  }

  constexpr unsigned char const* data() const { return bytes_; }
  constexpr unsigned char* data() { return bytes_; }
  constexpr std::size_t size() const { return size_; }

  LAYERKEY_ALWAYS_INLINE friend constexpr bool operator==(byte_tail const& a, byte_tail const& b) {
    if (a.size_ != b.size_) return false;
    if (!std::is_constant_evaluated()) return __builtin_memcmp(a.bytes_, b.bytes_, a.size_) == 0;
    for (std::size_t i = 0; i != a.size_; ++i)
      if (a.bytes_[i] != b.bytes_[i]) return false;
    return true;
  }

 private:
  constexpr void swap(byte_tail& other) {
    auto* const bytes = bytes_;
    auto const size = size_;
    bytes_ = other.bytes_;
    size_ = other.size_;
    other.bytes_ = bytes;
    other.size_ = size;
  }
  static constexpr unsigned char* nowhere() { return const_cast<unsigned char*>(&no_bytes); }

  unsigned char* bytes_ = nowhere();
  std::size_t size_ = 0;
};

struct no_tail {
  constexpr unsigned char const* data() const { return nullptr; }
  constexpr std::size_t size() const { return 0; }
  friend constexpr bool operator==(no_tail const&, no_tail const&) = default;
};

// ---- which members stand where -----------------------------------------------------------------

template<class Path>
constexpr bool is_one_step = false;
template<auto Access>
constexpr bool is_one_step<path<Access>> = true;

// A member of the struct itself that is one word, read in place.
template<class Leaf>
using is_word_leaf = mp::mp_bool<Leaf::plain && is_one_step<typename Leaf::whole_path> &&
                                 read_in_place<typename Leaf::type>>;

template<class Leaf>
using is_fixed_leaf = mp::mp_bool<fixed_size<typename Leaf::type> && !is_word_leaf<Leaf>::value>;

template<class Leaf>
using has_fixed_size = mp::mp_bool<fixed_size<typename Leaf::type>>;

// What cannot be keyed has been refused before; here it would only be refused again.
template<class Leaf>
using is_tail_leaf = mp::mp_bool<keyable<typename Leaf::type> && !fixed_size<typename Leaf::type>>;

template<class Access>
constexpr unsigned char width_of = 0;
template<class P, class T>
constexpr unsigned char width_of<T P::* const> = bits_of<std::remove_cv_t<T>>;

template<class Layer, reading Asked>
struct is_read {
  template<class Field>
  using fn = mp::mp_bool<reading_of<Layer, typename Field::tags, decltype(Field::access)> == Asked>;
};

template<class Layer, class P, reading Asked>
using fields_read = mp::mp_copy_if_q<fields_of<P>, is_read<Layer, Asked>>;

// The leaves that are no words. Most structs have none for most layers, and then do not ask.
template<class Layer, class P, bool Any>
struct other_leaves {
  using type = mp::mp_list<>;
};
template<class Layer, class P>
struct other_leaves<Layer, P, true> {
  using type = typename joined_each<reach<Layer, P>::template leaves,
                                    fields_read<Layer, P, reading::other>>::type;
};
template<class Layer, class P>
  requires refines<P>
struct other_leaves<Layer, P, true> {
  using type = mp::mp_remove_if<own_leaves<Layer, P>, is_word_leaf>;
};

// ---- from params to words ----------------------------------------------------------------------

template<class... T>
consteval std::size_t atoms_of() {
  std::size_t const all[] = {0, value<T>::atoms...};
  std::size_t sum = 0;
  for (std::size_t each : all) sum += each;
  return sum;
}

template<class P, class Words, class Fixed, class Tail>
struct part_over;

// A word of another width would find no place in a key, and what it says would be lost.
template<class T>
consteval bool words_fit() {
  unsigned char width[value<T>::atoms + 1] = {};
  shape_writer to{width};
  value<T>::shape(to);
  for (unsigned char const* each = width; each != to.out; ++each)
    if (*each == 0 || 64 % *each != 0) return false;
  return true;
}

template<class T>
consteval bool check_words() {
  static_assert(words_fit<T>(), "layerkey: a word takes 1, 2, 4, ... or 64 bits.");
  return true;
}

template<class P, class... Words, class... Fixed, class... Tail>
struct part_over<P, mp::mp_list<Words...>, mp::mp_list<Fixed...>, mp::mp_list<Tail...>> {
  using params = P;
  static constexpr bool fit[] = {true, check_words<typename Fixed::type>()...};
  static_assert(all_of(fit));
  static constexpr std::size_t atoms = sizeof...(Words) + atoms_of<typename Fixed::type...>();
  static constexpr bool has_fixed = sizeof...(Fixed) != 0;
  static constexpr bool has_tail = sizeof...(Tail) != 0;
  static constexpr std::size_t word_count = sizeof...(Words);
  using words = index_sequence_for<Words...>;

  static constexpr void shape(shape_writer& to) {
    unsigned char const each[] = {width_of<decltype(Words::access)>..., 0};
    for (std::size_t i = 0; i != sizeof...(Words); ++i) to.put(each[i]);
    static_cast<void>(in_order{0, (value<typename Fixed::type>::shape(to), 0)...});
  }

  // Members are read in the expression itself: a function for each costs more than all the rest, in
  // compile time and, with g++, at run time. Key::at says where each goes, from First on.
  template<class Key, std::size_t First, std::size_t... I>
  LAYERKEY_ALWAYS_INLINE static constexpr void write_words([[maybe_unused]] P const& p,
                                                           [[maybe_unused]] std::uint64_t* out,
                                                           index_sequence<I...>) {
    static_cast<void>(in_order{
        0, (out[Key::at.bit[First + I] / 64] |=
            std::uint64_t{__builtin_bit_cast(
                typename unsigned_of_size<sizeof(p.*Words::access)>::type, p.*Words::access)}
            << Key::at.bit[First + I] % 64,
            0)...});
  }

  LAYERKEY_ALWAYS_INLINE static constexpr void write_fixed([[maybe_unused]] P const& p,
                                                           [[maybe_unused]] word_sink sink) {
    static_cast<void>(in_order{0, (value<typename Fixed::type>::write(sink, Fixed::get(p)), 0)...});
  }

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write_tail([[maybe_unused]] P const& p,
                                                          [[maybe_unused]] Sink& sink) {
    static_cast<void>(in_order{0, (value<typename Tail::type>::write(sink, Tail::get(p)), 0)...});
  }
};

template<class Layer, class P>
struct part_of_key {
  using others =
      typename other_leaves<Layer, P,
                            detail::any_reading<Layer>(reading::other, fields_of<P>{})>::type;
  using type =
      part_over<P, fields_read<Layer, P, reading::word>, mp::mp_copy_if<others, has_fixed_size>,
                mp::mp_copy_if<others, is_tail_leaf>>;
};

// What Layer reads of P, as part of a key.
template<class Layer, class P>
using key_part = typename part_of_key<Layer, P>::type;

template<class... Parts>
consteval auto lay_out() {
  constexpr std::size_t atoms = (std::size_t{0} + ... + Parts::atoms);
  unsigned char width[atoms + 1] = {};
  layout<atoms, sizeof...(Parts)> result;
  [[maybe_unused]] shape_writer to{width};
  [[maybe_unused]] std::size_t* end = result.part;
  ((Parts::shape(to), *++end = static_cast<std::size_t>(to.out - width)), ...);
  result.place(width);
  return result;
}

// Places of the leaves of one layer, for whoever reads a key.
template<class P, class Words, class Fixed, class Tail>
struct projector;

template<class P, class... Words, class... Fixed, class... Tail>
struct projector<P, mp::mp_list<Words...>, mp::mp_list<Fixed...>, mp::mp_list<Tail...>> {
  static constexpr auto at = lay_out<part_over<P, mp::mp_list<typename Words::member::field...>,
                                               mp::mp_list<Fixed...>, mp::mp_list<>>>();
};

template<class P, class Leaves>
using projector_of =
    projector<P, mp::mp_copy_if<Leaves, is_word_leaf>, mp::mp_copy_if<Leaves, is_fixed_leaf>,
              mp::mp_copy_if<Leaves, is_tail_leaf>>;

// ---- keys --------------------------------------------------------------------------------------

// Of the tails of the parts: where each ends, and its hash, which only the calls of write() give.
template<std::size_t N>
struct tail_marks {
  std::size_t end[N] = {};
  std::uint64_t hash[N] = {};
};
template<>
struct tail_marks<0> {};

// The words of all parts packed together, and their tails one behind the other.
template<class... Parts>
class packed_key {
 public:
  LAYERKEY_ALWAYS_INLINE friend constexpr bool operator==(packed_key const& a,
                                                          packed_key const& b) {
    return a.words_ == b.words_ && a.tail_ == b.tail_;
  }

  // For tables in this process only; see hash.hpp. `state` chains the hashes of several keys.
  LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t hash(std::uint64_t state = hash_seed) const {
    state = words_.hash(state);
    if constexpr (has_tail) {
      bool const has[] = {Parts::has_tail...};
      for (std::size_t i = 0; i != sizeof...(Parts); ++i)
        if (has[i]) state = fold(state ^ marks_.hash[i], hash_odd_2);
    }
    return state;
  }

 protected:
  explicit constexpr packed_key(typename Parts::params const&... p)
      : words_(project(sequence{}, p...)), tail_{} {
    if constexpr (has_tail) tail_ = project_tails(marks_, p...);
  }

  // The same as of a key made of p, without making it.
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t hash_of(
      std::uint64_t state, typename Parts::params const&... p) {
    state = project(sequence{}, p...).hash(state);
    if constexpr (has_tail) ((state = hash_tail<Parts>(state, p)), ...);
    return state;
  }
  LAYERKEY_ALWAYS_INLINE constexpr bool equals(typename Parts::params const&... p) const {
    if (!(words_ == project(sequence{}, p...))) return false;
    if constexpr (has_tail) {
      equal_sink sink(tail_.data(), tail_.size());
      (Parts::write_tail(p, sink), ...);
      return sink.same();
    } else
      return true;
  }

  // Where the words of one part stand, in the order in which it writes them.
  static constexpr unsigned const* bits_of_part(std::size_t part) { return at.bit + at.part[part]; }

  // Takes one part of another key over.
  template<class... Others>
  constexpr packed_key(packed_key<Others...> const& from, std::size_t part) : words_{}, tail_{} {
    from.give(part, words_.data(), at.bit, tail_, marks_);
  }

 private:
  template<class...>
  friend class packed_key;
  template<class, class...>
  friend class word_key;
  template<class, class, class, class>
  friend struct part_over;

  static constexpr auto at = lay_out<Parts...>();
  static constexpr bool has_tail = (Parts::has_tail || ...);
  using words = word_array<at.words>;
  using tail = std::conditional_t<has_tail, byte_tail, no_tail>;
  using marks = tail_marks<has_tail ? sizeof...(Parts) : 0>;
  using sequence = index_sequence_for<Parts...>;

  template<std::size_t... I>
  LAYERKEY_ALWAYS_INLINE static constexpr words project(index_sequence<I...>,
                                                        [[maybe_unused]]
                                                        typename Parts::params const&... p) {
    words result{};
    if constexpr (at.words != 0) {
      (Parts::template write_words<packed_key, at.part[I]>(p, result.data(),
                                                           typename Parts::words{}),
       ...);
      // Apart, since places that are found at run time keep clang from seeing through the others.
      if constexpr ((Parts::has_fixed || ...)) {
        words others{};
        (Parts::write_fixed(p, word_sink{others.data(), at.bit + at.part[I] + Parts::word_count}),
         ...);
        result.add(others);
      }
    }
    return result;
  }

  template<class Part>
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t hash_tail(std::uint64_t state,
                                                                  [[maybe_unused]]
                                                                  typename Part::params const& p) {
    if constexpr (Part::has_tail) {
      hash_sink sink;
      Part::write_tail(p, sink);
      return fold(state ^ sink.result(), hash_odd_2);
    } else
      return state;
  }

  template<class Part>
  static constexpr std::uint64_t write_part(typename Part::params const& p, byte_sink& sink) {
    Part::write_tail(p, sink);
    hash_sink hash;
    Part::write_tail(p, hash);
    return hash.result();
  }

  static constexpr tail project_tails(marks& of_parts, typename Parts::params const&... p) {
    counting_sink count;
    (Parts::write_tail(p, count), ...);
    tail result(count.size);
    byte_sink sink{result.data()};
    std::size_t i = 0;
    ((of_parts.hash[i] = write_part<Parts>(p, sink),
      of_parts.end[i++] = static_cast<std::size_t>(sink.out - result.data())),
     ...);
    return result;
  }

  template<class Tail, class Marks>
  constexpr void give(std::size_t part, [[maybe_unused]] std::uint64_t* out, unsigned const* bit,
                      [[maybe_unused]] Tail& to, [[maybe_unused]] Marks& marks_to) const {
    unsigned char width[at.atoms + 1] = {};
    [[maybe_unused]] shape_writer shape{width};
    (Parts::shape(shape), ...);
    if constexpr (at.words != 0)
      for (std::size_t i = at.part[part]; i != at.part[part + 1]; ++i, ++bit) {
        auto const word = words_.at[at.bit[i] / 64] >> at.bit[i] % 64;
        out[*bit / 64] |= (width[i] == 64 ? word : word & ((std::uint64_t{1} << width[i]) - 1))
                          << *bit % 64;
      }
    if constexpr (has_tail && std::is_same_v<Tail, byte_tail>) {
      std::size_t const begin = part == 0 ? 0 : marks_.end[part - 1];
      to = byte_tail(marks_.end[part] - begin);
      for (std::size_t i = 0; i != to.size(); ++i) to.data()[i] = tail_.data()[begin + i];
      marks_to.end[0] = to.size();
      marks_to.hash[0] = marks_.hash[part];
    }
  }

 protected:
  [[no_unique_address]] marks marks_;
  [[no_unique_address]] words words_;
  [[no_unique_address]] tail tail_;
};

}  // namespace layerkey::detail
