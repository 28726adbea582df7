// Why a stage runs: what keeps the request apart from the nearest artifact that the cache holds.
#pragma once

#include <layerkey/detail/whole_value.hpp>
#include <layerkey/explain.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace layerkey {

enum class run_reason : std::uint8_t {
  first_of_its_input,  // nothing is stored for this input, or this layer of the pipeline
  members_differ,      // something is stored, for other params: see run_report::differences
  upstream_differs,    // under early_cutoff: the upstream artifacts have other content
};

// Told before a stage runs, to the function that pipeline::on_run was given.
struct run_report {
  std::string layer;
  run_reason reason = run_reason::first_of_its_input;
  std::vector<difference> differences;  // stored value -> asked value, of the nearest entry
};

// Told when a run of a stage begins, and when it ends.
struct progress {
  enum event : std::uint8_t { started, finished, failed };

  std::string layer;
  event what = started;
  std::chrono::nanoseconds spent{};  // until it ended
};

namespace detail {

// What a layer saw of the params of what it made of late, so that the nearest can be found; the
// params themselves are not kept. Bounded: an entry that was pushed out is no longer compared with,
// though its artifact is still served.
template<class Layer, class Input, class Upstream, bool Cutoff>
class recent_runs {
 public:
  static constexpr std::size_t most = 1024;

  template<class P>
  run_report nearest(Input const& asked_input, Upstream const& upstream, P const& params) const {
    whole_value<Input> const input(asked_input);
    run_report report{layer_name<Layer>(), run_reason::first_of_its_input, {}};
    auto const asked = seen_by<Layer, !Cutoff>(params);
    std::size_t distance = 0;
    std::lock_guard const lock(mutex_);
    for (auto const& each : recent_) {
      if (!(each.input == input)) continue;
      auto found = differences(each.seen, asked);
      std::size_t const here = found.size() + (each.upstream == upstream ? 0 : 1);
      if (here == 0) continue;  // the very artifact asked for: forgotten meanwhile
      if (report.reason != run_reason::first_of_its_input && here >= distance) continue;
      report.reason = found.empty() ? run_reason::upstream_differs : run_reason::members_differ;
      report.differences = std::move(found);
      distance = here;
    }
    return report;
  }

  template<class P>
  void add(Input const& input, Upstream upstream, P const& params) {
    run made{whole_value<Input>(input), std::move(upstream), seen_by<Layer, !Cutoff>(params)};
    std::lock_guard const lock(mutex_);
    recent_.push_front(std::move(made));
    if (recent_.size() > most) recent_.pop_back();
  }

  void clear() {
    std::lock_guard const lock(mutex_);
    recent_.clear();
  }

 private:
  struct run {
    whole_value<Input> input;
    Upstream upstream;
    seen_members seen;
  };

  mutable std::mutex mutex_;
  std::deque<run> recent_;
};

}  // namespace detail
}  // namespace layerkey
