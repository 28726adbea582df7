// The loops that are measured: one operation on each of the samples in turn.
#pragma once

#include "strategies.hpp"

namespace keys {

// Zero, which the compiler does not know.
inline u64 const volatile hidden_zero = 0;

enum class operation { hash, equal, both, layers };

// Params and the entries that were stored for them.
template<class Strategy, class Params>
struct prepared {
  template<class L>
  using stored = decltype(Strategy::template store<L>(std::declval<Params const&>()));

  std::vector<Params> params;
  std::vector<stored<inference>> in_inference;
  std::vector<stored<irgen>> in_irgen;
  std::vector<stored<codegen>> in_codegen;

  template<class L>
  auto const& entries() const {
    if constexpr (depth<L> == 0)
      return in_inference;
    else if constexpr (depth<L> == 1)
      return in_irgen;
    else
      return in_codegen;
  }

  template<class Sample>
  explicit prepared(std::vector<Sample> const& from) {
    for (auto const& each : from) params.emplace_back(each);
    for (auto const& each : params) {
      in_inference.push_back(Strategy::template store<inference>(each));
      in_irgen.push_back(Strategy::template store<irgen>(each));
      in_codegen.push_back(Strategy::template store<codegen>(each));
    }
  }
};

// A hit: the address of the entry depends on the hash, as it does in a table.
template<class L, class Strategy, class Params>
[[gnu::always_inline]] inline u64 hit(prepared<Strategy, Params> const& on, std::size_t at,
                                      u64 zero) {
  auto const& p = on.params[at];
  u64 const h = Strategy::template hash<L>(p);
  return h + Strategy::template equal<L>(p, on.template entries<L>()[at + (h & zero)]);
}

template<operation O, class Strategy, class Params>
[[gnu::noinline]] u64 loop(prepared<Strategy, Params> const& on, std::size_t count) {
  u64 const zero = hidden_zero;
  u64 sum = 0;
  for (std::size_t i = 0; i != count; ++i) {
    std::size_t const at = i % samples;
    if constexpr (O == operation::hash)
      sum += Strategy::template hash<codegen>(on.params[at]);
    else if constexpr (O == operation::equal)
      sum += Strategy::template equal<codegen>(on.params[at], on.in_codegen[at]);
    else if constexpr (O == operation::both)
      sum += hit<codegen>(on, at, zero);
    else
      sum += hit<inference>(on, at, zero) + hit<irgen>(on, at, zero) + hit<codegen>(on, at, zero);
  }
  return sum;
}

// Equal is equal and another last member is not, or nothing is worth measuring.
template<class Strategy, class Params>
bool is_right(prepared<Strategy, Params> const& on) {
  for (std::size_t i = 0; i != samples; ++i)
    for (std::size_t j = 0; j != samples; ++j)
      if (Strategy::template equal<codegen>(on.params[i], on.in_codegen[j]) != (i == j))
        return false;
  return true;
}

}  // namespace keys
