// What is looked up: jobs of one input under one of a few configurations, chosen by Zipf's law.
#pragma once

#include "../keys/params.hpp"

#include <layerkey/layerkey.hpp>
#include <layerkey/sealed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace lookup {

using u64 = std::uint64_t;
using keys::codegen, keys::fixed_params, keys::inference, keys::irgen;
using sealed_params = layerkey::sealed<fixed_params, inference, irgen, codegen>;

// What a job compiles to; never 0, which stands for a miss.
inline u64 artifact_of(u64 input, std::int32_t sm, std::uint32_t max_regs) {
  return layerkey::detail::fold(input + 1, u64{max_regs} << 32 | static_cast<std::uint32_t>(sm)) |
         1;
}
inline u64 artifact_of(u64 input, fixed_params const& p) {
  return artifact_of(input, p.sm, p.max_regs);
}

// Job n is input n / 8 under configuration n % 8.
constexpr std::size_t configurations = 8;

struct job_options {
  std::vector<fixed_params> params;
  std::vector<sealed_params> sealed;

  job_options() {
    for (unsigned i = 0; i != configurations; ++i) {
      params.push_back(keys::sample_params<fixed_params>(i));
      sealed.emplace_back(params.back());
    }
  }

  template<class Options>
  std::vector<Options> const& as() const {
    if constexpr (std::is_same_v<Options, fixed_params>)
      return params;
    else
      return sealed;
  }
};

inline job_options const& options() {
  static job_options const all;
  return all;
}

using job_sequence = std::vector<std::uint32_t>;

constexpr std::size_t sequence_length = std::size_t{1} << 16;

// Jobs below `count`, the n-th most popular one in proportion to 1 / n. Popular ones are scattered,
// the same for every seed.
inline job_sequence zipf(std::size_t count, unsigned seed) {
  std::vector<double> sums(count);
  double sum = 0;
  for (std::size_t i = 0; i != count; ++i) sums[i] = sum += 1 / static_cast<double>(i + 1);
  job_sequence of_rank(count);
  std::iota(of_rank.begin(), of_rank.end(), 0u);
  std::shuffle(of_rank.begin(), of_rank.end(), std::mt19937(1));

  std::mt19937_64 random(seed);
  std::uniform_real_distribution<> below(0, sum);
  job_sequence jobs(sequence_length);
  for (auto& job : jobs) {
    auto const rank = std::lower_bound(sums.begin(), sums.end(), below(random)) - sums.begin();
    job = of_rank[std::min(static_cast<std::size_t>(rank), count - 1)];
  }
  return jobs;
}

}  // namespace lookup
