// Ways to key the caches of one compiler. Each strategy says what an entry of a layer is found by:
// `Strategy::entry<Layer>(input, params)`, which has == and hash().
#pragma once

#include "params.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bench {

using u64 = std::uint64_t;

constexpr u64 constants[] = {0x9e37'79b9'7f4a'7c15, 0xe703'7ed1'a0b4'28db, 0x8ebc'6af0'9c88'c6e3,
                             0x5899'65cc'7537'4cc3, 0x1d8e'4e27'c47d'124f, 0xeb44'acca'b455'd165};

inline u64 fold(u64 a, u64 b) {
  auto const product = static_cast<layerkey::detail::uint128>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}

template<class T>
u64 as_word(T v) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(v);
  else if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<std::uintptr_t>(v);
  else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>)
    return static_cast<u64>(v);
  else
    return static_cast<std::make_unsigned_t<T>>(v);
}

// ---- the whole configuration -------------------------------------------------------------------

// Every layer is keyed by the whole struct, with the equality that the compiler writes.
struct whole_configuration {
  static constexpr char const* name = "whole_configuration";

  struct key {
    u64 input;
    params p;

    friend bool operator==(key const&, key const&) = default;

    u64 hash() const {
      u64 h = constants[0];
      auto const mix = [&h](auto... v) { ((h = fold(h ^ as_word(v), constants[1])), ...); };
      mix(input, p.always_inline, p.mode, p.budget, p.inline_cost, p.strict, p.abi, p.bounds_checks,
          p.debug_level, p.line_tables, p.fp, p.kernel, p.isa, p.only_entry, p.sm, p.max_regs,
          p.spill_weight, p.reloc, p.function_sections, p.max_threads.has_value());
      if (p.max_threads) mix(p.max_threads->x, p.max_threads->y, p.max_threads->z);
      mix(p.strip, p.validate, p.log);
      return h;
    }
  };

  template<layer>
  static key entry(u64 input, params const& p) {
    return {input, p};
  }
};

// ---- packed by hand ----------------------------------------------------------------------------

// The best that care can do today: for each layer exactly what it and its upstream layers read, in
// as few words as possible. Forgetting a member here goes unnoticed; see the two strategies below.
template<std::size_t Words>
struct packed_key {
  std::array<u64, Words> at;

  friend bool operator==(packed_key const& a, packed_key const& b) {
    return same(a, b, std::make_index_sequence<Words>{});
  }

  // Two words a multiplication, in independent lanes.
  u64 hash() const { return hash_pairs(std::make_index_sequence<Words / 2>{}); }

 private:
  template<std::size_t... I>
  static bool same(packed_key const& a, packed_key const& b, std::index_sequence<I...>) {
    return ((a.at[I] == b.at[I]) && ...);
  }

  template<std::size_t... I>
  u64 hash_pairs(std::index_sequence<I...>) const {
    u64 h =
        (fold(at[2 * I] ^ constants[2 * I % 6], at[2 * I + 1] ^ constants[(2 * I + 1) % 6]) ^ ...);
    if constexpr (Words % 2 != 0) h ^= at[Words - 1];
    return fold(h ^ constants[0], constants[3]);
  }
};

inline u64 inference_bits(params const& p) {
  return as_word(p.inline_cost) | as_word(p.abi) << 32 | as_word(p.always_inline) << 40 |
         as_word(is_forward(p.mode)) << 41 | as_word(p.strict) << 42 |
         as_word(p.bounds_checks) << 43;
}
inline u64 irgen_bits(params const& p) {
  return as_word(p.isa) | as_word(p.debug_level) << 16 | as_word(p.fp) << 24 |
         as_word(p.mode) << 32 | as_word(p.debug_level != 0 && p.line_tables) << 40 |
         as_word(p.kernel) << 41 | as_word(p.only_entry) << 42;
}
inline u64 codegen_bits(params const& p) {  // fits above irgen_bits
  return as_word(p.reloc) << 48 | as_word(p.function_sections) << 56 | as_word(p.strip) << 57 |
         as_word(p.max_threads.has_value()) << 58;
}

struct hand_packed {
  static constexpr char const* name = "hand_packed";

  template<layer L>
  [[gnu::always_inline]] static auto entry(u64 input, params const& p) {
    auto const budget = as_word(p.budget);
    if constexpr (L == layer::inference)
      return packed_key<3>{{input, budget, inference_bits(p)}};
    else if constexpr (L == layer::irgen)
      return packed_key<4>{{input, budget, inference_bits(p), irgen_bits(p)}};
    else {
      u64 x = 0, y = 0, z = 0;
      if (p.max_threads)
        x = as_word(p.max_threads->x), y = as_word(p.max_threads->y), z = as_word(p.max_threads->z);
      return packed_key<7>{{input, budget, inference_bits(p), irgen_bits(p) | codegen_bits(p),
                            as_word(p.sm) | as_word(p.max_regs) << 32,
                            as_word(p.spill_weight) | z << 32, x | y << 32}};
    }
  }
};

// ---- only the hash -----------------------------------------------------------------------------

// The hash of the right members stands for them; nothing is compared. Among n entries, n * n / 2
// pairs have a chance of 2^-Bits each to be taken for one another. With 64 bits no workload of this
// size will show it, so that narrower hashes are shown as well.
template<int Bits>
struct hash_only {
  static constexpr char const* name = Bits == 64   ? "hash_only_64_bits"
                                      : Bits == 32 ? "hash_only_32_bits"
                                                   : "hash_only_16_bits";

  struct key {
    u64 number;

    friend bool operator==(key const&, key const&) = default;
    u64 hash() const { return number; }
  };

  template<layer L>
  static key entry(u64 input, params const& p) {
    return {hand_packed::entry<L>(input, p).hash() >> (64 - Bits)};
  }
};

// ---- kept by hand, and not kept up -------------------------------------------------------------

// hand_packed as it looks once an option was added and its line in the key was not. So it happened
// to LLVM's computeLTOCacheKey: it lists by hand which of the members of lto::Config are hashed,
// and a mode of profiling that it lacks had builds served each other's objects (llvm-project issue
// 214162).
struct hand_kept_forgot_member {
  static constexpr char const* name = "hand_kept_forgot_member";

  template<layer L>
  [[gnu::always_inline]] static auto entry(u64 input, params const& p) {
    auto k = hand_packed::entry<L>(input, p);
    if constexpr (L == layer::codegen) k.at[5] &= ~u64{0xffff'ffff};  // spill_weight, added last
    return k;
  }
};

// Machine code is found by the entry that inference has for it, which does not know the options of
// code generation: a kernel for another GPU comes back (GPUCompiler.jl issue 560).
struct hand_kept_on_inference {
  static constexpr char const* name = "hand_kept_on_inference";

  template<layer>
  [[gnu::always_inline]] static auto entry(u64 input, params const& p) {
    return hand_packed::entry<layer::inference>(input, p);
  }
};

// ---- layerkey ----------------------------------------------------------------------------------

struct by_layerkey {
  static constexpr char const* name = "layerkey";

  template<layer L>
  using layer_type =
      std::conditional_t<L == layer::inference, layerkey::inference,
                         std::conditional_t<L == layer::irgen, layerkey::irgen, layerkey::codegen>>;

  template<layer L>
  struct key {
    u64 input;
    layerkey::key<layer_type<L>, params> options;

    friend bool operator==(key const&, key const&) = default;
    u64 hash() const { return options.hash(input ^ constants[0]); }
  };

  template<layer L>
  static key<L> entry(u64 input, params const& p) {
    return {input, layerkey::make_key<layer_type<L>>(p)};
  }
};

}  // namespace bench
