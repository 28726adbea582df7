// One layer's cache for several pipelines.
#pragma once

#include <layerkey/cache/detail/layer_cache.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/strategy.hpp>
#include <layerkey/key.hpp>

namespace layerkey {

// As a type among the stages of pipelines, and as the object that they are made with:
//
//   shared_layer<stage<infer>> inference;
//   pipeline<gpu_job, shared_layer<stage<infer>>, stage<emit_ptx>> gpu{inference};
//   pipeline<cpu_job, shared_layer<stage<infer>>, stage<emit_x86>> cpu{inference};
//
// What one infers serves the other. The params may differ, as long as each embeds what the layer
// and its upstream layers read in the same way: then their keys have one type. Outlives the
// pipelines.
template<class Stage>
class shared_layer {
  using traits = typename detail::traits_of_stage<Stage>::type;
  using params_key =
      std::conditional_t<traits::cutoff, own_key<typename traits::layer, typename traits::params>,
                         key<typename traits::layer, typename traits::params>>;

 public:
  shared_layer() = default;
  shared_layer(shared_layer const&) = delete;
  shared_layer& operator=(shared_layer const&) = delete;

  layer_statistics counters() const {
    auto counters = cache_.cache.counters();
    counters.layer = detail::layer_name<typename traits::layer>();
    return counters;
  }
  void limit(cache_limits const& limits) { cache_.cache.limit(limits); }
  void clear() { cache_.clear(); }

 private:
  template<class P, class... Stages>
  friend class pipeline;

  detail::layer_cache<traits, exact, params_key> cache_;
};

namespace detail {

template<class Stage>
struct traits_of_stage<shared_layer<Stage>> : traits_of_stage<Stage> {};

}  // namespace detail
}  // namespace layerkey
