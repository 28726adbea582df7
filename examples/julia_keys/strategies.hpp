// How GPUCompiler and Enzyme keyed their caches at various times, as strategies of a pipeline.
#pragma once

#include "layers.hpp"

#include "cuda.hpp"
#include "enzyme.hpp"

#include <strategies/of_params.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace julia {

using bench::raw_key;

// Which of the structs below says what the entries are found by.
enum class scheme : std::uint8_t { whole, old_token, token, tags, narrow };

// Requests of a pipeline that is keyed by one of them: no stage is told which.
struct keyed_launch {
  cuda::kernel_launch launch{};
  scheme by = scheme::whole;

  using layerkey_fields =
      fields<field<&keyed_launch::launch, per_member>, field<&keyed_launch::by, runtime_only>>;
};
static_assert(layerkey::complete<keyed_launch>);

// Any of the three types of job, in the form of the largest. That they are three types is known to
// those who keep them apart, and again to no stage.
enum class job_type : std::uint8_t { return_type_query, autodiff, primal };

struct keyed_job {
  enzyme::autodiff config{};
  job_type type = job_type::autodiff;
  scheme by = scheme::whole;

  using layerkey_fields =
      fields<field<&keyed_job::config, per_member>, field<&keyed_job::type, runtime_only>,
             field<&keyed_job::by, runtime_only>>;
};
static_assert(layerkey::complete<keyed_job>);

namespace detail {

template<class Layer, class... Of>
constexpr bool is_one_of = (std::is_same_v<Layer, Of> || ...);

template<class Layer>
constexpr bool is_of_runtime =
    is_one_of<Layer, runtime_functions, runtime_globals, runtime_library>;

// What lies behind machine code is kept for a context and a callable in all of them.
template<class Layer>
raw_key add_process_local(raw_key key, cuda::kernel_launch const& launch) {
  if constexpr (is_one_of<Layer, linking, host_object>) key.add(launch.context);
  if constexpr (is_one_of<Layer, host_object>) key.add(launch.callable);
  return key;
}

template<class Layer>
raw_key whole_config(cuda::kernel_launch const& launch) {
  return add_process_local<Layer>(bench::all_members(launch.config), launch);
}

inline bool emits_debug_info(cuda::config const& config) {
  return config.debug_level > 0 && config.target.debuginfo;
}

}  // namespace detail

// GPUCompiler 0.20: the whole config for every layer. Proposed again in #561.
struct whole {
  template<class Layer>
  static raw_key key(cuda::kernel_launch const& launch) {
    return detail::whole_config<Layer>(launch);
  }

  // Enzyme in 2023. Its primals were compiled by a plain native job, which no mode reached.
  template<class Layer>
  static raw_key key(keyed_job const& job) {
    raw_key key;
    if (job.type == job_type::primal) return key;
    return bench::all_members(job.config);
  }
};

// GPUCompiler 0.26.3: a token for inference, of the target's type and always_inline; the whole
// config behind it. The runtime library had a name in the file system (runtime_slug).
struct old_token {
  template<class Layer>
  static raw_key key(cuda::kernel_launch const& launch) {
    auto const& config = launch.config;
    raw_key key;
    if constexpr (detail::is_one_of<Layer, inference>) {
      key.add(config.always_inline);
      return key;
    } else if constexpr (detail::is_of_runtime<Layer>) {
      key.add(config.target.ptx);
      key.add(config.target.cap);
      key.add(config.target.feature_set);
      key.add(detail::emits_debug_info(config) ? std::min(config.debug_level, 2) : 0);
      return key;
    } else
      return detail::whole_config<Layer>(launch);
  }

  // Enzyme after #1372: the type of the job and its exact mode.
  template<class Layer>
  static raw_key key(keyed_job const& job) {
    if constexpr (!detail::is_one_of<Layer, inference>) return bench::all_members(job.config);
    raw_key key;
    key.add(job.type);
    key.add(job.config.params.mode);
    return key;
  }
};

// GPUCompiler 2.1: target and params by value are in the token too.
struct token {
  template<class Layer>
  static raw_key key(cuda::kernel_launch const& launch) {
    auto const& config = launch.config;
    if constexpr (!detail::is_one_of<Layer, inference> && !detail::is_of_runtime<Layer>)
      return detail::whole_config<Layer>(launch);
    auto key = bench::all_members(config.target);
    key.add(config.params.sm);
    key.add(config.params.ptx);
    key.add(config.always_inline);
    if constexpr (detail::is_of_runtime<Layer>) key.add(config.debug_level);
    return key;
  }

  // Enzyme 0.13.199: of the mode whether it is forward (#1698).
  template<class Layer>
  static raw_key key(keyed_job const& job) {
    if constexpr (!detail::is_one_of<Layer, inference>) return bench::all_members(job.config);
    raw_key key;
    key.add(job.type);
    key.add(is_forward(job.config.params.mode));
    return key;
  }
};

// Exact members for each layer, as tags alone give them: 256 is not (256, 1, 1), and what does not
// count is compared as well.
struct tags {
  template<class Layer, class Params>
  static raw_key key(Params const& params) {
    return bench::tags_only::key<Layer>(params);
  }
};

// GPUCompiler 0.26.2 (#560): artifacts were found by the entry of inference, which old_token's
// token had just made fewer of.
struct narrow {
  template<class Layer>
  static raw_key key(cuda::kernel_launch const& launch) {
    if constexpr (detail::is_of_runtime<Layer>)
      return old_token::key<Layer>(launch);
    else
      return detail::add_process_local<Layer>(old_token::key<inference>(launch), launch);
  }

  template<class Layer>
  static raw_key key(keyed_job const& job) {
    return old_token::key<inference>(job);
  }
};

// All of them as one strategy. A pipeline for each would do as well, and would be the same ten
// stages for the compiler five times over.
struct by_scheme : bench::knows_whole_jobs_only {
  using knows_whole_jobs_only::key;

  template<class Layer>
  static raw_key key(keyed_launch const& request) {
    return key_of<Layer>(request.by, request.launch);
  }
  template<class Layer>
  static raw_key key(keyed_job const& request) {
    return key_of<Layer>(request.by, request);
  }

 private:
  template<class Layer, class Params>
  static raw_key key_of(scheme by, Params const& params) {
    switch (by) {
      case scheme::whole:
        return whole::key<Layer>(params);
      case scheme::old_token:
        return old_token::key<Layer>(params);
      case scheme::token:
        return token::key<Layer>(params);
      case scheme::tags:
        return tags::key<Layer>(params);
      case scheme::narrow:
        return narrow::key<Layer>(params);
    }
    std::abort();
  }
};

}  // namespace julia
