// How a stage asks for other artifacts while it runs.
#pragma once

#include <layerkey/cache/detail/cache_core.hpp>
#include <layerkey/cache/detail/flights.hpp>
#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/validity.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/whole_value.hpp>
#include <layerkey/layer.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace layerkey {

// Each says false, so that what follows a mistake is left out and one mistake is one error.
namespace error {

template<class Layer, class Requested>
constexpr bool a_stage_requests_upstream_of_itself = false;
template<class Layer, class Requested>
consteval bool request_downstream() {
  static_assert(
      a_stage_requests_upstream_of_itself<Layer, Requested>,
      "layerkey: with the params of its own request a stage may ask for artifacts of its own layer "
      "and of layers upstream of it, and this layer is neither: its key has members that the "
      "stage's "
      "key lacks. Give the params along that you built from the view: get<Layer>(input, params).");
  return false;
}

}  // namespace error

namespace detail {

// What comes along with the artifacts that something is made from.
struct gathered {
  validity_set validity;
  shared_messages messages;
  bool failed = false;  // something that was requested
  bool unkept = false;  // something is for this request only

  void add(gathered const& more) {
    validity.add(more.validity);
    add_messages(messages, more.messages);
    failed = failed || more.failed;
    unkept = unkept || more.unkept;
  }
};

// Entries whose dependencies have been requested again in the course of one request of somebody's,
// and what came along with them: once is enough, as often as they are come to. For the params of
// that request only, which lie at one address.
class verified_entries {
 public:
  explicit verified_entries(void const* params) : params_(params) {}

  bool knows(cached const& entry, void const* params, gathered& along) {
    if (params != params_) return false;
    std::lock_guard const lock(mutex_);
    auto const at = known_.find(&entry);
    if (at == known_.end()) return false;
    along.add(at->second.along);
    return true;
  }
  void add(cached const& entry, void const* params, gathered along) {
    if (params != params_) return;
    std::lock_guard const lock(mutex_);
    known_.try_emplace(&entry, known{hold::own(&entry), std::move(along)});
  }

 private:
  struct known {
    hold entry;  // so that the address is of no other
    gathered along;
  };

  void const* const params_;
  std::mutex mutex_;  // a stage may ask from several threads
  std::unordered_map<cached const*, known> known_;
};

// Who asks.
struct asking {
  request_context const& context;
  flight* parent = nullptr;              // the run whose stage asks
  verified_entries* verified = nullptr;  // in the course of this request
  bool by_stage = false;                 // through a requester
};

struct requests;

// What a stage under early cutoff requested, and what that was.
struct dependency {
  virtual ~dependency() = default;
  // Requests it again. Where it is the same, `more` has what comes along with it.
  virtual bool is_same(requests const& by, asking const& who, gathered& more) const = 0;
};

using dependencies = std::vector<std::shared_ptr<dependency const>>;

// A pipeline, as far as its stages know it. `result` is an optional of an outcome.
struct requests {
  using function = void (*)(void* pipeline, asking const& who, void const* input,
                            void const* params, gathered& more, void* result);
  using lookup = function (*)(type_id layer, type_id params);

  void* pipeline;
  lookup find;
  void const* params;
  type_id params_type;
};

// Of a stage that runs.
struct request_log {
  requests by;
  asking who;
  std::mutex mutex{};  // a stage may ask from several threads
  gathered more{};
  dependencies depends_on{};
  std::chrono::nanoseconds waited{};  // for what was requested
};

template<class Layer>
outcome<typename Layer::artifact> request(requests const& by, asking const& who,
                                          typename Layer::input const& input, void const* params,
                                          type_id params_type, gathered& more) {
  auto const ask = by.find(id_of<Layer>, params_type);
  if (!ask)
    return diagnostics{
        "a stage requests an artifact with params that its pipeline does not have: neither the "
        "pipeline's own, nor those that the stages of that layer and upstream of it read"};
  std::optional<outcome<typename Layer::artifact>> result;
  ask(by.pipeline, who, &input, params, more, &result);
  return std::move(*result);
}

struct the_requests_own {};

template<class Layer, class Params>
struct dependency_of final : dependency {
  typename Layer::input input;
  Params params;
  whole_value<typename Layer::artifact> content;

  dependency_of(typename Layer::input const& i, Params const& p,
                typename Layer::artifact const& artifact)
      : input(i), params(p), content(artifact) {}

  bool is_same(requests const& by, asking const& who, gathered& more) const override {
#if defined(__cpp_exceptions)
    try {
      return ask_again(by, who, more);
    } catch (...) {
      return false;  // the stage shall see it itself
    }
#else
    return ask_again(by, who, more);
#endif
  }

  bool ask_again(requests const& by, asking const& who, gathered& more) const {
    auto const now = [&] {
      if constexpr (std::is_same_v<Params, the_requests_own>)
        return request<Layer>(by, who, input, by.params, by.params_type, more);
      else
        return request<Layer>(by, who, input, &params, id_of<Params>, more);
    }();
    return now && content.is_of(*now);
  }
};

// A request that failed. What its stage then made is not kept; and who waits for that may have
// come to it from other params, with which the request would not fail.
struct never_the_same final : dependency {
  bool is_same(requests const&, asking const&, gathered&) const override { return false; }
};

template<bool Cutoff>
struct requester_access;

}  // namespace detail

// Given to a stage of Layer that takes it behind its view. Valid while the stage runs, on any
// thread. What it obtains is recorded: under early_cutoff the entry serves again only where
// everything that was requested has the same content, and the entry inherits the validity of it
// all. An artifact that was made although a request failed is not kept.
template<class Layer>
class requester {
 public:
  // With the params of the request that the stage runs for. For Layer itself and upstream layers.
  // A request for something that is being made in order to serve this one is the error
  // failure_kind::cyclic_request, and all that take part fail.
  template<class Requested>
  outcome<typename Requested::artifact> get(typename Requested::input const& input) const {
    if constexpr (!mp::mp_contains<closure<Layer>, Requested>::value) {
      static_cast<void>(error::request_downstream<Layer, Requested>());
      return diagnostics{};
    } else
      return get_with<Requested>(input, detail::the_requests_own{}, log_->by.params,
                                 log_->by.params_type);
  }

  // With params that the stage built from its view, of any layer of the pipeline: the pipeline's
  // params, or the per_member struct in them that its stages read. Nothing else may go into them.
  template<class Requested, class Params>
  outcome<typename Requested::artifact> get(typename Requested::input const& input,
                                            Params const& params) const {
    return get_with<Requested>(input, params, &params, detail::id_of<Params>);
  }

  // The epoch that is asked about. A stage that looks returns with_validity<A, epoch_range>.
  std::uint64_t epoch() const { return log_->who.context.epoch; }

  // Whether who asked wants it no more; then the stage may return diagnostics with
  // failure_kind::cancelled, and who else waits for the artifact asks anew.
  bool stop_requested() const { return log_->who.context.stop.stop_requested(); }

 private:
  friend detail::requester_access<true>;
  friend detail::requester_access<false>;

  requester(detail::request_log& log, bool cutoff) : log_(&log), cutoff_(cutoff) {}

  template<class Requested, class Kept>
  outcome<typename Requested::artifact> get_with(typename Requested::input const& input,
                                                 Kept const& kept, void const* params,
                                                 detail::type_id params_type) const {
    detail::gathered more;
    auto const ask = [&] {
      return detail::request<Requested>(log_->by, log_->who, input, params, params_type, more);
    };
#if defined(__cpp_exceptions)
    auto result = [&] {
      try {
        return ask();
      } catch (...) {
        more.failed = true;
        record(more, cutoff_ ? std::make_shared<detail::never_the_same const>() : nullptr);
        throw;
      }
    }();
#else
    auto result = ask();
#endif
    if (!cutoff_)
      record(more, nullptr);
    else if (!result)
      record(more, std::make_shared<detail::never_the_same const>());
    else if constexpr (detail::keyable<typename Requested::artifact>)
      record(more,
             std::make_shared<detail::dependency_of<Requested, Kept> const>(input, kept, *result));
    else {
      more.failed = true;  // nothing to compare by, so it is not kept
      record(more, std::make_shared<detail::never_the_same const>());
    }
    return result;
  }

  void record(detail::gathered const& more,
              std::shared_ptr<detail::dependency const> depends_on) const {
    std::lock_guard const lock(log_->mutex);
    log_->more.add(more);
    if (depends_on) log_->depends_on.push_back(std::move(depends_on));
  }

  detail::request_log* log_;
  bool cutoff_;
};

namespace detail {

template<bool Cutoff>
struct requester_access {
  template<class Layer>
  static requester<Layer> make(request_log& log) {
    return requester<Layer>(log, Cutoff);
  }
};

}  // namespace detail
}  // namespace layerkey
