// A compiler as a pipeline of cached stages over one params struct.
#pragma once

#include <layerkey/cache/memory_cache.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/run_report.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/layerkey.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace layerkey {
namespace detail {

// ---- what a pipeline is made of ----------------------------------------------------------------

template<class Entry>
using is_ignores_q = is_ignores<Entry>;

template<class... Entries>
using stage_entries = mp::mp_remove_if<mp::mp_list<Entries...>, is_ignores_q>;

template<class Entry>
using stage_traits_of = typename traits_of_stage<Entry>::type;

template<class Traits>
using stage_layer = typename Traits::layer;

template<class Layer>
struct is_stage_of {
  template<class Traits>
  using fn = std::is_same<typename Traits::layer, Layer>;
};

// Layers that the tags of P name, through per_member structs.
template<class Tag, class = void>
struct layers_of_tag {
  using type = mp::mp_list<>;
};
template<class Tag>
struct layers_of_tag<Tag, std::void_t<typename Tag::layer>> {
  using type = mp::mp_list<typename Tag::layer>;
};
template<class Tag>
using layers_of_tag_t = typename layers_of_tag<Tag>::type;

template<class P>
struct tagged_layers;

template<class Structs>
struct tagged_layers_of_structs;

template<class... S>
struct tagged_layers_of_structs<mp::mp_list<S...>> {
  using type = mp::mp_append<mp::mp_list<>, typename tagged_layers<S>::type...>;
};

template<class Field>
struct tagged_layers_of_field {
  using type = mp::mp_flatten<
      mp::mp_transform<layers_of_tag_t, mp::mp_rename<typename Field::tags, mp::mp_list>>>;
};
template<class Field>
  requires is_per_member<Field>
struct tagged_layers_of_field<Field>
    : tagged_layers_of_structs<typename holder<member_type<Field::access>>::structs> {};
template<class Field>
using tagged_layers_of_field_t = typename tagged_layers_of_field<Field>::type;

template<class P>
struct tagged_layers {
  using type =
      mp::mp_unique<mp::mp_flatten<mp::mp_transform<tagged_layers_of_field_t, fields_of<P>>>>;
};

// ---- the key of an entry -----------------------------------------------------------------------

template<class... Parts>
struct entry_key {
  std::tuple<Parts...> parts;

  explicit entry_key(Parts... p) : parts(std::move(p)...) {}

  friend bool operator==(entry_key const&, entry_key const&) = default;

  std::uint64_t hash() const {
    std::uint64_t state = hash_seed;
    std::apply([&state](auto const&... part) { ((state = part.hash(state)), ...); }, parts);
    return state;
  }
};

// The input and the upstream artifacts, as far as they are in the key of a stage's entries.
template<class Traits, class Upstream = typename Traits::layer::upstream>
struct entry_contents;

template<class Traits, class... Upstream>
struct entry_contents<Traits, mp::mp_list<Upstream...>> {
  using layer = typename Traits::layer;
  using input = whole_value<typename layer::input>;
  using upstream =
      std::conditional_t<Traits::cutoff, std::tuple<whole_value<typename Upstream::artifact>...>,
                         std::tuple<>>;
  using artifacts = std::tuple<made<typename Upstream::artifact>...>;

  static upstream of(artifacts const& all) {
    return std::apply([](auto const&... each) { return upstream(whole_value(*each.result)...); },
                      all);
  }
};

// ---- whether it all fits ------------------------------------------------------------------------

template<class Layer, class Content>
consteval bool content_is_keyable() {
  if constexpr (!keyable<Content>)
    return error::no_content<Layer, Content>();
  else
    return true;
}

template<class Layer, class Upstream>
consteval bool has_input_of() {
  if constexpr (!std::is_same_v<typename Upstream::input, typename Layer::input>)
    return error::other_input<Layer, Upstream>();
  else
    return true;
}

template<class P, class Traits, class... Upstream>
consteval bool stage_fits(mp::mp_list<Upstream...>) {
  using layer = typename Traits::layer;
  using params = typename Traits::params;
  if constexpr (!std::is_same_v<params, P> && !std::is_same_v<params, normal_params<layer, P>>)
    return error::wrong_params<layer, P, params>();
  else if constexpr (!content_is_keyable<layer, typename layer::input>())
    return false;
  else if constexpr (Traits::cutoff)
    return (has_input_of<layer, Upstream>() && ...) &&
           (content_is_keyable<layer, typename Upstream::artifact>() && ...);
  else
    return (has_input_of<layer, Upstream>() && ...);
}

template<class P, class... Traits>
consteval bool stages_fit(mp::mp_list<Traits...>) {
  return (stage_fits<P, Traits>(typename Traits::layer::upstream{}) && ...);
}

template<class Layer, class Given>
consteval bool has_one_stage() {
  constexpr auto stages = mp::mp_count<Given, Layer>::value;
  if constexpr (stages != 1)
    return error::no_single_stage<Layer, stages>();
  else
    return true;
}

template<class Given, class... Layers>
consteval bool each_has_one_stage(mp::mp_list<Layers...>) {
  return (has_one_stage<Layers, Given>() && ...);
}

template<class P, class Known, class Layer>
consteval bool is_known() {
  if constexpr (mp::mp_contains<Known, Layer>::value ||
                mp::mp_contains<Known, ignores<Layer>>::value)
    return true;
  else
    return error::unknown_layer<P, Layer>();
}

template<class P, class Known, class... Layers>
consteval bool each_is_known(mp::mp_list<Layers...>) {
  return (is_known<P, Known, Layers>() && ...);
}

template<class... Entries>
consteval bool entries_are_sound(mp::mp_list<Entries...>) {
  return (traits_of_stage<Entries>::is_sound() && ...);
}

template<class Entries, bool Sound>
struct parts_of_pipeline {
  using traits = mp::mp_list<>;
  using given_layers = mp::mp_list<>;
  using layers = mp::mp_list<>;
};

// Every layer once, upstream before downstream.
template<class Entries>
struct parts_of_pipeline<Entries, true> {
  using traits = mp::mp_transform<stage_traits_of, Entries>;
  using given_layers = mp::mp_transform<stage_layer, traits>;
  using layers = mp::mp_unique<mp::mp_flatten<mp::mp_transform<closure, given_layers>>>;
};

template<class P, class... Entries>
consteval bool pipeline_is_sound() {
  using stages = stage_entries<Entries...>;
  if constexpr (!complete<P>)
    return false;
  else if constexpr (!entries_are_sound(stages{}))
    return false;
  else {
    using parts = parts_of_pipeline<stages, true>;
    if constexpr (!each_has_one_stage<typename parts::given_layers>(typename parts::layers{}))
      return false;
    else if constexpr (!each_is_known<
                           P, mp::mp_append<typename parts::layers, mp::mp_list<Entries...>>>(
                           typename tagged_layers<P>::type{}))
      return false;
    else
      return stages_fit<P>(typename parts::traits{});
  }
}

}  // namespace detail

// Stages in any order: stage<f>, early_cutoff<stage<f>>, and ignores<Layer>. Layers and their order
// follow from the views that the stages take. Safe for any number of threads; holds no lock while a
// stage runs.
template<class P, class... Stages>
class pipeline {
  // What does not fit has been said by then, and is left out of what follows.
  static constexpr bool sound = detail::pipeline_is_sound<P, Stages...>();
  using parts = detail::parts_of_pipeline<detail::stage_entries<Stages...>, sound>;

  template<class L>
  using traits_for = mp::mp_front<mp::mp_copy_if_q<typename parts::traits, detail::is_stage_of<L>>>;

 public:
  using params = P;

  // Every layer once, upstream before downstream.
  using layers = typename parts::layers;

  pipeline() = default;
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  // The artifact of layer L for this input under these params: from the cache, or made, with
  // whatever upstream artifacts that needs. The error is that of the stage that failed, for whoever
  // asked.
  template<class L>
  outcome<typename L::artifact> get(typename L::input const& input, P const& params) {
    if constexpr (!sound)
      return diagnostics{};
    else if constexpr (!detail::has_one_stage<L, layers>())
      return diagnostics{};
    else
      return find_or_make<L>(input, params).deliver();
  }

  // What the caches did since the pipeline was made, a layer a row, upstream first.
  layerkey::statistics statistics() const {
    return []<class... L>(pipeline const& self, mp::mp_list<L...>) {
      return layerkey::statistics{self.statistics_of<L>()...};
    }(*this, layers{});
  }

  // Calls `told` before each run of a stage, on the thread that runs it, with the reason why the
  // nearest stored entry did not serve. Set it before the first request; costs a comparison with at
  // most 1,024 recent entries of the layer for each run, and nothing for a hit.
  void on_run(std::function<void(run_report const&)> told) { told_ = std::move(told); }

  void clear() {
    []<class... L>(pipeline& self, mp::mp_list<L...>) { (self.cache_of<L>().clear(), ...); }(
        *this, layers{});
  }

 private:
  template<class L>
  struct layer_cache {
    using stage = traits_for<L>;
    using contents = detail::entry_contents<stage>;
    using params_key = std::conditional_t<stage::cutoff, own_key<L, P>, key<L, P>>;

    template<class... U>
    static auto join(typename contents::input const& in, std::tuple<U...> const& upstream,
                     params_key k) {
      return std::apply(
          [&](auto const&... each) {
            if constexpr (stage::takes_input)
              return detail::entry_key<typename contents::input, U..., params_key>(in, each...,
                                                                                   std::move(k));
            else
              return detail::entry_key<U..., params_key>(each..., std::move(k));
          },
          upstream);
    }

    using entry_key = decltype(join(std::declval<typename contents::input const&>(),
                                    std::declval<typename contents::upstream const&>(),
                                    std::declval<params_key>()));

    memory_cache<entry_key, typename L::artifact> cache;
    detail::recent_runs<L, P, typename contents::input, typename contents::upstream, stage::cutoff>
        recent;

    void clear() {
      cache.clear();
      recent.clear();
    }
  };

  template<class L>
  layer_cache<L>& cache_of() {
    return std::get<layer_cache<L>>(caches_);
  }

  template<class L>
  layer_statistics statistics_of() const {
    auto counters = std::get<layer_cache<L>>(caches_).cache.counters();
    counters.layer = detail::layer_name<L>();
    return counters;
  }

  template<class L>
  made<typename L::artifact> find_or_make(typename L::input const& input, P const& params) {
    using stage = traits_for<L>;
    using contents = typename layer_cache<L>::contents;
    auto& layer = cache_of<L>();
    typename contents::input const in(input);

    if constexpr (stage::cutoff) {
      auto const upstream = upstream_of<L>(input, params, typename L::upstream{});
      if (auto failure = failure_in<L>(upstream)) return layer.cache.fail(std::move(*failure));
      auto const content = contents::of(upstream);
      return layer.cache.get(layer.join(in, content, make_own_key<L>(params)), false,
                             [&] { return run<L>(input, in, content, upstream, params); });
    } else {
      return layer.cache.get(layer.join(in, std::tuple<>{}, make_key<L>(params)), true, [&] {
        auto const upstream = upstream_of<L>(input, params, typename L::upstream{});
        if (auto failure = failure_in<L>(upstream)) return std::move(*failure);
        return run<L>(input, in, std::tuple<>{}, upstream, params);
      });
    }
  }

  template<class L, class... U>
  std::tuple<made<typename U::artifact>...> upstream_of(typename L::input const& input,
                                                        P const& params, mp::mp_list<U...>) {
    // Braces, so that they are asked for in order.
    [[maybe_unused]] bool failed = false;
    return {find_or_make_unless<U>(failed, input, params)...};
  }

  // Behind a failure nothing else is asked for.
  template<class L>
  made<typename L::artifact> find_or_make_unless(bool& failed, typename L::input const& input,
                                                 P const& params) {
    if (failed) return {diagnostics{}};
    auto made = find_or_make<L>(input, params);
    failed = !made.result;
    return made;
  }

  template<class L, class Upstream>
  static std::optional<made<typename L::artifact>> failure_in(Upstream const& upstream) {
    std::optional<made<typename L::artifact>> failure;
    auto const look = [&failure](auto const& each) {
      if (each.result || failure) return;
      failure.emplace(made<typename L::artifact>{each.result.error()});
      failure->ran = false;
#if defined(__cpp_exceptions)
      failure->thrown = each.thrown;
#endif
    };
    std::apply([&look](auto const&... each) { (look(each), ...); }, upstream);
    return failure;
  }

  template<class L, class Input, class Content, class Upstream>
  made<typename L::artifact> run(typename L::input const& input, Input const& in,
                                 Content const& content, Upstream const& upstream,
                                 P const& params) {
    using stage = traits_for<L>;
    auto& recent = cache_of<L>().recent;
    if (told_) told_(recent.nearest(in, content, params));

    auto const start = std::chrono::steady_clock::now();
    auto made = detail::caught<typename L::artifact>(
        [&] { return layerkey::made<typename L::artifact>{call<stage>(input, upstream, params)}; });
    made.spent = std::chrono::steady_clock::now() - start;
    made.cost = made.spent;
    std::apply([&made](auto const&... each) { ((made.cost += each.cost), ...); }, upstream);
    if (told_ && made.result) recent.add(in, content, params);
    return made;
  }

  template<class Stage, class Upstream>
  static outcome<typename Stage::artifact> call(typename Stage::layer::input const& input,
                                                Upstream const& upstream, P const& params) {
    return std::apply(
        [&](auto const&... each) -> outcome<typename Stage::artifact> {
          if constexpr (Stage::takes_input)
            return Stage::function(input, *each.result..., hand<Stage>(params));
          else
            return Stage::function(*each.result..., hand<Stage>(params));
        },
        upstream);
  }

  template<class Stage>
  static typename Stage::handed hand(P const& params) {
    using L = typename Stage::layer;
    if constexpr (std::is_same_v<typename Stage::params, P>)
      return typename Stage::handed(params);
    else
      return typename Stage::handed(detail::normal<L, P>::of(params));
  }

  template<class... L>
  static std::tuple<layer_cache<L>...> caches_for(mp::mp_list<L...>);

  decltype(caches_for(layers{})) caches_;
  std::function<void(run_report const&)> told_;
};

}  // namespace layerkey
