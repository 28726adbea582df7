// The cache of one layer in a pipeline: its entries' keys, what lookups ask with, what an entry
// says beside its artifact.
#pragma once

#include <layerkey/cache/memory_cache.hpp>
#include <layerkey/cache/requester.hpp>
#include <layerkey/cache/run_report.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/strategy.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/whole_value.hpp>
#include <layerkey/hash.hpp>
#include <layerkey/key.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey::detail {

struct no_input {
  friend bool operator==(no_input, no_input) { return true; }
};

// The upstream artifacts as far as they are in the key of a stage's entries.
template<class Traits, class Upstream = typename Traits::layer::upstream>
struct entry_contents;

template<class Traits, class... Upstream>
struct entry_contents<Traits, mp::mp_list<Upstream...>> {
  using type =
      std::conditional_t<Traits::cutoff, std::tuple<whole_value<typename Upstream::artifact>...>,
                         std::tuple<>>;
};

// The hash begins with that of the params, which sealed params have ready.
template<class Input, class Contents, class ParamsKey>
struct entry_key {
  Input input;
  Contents contents;
  ParamsKey params;

  friend bool operator==(entry_key const&, entry_key const&) = default;

  std::uint64_t hash() const {
    auto state = params.hash();
    if constexpr (!std::is_same_v<Input, no_input>) state = input.hash(state);
    return hash_of(contents, state);
  }

  static std::uint64_t hash_of(Contents const& contents, std::uint64_t state) {
    std::apply([&state](auto const&... each) { ((state = each.hash(state)), ...); }, contents);
    return state;
  }
};

// Params as a lookup asks with them: exact keys are not made of them, others are.
template<class Strategy, class Layer, class OwnOnly, class Source>
struct asked_params;

template<class Source>
constexpr auto const& params_in(Source const& source) {
  if constexpr (keeps_keys<Source>)
    return source.params();
  else
    return source;
}

template<class Layer, class Source>
struct asked_params<exact, Layer, std::false_type, Source> {
  Source const& source;

  using key_type =
      layerkey::key<Layer, std::remove_cvref_t<decltype(params_in(std::declval<Source const&>()))>>;

  LAYERKEY_ALWAYS_INLINE std::uint64_t hash() const { return key_hash<Layer>{}(source); }
  LAYERKEY_ALWAYS_INLINE bool is(key_type const& k) const { return key_equal<Layer>{}(k, source); }
  key_type key() const {
    if constexpr (keeps_keys<Source>)
      if constexpr (Source::template keeps<Layer>) return source.template key<Layer>();
    return make_key<Layer>(params_in(source));
  }
};

template<class Layer, class Source>
struct asked_params<exact, Layer, std::true_type, Source> {
  using key_type =
      own_key<Layer, std::remove_cvref_t<decltype(params_in(std::declval<Source const&>()))>>;

  key_type made;

  explicit asked_params(Source const& source) : made(make_own_key<Layer>(params_in(source))) {}

  std::uint64_t hash() const { return made.hash(); }
  bool is(key_type const& k) const { return k == made; }
  key_type key() const { return made; }
};

template<class Strategy, class Layer, class OwnOnly, class Source>
struct asked_params {
  using key_type = std::remove_cvref_t<decltype(Strategy::template key<Layer>(
      params_in(std::declval<Source const&>())))>;

  key_type made;

  explicit asked_params(Source const& source)
      : made(Strategy::template key<Layer>(params_in(source))) {}

  std::uint64_t hash() const { return made.hash(); }
  bool is(key_type const& k) const { return k == made; }
  key_type key() const { return made; }
};

struct cost_of_layer {
  type_id layer;
  std::chrono::nanoseconds spent;
};

struct entry_record {
  validity_set validity;
  dependencies depends_on;           // under early cutoff
  std::vector<cost_of_layer> costs;  // of the layer and what is upstream, for this input

  // Of a stage that checks: the key of the check_only members, of what type, and what came of it.
  std::shared_ptr<void const> checks;
  type_id checks_type = nullptr;
  check_result checked;

  bool always_serves() const { return validity.empty() && depends_on.empty() && !checks; }

  entry_record() = default;
  LAYERKEY_COLD entry_record(entry_record&&) noexcept = default;
  LAYERKEY_COLD entry_record& operator=(entry_record&&) noexcept = default;
  LAYERKEY_COLD ~entry_record() = default;
};

// A stage's own, whatever pipeline it is in: so pipelines can share it.
template<class Traits, class Strategy, class ParamsKey>
struct layer_cache {
  using layer = typename Traits::layer;
  using artifact = typename layer::artifact;
  static constexpr bool cutoff = Traits::cutoff && std::is_same_v<Strategy, exact>;

  using input = std::conditional_t<Traits::takes_input || !cutoff,
                                   whole_value<typename layer::input>, no_input>;
  using contents = std::conditional_t<cutoff, typename entry_contents<Traits>::type, std::tuple<>>;
  using key_type = entry_key<input, contents, ParamsKey>;
  using found_type = found<artifact, entry_record>;
  using made_type = made<artifact, entry_record>;

  template<class AskedParams>
  struct asked {
    typename layer::input const& input_of;
    contents const& upstream;
    AskedParams params;
    std::uint64_t const hashed;

    LAYERKEY_ALWAYS_INLINE asked(typename layer::input const& i, contents const& c, AskedParams p)
        : input_of(i), upstream(c), params(std::move(p)), hashed(hash_now()) {}

    LAYERKEY_ALWAYS_INLINE std::uint64_t hash() const { return hashed; }
    LAYERKEY_ALWAYS_INLINE bool is(key_type const& k) const {
      if constexpr (!std::is_same_v<input, no_input>)
        if (!k.input.is_of(input_of)) return false;
      return params.is(k.params) && k.contents == upstream;
    }
    key_type key() const {
      if constexpr (std::is_same_v<input, no_input>)
        return {{}, upstream, params.key()};
      else
        return {input(input_of), upstream, params.key()};
    }

   private:
    LAYERKEY_ALWAYS_INLINE std::uint64_t hash_now() const {
      auto state = params.hash();
      if constexpr (!std::is_same_v<input, no_input>) state = input::hash_of(input_of, state);
      return key_type::hash_of(upstream, state);
    }
  };

  memory_cache<key_type, artifact, entry_record> cache;
  recent_runs recent;

  void clear() {
    cache.clear();
    recent.clear();
  }
};

}  // namespace layerkey::detail
