// What keys are measured against. Each strategy says, for a layer and a struct:
//   store(params)          what an entry of the layer's cache keeps
//   hash(params)           what a lookup by params starts from
//   equal(params, stored)  what it compares
#pragma once

#include "params.hpp"

#include <bit>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#ifdef LAYERKEY_BENCH_BOOST
#include <boost/container_hash/hash.hpp>
#endif
#ifdef LAYERKEY_BENCH_ABSL
#include <absl/hash/hash.h>
#endif

namespace keys {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

// ---- layerkey ----------------------------------------------------------------------------------

struct by_layerkey {
  static constexpr char const* name = "layerkey";

  template<class L, class P>
  static auto store(P const& p) {
    return layerkey::make_key<L>(p);
  }
  template<class L, class P>
  [[gnu::always_inline]] static u64 hash(P const& p) {
    return layerkey::key_hash<L>{}(p);
  }
  template<class L, class P, class Key>
  [[gnu::always_inline]] static bool equal(P const& p, Key const& stored) {
    return layerkey::key_equal<L>{}(stored, p);
  }
};

struct by_sealed {
  static constexpr char const* name = "layerkey_sealed";

  template<class L, class Sealed>
  static auto store(Sealed const& s) {
    return s.template key<L>();
  }
  template<class L, class Sealed>
  [[gnu::always_inline]] static u64 hash(Sealed const& s) {
    return layerkey::key_hash<L>{}(s);
  }
  template<class L, class Sealed, class Key>
  [[gnu::always_inline]] static bool equal(Sealed const& s, Key const& stored) {
    return layerkey::key_equal<L>{}(stored, s);
  }
};

// ---- packed by hand ----------------------------------------------------------------------------

constexpr u64 multipliers[] = {0x9e37'79b9'7f4a'7c15, 0xe703'7ed1'a0b4'28db, 0x8ebc'6af0'9c88'c6e3};

inline u64 fold(u64 a, u64 b) {
  auto const product = static_cast<layerkey::detail::uint128>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}

template<class T>
[[gnu::always_inline]] inline u64 bits(T v) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<u32>(v);
  else if constexpr (std::is_signed_v<T>)
    return static_cast<std::make_unsigned_t<T>>(v);
  else
    return static_cast<u64>(v);
}

template<std::size_t N>
struct packed_words {
  u64 at[N] = {};

  [[gnu::always_inline]] friend bool operator==(packed_words const& a, packed_words const& b) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return ((a.at[I] == b.at[I]) && ...);
    }(std::make_index_sequence<N>{});
  }

  // Two words a multiplication, in two lanes.
  [[gnu::always_inline]] u64 hash() const {
    u64 a = multipliers[0];
    u64 b = multipliers[1];
    std::size_t i = 0;
    for (; i + 4 <= N; i += 4) {
      a = fold(at[i] ^ a, at[i + 1] ^ multipliers[1]);
      b = fold(at[i + 2] ^ b, at[i + 3] ^ multipliers[2]);
    }
    if constexpr (N % 4 >= 2) a = fold(at[N / 4 * 4] ^ a, at[N / 4 * 4 + 1] ^ multipliers[1]);
    if constexpr (N % 2 == 1) b = fold(at[N - 1] ^ b, multipliers[2]);
    return fold(a ^ b, multipliers[0] ^ N);
  }
};

// The best that care can do: every bit of every member in as few words as there can be. Where a
// member is forgotten nothing notices.
template<class L, class P>
[[gnu::always_inline]] inline auto pack(P const& p) {
  packed_words<depth<L> == 0 ? 2 : depth<L> == 1 ? 3 : 6> to;
  auto& w = to.at;
  w[0] = bits(p.budget);
  w[1] = bits(p.inline_cost) | bits(p.mode) << 32 | bits(p.abi) << 40 |
         bits(p.always_inline) << 48 | bits(p.strict) << 49 | bits(p.bounds_checks) << 50;
  if constexpr (depth<L> >= 1)
    w[2] = bits(p.isa) | bits(p.debug_level) << 16 | bits(p.fp) << 24 | bits(p.line_tables) << 32 |
           bits(p.kernel) << 33 | bits(p.only_entry) << 34;
  if constexpr (depth<L> == 2) {
    w[2] |= bits(p.function_sections) << 35 | bits(p.strip) << 36;
    w[3] = bits(p.sm) | bits(p.max_regs) << 32;
    w[4] = bits(p.spill_weight) | bits(p.reloc) << 32;
    if (p.max_threads) {  // z goes where room is left
      u64 const z = bits(p.max_threads->z);
      w[5] = bits(p.max_threads->x) | bits(p.max_threads->y) << 32;
      w[2] |= u64{1} << 37 | (z & 0x7'ffff) << 38;
      w[1] |= (z >> 19) << 51;
    }
  }
  return to;
}

template<class T>
[[gnu::always_inline]] inline u64 load(char const* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// Up to 16 characters: two loads that overlap, one multiplication.
[[gnu::always_inline]] inline u64 hash_text(std::string_view s, u64 seed) {
  auto const n = s.size();
  auto const d = s.data();
  u64 a = 0;
  u64 b = 0;
  if (n <= 16) [[likely]] {
    if (n >= 8)
      a = load<u64>(d), b = load<u64>(d + n - 8);
    else if (n >= 4)
      a = load<u32>(d), b = load<u32>(d + n - 4);
    else if (n != 0)
      a = load<unsigned char>(d) << 16 | load<unsigned char>(d + n / 2) << 8 |
          load<unsigned char>(d + n - 1);
  } else {
    for (std::size_t i = 0; i + 16 <= n; i += 16)
      seed = fold(load<u64>(d + i) ^ seed, load<u64>(d + i + 8) ^ multipliers[1]);
    a = load<u64>(d + n - 16), b = load<u64>(d + n - 8);
  }
  return fold(a ^ seed ^ multipliers[2], b ^ multipliers[1] ^ n);
}

// In an entry the strings stand in one run of bytes, each behind one byte for its length.
template<std::size_t N>
struct packed_entry {
  packed_words<N> words;
  std::string tail;

  friend bool operator==(packed_entry const& a, packed_entry const& b) {
    return a.words == b.words && a.tail == b.tail;
  }
};

struct hand_packed {
  static constexpr char const* name = "hand_packed";

  template<class L, class P>
  static auto store(P const& p) {
    auto const words = pack<L>(p);
    if constexpr (has_strings<P>) {
      packed_entry<sizeof words / 8> entry{words, {}};
      auto const put = [&](std::string const& s) {
        entry.tail += static_cast<char>(s.size());
        entry.tail += s;
      };
      if constexpr (depth<L> >= 1) put(p.entry_name);
      if constexpr (depth<L> == 2) {
        put(p.cpu);
        entry.tail += static_cast<char>(p.features.size());
        for (auto const& each : p.features) put(each);
      }
      return entry;
    } else
      return words;
  }

  template<class L, class P>
  [[gnu::always_inline]] static u64 hash(P const& p) {
    u64 h = pack<L>(p).hash();
    if constexpr (has_strings<P>) {
      if constexpr (depth<L> >= 1) h = hash_text(p.entry_name, h);
      if constexpr (depth<L> == 2) {
        h = hash_text(p.cpu, h) ^ p.features.size();
        for (auto const& each : p.features) h = hash_text(each, h);
      }
    }
    return h;
  }

  template<class L, class P, class Stored>
  [[gnu::always_inline]] static bool equal(P const& p, Stored const& stored) {
    if constexpr (has_strings<P>)
      return pack<L>(p) == stored.words && tail_matches<L>(p, stored.tail.data());
    else
      return pack<L>(p) == stored;
  }

 private:
  template<class L>
  [[gnu::always_inline]] static bool tail_matches(full_params const& p, char const* at) {
    auto const matches = [&at](std::string const& s) {
      if (static_cast<unsigned char>(*at) != s.size()) return false;
      if (std::memcmp(at + 1, s.data(), s.size()) != 0) return false;
      at += 1 + s.size();
      return true;
    };
    if constexpr (depth<L> >= 1)
      if (!matches(p.entry_name)) return false;
    if constexpr (depth<L> == 2) {
      if (!matches(p.cpu)) return false;
      if (static_cast<unsigned char>(*at++) != p.features.size()) return false;
      for (auto const& each : p.features)
        if (!matches(each)) return false;
    }
    return true;
  }
};

// The same, with hash and entry kept beside the params: the limit of sealed params.
template<class P>
struct hand_sealed_params {
  template<class L>
  struct part {
    u64 hash;
    decltype(hand_packed::store<L>(std::declval<P const&>())) entry;
  };

  explicit hand_sealed_params(P const& p)
      : of_inference(make<inference>(p)), of_irgen(make<irgen>(p)), of_codegen(make<codegen>(p)) {}

  template<class L>
  auto const& of() const {
    if constexpr (depth<L> == 0)
      return of_inference;
    else if constexpr (depth<L> == 1)
      return of_irgen;
    else
      return of_codegen;
  }

  template<class L>
  static part<L> make(P const& p) {
    return {hand_packed::hash<L>(p), hand_packed::store<L>(p)};
  }

  part<inference> of_inference;
  part<irgen> of_irgen;
  part<codegen> of_codegen;
};

struct hand_sealed {
  static constexpr char const* name = "hand_sealed";

  template<class L, class Sealed>
  static auto store(Sealed const& s) {
    return s.template of<L>().entry;
  }
  template<class L, class Sealed>
  [[gnu::always_inline]] static u64 hash(Sealed const& s) {
    return s.template of<L>().hash;
  }
  template<class L, class Sealed, class Key>
  [[gnu::always_inline]] static bool equal(Sealed const& s, Key const& stored) {
    return s.template of<L>().entry == stored;
  }
};

// ---- member by member --------------------------------------------------------------------------

template<class L, class P, class F>
[[gnu::always_inline]] inline void for_each_member(P const& p, F f) {
  f(p.always_inline), f(p.mode), f(p.budget), f(p.inline_cost), f(p.strict), f(p.abi);
  f(p.bounds_checks);
  if constexpr (depth<L> >= 1) {
    f(p.debug_level), f(p.line_tables), f(p.fp), f(p.kernel), f(p.isa), f(p.only_entry);
    if constexpr (has_strings<P>) f(p.entry_name);
  }
  if constexpr (depth<L> == 2) {
    f(p.sm), f(p.max_regs), f(p.spill_weight), f(p.reloc), f(p.function_sections);
    f(p.max_threads), f(p.strip);
    if constexpr (has_strings<P>) f(p.cpu), f(p.features);
  }
}

struct by_members {
  template<class L, class P>
  static P store(P const& p) {
    return p;
  }
  template<class L, class P>
  [[gnu::always_inline]] static bool equal(P const& a, P const& b) {
    bool same = a.always_inline == b.always_inline && a.mode == b.mode && a.budget == b.budget &&
                a.inline_cost == b.inline_cost && a.strict == b.strict && a.abi == b.abi &&
                a.bounds_checks == b.bounds_checks;
    if constexpr (depth<L> >= 1) {
      same = same && a.debug_level == b.debug_level && a.line_tables == b.line_tables &&
             a.fp == b.fp && a.kernel == b.kernel && a.isa == b.isa && a.only_entry == b.only_entry;
      if constexpr (has_strings<P>) same = same && a.entry_name == b.entry_name;
    }
    if constexpr (depth<L> == 2) {
      same = same && a.sm == b.sm && a.max_regs == b.max_regs && a.spill_weight == b.spill_weight &&
             a.reloc == b.reloc && a.function_sections == b.function_sections &&
             a.max_threads == b.max_threads && a.strip == b.strip;
      if constexpr (has_strings<P>) same = same && a.cpu == b.cpu && a.features == b.features;
    }
    return same;
  }
};

// `combine(h, v)` for each member; optional values and lists in the parts that it knows.
template<class L, class P, class Combine>
[[gnu::always_inline]] inline void combine_members(P const& p, Combine combine) {
  for_each_member<L>(p, [&]<class T>(T const& v) {
    if constexpr (std::is_same_v<T, std::vector<std::string>>) {
      combine(v.size());
      for (auto const& each : v) combine(each);
    } else if constexpr (std::is_same_v<T, std::optional<dim3>>) {
      combine(v.has_value());
      if (v) combine(v->x), combine(v->y), combine(v->z);
    } else
      combine(v);
  });
}

struct by_std_hash : by_members {
  static constexpr char const* name = "std_hash_combine";

  template<class L, class P>
  [[gnu::always_inline]] static u64 hash(P const& p) {
    std::size_t h = 0;
    combine_members<L>(p, [&h]<class T>(T const& v) {
      h ^= std::hash<T>{}(v) + 0x9e37'79b9 + (h << 6) + (h >> 2);
    });
    return h;
  }
};

#ifdef LAYERKEY_BENCH_BOOST
struct by_boost : by_members {
  static constexpr char const* name = "boost_hash_combine";

  template<class L, class P>
  [[gnu::always_inline]] static u64 hash(P const& p) {
    std::size_t h = 0;
    combine_members<L>(p, [&h](auto const& v) { boost::hash_combine(h, v); });
    return h;
  }
};
#endif

#ifdef LAYERKEY_BENCH_ABSL
template<class L, class P>
struct absl_view {
  P const& p;

  template<class H>
  friend H AbslHashValue(H h, absl_view const& v) {
    combine_members<L>(v.p, [&h](auto const& each) { h = H::combine(std::move(h), each); });
    return h;
  }
};

struct by_absl : by_members {
  static constexpr char const* name = "absl_hash";

  template<class L, class P>
  [[gnu::always_inline]] static u64 hash(P const& p) {
    return absl::Hash<absl_view<L, P>>{}(absl_view<L, P>{p});
  }
};
#endif

}  // namespace keys
