// Canonical words and the tail behind them: two keys have the same exactly when their members are
// the same, so that equality and hash read nothing else.
#pragma once

#include <layerkey/detail/leaves.hpp>
#include <layerkey/hash.hpp>
#include <layerkey/value.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace layerkey::detail {

// ---- words: values of fixed size ---------------------------------------------------------------

template<std::size_t N>
struct word_array {
  std::uint64_t at[N] = {};

  static constexpr std::size_t size = N;
  constexpr std::uint64_t const* data() const { return at; }
  constexpr std::uint64_t* data() { return at; }

  // One branch a word: the only form that both compilers make good code of.
  friend constexpr bool operator==(word_array const& a, word_array const& b) {
    if constexpr (N <= 32)
      return same(a, b, std::make_index_sequence<N>{});
    else {
      for (std::size_t i = 0; i != N; ++i)
        if (a.at[i] != b.at[i]) return false;
      return true;
    }
  }

 private:
  template<std::size_t... I>
  static constexpr bool same(word_array const& a, word_array const& b, std::index_sequence<I...>) {
    return ((a.at[I] == b.at[I]) && ...);
  }
};

template<>
struct word_array<0> {
  static constexpr std::size_t size = 0;
  constexpr std::uint64_t const* data() const { return nullptr; }
  constexpr std::uint64_t* data() { return nullptr; }
  friend constexpr bool operator==(word_array const&, word_array const&) = default;
};

template<std::size_t Atoms>
struct layout {
  unsigned bit[Atoms + 1] = {};
  std::size_t words = 0;
};

template<class... T>
consteval std::size_t atoms_of() {
  std::size_t const all[] = {0, value<T>::atoms...};
  std::size_t sum = 0;
  for (std::size_t each : all) sum += each;
  return sum;
}

// Widest first: every width divides 64, so no atom straddles two words and no hole is left.
template<class... T>
consteval auto lay_out() {
  constexpr std::size_t atoms = atoms_of<T...>();
  unsigned char width[atoms + 1] = {};
  [[maybe_unused]] shape_writer writer{width};
  static_cast<void>(in_order{0, (value<T>::shape(writer), 0)...});

  layout<atoms> result;
  unsigned next = 0;
  for (unsigned each = 64; each != 0; each /= 2)
    for (std::size_t i = 0; i != atoms; ++i)
      if (width[i] == each) {
        result.bit[i] = next;
        next += each;
      }
  result.words = (next + 63) / 64;
  return result;
}

struct word_sink {
  std::uint64_t* out;
  unsigned const* bit;

  template<unsigned Bits>
  [[gnu::always_inline]] constexpr void put(std::uint64_t v) {
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

struct byte_sink {
  unsigned char* out;

  template<unsigned Bits>
  constexpr void put(std::uint64_t v) {
    for (unsigned i = 0; i != (Bits + 7) / 8; ++i) *out++ = static_cast<unsigned char>(v >> 8 * i);
  }
  constexpr void bytes(char const* from, std::size_t count) {
    if (std::is_constant_evaluated())
      for (std::size_t i = 0; i != count; ++i) out[i] = static_cast<unsigned char>(from[i]);
    else if (count != 0)
      __builtin_memcpy(out, from, count);
    out += count;
  }
  constexpr void skip(std::size_t) {}
};

// The least that owns bytes and works in constant expressions without a heavy header.
class byte_tail {
 public:
  constexpr byte_tail() = default;
  explicit constexpr byte_tail(std::size_t size)
      : bytes_(size == 0 ? nullptr : new unsigned char[size]{}), size_(size) {}
  constexpr byte_tail(byte_tail const& other) : byte_tail(other.size_) {
    for (std::size_t i = 0; i != size_; ++i) bytes_[i] = other.bytes_[i];
  }
  constexpr byte_tail(byte_tail&& other) noexcept
      : bytes_(std::exchange(other.bytes_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  constexpr byte_tail& operator=(byte_tail other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    return *this;
  }
  constexpr ~byte_tail() { delete[] bytes_; }

  constexpr unsigned char const* data() const { return bytes_; }
  constexpr unsigned char* data() { return bytes_; }
  constexpr std::size_t size() const { return size_; }

  friend constexpr bool operator==(byte_tail const& a, byte_tail const& b) {
    if (a.size_ != b.size_) return false;
    if (!std::is_constant_evaluated())
      return a.size_ == 0 || __builtin_memcmp(a.bytes_, b.bytes_, a.size_) == 0;
    for (std::size_t i = 0; i != a.size_; ++i)
      if (a.bytes_[i] != b.bytes_[i]) return false;
    return true;
  }

 private:
  unsigned char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

struct no_tail {
  constexpr unsigned char const* data() const { return nullptr; }
  constexpr std::size_t size() const { return 0; }
  friend constexpr bool operator==(no_tail const&, no_tail const&) = default;
};

// ---- from params to words ----------------------------------------------------------------------

// Not an enumeration with a value<T> of its own.
template<class T>
concept is_one_word = word_like<T> && requires { value<T>::is_one_word; };

template<class Leaf>
using is_word_leaf = mp::mp_bool<Leaf::plain && is_one_word<typename Leaf::type>>;

template<class Leaf>
using is_fixed_leaf = mp::mp_bool<fixed_size<typename Leaf::type> && !is_word_leaf<Leaf>::value>;

// What cannot be keyed has been refused before; here it would only be refused again.
template<class Leaf>
using is_tail_leaf = mp::mp_bool<keyable<typename Leaf::type> && !fixed_size<typename Leaf::type>>;

template<class P, class Words, class Fixed, class Tail>
struct projector;

template<class P, class... Words, class... Fixed, class... Tail>
struct projector<P, mp::mp_list<Words...>, mp::mp_list<Fixed...>, mp::mp_list<Tail...>> {
  static constexpr auto at = lay_out<typename Words::type..., typename Fixed::type...>();
  using words = word_array<at.words>;
  using tail = std::conditional_t<sizeof...(Tail) == 0, no_tail, byte_tail>;

  [[gnu::always_inline]] static constexpr words project([[maybe_unused]] P const& p) {
    words result{};
    if constexpr (at.words != 0) {
      word_sink sink{result.data(), at.bit};
      static_cast<void>(in_order{
          0, (sink.template put<bits_of<typename Words::type>>(to_word(Words::get(p))), 0)...});
      static_cast<void>(
          in_order{0, (value<typename Fixed::type>::write(sink, Fixed::get(p)), 0)...});
    }
    return result;
  }

  static constexpr tail project_tail([[maybe_unused]] P const& p) {
    if constexpr (sizeof...(Tail) == 0)
      return {};
    else {
      counting_sink count;
      static_cast<void>(
          in_order{0, (value<typename Tail::type>::write(count, Tail::get(p)), 0)...});
      tail result(count.size);
      byte_sink sink{result.data()};
      static_cast<void>(in_order{0, (value<typename Tail::type>::write(sink, Tail::get(p)), 0)...});
      return result;
    }
  }
};

template<class P, class Leaves>
using projector_of =
    projector<P, mp::mp_copy_if<Leaves, is_word_leaf>, mp::mp_copy_if<Leaves, is_fixed_leaf>,
              mp::mp_copy_if<Leaves, is_tail_leaf>>;

// One value as words and tail: inputs and artifacts as parts of a key.
template<class T>
class whole_value {
 public:
  explicit constexpr whole_value(T const& v) {
    if constexpr (fixed_size<T>) {
      word_sink sink{words_.data(), at.bit};
      value<T>::write(sink, v);
    } else {
      counting_sink count;
      value<T>::write(count, v);
      tail_ = byte_tail(count.size);
      byte_sink sink{tail_.data()};
      value<T>::write(sink, v);
    }
  }

  friend constexpr bool operator==(whole_value const&, whole_value const&) = default;

  constexpr std::uint64_t hash(std::uint64_t state = hash_seed) const {
    state = hash_words(words_.data(), words_.size, state);
    return hash_bytes(tail_.data(), tail_.size(), state);
  }

 private:
  static consteval auto place() {
    if constexpr (fixed_size<T>)
      return lay_out<T>();
    else
      return layout<0>{};
  }
  static constexpr auto at = place();

  word_array<at.words> words_;
  std::conditional_t<fixed_size<T>, no_tail, byte_tail> tail_;
};

}  // namespace layerkey::detail
