// layerkey in the comparison: a compiler of three layers that compiles next to nothing.
#pragma once

#include "jobs.hpp"
#include "tables.hpp"

#include <layerkey/cache/call_site.hpp>
#include <layerkey/cache/pipeline.hpp>

namespace lookup {

inline u64 infer(u64 const& input, layerkey::view<inference, fixed_params>) { return input; }
inline u64 lower(u64 const&, u64 const& inferred, layerkey::view<irgen, fixed_params>) {
  return inferred;
}
inline u64 emit(u64 const&, u64 const& lowered, layerkey::view<codegen, fixed_params> options) {
  return artifact_of(lowered, options.get<&fixed_params::sm>(),
                     options.get<&fixed_params::max_regs>());
}

using compiler = layerkey::pipeline<fixed_params, layerkey::stage<infer>, layerkey::stage<lower>,
                                    layerkey::stage<emit>>;
static_assert(std::is_same_v<compiler::sealed, sealed_params>);

struct pipeline_find : any_thread {
  compiler caches;

  void insert(u64 input, fixed_params const& params, u64) {
    static_cast<void>(caches.get<codegen>(input, params));
  }
  template<class Options>
  u64 find(u64 input, Options const& options) {
    auto const found = caches.find<codegen>(input, options);
    return found ? **found : 0;
  }
};

struct pipeline_get : pipeline_find {
  template<class Options>
  u64 find(u64 input, Options const& options) {
    return *caches.get<codegen>(input, options);
  }
};

// Each reader has its own call site.
struct pipeline_call_site : pipeline_find {
  struct site : any_thread {
    layerkey::call_site<compiler, codegen> at;

    explicit site(compiler& caches) : at(caches) {}
    template<class Options>
    u64 find(u64 input, Options const& options) {
      return *at.get(input, options);
    }
  };

  site reader() { return site(caches); }
};

}  // namespace lookup
