// For a place that asks a pipeline the same question again and again, as a kernel launch does.
#pragma once

#include <layerkey/cache/detail/layer_cache.hpp>
#include <layerkey/cache/detail/pins.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/pipeline.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/inline.hpp>
#include <layerkey/detail/whole_value.hpp>
#include <layerkey/key.hpp>
#include <layerkey/sealed.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace layerkey {

// Remembers the last answer of layer L and compares the next question with that one, in full,
// before it asks the pipeline. For one thread at a time; refers to the pipeline, and keeps the
// artifact alive. Its hits are in the pipeline's statistics when it asks the pipeline again or goes
// away.
template<class Pipeline, class L>
class call_site {
  using params_type = typename Pipeline::params;
  using input_type = typename L::input;

 public:
  explicit call_site(Pipeline& pipeline) : pipeline_(&pipeline) {
    // So that the pins of the thread end after a call site that is thread_local.
    static_cast<void>(detail::pin_domain::here());
  }
  call_site(call_site const&) = delete;
  call_site& operator=(call_site const&) = delete;
  ~call_site() { count(); }

  // What pipeline.get<L>() would answer. Valid until the next call. A failure is not remembered.
  LAYERKEY_ALWAYS_INLINE outcome<typename L::artifact> const& get(
      input_type const& input, params_type const& params,
      request_context const& context = detail::no_context) {
    return ask(input, params, context);
  }
  template<class... Layers>
  LAYERKEY_ALWAYS_INLINE outcome<typename L::artifact> const& get(
      input_type const& input, sealed<params_type, Layers...> const& params,
      request_context const& context = detail::no_context) {
    return ask(input, params, context);
  }

 private:
  struct question {
    detail::whole_value<input_type> input;
    key<L, params_type> params;
  };

  template<class Source>
  LAYERKEY_ALWAYS_INLINE outcome<typename L::artifact> const& ask(input_type const& input,
                                                                  Source const& params,
                                                                  request_context const& context) {
    if constexpr (Pipeline::template has<L>()) return ask_known(input, params, context);
    return answer_;
  }

  template<class Source>
  LAYERKEY_ALWAYS_INLINE outcome<typename L::artifact> const& ask_known(
      input_type const& input, Source const& params, request_context const& context) {
    auto const erasures = pipeline_->template cache_of<L>().cache.erasures();
    if (last_ && last_->input.is_of(input) && key_equal<L>{}(last_->params, params) &&
        erasures == erasures_ && (validity_.empty() || validity_.holds(context))) [[likely]] {
      ++hits_;
      return answer_;
    }
    return ask_pipeline(input, params, context, erasures);
  }

  template<class Source>
  [[gnu::noinline]] outcome<typename L::artifact> const& ask_pipeline(
      input_type const& input, Source const& params, request_context const& context,
      std::uint64_t erasures) {
    count();
    last_.reset();
    if constexpr (Pipeline::template has_checks_in<L>)
      answer_ = pipeline_->template get<L>(input, params, context);
    else {
      detail::verified_entries verified(&detail::params_in(params));
      auto found = pipeline_->template find_or_make<L>(
          {context, detail::flight_of_this_thread, &verified}, input, params);
      detail::gathered more;
      found.add_to(more);
      bool const keep = found.found->result && !more.unkept;
      cost_ = found.found->cost;
      answer_ = Pipeline::template deliver<L>(std::move(found));
      if (keep) {
        last_.emplace(question{detail::whole_value<input_type>(input),
                               make_key<L>(detail::params_in(params))});
        validity_ = std::move(more.validity);
        erasures_ = erasures;
      }
    }
    return answer_;
  }

  void count() {
    if constexpr (Pipeline::template has<L>())
      if (hits_ != 0)
        pipeline_->template cache_of<L>().cache.count_hits(std::exchange(hits_, 0), cost_);
  }

  Pipeline* pipeline_;
  std::optional<question> last_;
  detail::validity_set validity_;
  std::uint64_t erasures_ = 0;
  std::uint64_t hits_ = 0;
  std::chrono::nanoseconds cost_{};
  outcome<typename L::artifact> answer_{diagnostics{"nothing was asked yet"}};
};

}  // namespace layerkey
