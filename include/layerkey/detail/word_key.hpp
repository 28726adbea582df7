// Keys of layers that read nothing but words, of one struct: most keys are such, and are made in
// one expression over all its members.
#pragma once

#include <layerkey/complete.hpp>
#include <layerkey/detail/field_table.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/words.hpp>
#include <layerkey/hash.hpp>

#include <cstddef>
#include <cstdint>

namespace layerkey::detail {

// ---- where each word stands --------------------------------------------------------------------

constexpr unsigned nowhere = ~0U;

// The first bits of the members that are words, in the order of the list; nowhere for those that
// none of the layers reads.
template<std::size_t N>
struct word_places {
  unsigned bit[N + 1] = {};
  std::size_t words = 0;
  bool tell = false;  // whether each layer reads words, and nothing else
};

// Widest first, as in layout: every width divides 64. A member that several layers read stands
// once.
template<std::size_t N, class Reading, std::size_t Fields, std::size_t Layers>
consteval word_places<N> place_words(unsigned char const (&width)[Fields],
                                     Reading const* const (&readings)[Layers]) {
  word_places<N> result;
  bool is_read[Fields] = {};
  unsigned next[65] = {};  // by width: all bits of that width, then the next of them
  for (auto const* row : readings) {
    bool reads = false;
    for (std::size_t i = 0; i != Fields; ++i)
      if (auto const each = static_cast<reading>(row[i]); each != reading::none) {
        if (each == reading::other || width[i] == 0) return result;
        reads = true;
        if (!is_read[i]) next[width[i]] += width[i];
        is_read[i] = true;
      }
    if (!reads) return result;
  }
  unsigned end = 0;
  for (unsigned each = 64; each != 0; each /= 2) {
    unsigned const bits = next[each];
    next[each] = end;
    end += bits;
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i != Fields; ++i)
    if (width[i] != 0) {
      result.bit[at] = nowhere;
      if (is_read[i]) {
        result.bit[at] = next[width[i]];
        next[width[i]] += width[i];
      }
      ++at;
    }
  result.words = (end + 63) / 64;
  result.tell = true;
  return result;
}

template<unsigned... Bit>
struct places {};

template<class P, class Words>
struct word_reader;

template<class P, auto... Access, class... Raw>
struct word_reader<P, mp::mp_list<word_field<Access, Raw>...>> {
  template<std::size_t N, unsigned... Bit>
  LAYERKEY_ALWAYS_INLINE static constexpr word_array<N> read(P const& p, places<Bit...>) {
    word_array<N> result{};
    static_cast<void>(in_order{
        0, (Bit == nowhere ? 0
                           : (result.at[Bit / 64 % N] |=
                              std::uint64_t{__builtin_bit_cast(Raw, p.*Access)} << Bit % 64,
                              0))...});
    return result;
  }
};

// Whether each of the layers reads words of P, and nothing else, and where they stand.
template<class P, class Layers>
struct words_of;

template<class P, class... Layers>
struct words_of<P, mp::mp_list<Layers...>> {
  static_assert(complete<P>);

  using table = field_table<P>;

  static consteval auto find() {
    if constexpr (!table::tells)
      return word_places<0>{};
    else if constexpr (table::facts.simple) {
      bool const* const readings[] = {table::template is_named_by<Layers>...};
      return place_words<table::word_count>(table::width, readings);
    } else {
      reading const* const readings[] = {table::template reading_by<Layers>...};
      return place_words<table::word_count>(table::width, readings);
    }
  }
  static constexpr auto at = find();
  static constexpr bool tell = at.tell;
  using words = word_array<at.words>;

  template<std::size_t... I>
  static places<at.bit[I]...> find_places(index_sequence<I...>);

  LAYERKEY_ALWAYS_INLINE static constexpr words read(P const& p) {
    return word_reader<P, typename table::words>::template read<at.words>(
        p, decltype(find_places(make_index_sequence<table::word_count>{})){});
  }

  // Inlined only where that makes the code smaller.
  static constexpr words read_apart(P const& p) { return read(p); }
};

// ---- keys --------------------------------------------------------------------------------------

template<class... Parts>
class packed_key;

// What packed_key is for other layers.
template<class P, class... Layers>
class word_key {
  using all = words_of<P, mp::mp_list<Layers...>>;
  using table = typename all::table;

 public:
  LAYERKEY_ALWAYS_INLINE friend constexpr bool operator==(word_key const& a, word_key const& b) {
    return a.words_ == b.words_;
  }

  LAYERKEY_ALWAYS_INLINE constexpr std::uint64_t hash(std::uint64_t state = hash_seed) const {
    return words_.hash(state);
  }

 protected:
  // For each layer the same params.
  template<class... Same>
  explicit constexpr word_key(P const& p, Same const&...) : words_(all::read(p)) {}

  template<class... Same>
  LAYERKEY_ALWAYS_INLINE static constexpr std::uint64_t hash_of(std::uint64_t state, P const& p,
                                                                Same const&...) {
    return all::read(p).hash(state);
  }
  template<class... Same>
  LAYERKEY_ALWAYS_INLINE constexpr bool equals(P const& p, Same const&...) const {
    return words_ == all::read(p);
  }

  // Takes one part of another key over.
  template<class... Others>
  constexpr word_key(packed_key<Others...> const& from, std::size_t part) : words_{} {
    take(from, part);
  }
  template<class... Others>
  constexpr word_key(word_key<P, Others...> const& from, std::size_t part) : words_{} {
    take(from, part);
  }

  // Where the words of one layer stand, in the order of the list.
  static constexpr unsigned const* bits_of_part(std::size_t part) { return parts.bit[part]; }

 private:
  template<class...>
  friend class packed_key;
  template<class, class...>
  friend class word_key;

  struct parts_of_key {
    unsigned bit[sizeof...(Layers)][table::word_count + 1] = {};
    unsigned char width[sizeof...(Layers)][table::word_count + 1] = {};  // ends with a zero
  };

  static consteval parts_of_key find_parts() {
    reading const* const readings[] = {table::template reading_by<Layers>...};
    parts_of_key result;
    for (std::size_t part = 0; part != sizeof...(Layers); ++part) {
      std::size_t word = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i != table::size; ++i) {
        if (table::width[i] == 0) continue;
        unsigned const bit = all::at.bit[word++];
        if (readings[part][i] != reading::word) continue;
        result.bit[part][count] = bit;
        result.width[part][count++] = table::width[i];
      }
    }
    return result;
  }
  static constexpr parts_of_key parts = find_parts();

  // Of a key that is about one layer.
  template<class From>
  constexpr void take(From const& from, std::size_t part) {
    static_assert(sizeof...(Layers) == 1);
    from.give(part, words_.data(), bits_of_part(0), tail_, marks_);
  }

  constexpr void give(std::size_t part, std::uint64_t* out, unsigned const* bit, no_tail&,
                      tail_marks<0>&) const {
    for (std::size_t i = 0; parts.width[part][i] != 0; ++i, ++bit) {
      unsigned const width = parts.width[part][i];
      unsigned const from = parts.bit[part][i];
      std::uint64_t const word = words_.at[from / 64] >> from % 64;
      out[*bit / 64] |= (width == 64 ? word : word & ((std::uint64_t{1} << width) - 1))
                        << *bit % 64;
    }
  }

 protected:
  [[no_unique_address]] tail_marks<0> marks_;
  [[no_unique_address]] typename all::words words_;
  [[no_unique_address]] no_tail tail_;
};

}  // namespace layerkey::detail
