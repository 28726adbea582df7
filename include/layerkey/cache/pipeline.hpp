// A compiler as a pipeline of cached stages over one params struct.
#pragma once

#include <layerkey/cache/artifact_store.hpp>
#include <layerkey/cache/checks.hpp>
#include <layerkey/cache/detail/layer_cache.hpp>
#include <layerkey/cache/detail/pipeline_parts.hpp>
#include <layerkey/cache/detail/stored_layer.hpp>
#include <layerkey/cache/limits.hpp>
#include <layerkey/cache/memory_cache.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/requester.hpp>
#include <layerkey/cache/run_report.hpp>
#include <layerkey/cache/shared_layer.hpp>
#include <layerkey/cache/stage.hpp>
#include <layerkey/cache/statistics.hpp>
#include <layerkey/cache/strategy.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/print.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/sealed.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace layerkey {

// Stages in any order: stage<f>, early_cutoff<stage<f>>, shared_layer of one of these; and
// check<Layer, f>, strategy<S>, ignores<Layer>. Layers and their order follow from the views that
// the stages take. Safe for any number of threads; holds no lock while a stage or anything else of
// the user's runs.
template<class P, class... Stages>
class pipeline {
  // What does not fit has been said by then, and is left out of what follows.
  static constexpr bool sound = detail::pipeline_is_sound<P, Stages...>();
  using parts = detail::parts_of_pipeline<detail::stage_entries<Stages...>, sound>;
  using keys = detail::strategy_of<Stages...>;

  template<class L>
  using traits_for = mp::mp_front<mp::mp_copy_if_q<typename parts::traits, detail::is_stage_of<L>>>;

  template<class Traits>
  using services_in = typename Traits::services;
  using services = detail::services_of<
      mp::mp_unique<mp::mp_flatten<mp::mp_transform<services_in, typename parts::traits>>>>;
  using shared = mp::mp_copy_if<mp::mp_list<Stages...>, detail::is_shared>;

 public:
  using params = P;

  // Every layer once, upstream before downstream.
  using layers = typename parts::layers;

  // Params with the keys of all layers made once, for requests that come again and again.
  using sealed = mp::mp_apply<layerkey::sealed, mp::mp_push_front<layers, P>>;

  // The same pipeline with another stage for the layer of `Function`, for tests.
  template<auto Function>
  using with = typename detail::replaced<Function, P, Stages...>::type;

  // Takes, in any order, each service that a stage names and each shared_layer; and an
  // artifact_store, in which portable artifacts are looked for before they are made, and kept.
  // Refers to them all.
  template<class... Given>
  explicit pipeline(Given&... given) {
    give_all(given...);
  }
  // The same with a store of its own.
  template<class Store, class... Given>
    requires(!std::is_lvalue_reference_v<Store> && std::is_base_of_v<artifact_store, Store>)
  explicit pipeline(Store&& store, Given&... given)
      : own_store_(std::make_unique<Store>(std::move(store))) {
    give_all(*own_store_, given...);
  }
  pipeline(pipeline const&) = delete;
  pipeline& operator=(pipeline const&) = delete;

  // The artifact of layer L for this input under these params, or sealed params: from the cache, or
  // made, with whatever upstream artifacts that needs. The error is that of the stage that failed,
  // for whoever asked; what a stage throws is thrown.
  template<class L>
  outcome<typename L::artifact> get(typename L::input const& input, P const& params,
                                    request_context const& context = detail::no_context) {
    return answer_to<L>(input, params, context);
  }
  template<class L, class... Layers>
  outcome<typename L::artifact> get(typename L::input const& input,
                                    layerkey::sealed<P, Layers...> const& params,
                                    request_context const& context = detail::no_context) {
    return answer_to<L>(input, params, context);
  }

  // A hit, or no outcome: nothing is made, nobody is waited for. For layers without early cutoff
  // and checks, since those have to ask for more.
  template<class L>
  std::optional<outcome<typename L::artifact>> find(
      typename L::input const& input, P const& params,
      request_context const& context = detail::no_context) {
    return find_only<L>(input, params, context);
  }
  template<class L, class... Layers>
  std::optional<outcome<typename L::artifact>> find(
      typename L::input const& input, layerkey::sealed<P, Layers...> const& params,
      request_context const& context = detail::no_context) {
    return find_only<L>(input, params, context);
  }

  // What the caches did since the pipeline was made, a layer a row, upstream first. Of a shared
  // layer, what it did for all pipelines.
  LAYERKEY_COLD layerkey::statistics statistics() const {
    return []<class... L>(pipeline const& self, mp::mp_list<L...>) {
      return layerkey::statistics{self.statistics_of<L>()...};
    }(*this, layers{});
  }

  // Calls `told` before each run of a stage, on the thread that runs it, with the reason why the
  // nearest stored entry did not serve. Set it before the first request; costs a comparison with at
  // most 1,024 recent entries of the layer for each run, and nothing for a hit.
  void on_run(std::function<void(run_report const&)> told) { told_ = std::move(told); }

  // Calls `told` when a run of a stage begins and when it ends, on the thread that runs it. Set it
  // before the first request.
  void on_progress(std::function<void(progress const&)> told) { progress_ = std::move(told); }

  // What the cache of L keeps at most; at once, and from now on.
  template<class L>
  void limit(cache_limits const& limits) {
    if constexpr (has<L>()) cache_of<L>().cache.limit(limits);
  }

  // Forgets the artifacts of L for which `erased(artifact)`; a run under way still comes to its end
  // and is kept. What was made from them is kept.
  template<class L, class Erased>
  std::size_t erase_if(Erased const& erased) {
    if constexpr (!has<L>())
      return 0;
    else
      return cache_of<L>().cache.erase_if([&erased](auto const&, auto const& made) {
        return made.result.has_value() && erased(*made.result);
      });
  }

  // Forgets everything, in shared layers too.
  void clear() {
    []<class... L>(pipeline& self, mp::mp_list<L...>) { (self.cache_of<L>().clear(), ...); }(
        *this, layers{});
  }

 private:
  template<class Pipeline, class L>
  friend class call_site;

  template<class L>
  static consteval bool has() {
    if constexpr (sound)
      return detail::has_one_stage<L, layers>();
    else
      return false;
  }

  // ---- caches ----------------------------------------------------------------------------------

  template<class L>
  using is_shared_here = mp::mp_any_of_q<shared, detail::is_shared_of<L>>;

  template<class L>
  using strategy_for = std::conditional_t<is_shared_here<L>::value, exact, keys>;

  template<class L, class Source>
  using asked_params = detail::asked_params<
      strategy_for<L>, L,
      std::bool_constant<traits_for<L>::cutoff && std::is_same_v<strategy_for<L>, exact>>, Source>;

  template<class L>
  using cache_for =
      detail::layer_cache<traits_for<L>, strategy_for<L>, typename asked_params<L, P>::key_type>;

  template<class L>
  using place_of = std::conditional_t<is_shared_here<L>::value, cache_for<L>*, cache_for<L>>;

  template<class... L>
  static std::tuple<place_of<L>...> caches_for(mp::mp_list<L...>);

  template<class L>
  cache_for<L>& cache_of() {
    if constexpr (is_shared_here<L>::value)
      return *std::get<mp::mp_find<layers, L>::value>(caches_);
    else
      return std::get<mp::mp_find<layers, L>::value>(caches_);
  }
  template<class L>
  cache_for<L> const& cache_of() const {
    return const_cast<pipeline*>(this)->cache_of<L>();
  }

  template<class L>
  layer_statistics statistics_of() const {
    auto counters = cache_of<L>().cache.counters();
    counters.layer = detail::layer_name<L>();
    return counters;
  }

  template<class... Given>
  void give_all(Given&... given) {
    using needed = mp::mp_append<services, shared>;
    using stores = mp::mp_copy_if<mp::mp_list<Given...>, detail::is_store>;
    if constexpr (sound)
      if constexpr (detail::one_store_at_most<stores, keys>())
        if constexpr (detail::all_are_given(
                          mp::mp_remove_if<mp::mp_list<Given...>, detail::is_store>{}, needed{}))
          (give(given), ...);
  }
  template<class Store>
    requires detail::is_store<Store>::value
  void give(Store& store) {
    [&]<class... L>(mp::mp_list<L...>) { (keep_in<L>(store), ...); }(layers{});
  }
  template<class Stage>
  void give(shared_layer<Stage>& layer) {
    using L = typename shared_layer<Stage>::traits::layer;
    if constexpr (std::is_same_v<cache_for<L>, std::remove_reference_t<decltype(layer.cache_)>>)
      std::get<mp::mp_find<layers, L>::value>(caches_) = &layer.cache_;
    else
      static_cast<void>(error::other_shared_keys<L, P, typename traits_for<L>::params>());
  }
  template<class Service>
  void give(Service& service) {
    place_of_service<Service>() = &service;
  }

  // As a stage may change it, if any may.
  template<class Service>
  auto& place_of_service() {
    using changing = std::remove_const_t<Service>;
    if constexpr (mp::mp_contains<services, changing>::value)
      return std::get<changing*>(services_);
    else
      return std::get<changing const*>(services_);
  }

  // ---- the store -------------------------------------------------------------------------------

  template<class L>
  using stored_of = detail::stored_layer<cache_for<L>>;
  template<class... L>
  static std::tuple<std::unique_ptr<stored_of<L>>...> stored_for(mp::mp_list<L...>);

  template<class Traits>
  using validities_in = typename Traits::result::validities;

  template<class L, bool HasChecks>
  struct checks_key_of {
    using type = void;
  };
  template<class L>
  struct checks_key_of<L, true> {
    using type = own_key<detail::check_options, P>;
  };

  template<class L>
  void keep_in(artifact_store& store) {
    if constexpr (detail::is_stored_layer<cache_for<L>>()) {
      using validities =
          mp::mp_unique<mp::mp_flatten<mp::mp_transform<validities_in, typename parts::traits>>>;
      using checks = typename checks_key_of<L, traits_for<L>::has_checks>::type;
      using makers =
          std::conditional_t<mp::mp_any_of<typename parts::traits, detail::stage_requests>::value,
                             layers,
                             std::conditional_t<cache_for<L>::cutoff, mp::mp_list<L>, closure<L>>>;
      std::get<mp::mp_find<layers, L>::value>(stored_) =
          std::make_unique<detail::stored_layer_in<cache_for<L>, checks, validities>>(
              store, made_by(store, makers{}));
    }
  }

  // The code that has a part in an artifact.
  template<class... L>
  static std::string made_by(artifact_store const& store, mp::mp_list<L...>) {
    std::string all;
    (detail::add_maker<traits_for<L>>(all, store), ...);
    return all;
  }

  // What was stored, or the turn to make it.
  template<class L, class Asked, class Source>
  std::optional<typename cache_for<L>::made_type> load(
      detail::asking const& who, typename L::input const& input,
      typename detail::upstream_pointers<cache_for<L>>::type upstream, Asked const& asked,
      Source const& source, detail::store_turn& turn) {
    auto const* const stored = stored_of_layer<L>();
    if (!stored) return std::nullopt;
    auto const key = asked.key();
    auto const& params = detail::params_in(source);
    detail::stored_request<cache_for<L>> request{input,   upstream,    key.params,
                                                 nullptr, who.context, !who.by_stage};
    auto const loaded = [&] {
      if constexpr (traits_for<L>::has_checks) {
        auto const checks = make_checks_key<L>(params);
        request.checks = &checks;
        return stored->load(request, turn);
      } else
        return stored->load(request, turn);
    };
    auto made = loaded();
    if (made && told_)
      cache_of<L>().recent.template add<L, cache_for<L>::cutoff>(
          input, cache_for<L>::key_type::hash_of(key.contents, detail::hash_seed), params);
    return made;
  }
  template<class L>
  void save(detail::store_turn const& turn, typename cache_for<L>::made_type& made) {
    if (auto const* const stored = stored_of_layer<L>()) stored->save(turn, made);
  }
  template<class L>
  stored_of<L> const* stored_of_layer() const {
    return std::get<mp::mp_find<layers, L>::value>(stored_).get();
  }

  // ---- answers ---------------------------------------------------------------------------------

  // What a request came to. Under early cutoff, what comes along with the entry is more than what
  // it says itself: the same entry serves whatever led to the same content.
  template<class L>
  struct answer {
    typename cache_for<L>::found_type found;
    [[no_unique_address]] std::conditional_t<cache_for<L>::cutoff, detail::gathered,
                                             detail::no_input> more{};

    bool failed() const { return !found->result.has_value(); }

    void add_to(detail::gathered& all) const {
      if constexpr (cache_for<L>::cutoff) all.add(more);
      all.validity.add(found->record.validity);
      detail::add_messages(all.messages, found.messages());
      all.failed = all.failed || failed();
      all.unkept = all.unkept || !found->keep;
    }
  };

  template<class L>
  static void gather(detail::asking const& who, answer<L> const& a, detail::gathered& all) {
    a.add_to(all);
    // Where it is needed by itself in this epoch, it need not be so in others.
    if (a.failed() && a.found->result.error().kind == failure_kind::cyclic_request)
      all.validity.add(epoch_range{who.context.epoch, who.context.epoch});
  }

  template<class L>
  static outcome<typename L::artifact> deliver(answer<L> a) {
    if constexpr (cache_for<L>::cutoff)
      if (!a.more.messages.empty() && !is_thrown(a)) {
        auto messages = std::move(a.more.messages);
        detail::add_messages(messages, a.found.messages());
        return with_messages(std::move(a.found).deliver(), std::move(messages));
      }
    return std::move(a.found).deliver();
  }
  template<class L>
  static outcome<typename L::artifact> deliver(answer<L> a, std::vector<std::string> more) {
    auto result = deliver<L>(std::move(a));
    if (more.empty()) return result;
    auto messages = detail::outcome_access::messages(result);
    for (auto& each : more)
      messages.push_back(detail::new_message(std::move(each)));
    return with_messages(std::move(result), std::move(messages));
  }

  template<class A>
  static outcome<A> with_messages(outcome<A> of, detail::shared_messages messages) {
    return detail::outcome_access::with(std::move(of), std::move(messages));
  }

  template<class L>
  static bool is_thrown([[maybe_unused]] answer<L> const& a) {
#if defined(__cpp_exceptions)
    return a.found->thrown != nullptr;
#else
    return false;
#endif
  }

  // ---- requests --------------------------------------------------------------------------------

  template<class L, class Source>
  LAYERKEY_ALWAYS_INLINE outcome<typename L::artifact> answer_to(typename L::input const& input,
                                                                 Source const& source,
                                                                 request_context const& context) {
    if constexpr (!has<L>())
      return diagnostics{};
    else {
      if constexpr (!cache_for<L>::cutoff && !has_checks_in<L>)
        if (auto hit = look_up<L, false>(input, source, context); hit.found) [[likely]]
          return std::move(hit.found).deliver();
      return make_answer_to<L>(input, source, context);
    }
  }

  template<class L, class Source>
  LAYERKEY_COLD outcome<typename L::artifact> make_answer_to(typename L::input const& input,
                                                             Source const& source,
                                                             request_context const& context) {
    detail::verified_entries verified(&detail::params_in(source));
    detail::asking const who{context, detail::flight_of_this_thread, &verified};
    if constexpr (!has_checks_in<L>)
      return deliver<L>(find_or_make<L>(who, input, source));
    else {
      check_result said;
      if (auto failure = check_upstream<L>(who, input, source, closure<L>{}, said))
        return std::move(*failure);
      return deliver<L>(find_or_make<L>(who, input, source), std::move(said.messages));
    }
  }

  template<class L, class Source>
  LAYERKEY_ALWAYS_INLINE std::optional<outcome<typename L::artifact>> find_only(
      typename L::input const& input, Source const& source, request_context const& context) {
    if constexpr (!has<L>())
      return std::nullopt;
    else if constexpr (cache_for<L>::cutoff || has_checks_in<L>)
      return static_cast<void>(error::find_has_to_ask<L>()), std::nullopt;
    else {
      auto hit = look_up<L, true>(input, source, context);
      if (!hit.found) return std::nullopt;
      // Built in its place: where it is moved, g++ reads the pin before it is written out.
      struct delivered {
        answer<L>& hit;
        LAYERKEY_ALWAYS_INLINE operator outcome<typename L::artifact>() const {
          return std::move(hit.found).deliver();
        }
      };
      return std::optional<outcome<typename L::artifact>>(std::in_place, delivered{hit});
    }
  }

  // `ForSure`: a miss is confirmed.
  template<class L, bool ForSure, class Source>
  LAYERKEY_ALWAYS_INLINE answer<L> look_up(typename L::input const& input, Source const& source,
                                           request_context const& context) {
    typename cache_for<L>::contents const none;
    typename cache_for<L>::template asked<asked_params<L, Source>> const asked(
        input, none, asked_params<L, Source>{source});
    auto const accepts = [&](auto const& entry) {
      auto const& validity = entry.made().record.validity;
      return validity.empty() || validity.holds(context);
    };
    if constexpr (ForSure)
      return answer<L>{cache_of<L>().cache.find_for_sure(asked, accepts)};
    else
      return answer<L>{cache_of<L>().cache.find(asked, accepts)};
  }

  // `source`: P, sealed P, or another struct with the same keys.
  template<class L, class Source>
  answer<L> find_or_make(detail::asking const& who, typename L::input const& input,
                         Source const& source) {
    if constexpr (cache_for<L>::cutoff)
      return find_or_make_by_content<L>(who, input, source);
    else
      return find_or_make_by_params<L>(who, input, source);
  }

  template<class L, class Source>
  LAYERKEY_COLD answer<L> find_or_make_by_params(detail::asking const& who,
                                                 typename L::input const& input,
                                                 Source const& source) {
    typename cache_for<L>::contents const none;
    typename cache_for<L>::template asked<asked_params<L, Source>> const asked(
        input, none, asked_params<L, Source>{source});
    auto const is_right = [&](auto const& entry) {
      auto const& validity = entry.made().record.validity;
      return validity.empty() || validity.holds(who.context);
    };
    auto const accepts = [&](auto const& entry) {
      return is_right(entry) && was_checked<L>(entry.made().record, source);
    };
    auto& cache = cache_of<L>().cache;
    if (auto hit = cache.find(asked, accepts)) return {std::move(hit)};

    return {cache.get_or_make(
        asked, accepts, who.parent, who.context.stop,
        {describe<L>, &input, who.context.epoch, cache_for<L>::cutoff}, [&](detail::flight& own) {
          return count_if_it_ran<L>([&](bool& ran) {
            detail::asking const inner{who.context, &own, who.verified, who.by_stage};
            detail::store_turn turn;
            auto loaded = load<L>(who, input, {}, asked, source, turn);
            auto made =
                loaded ? std::move(*loaded) : run_with_upstream<L>(inner, input, none, source, ran);
            if constexpr (traits_for<L>::has_checks) unify<L>(asked, made, is_right);
            if (!made.loaded) save<L>(turn, made);
            return made;
          });
        })};
  }

  template<class L, class Source>
  answer<L> find_or_make_by_content(detail::asking const& who, typename L::input const& input,
                                    Source const& source) {
    auto& cache = cache_of<L>().cache;
    detail::gathered before;
    auto const upstream = upstream_of<L>(who, input, source, typename L::upstream{}, before);
    if (auto failure = failure_in<L>(upstream, before)) {
      failure->messages = {};
      return {cache.fail(std::move(*failure)), std::move(before)};
    }
    auto const content = contents_of<L>(upstream);
    typename cache_for<L>::template asked<asked_params<L, Source>> const asked(
        input, content, asked_params<L, Source>(source));

    detail::gathered more = before;  // an entry that always serves is not asked
    detail::requests const by = requests_with(detail::params_in(source));
    auto const is_right = [&](auto const& entry, detail::asking const& asks,
                              detail::gathered& along) {
      auto const& record = entry.made().record;
      if (!record.validity.empty() && !record.validity.holds(who.context)) return false;
      along = before;
      if (record.depends_on.empty()) return true;
      if (asks.verified && asks.verified->knows(entry, by.params, along)) return true;
      detail::comparing const here(&entry);
      if (here.circles()) return false;
      detail::gathered of_requests;
      for (auto const& each : record.depends_on)
        if (!each->is_same(by, asks, of_requests)) return false;
      along.add(of_requests);
      if (asks.verified) asks.verified->add(entry, by.params, std::move(of_requests));
      return true;
    };
    auto const accepts = [&](auto const& entry) {
      return was_checked<L>(entry.made().record, source) && is_right(entry, who, more);
    };
    if (auto hit = cache.find(asked, accepts)) return {std::move(hit), std::move(more)};
    auto found = cache.get_or_make(
        asked, accepts, who.parent, who.context.stop,
        {describe<L>, &input, who.context.epoch, cache_for<L>::cutoff}, [&](detail::flight& own) {
          return count_if_it_ran<L>([&](bool& ran) {
            detail::asking const inner{who.context, &own, who.verified, who.by_stage};
            detail::gathered kept;
            more = before;
            detail::store_turn turn;
            auto loaded = load<L>(who, input, artifacts_of<L>(upstream), asked, source, turn);
            auto made = loaded ? std::move(*loaded)
                               : run<L>(inner, input, content, upstream, source, kept, more, ran);
            if constexpr (traits_for<L>::has_checks)
              unify<L>(asked, made, [&](auto const& each) {
                detail::gathered along;
                return is_right(each, inner, along);
              });
            if (!made.loaded) save<L>(turn, made);
            return made;
          });
        });
    return {std::move(found), std::move(more)};
  }

  template<class L>
  LAYERKEY_COLD static std::string describe(void const* input) {
    std::string text = detail::layer_name<L>() + " of ";
    detail::print(text, *static_cast<typename L::input const*>(input));
    return text;
  }

  template<class L, class Source, class... U>
  std::tuple<answer<U>...> upstream_of(detail::asking const& who, typename L::input const& input,
                                       Source const& source, mp::mp_list<U...>,
                                       detail::gathered& more) {
    // Braces, so that they are asked for in order.
    [[maybe_unused]] bool failed = false;
    return {find_or_make_unless<U>(failed, who, input, source, more)...};
  }

  // Behind a failure nothing else is asked for.
  template<class L, class Source>
  answer<L> find_or_make_unless(bool& failed, detail::asking const& who,
                                typename L::input const& input, Source const& source,
                                detail::gathered& more) {
    if (failed) return {};
    auto a = find_or_make<L>(who, input, source);
    failed = a.failed();
    gather<L>(who, a, more);
    return a;
  }

  template<class L, class Upstream>
  static std::optional<typename cache_for<L>::made_type> failure_in(Upstream const& upstream,
                                                                    detail::gathered const& more) {
    std::optional<typename cache_for<L>::made_type> failure;
    auto const look = [&](auto const& each) {
      if (failure || !each.found || !each.failed()) return;
      failure.emplace(typename cache_for<L>::made_type{each.found->result.error()});
      failure->ran = false;
      failure->messages = more.messages;
      failure->record.validity = more.validity;
#if defined(__cpp_exceptions)
      failure->thrown = each.found->thrown;
#endif
    };
    std::apply([&look](auto const&... each) { (look(each), ...); }, upstream);
    return failure;
  }

  template<class L, class Upstream>
  static auto contents_of(Upstream const& upstream) {
    return std::apply(
        [](auto const&... each) {
          return typename cache_for<L>::contents(
              detail::whole_value<std::remove_cvref_t<decltype(*each.found->result)>>(
                  *each.found->result)...);
        },
        upstream);
  }

  template<class L, class Upstream>
  static auto artifacts_of(Upstream const& upstream) {
    return std::apply(
        [](auto const&... each) {
          return typename detail::upstream_pointers<cache_for<L>>::type(&*each.found->result...);
        },
        upstream);
  }

  // ---- runs ------------------------------------------------------------------------------------

  template<class L, class Content, class Source>
  typename cache_for<L>::made_type run_with_upstream(detail::asking const& who,
                                                     typename L::input const& input,
                                                     Content const& content, Source const& source,
                                                     bool& ran) {
    detail::gathered more;
    auto const upstream = upstream_of<L>(who, input, source, typename L::upstream{}, more);
    if (auto failure = failure_in<L>(upstream, more)) return std::move(*failure);
    detail::gathered not_kept;
    return run<L>(who, input, content, upstream, source, more, not_kept, ran);
  }

  // What is thrown before the stage begins, by a callback for one, is a failure without a run.
  template<class L, class Make>
  static typename cache_for<L>::made_type count_if_it_ran(Make&& make) {
    bool ran = false;
    auto made = detail::caught<typename cache_for<L>::made_type>([&] { return make(ran); });
    made.ran = made.ran && ran;
    return made;
  }

  // `kept`: what the entry inherits. `more`: what comes along for who asked; under early cutoff
  // that is not the entry's.
  template<class L, class Content, class Upstream, class Source>
  LAYERKEY_COLD typename cache_for<L>::made_type run(detail::asking const& who,
                                                     typename L::input const& input,
                                                     Content const& content,
                                                     Upstream const& upstream, Source const& source,
                                                     detail::gathered& kept, detail::gathered& more,
                                                     bool& ran) {
    using made_type = typename cache_for<L>::made_type;
    if (who.context.stop.stop_requested()) {
      made_type cancelled{
          diagnostics{"cancelled before " + describe<L>(&input), failure_kind::cancelled}};
      cancelled.ran = false;
      return cancelled;
    }
    auto const& params = detail::params_in(source);
    auto& recent = cache_of<L>().recent;
    auto const upstream_hash = cache_for<L>::key_type::hash_of(content, detail::hash_seed);
    if (told_)
      told_(recent.template nearest<L, cache_for<L>::cutoff>(input, upstream_hash, params));
    if (progress_) progress_({detail::layer_name<L>(), progress::started, {}});

    detail::request_log log{requests_with(params), who};
    log.who.by_stage = true;
    detail::said_by_stage said;
    ran = true;
    auto const start = std::chrono::steady_clock::now();
    auto made = detail::caught<made_type>(
        [&] { return made_type{call<L>(input, upstream, params, log, said)}; });
    // Nobody knows which request failed because who asks gave up: so it is for nobody else.
    if (log.more.failed && who.context.stop.stop_requested())
      made = made_type{
          diagnostics{"cancelled during " + describe<L>(&input), failure_kind::cancelled}};
    auto const took = std::chrono::steady_clock::now() - start;
    // What was requested in between is counted where it was made; several threads may have asked.
    made.spent = std::max(took - log.waited, std::chrono::steady_clock::duration::zero());
    if (progress_)
      progress_({detail::layer_name<L>(), made.result ? progress::finished : progress::failed,
                 made.spent});

    // Under early cutoff what was requested is compared, and need not be kept itself.
    made.keep = !log.more.failed && (cache_for<L>::cutoff || (!log.more.unkept && !kept.unkept));
    made.record.costs = costs_of<L>(upstream, took);
    for (auto const& each : made.record.costs) made.cost += each.spent;
    (cache_for<L>::cutoff ? more : kept).add(log.more);
    made.messages = kept.messages;
    detail::add_messages(made.messages, detail::outcome_access::messages(made.result));
    made.record.validity = std::move(said.validity);
    made.record.validity.add(kept.validity);
#if defined(__cpp_exceptions)
    // It says nothing about other epochs.
    if (made.thrown) made.record.validity.add(epoch_range{who.context.epoch, who.context.epoch});
#endif
    if constexpr (cache_for<L>::cutoff) made.record.depends_on = std::move(log.depends_on);
    if constexpr (traits_for<L>::has_checks) {
      using key_type = checks_key<L>;
      made.record.checks = std::make_shared<key_type const>(make_checks_key<L>(params));
      made.record.checks_type = detail::id_of<key_type>;
      made.record.checked = std::move(said.check);
    }
    if (told_ && made.result)
      recent.template add<L, cache_for<L>::cutoff>(input, upstream_hash, params);
    return made;
  }

  // A hit under early cutoff saves the stage's own run only: upstream is asked all the same.
  template<class L, class Upstream>
  static std::vector<detail::cost_of_layer> costs_of(Upstream const& upstream,
                                                     std::chrono::nanoseconds spent) {
    std::vector<detail::cost_of_layer> all;
    if constexpr (!cache_for<L>::cutoff)
      std::apply([&all](auto const&... each) { (merge(all, each.found->record.costs), ...); },
                 upstream);
    merge(all, {{detail::id_of<L>, spent}});
    return all;
  }
  static void merge(std::vector<detail::cost_of_layer>& all,
                    std::vector<detail::cost_of_layer> const& more) {
    for (auto const& each : more)
      if (std::none_of(all.begin(), all.end(),
                       [&each](auto const& have) { return have.layer == each.layer; }))
        all.push_back(each);
  }

  template<class L, class Upstream, class Params>
  outcome<typename L::artifact> call(typename L::input const& input, Upstream const& upstream,
                                     Params const& params, detail::request_log& log,
                                     detail::said_by_stage& said) {
    using stage = traits_for<L>;
    return std::apply(
        [&](auto const&... each) {
          return [&]<class... Behind>(mp::mp_list<Behind...>) {
            if constexpr (stage::takes_input)
              return stage::result::take(
                  stage::function(input, *each.found->result..., hand<stage>(params),
                                  behind_view<L, Behind>(params, log)...),
                  said);
            else
              return stage::result::take(
                  stage::function(*each.found->result..., hand<stage>(params),
                                  behind_view<L, Behind>(params, log)...),
                  said);
          }(typename stage::behind_view{});
        },
        upstream);
  }

  template<class Stage, class Params>
  static typename Stage::handed hand(Params const& params) {
    using L = typename Stage::layer;
    if constexpr (std::is_same_v<typename Stage::params, Params>)
      return typename Stage::handed(params);
    else
      return typename Stage::handed(detail::normal<L, Params>::of(params));
  }

  template<class L, class T, class Params>
  decltype(auto) behind_view(Params const& params, detail::request_log& log) {
    using bare = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<bare, requester<L>>)
      return detail::requester_access<cache_for<L>::cutoff>::template make<L>(log);
    else if constexpr (detail::is_checks_view<bare>::value)
      return bare(checks_params<bare>(params));
    else
      return static_cast<T>(*place_of_service<std::remove_reference_t<T>>());
  }

  // ---- requests of stages ----------------------------------------------------------------------

  // The structs that requests can be made with: P, and those whose keys are the same. Those of
  // another strategy need not be, even where their type is.
  template<class Traits>
  using params_in_stage = typename Traits::params;
  using params_of_requests =
      std::conditional_t<std::is_same_v<keys, exact>,
                         mp::mp_unique<mp::mp_push_front<
                             mp::mp_transform<params_in_stage, typename parts::traits>, P>>,
                         mp::mp_list<P>>;

  template<class Params>
  detail::requests requests_with(Params const& params) {
    if constexpr (mp::mp_any_of<typename parts::traits, detail::stage_requests>::value)
      return {this, &pipeline::find_request, &params, detail::id_of<Params>};
    else
      return {this, nullptr, &params, detail::id_of<Params>};
  }

  static detail::requests::function find_request(detail::type_id layer, detail::type_id params) {
    detail::requests::function found = nullptr;
    []<class... L>(mp::mp_list<L...>, detail::type_id l, detail::type_id p,
                   detail::requests::function& f) {
      ((l == detail::id_of<L> ? find_request_of<L>(p, f, params_of_requests{}) : void()), ...);
    }(layers{}, layer, params, found);
    return found;
  }
  template<class L, class... Params>
  static void find_request_of(detail::type_id params, detail::requests::function& found,
                              mp::mp_list<Params...>) {
    (
        [&] {
          if constexpr (can_be_asked_with<L, Params>())
            if (params == detail::id_of<Params>) found = &pipeline::answer_request<L, Params>;
        }(),
        ...);
  }

  template<class L, class Params>
  static consteval bool can_be_asked_with() {
    if constexpr (std::is_same_v<Params, P>)
      return true;
    else
      return []<class... U>(mp::mp_list<U...>) {
        return (stage_can_be_asked_with<U, Params>() && ...);
      }(closure<L>{});
  }
  template<class L, class Params>
  static consteval bool stage_can_be_asked_with() {
    using stage_params = typename traits_for<L>::params;
    if constexpr (!std::is_same_v<typename asked_params<L, Params>::key_type,
                                  typename asked_params<L, P>::key_type>)
      return false;
    else
      return !traits_for<L>::has_checks && (std::is_same_v<stage_params, Params> ||
                                            std::is_same_v<stage_params, normal_params<L, Params>>);
  }

  template<class L, class Params>
  static void answer_request(void* self, detail::asking const& who, void const* input,
                             void const* params, detail::gathered& more, void* result) {
    auto found = static_cast<pipeline*>(self)->template find_or_make<L>(
        who, *static_cast<typename L::input const*>(input), *static_cast<Params const*>(params));
    gather<L>(who, found, more);
    static_cast<std::optional<outcome<typename L::artifact>>*>(result)->emplace(
        deliver<L>(std::move(found)));
  }

  // ---- checks ----------------------------------------------------------------------------------

  template<class L>
  struct is_check_of {
    template<class Check>
    using fn = std::is_same<typename detail::is_check<Check>::layer, L>;
  };
  template<class L>
  using checks_of = mp::mp_copy_if_q<detail::check_entries<Stages...>, is_check_of<L>>;

  template<class L>
  static consteval bool layer_has_checks() {
    return !mp::mp_empty<checks_of<L>>::value || traits_for<L>::has_checks;
  }
  template<class L>
  static constexpr bool has_checks_in =
      []<class... U>(mp::mp_list<U...>) { return (layer_has_checks<U>() || ...); }(closure<L>{});

  // Upstream first, so that nothing is made of what fails a check.
  template<class L, class Source, class... U>
  std::optional<outcome<typename L::artifact>> check_upstream(detail::asking const& who,
                                                              typename L::input const& input,
                                                              Source const& source,
                                                              mp::mp_list<U...>,
                                                              check_result& said) {
    std::optional<outcome<typename L::artifact>> failure;
    ((failure ? void() : check_layer<U>(who, input, source, said, failure)), ...);
    return failure;
  }

  template<class L, class Source, class Failure>
  void check_layer(detail::asking const& who, typename L::input const& input, Source const& source,
                   check_result& said, Failure& failure) {
    if constexpr (layer_has_checks<L>()) {
      auto const a = find_or_make<L>(who, input, source);
      if (a.failed()) return;  // so does what is made of it, and says why
      auto const hear = [&](check_result result) {
        if (failure) return;
        for (auto& each : result.messages) said.messages.push_back(std::move(each));
        if (result.failure) failure.emplace(std::move(*result.failure), std::move(said.messages));
      };
      if constexpr (traits_for<L>::has_checks) hear(a.found->record.checked);
      [&]<class... Check>(mp::mp_list<Check...>) {
        (hear(detail::is_check<Check>::function(*a.found->result,
                                                checks_view<P>(detail::params_in(source)))),
         ...);
      }(checks_of<L>{});
    }
  }

  template<class L>
  using checks_key = own_key<detail::check_options, P>;

  template<class L, class Params>
  static auto make_checks_key(Params const& params) {
    return make_own_key<detail::check_options>(params);
  }

  // The struct that a stage's checks_view reads.
  template<class View, class Params>
  static auto const& checks_params(Params const& params) {
    using wanted = typename detail::checks_view_params<View>::type;
    if constexpr (std::is_same_v<wanted, Params>)
      return params;
    else
      return detail::normal<detail::check_options, Params>::of(params);
  }

  template<class L, class Source>
  static bool was_checked([[maybe_unused]] detail::entry_record const& record,
                          [[maybe_unused]] Source const& source) {
    if constexpr (traits_for<L>::has_checks) {
      using key_type = checks_key<L>;
      return record.checks_type == detail::id_of<key_type> &&
             *static_cast<key_type const*>(record.checks.get()) ==
                 make_checks_key<L>(detail::params_in(source));
    } else
      return true;
  }

  // What was made again for other checks has to be what was made before, and is then the same.
  template<class L, class Asked, class IsRight>
  void unify(Asked const& asked, typename cache_for<L>::made_type& made, IsRight const& is_right) {
    if (!made.result) return;
    auto before = cache_of<L>().cache.peek(
        asked, [&is_right](auto const& each) { return each.artifact && is_right(each); });
    if (!before) return;
    if (detail::same_artifact<L>(*before->result, *made.result))
      made.result = std::move(before).deliver();
    else
      cache_of<L>().cache.count_drift();
  }

  std::unique_ptr<artifact_store> own_store_;
  std::conditional_t<sound, decltype(stored_for(layers{})), std::tuple<>> stored_;
  std::conditional_t<sound, decltype(caches_for(layers{})), std::tuple<>> caches_;
  mp::mp_rename<mp::mp_transform<std::add_pointer_t, services>, std::tuple> services_;
  std::function<void(run_report const&)> told_;
  std::function<void(progress const&)> progress_;
};

}  // namespace layerkey
