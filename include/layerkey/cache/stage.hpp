// Stages: named functions that make the artifact of a layer from its input, the upstream artifacts
// and a view of its own key.
#pragma once

#include <layerkey/cache/checks.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/requester.hpp>
#include <layerkey/cache/services.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/view.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace layerkey {

// A function with external linkage, noexcept or not:
//
//   R f(Input const&, Upstream const&..., view<Layer, P> [, more...])     or narrowed<Layer, P>
//
// The upstream artifacts come in the order in which Layer names its upstream layers. More is any of
// requester<Layer>, checks_view<P> and references to services. R is Layer's artifact, outcome of
// it, or one of these in with_validity or with_check; or a type for which stage_result is
// specialised.
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

// How a stage's result is taken: specialise for a type of your own that is an artifact or a
// failure. `take` gives outcome<artifact>.
template<class R>
struct stage_result {
  using artifact = R;
  static outcome<R> take(R result) { return outcome<R>(std::move(result)); }
};
template<class A>
struct stage_result<outcome<A>> {
  using artifact = A;
  static outcome<A> take(outcome<A> result) { return result; }
};

// Each says false, so that what follows a mistake is left out and one mistake is one error.
namespace error {

template<class Entry>
constexpr bool a_pipeline_has_such_entries = false;
template<class Entry>
consteval bool unknown_entry() {
  static_assert(a_pipeline_has_such_entries<Entry>,
                "layerkey: a pipeline is made of stage<f>, early_cutoff<stage<f>>, shared_layer of "
                "one of these, check<Layer, f>, strategy<S> and ignores<Layer>; this is none of "
                "them.");
  return false;
}

template<class Given>
constexpr bool a_stage_is_a_named_function = false;
template<class Given>
consteval bool no_stage() {
  static_assert(
      a_stage_is_a_named_function<Given>,
      "layerkey: a stage is a named function, no closure, and its last parameter is a "
      "layerkey::view<Layer, P> or layerkey::narrowed<Layer, P>, which says of which layer it is: "
      "`A f(Input const&, Upstream const&..., view)`.");
  return false;
}

template<class Layer, class Validity>
constexpr bool a_validity_says_where_it_holds = false;
template<class Layer, class Validity>
consteval bool no_validity() {
  static_assert(a_validity_says_where_it_holds<Layer, Validity>,
                "layerkey: the stage of this layer returns with_validity<A, V>, and V lacks one of "
                "`bool holds(layerkey::request_context const&) const` and `void restrict_to(V "
                "const&)`, or cannot be copied.");
  return false;
}

template<class Layer, class Given>
constexpr bool a_stage_takes_such_things_behind_its_view = false;
template<class Layer, class Given>
consteval bool unknown_parameter() {
  static_assert(
      a_stage_takes_such_things_behind_its_view<Layer, Given>,
      "layerkey: behind its view a stage takes layerkey::requester of its own layer, a "
      "layerkey::checks_view, and services by reference that are no params; this is none of them.");
  return false;
}

template<class Layer, class Service>
constexpr bool a_service_says_why_it_changes_no_artifact = false;
template<class Layer, class Service>
consteval bool undescribed_service() {
  static_assert(
      a_service_says_why_it_changes_no_artifact<Layer, Service>,
      "layerkey: this stage takes a service that is in no key. Say why nothing in it changes an "
      "artifact: template<> struct layerkey::service<Service> { static constexpr layerkey::text "
      "reason = \"...\"; }; or make what it holds params.");
  return false;
}

template<class Layer>
constexpr bool the_layer_says_what_it_compiles = false;
template<class Layer>
consteval bool no_input_or_artifact() {
  static_assert(the_layer_says_what_it_compiles<Layer>,
                "layerkey: a layer of a pipeline says what is compiled and what comes out: `using "
                "input = ...; using artifact = ...;`.");
  return false;
}

template<class Layer, class Artifact>
constexpr bool an_artifact_can_be_moved = false;
template<class Layer, class Artifact>
consteval bool immovable_artifact() {
  static_assert(an_artifact_can_be_moved<Layer, Artifact>,
                "layerkey: the artifact of a stage is moved into the cache, and this type cannot "
                "be moved. Give it a move constructor, or hold it by std::unique_ptr.");
  return false;
}

template<class Layer, class Upstream>
constexpr bool a_layer_has_the_input_of_its_upstream_layers = false;
template<class Layer, class Upstream>
consteval bool other_input() {
  static_assert(a_layer_has_the_input_of_its_upstream_layers<Layer, Upstream>,
                "layerkey: a layer and its upstream layers compile one input, so their input types "
                "are the same.");
  return false;
}

template<class Layer, class Given, class Expected>
constexpr bool the_stage_takes_what_its_layer_consumes = false;
template<class Layer, class Given, class Expected>
consteval bool wrong_parameters() {
  static_assert(
      the_stage_takes_what_its_layer_consumes<Layer, Given, Expected>,
      "layerkey: this stage has the first of these two function types, and its layer asks for the "
      "second: first the input, then one artifact for each upstream layer in order, last the view. "
      "Only in early_cutoff<stage<f>> may it leave the input out, where it has upstream layers.");
  return false;
}

template<class Layer, class Given, class Expected>
constexpr bool the_stage_returns_the_artifact_of_its_layer = false;
template<class Layer, class Given, class Expected>
consteval bool wrong_result() {
  static_assert(
      the_stage_returns_the_artifact_of_its_layer<Layer, Given, Expected>,
      "layerkey: the stage returns the first of these two types, and the artifact of its layer is "
      "the second. Return that, layerkey::outcome of it, or one of these in with_validity or "
      "with_check.");
  return false;
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
  return false;
}

template<class Layer, std::size_t Stages>
constexpr bool the_pipeline_has_one_stage_for = false;
template<class Layer, std::size_t Stages>
consteval bool no_single_stage() {
  static_assert(the_pipeline_has_one_stage_for<Layer, Stages>,
                "layerkey: the pipeline has no stage for this layer, or more than one. Give it one "
                "layerkey::stage<f> whose view names the layer.");
  return false;
}

template<class P, class Layer>
constexpr bool the_pipeline_has_each_layer_that_a_tag_names = false;
template<class P, class Layer>
consteval bool unknown_layer() {
  static_assert(
      the_pipeline_has_each_layer_that_a_tag_names<P, Layer>,
      "layerkey: a member is tagged with a layer that the pipeline lacks. Add a stage for the "
      "layer, or say layerkey::ignores<Layer> among the stages.");
  return false;
}

template<class Layer, class Content>
constexpr bool the_content_can_be_keyed = false;
template<class Layer, class Content>
consteval bool no_content() {
  static_assert(
      the_content_can_be_keyed<Layer, Content>,
      "layerkey: the input and, under early_cutoff, the upstream artifacts are in the key, so "
      "they need a layerkey::value; large ones by layerkey::content_digest.");
  return false;
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

template<class T>
using is_view = mp::mp_bool<view_traits<std::remove_cvref_t<T>>::is>;

// checks_view is a view too, but says nothing of the layer.
template<class P>
struct view_traits<view<check_options, P>> {
  static constexpr bool is = false;
};

template<class Arguments>
using place_of_view = mp::mp_find_if<Arguments, is_view>;

// ---- results -----------------------------------------------------------------------------------

struct said_by_stage {
  validity_set validity;
  check_result check;
};

template<class Validity>
struct parts_of_validity {
  using type = mp::mp_list<Validity>;
};
template<class... V>
struct parts_of_validity<valid_together<V...>> {
  using type = mp::mp_append<mp::mp_list<>, typename parts_of_validity<V>::type...>;
};

template<class R>
struct result_traits {
  using artifact = typename stage_result<R>::artifact;
  using validities = mp::mp_list<>;
  static outcome<artifact> take(R result, said_by_stage&) {
    return stage_result<R>::take(std::move(result));
  }
};
template<class R, class Validity>
struct result_traits<with_validity<R, Validity>> {
  using artifact = typename result_traits<R>::artifact;
  using validities = mp::mp_append<typename parts_of_validity<Validity>::type,
                                   typename result_traits<R>::validities>;
  static outcome<artifact> take(with_validity<R, Validity> result, said_by_stage& more) {
    more.validity.add(result.validity);
    return result_traits<R>::take(std::move(result.artifact), more);
  }
};
template<class R>
struct result_traits<with_check<R>> {
  using artifact = typename result_traits<R>::artifact;
  using validities = typename result_traits<R>::validities;
  static outcome<artifact> take(with_check<R> result, said_by_stage& more) {
    more.check = std::move(result.result);
    return result_traits<R>::take(std::move(result.artifact), more);
  }
};

// ---- what comes behind the view ----------------------------------------------------------------

template<class T>
struct is_requester : std::false_type {};
template<class L>
struct is_requester<requester<L>> : std::true_type {};

template<class T>
struct is_checks_view : std::false_type {};
template<class P>
struct is_checks_view<view<check_options, P>> : std::true_type {};

template<class T>
using is_service =
    mp::mp_bool<std::is_lvalue_reference_v<T> && !is_requester<std::remove_cvref_t<T>>::value &&
                !is_checks_view<std::remove_cvref_t<T>>::value &&
                !described<std::remove_cvref_t<T>>>;

template<class Layer, class T>
consteval bool may_be_behind_view() {
  using bare = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<bare, requester<Layer>> || is_checks_view<bare>::value)
    return true;
  else if constexpr (!is_service<T>::value)
    return error::unknown_parameter<Layer, T>();
  else if constexpr (!described_service<bare>)
    return error::undescribed_service<Layer, bare>();
  else
    return true;
}

// Whether the parameters in front of the view are those that the layer asks for.
template<class Given, class Layer>
struct inputs_match;

template<class... Given, class Layer>
struct inputs_match<mp::mp_list<Given...>, Layer> {
  template<class U>
  using artifact = typename U::artifact;
  using upstream = mp::mp_transform<artifact, typename Layer::upstream>;
  using given = mp::mp_list<std::remove_cvref_t<Given>...>;
  static constexpr bool unchanged =
      (std::is_convertible_v<std::remove_cvref_t<Given> const&, Given> && ...);

  static constexpr bool with_input =
      unchanged && std::is_same_v<given, mp::mp_push_front<upstream, typename Layer::input>>;
  static constexpr bool without_input =
      unchanged && std::is_same_v<given, upstream> && sizeof...(Given) != 0;
};

template<class V>
concept says_validity =
    std::is_copy_constructible_v<V> && requires(V v, V const& other, request_context const& c) {
      { other.holds(c) } -> std::convertible_to<bool>;
      v.restrict_to(other);
    };

template<class Layer, class V>
consteval bool is_validity() {
  if constexpr (!says_validity<V>)
    return error::no_validity<Layer, V>();
  else
    return true;
}

template<class Layer, class... V>
consteval bool all_are_validities(mp::mp_list<V...>) {
  return (is_validity<Layer, V>() && ...);
}

// Whether a view says of which layer the function is a stage.
template<auto Function>
consteval bool names_its_layer() {
  using signature = signature_of<std::remove_const_t<decltype(Function)>>;
  if constexpr (!signature::is_function)
    return false;
  else
    return mp::mp_any_of<typename signature::arguments, is_view>::value;
}

template<class Layer>
concept layer_of_pipelines = requires {
  typename Layer::input;
  typename Layer::artifact;
};

// What a stage is: the layer, the params that it reads and how it is called. `Cutoff`:
// early_cutoff.
template<auto Function, bool Cutoff>
struct stage_traits {
  using signature = signature_of<std::remove_const_t<decltype(Function)>>;
  using arguments = typename signature::arguments;
  using handed = std::remove_cvref_t<mp::mp_at<arguments, place_of_view<arguments>>>;
  using behind_view = mp::mp_drop_c<arguments, place_of_view<arguments>::value + 1>;
  using layer = typename view_traits<handed>::layer;
  using params = typename view_traits<handed>::params;
  using result = result_traits<std::remove_cvref_t<typename signature::result>>;
  using artifact = typename result::artifact;
  using services =
      mp::mp_transform<std::remove_reference_t, mp::mp_copy_if<behind_view, is_service>>;

  static constexpr auto function = Function;
  static constexpr bool cutoff = Cutoff;
  static constexpr bool has_checks =
      mp::mp_any_of<mp::mp_transform<std::remove_cvref_t, behind_view>, is_checks_view>::value;

  template<class... Upstream>
  static consteval bool fits_layer(mp::mp_list<Upstream...>) {
    using given = std::remove_pointer_t<std::remove_const_t<decltype(Function)>>;
    if constexpr (!layer_of_pipelines<layer>)
      return error::no_input_or_artifact<layer>();
    else if constexpr (!(layer_of_pipelines<Upstream> && ...))
      return ((layer_of_pipelines<Upstream> || error::no_input_or_artifact<Upstream>()) && ...);
    else if constexpr (!std::is_same_v<artifact, typename layer::artifact>)
      return error::wrong_result<layer, typename signature::result, typename layer::artifact>();
    else if constexpr (!std::is_move_constructible_v<artifact>)
      return error::immovable_artifact<layer, artifact>();
    else if constexpr (!all_are_validities<layer>(typename result::validities{}))
      return false;
    else if constexpr (!takes_input && !(Cutoff && leaves_input_out))
      return error::wrong_parameters<layer, given,
                                     artifact(typename layer::input const&,
                                              typename Upstream::artifact const&..., handed)>();
    else
      return fits_behind_view(behind_view{});
  }
  template<class... More>
  static consteval bool fits_behind_view(mp::mp_list<More...>) {
    return (may_be_behind_view<layer, More>() && ...);
  }
  static consteval bool is_sound() { return fits_layer(typename layer::upstream{}); }

  using matched = inputs_match<mp::mp_take<arguments, place_of_view<arguments>>, layer>;
  static constexpr bool takes_input = matched::with_input;
  static constexpr bool leaves_input_out = matched::without_input;
};

template<class Entry>
struct traits_of_stage {
  static consteval bool is_sound() { return error::unknown_entry<Entry>(); }
};

template<auto Function, bool Cutoff>
struct traits_of_function {
  using type = stage_traits<Function, Cutoff>;
  static consteval bool is_sound() {
    if constexpr (names_its_layer<Function>())
      return type::is_sound();
    else
      return error::no_stage<std::remove_const_t<decltype(Function)>>();
  }
};

template<auto Function>
struct traits_of_stage<stage<Function>> : traits_of_function<Function, false> {};

template<auto Function>
struct traits_of_stage<early_cutoff<stage<Function>>> : traits_of_function<Function, true> {};

template<class T>
struct is_ignores : std::false_type {};
template<class L>
struct is_ignores<ignores<L>> : std::true_type {};

}  // namespace detail
}  // namespace layerkey
