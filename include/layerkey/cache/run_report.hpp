// Why a stage runs: what keeps the request apart from the nearest artifact that the cache holds.
#pragma once

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
// though its artifact is still served. Of upstream content a hash is enough: it only says which
// entry is nearest.
class recent_runs {
 public:
  static constexpr std::size_t most = 1024;

  template<class Layer, bool Cutoff, class P>
  run_report nearest(typename Layer::input const& input, std::uint64_t upstream,
                     P const& params) const {
    run_report report{layer_name<Layer>(), run_reason::first_of_its_input, {}};
    search(report, bytes_of(input), upstream, seen_by<Layer, !Cutoff>(params));
    return report;
  }

  template<class Layer, bool Cutoff, class P>
  void add(typename Layer::input const& input, std::uint64_t upstream, P const& params) {
    add(run{bytes_of(input), upstream, seen_by<Layer, !Cutoff>(params)});
  }

  void clear() {
    std::lock_guard const lock(mutex_);
    recent_.clear();
  }

 private:
  struct run {
    byte_tail input;
    std::uint64_t upstream;
    seen_members seen;
  };

  void search(run_report& report, byte_tail const& input, std::uint64_t upstream,
              seen_members const& asked) const {
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
  }

  void add(run made) {
    std::lock_guard const lock(mutex_);
    recent_.push_front(std::move(made));
    if (recent_.size() > most) recent_.pop_back();
  }

  mutable std::mutex mutex_;
  std::deque<run> recent_;
};

}  // namespace detail
}  // namespace layerkey
