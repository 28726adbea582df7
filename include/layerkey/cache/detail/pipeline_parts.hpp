// What a pipeline is made of, and whether it fits together.
#pragma once

#include <layerkey/cache/artifact_store.hpp>
#include <layerkey/cache/checks.hpp>
#include <layerkey/cache/shared_layer.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/strategy.hpp>
#include <layerkey/complete.hpp>
#include <layerkey/detail/leaves.hpp>
#include <layerkey/detail/mp11.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace layerkey {

// Each says false, so that what follows a mistake is left out and one mistake is one error.
namespace error {

template<class Layer, class Other>
constexpr bool each_layer_of_a_pipeline_has_its_own_name = false;
template<class Layer, class Other>
consteval bool name_taken() {
  static_assert(each_layer_of_a_pipeline_has_its_own_name<Layer, Other>,
                "layerkey: these two layers of the pipeline have one name. Statistics, "
                "explanations and stored entries tell layers by name: give each its own.");
  return false;
}

template<class Needed>
constexpr bool the_pipeline_is_made_with = false;
template<class Needed>
consteval bool not_given() {
  static_assert(
      the_pipeline_is_made_with<Needed>,
      "layerkey: a pipeline is made with one object of each service that its stages take "
      "and of each shared_layer among its stages, as in `compiler c{logger, inference};`. "
      "This one is missing, given twice, or const where a stage may change it.");
  return false;
}

template<class Given>
constexpr bool a_stage_of_the_pipeline_takes = false;
template<class Given>
consteval bool given_in_vain() {
  static_assert(a_stage_of_the_pipeline_takes<Given>,
                "layerkey: the pipeline is made with an object that none of its stages takes, and "
                "that is no shared_layer among them. Leave it out.");
  return false;
}

template<class Layer, class P, class StageParams>
constexpr bool the_params_embed_what_the_shared_layer_reads = false;
template<class Layer, class P, class StageParams>
consteval bool other_shared_keys() {
  static_assert(
      the_params_embed_what_the_shared_layer_reads<Layer, P, StageParams>,
      "layerkey: the params of this pipeline do not embed what the shared layer and its upstream "
      "layers read as one unrefined per_member struct, so its keys are no keys of that layer. "
      "Share it between pipelines that do, or give each its own.");
  return false;
}

template<class Layer, class Artifact>
constexpr bool an_artifact_that_is_checked_can_be_compared = false;
template<class Layer, class Artifact>
consteval bool not_comparable() {
  static_assert(an_artifact_that_is_checked_can_be_compared<Layer, Artifact>,
                "layerkey: a stage that checks may run again for an artifact that is kept, and the "
                "two have to be equal: give the artifact a layerkey::value or an ==.");
  return false;
}

template<class Strategy, class Layer, class P>
constexpr bool the_strategy_makes_keys = false;
template<class Strategy, class Layer, class P>
consteval bool no_key_of_strategy() {
  static_assert(the_strategy_makes_keys<Strategy, Layer, P>,
                "layerkey: a strategy S has `template<class Layer, class P> static auto key(P "
                "const&)`, and what that returns has == and `std::uint64_t hash() const`.");
  return false;
}

template<class Strategies>
constexpr bool a_pipeline_has_one_strategy = false;
template<class Strategies>
consteval bool many_strategies() {
  static_assert(a_pipeline_has_one_strategy<Strategies>,
                "layerkey: a pipeline has one strategy for all of its layers, or none. Leave one "
                "of these out.");
  return false;
}

template<class Stores>
constexpr bool a_pipeline_has_one_store = false;
template<class Stores>
consteval bool many_stores() {
  static_assert(
      a_pipeline_has_one_store<Stores>,
      "layerkey: a pipeline is given one store, or none. Join several as a tiered_store.");
  return false;
}

template<class Strategy>
constexpr bool stores_are_for_exact_keys = false;
template<class Strategy>
consteval bool stored_by_strategy() {
  static_assert(stores_are_for_exact_keys<Strategy>,
                "layerkey: this pipeline has a strategy of its own, and what another strategy's "
                "keys let through would be served to everybody. Leave the store or the strategy "
                "out.");
  return false;
}

template<class Layer>
constexpr bool a_hit_of_this_layer_asks_for_nothing_else = false;
template<class Layer>
consteval bool find_has_to_ask() {
  static_assert(a_hit_of_this_layer_asks_for_nothing_else<Layer>,
                "layerkey: find() is for layers without early_cutoff and checks, since with them "
                "even a hit asks for other artifacts; use get().");
  return false;
}

template<class Layer, class Given, class Expected>
constexpr bool a_check_takes_the_artifact_and_a_checks_view = false;
template<class Layer, class Given, class Expected>
consteval bool wrong_check() {
  static_assert(a_check_takes_the_artifact_and_a_checks_view<Layer, Given, Expected>,
                "layerkey: this check has the first of these two function types, and a check of "
                "its layer has the second: `check_result f(Artifact const&, checks_view<P>)`.");
  return false;
}

}  // namespace error

namespace detail {

// ---- what a pipeline is made of ----------------------------------------------------------------

template<class T>
struct is_check : std::false_type {};
template<class L, auto F>
struct is_check<check<L, F>> : std::true_type {
  using layer = L;
  static constexpr auto function = F;
};

template<class T>
struct is_strategy : std::false_type {};
template<class S>
struct is_strategy<strategy<S>> : std::true_type {
  using type = S;
};

// Entries that are no stages.
template<class Entry>
using is_remark =
    mp::mp_bool<is_ignores<Entry>::value || is_check<Entry>::value || is_strategy<Entry>::value>;

template<class... Entries>
using stage_entries = mp::mp_remove_if<mp::mp_list<Entries...>, is_remark>;

template<class... Entries>
using check_entries = mp::mp_copy_if<mp::mp_list<Entries...>, is_check>;

template<class T>
using is_store = std::is_base_of<artifact_store, T>;

template<class Strategies>
struct strategy_among {
  using type = exact;
};
template<class S>
struct strategy_among<mp::mp_list<strategy<S>>> {
  using type = S;
};
template<class S, class Layer, class P>
consteval bool strategy_has_key() {
  if constexpr (!requires(P const& p) {
                  { S::template key<Layer>(p) == S::template key<Layer>(p) } -> std::same_as<bool>;
                  { S::template key<Layer>(p).hash() } -> std::same_as<std::uint64_t>;
                })
    return error::no_key_of_strategy<S, Layer, P>();
  else
    return true;
}
template<class S, class P, class... Layers>
consteval bool strategy_fits(mp::mp_list<Layers...>) {
  return (strategy_has_key<S, Layers, P>() && ...);
}

template<class Strategies>
consteval bool one_strategy_at_most() {
  if constexpr (mp::mp_size<Strategies>::value > 1)
    return error::many_strategies<Strategies>();
  else
    return true;
}
template<class... Entries>
using strategy_of =
    typename strategy_among<mp::mp_copy_if<mp::mp_list<Entries...>, is_strategy>>::type;

template<class L>
struct is_shared_of {
  template<class Stage>
  using fn = std::is_same<typename traits_of_stage<Stage>::type::layer, L>;
};

// A service that one stage takes as const and another one does not is one service.
template<class Taken>
struct service_of {
  template<class S>
  using fn = std::conditional_t<mp::mp_contains<Taken, S>::value, S, S const>;
};
template<class Taken>
using services_of = mp::mp_transform_q<service_of<Taken>,
                                       mp::mp_unique<mp::mp_transform<std::remove_const_t, Taken>>>;

template<class Needed>
struct serves_as {
  template<class Given>
  using fn = mp::mp_bool<std::is_same_v<Given, Needed> || std::is_same_v<Given const, Needed>>;
};

template<class Needed, class Given>
consteval bool is_given() {
  if constexpr (mp::mp_count_if_q<Given, serves_as<Needed>>::value != 1)
    return error::not_given<Needed>();
  else
    return true;
}

template<class Given, class... Needed>
consteval bool is_needed() {
  if constexpr (!(serves_as<Needed>::template fn<Given>::value || ...))
    return error::given_in_vain<Given>();
  else
    return true;
}

template<class... Given, class... Needed>
consteval bool all_are_given(mp::mp_list<Given...>, mp::mp_list<Needed...>) {
  if constexpr (!(is_given<Needed, mp::mp_list<Given...>>() && ...))
    return false;
  else
    return (is_needed<Given, Needed...>() && ...);
}

template<class Stores, class Strategy>
consteval bool one_store_at_most() {
  if constexpr (mp::mp_size<Stores>::value > 1)
    return error::many_stores<Stores>();
  else if constexpr (!mp::mp_empty<Stores>::value && !std::is_same_v<Strategy, exact>)
    return error::stored_by_strategy<Strategy>();
  else
    return true;
}

template<class View>
struct checks_view_params;
template<class P>
struct checks_view_params<view<check_options, P>> {
  using type = P;
};

template<class Layer, class A>
bool same_artifact(A const& a, A const& b) {
  if constexpr (keyable<A>)
    return whole_value<A>(a) == whole_value<A>(b);
  else if constexpr (requires { a == b; })
    return a == b;
  else
    return error::not_comparable<Layer, A>();
}

template<class Traits>
using stage_requests =
    mp::mp_any_of<mp::mp_transform<std::remove_cvref_t, typename Traits::behind_view>,
                  is_requester>;

template<class Stage>
struct is_shared : std::false_type {};
template<class Stage>
struct is_shared<shared_layer<Stage>> : std::true_type {};

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

template<class P, class Layers, class Check>
consteval bool check_fits() {
  using layer = typename is_check<Check>::layer;
  if constexpr (!mp::mp_contains<Layers, layer>::value)
    return error::no_single_stage<layer, 0>();
  else if constexpr (!std::is_invocable_r_v<check_result, decltype(is_check<Check>::function),
                                            typename layer::artifact const&, checks_view<P>>)
    return error::wrong_check<layer, decltype(is_check<Check>::function),
                              check_result(typename layer::artifact const&, checks_view<P>)>();
  else
    return true;
}

template<class P, class Layers, class... Checks>
consteval bool checks_fit(mp::mp_list<Checks...>) {
  return (check_fits<P, Layers, Checks>() && ...);
}

template<class Layer, class Given>
consteval bool has_one_stage() {
  constexpr auto stages = mp::mp_count<Given, Layer>::value;
  if constexpr (stages != 1)
    return error::no_single_stage<Layer, stages>();
  else
    return true;
}

template<class Layer, class Other>
consteval bool is_named_as() {
  if constexpr (std::is_same_v<Layer, Other>)
    return false;
  else if constexpr (requires { Layer::name, Other::name; })
    return std::string_view(Layer::name.data()) == std::string_view(Other::name.data());
  else
    return false;
}

template<class Layer, class Other>
consteval bool is_not_named_as() {
  if constexpr (is_named_as<Layer, Other>())
    return error::name_taken<Layer, Other>();
  else
    return true;
}

// Each with those behind it.
consteval bool names_are_unique(mp::mp_list<>) { return true; }
template<class Layer, class... Rest>
consteval bool names_are_unique(mp::mp_list<Layer, Rest...>) {
  if constexpr (!(is_not_named_as<Layer, Rest>() && ...))
    return false;
  else
    return names_are_unique(mp::mp_list<Rest...>{});
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
  else if constexpr (!one_strategy_at_most<mp::mp_copy_if<mp::mp_list<Entries...>, is_strategy>>())
    return false;
  else {
    using parts = parts_of_pipeline<stages, true>;
    if constexpr (!each_has_one_stage<typename parts::given_layers>(typename parts::layers{}))
      return false;
    else if constexpr (!each_is_known<
                           P, mp::mp_append<typename parts::layers, mp::mp_list<Entries...>>>(
                           typename tagged_layers<P>::type{}))
      return false;
    else if constexpr (!strategy_fits<strategy_of<Entries...>, P>(
                           mp::mp_take_c<typename parts::layers, 1>{}))
      return false;
    else if constexpr (!names_are_unique(typename parts::layers{}))
      return false;
    else if constexpr (!checks_fit<P, typename parts::layers>(check_entries<Entries...>{}))
      return false;
    else
      return stages_fit<P>(typename parts::traits{});
  }
}

// ---- another stage in its place ----------------------------------------------------------------

template<auto Function, class Entry>
struct replaced_entry {
  using type = Entry;
};
template<auto Function, auto Old>
  requires std::is_same_v<typename stage_traits<Function, false>::layer,
                          typename stage_traits<Old, false>::layer>
struct replaced_entry<Function, stage<Old>> {
  using type = stage<Function>;
};
template<auto Function, auto Old>
  requires std::is_same_v<typename stage_traits<Function, false>::layer,
                          typename stage_traits<Old, false>::layer>
struct replaced_entry<Function, early_cutoff<stage<Old>>> {
  using type = early_cutoff<stage<Function>>;
};
template<auto Function, class Stage>
struct replaced_entry<Function, shared_layer<Stage>> {
  using type = shared_layer<typename replaced_entry<Function, Stage>::type>;
};

}  // namespace detail

template<class P, class... Stages>
class pipeline;

namespace detail {

template<auto Function, class... Entries>
consteval bool replaces_one() {
  if constexpr (!names_its_layer<Function>())
    return error::no_stage<std::remove_const_t<decltype(Function)>>();
  else if constexpr (!entries_are_sound(stage_entries<Entries...>{}))
    return false;
  else
    return has_one_stage<
        typename stage_traits<Function, false>::layer,
        typename parts_of_pipeline<stage_entries<Entries...>, true>::given_layers>();
}

template<bool Sound, auto Function, class P, class... Stages>
struct replaced_if {
  using type = pipeline<P, Stages...>;
};
template<auto Function, class P, class... Stages>
struct replaced_if<true, Function, P, Stages...> {
  using type = pipeline<P, typename replaced_entry<Function, Stages>::type...>;
};
template<auto Function, class P, class... Stages>
struct replaced : replaced_if<replaces_one<Function, Stages...>(), Function, P, Stages...> {};

}  // namespace detail
}  // namespace layerkey
