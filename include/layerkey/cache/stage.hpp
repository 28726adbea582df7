// Stages: named functions that make the artifact of a layer from its input, the upstream artifacts
// and a view of its own key.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/view.hpp>

#include <boost/mp11/algorithm.hpp>

#include <type_traits>

namespace layerkey {

// A function with external linkage, noexcept or not:
//
//   A f(Input const&, Upstream const&..., view<Layer, P>)      or narrowed<Layer, P>
//
// which returns Layer's artifact or outcome<artifact>. The upstream artifacts come in the order in
// which Layer names its upstream layers.
template<auto Function>
struct stage {};

// The artifact is kept under the content of the upstream artifacts and the layer's own key, not
// under what made the upstream artifacts: where an upstream stage comes to the same result from
// other params, this stage does not run again. The upstream artifacts need a value<>, for large
// ones by content_digest. Such a stage may leave the input out of its parameters; only then is the
// input no part of its key.
template<class Stage>
struct early_cutoff {};

// A layer that members of P are tagged with, and that this pipeline does not have.
template<class Layer>
struct ignores {};

namespace error {

template<class... WhatWasGiven>
constexpr bool a_stage_has_this_shape = false;
template<class... WhatWasGiven>
consteval bool wrong_stage() {
  static_assert(
      a_stage_has_this_shape<WhatWasGiven...>,
      "layerkey: a stage is a named function `A f(Input const&, Upstream const&..., view)`: "
      "first the input of its layer, then one artifact for each upstream layer in order, last "
      "a layerkey::view<Layer, P> or layerkey::narrowed<Layer, P>; it returns the artifact of "
      "its layer or layerkey::outcome of it.");
  return true;
}

template<class Layer, class P, class StageParams>
constexpr bool the_stage_reads_these_params = false;
template<class Layer, class P, class StageParams>
consteval bool wrong_params() {
  static_assert(
      the_stage_reads_these_params<Layer, P, StageParams>,
      "layerkey: the stage takes a view of another struct than the pipeline's params. It may "
      "take one of the params themselves, or of the per_member struct inside them that holds "
      "all that the layer reads.");
  return true;
}

template<class Layer>
constexpr bool the_pipeline_has_a_stage_for = false;
template<class Layer>
consteval bool missing_stage() {
  static_assert(the_pipeline_has_a_stage_for<Layer>,
                "layerkey: the pipeline has no stage for this layer, or more than one. Give it one "
                "layerkey::stage<f> whose view names the layer.");
  return true;
}

template<class P, class Layer>
constexpr bool the_pipeline_has_each_layer_that_a_tag_names = false;
template<class P, class Layer>
consteval bool unknown_layer() {
  static_assert(
      the_pipeline_has_each_layer_that_a_tag_names<P, Layer>,
      "layerkey: a member is tagged with a layer that the pipeline lacks. Add a stage for the "
      "layer, or say layerkey::ignores<Layer> among the stages.");
  return true;
}

template<class Layer, class Artifact>
constexpr bool the_content_of_the_artifact_can_be_keyed = false;
template<class Layer, class Artifact>
consteval bool no_content() {
  static_assert(
      the_content_of_the_artifact_can_be_keyed<Layer, Artifact>,
      "layerkey: the input and, under early_cutoff, the upstream artifacts are in the key, so "
      "they need a layerkey::value; large ones by layerkey::content_digest.");
  return true;
}

}  // namespace error

namespace detail {

// ---- the parts of a signature ------------------------------------------------------------------

template<class F>
struct signature_of {
  static constexpr bool is_function = false;
};
template<class R, class... A>
struct signature_of<R (*)(A...)> {
  static constexpr bool is_function = true;
  using result = R;
  using arguments = mp::mp_list<A...>;
};
template<class R, class... A>
struct signature_of<R (*)(A...) noexcept> : signature_of<R (*)(A...)> {};

template<class T>
struct view_traits {
  static constexpr bool is = false;
};
template<class L, class P>
struct view_traits<view<L, P>> {
  static constexpr bool is = true;
  using layer = L;
  using params = P;
};
template<class L, class P>
struct view_traits<narrowed<L, P>> : view_traits<view<L, P>> {};

template<class Artifact>
struct result_traits {
  using artifact = Artifact;
};
template<class Artifact>
struct result_traits<outcome<Artifact>> {
  using artifact = Artifact;
};

// Whether the parameters in front of the view are those that the layer asks for.
template<class Given, class Layer>
struct inputs_match;

template<class... Given, class Layer>
struct inputs_match<mp::mp_list<Given...>, Layer> {
  template<class U>
  using artifact = typename U::artifact;
  using upstream = mp::mp_transform<artifact, typename Layer::upstream>;
  using given = mp::mp_list<std::remove_cvref_t<Given>...>;

  static constexpr bool with_input =
      std::is_same_v<given, mp::mp_push_front<upstream, typename Layer::input>>;
  static constexpr bool without_input = std::is_same_v<given, upstream> && sizeof...(Given) != 0;
};

// What a stage is: the layer, the params that it reads and how it is called. `Cutoff`:
// early_cutoff.
template<auto Function, bool Cutoff>
struct stage_traits {
  using signature = signature_of<std::remove_const_t<decltype(Function)>>;

  static consteval bool is_sound() {
    if constexpr (!signature::is_function)
      return error::wrong_stage<std::remove_const_t<decltype(Function)>>();
    else if constexpr (mp::mp_empty<typename signature::arguments>::value)
      return error::wrong_stage<std::remove_const_t<decltype(Function)>>();
    else if constexpr (!view_traits<
                           std::remove_cvref_t<mp::mp_back<typename signature::arguments>>>::is)
      return error::wrong_stage<std::remove_const_t<decltype(Function)>>();
    else
      return true;
  }
  static_assert(is_sound());

  using handed = std::remove_cvref_t<mp::mp_back<typename signature::arguments>>;
  using layer = typename view_traits<handed>::layer;
  using params = typename view_traits<handed>::params;
  using matched = inputs_match<mp::mp_pop_back<typename signature::arguments>, layer>;
  using artifact =
      typename result_traits<std::remove_cvref_t<typename signature::result>>::artifact;

  static constexpr auto function = Function;
  static constexpr bool cutoff = Cutoff;

  static consteval bool fits_layer() {
    if constexpr (!std::is_same_v<artifact, typename layer::artifact>)
      return error::wrong_stage<layer, typename signature::result, typename layer::artifact>();
    else if constexpr (!matched::with_input && !(Cutoff && matched::without_input))
      return error::wrong_stage<layer, typename signature::arguments, typename layer::input,
                                typename layer::upstream>();
    else
      return true;
  }
  static_assert(fits_layer());

  static constexpr bool takes_input = matched::with_input;
};

template<class Stage>
struct traits_of_stage;

template<auto Function>
struct traits_of_stage<stage<Function>> {
  using type = stage_traits<Function, false>;
};
template<auto Function>
struct traits_of_stage<early_cutoff<stage<Function>>> {
  using type = stage_traits<Function, true>;
};

template<class T>
struct is_ignores : std::false_type {};
template<class L>
struct is_ignores<ignores<L>> : std::true_type {
  using layer = L;
};

}  // namespace detail
}  // namespace layerkey
