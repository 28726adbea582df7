// One value as words and tail: inputs and artifacts as parts of a key.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/words.hpp>

#include <cstdint>
#include <type_traits>

namespace layerkey::detail {

template<class T>
class whole_value {
  static consteval auto place() {
    if constexpr (fixed_size<T>)
      return lay_out<value<T>>();
    else
      return lay_out<>();
  }
  static constexpr auto at = place();
  using words = word_array<at.words>;

 public:
  explicit constexpr whole_value(T const& v) : words_(words_of(v)) {
    if constexpr (!fixed_size<T>) {
      counting_sink count;
      value<T>::write(count, v);
      tail_ = byte_tail(count.size);
      byte_sink sink{tail_.data()};
      value<T>::write(sink, v);
      marks_.hash[0] = tail_hash(v);
    }
  }

  friend constexpr bool operator==(whole_value const& a, whole_value const& b) {
    return a.words_ == b.words_ && a.tail_ == b.tail_;
  }

  constexpr std::uint64_t hash(std::uint64_t state = hash_seed) const {
    if constexpr (fixed_size<T>)
      return mix(words_, state);
    else
      return fold(state ^ marks_.hash[0], hash_odd_2);
  }

  // The same as of a whole_value made of v, without making it.
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t hash_of(T const& v, std::uint64_t state) {
    if constexpr (fixed_size<T>)
      return mix(words_of(v), state);
    else
      return fold(state ^ tail_hash(v), hash_odd_2);
  }
  LAYERKEY_ALWAYS_INLINE constexpr bool is_of(T const& v) const {
    if constexpr (fixed_size<T>)
      return words_ == words_of(v);
    else {
      equal_sink sink(tail_.data(), tail_.size());
      value<T>::write(sink, v);
      return sink.same();
    }
  }

 private:
  LAYERKEY_ALWAYS_INLINE static constexpr words words_of([[maybe_unused]] T const& v) {
    words result{};
    if constexpr (at.words != 0) {
      word_sink sink{result.data(), at.bit};
      value<T>::write(sink, v);
    }
    return result;
  }

  // One multiplication where one word is all.
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t mix(words const& all, std::uint64_t state) {
    if constexpr (at.words == 1)
      return fold(state ^ hash_odd_1, all.at[0] ^ hash_odd_2);
    else
      return all.hash(state);
  }

  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t tail_hash(T const& v) {
    hash_sink hash;
    value<T>::write(hash, v);
    return hash.result();
  }

  [[no_unique_address]] tail_marks<fixed_size<T> ? 0 : 1> marks_;
  [[no_unique_address]] words words_;
  [[no_unique_address]] std::conditional_t<fixed_size<T>, no_tail, byte_tail> tail_{};
};

}  // namespace layerkey::detail
