// Checks of artifacts: what check_only members ask for, on every delivery, hit or miss.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/view.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace layerkey {

namespace detail {

// The layer of check_only members, which no pipeline has.
struct check_options : layer<> {
  static constexpr text name = "checks";
};

template<>
struct names_layer<check_options> {
  template<class Tag>
  using fn = std::is_same<Tag, check_only>;
};

template<>
inline constexpr bool tag_names<check_options, check_only> = true;

}  // namespace detail

// Reads the check_only members of P, and nothing else.
template<class P>
using checks_view = view<detail::check_options, P>;

// What a check says: nothing, messages for whoever asked, or why the artifact must not be used.
// Messages are printed with the artifact's and never stored with it.
struct check_result {
  std::optional<diagnostics> failure = {};
  std::vector<std::string> messages = {};
};

// A check among the stages of a pipeline, as in GPUCompiler's `validate`. A request for Layer, or
// for a layer downstream of it, calls
//
//   check_result f(Layer::artifact const&, checks_view<P>)
//
// whether the artifact is made or served, before anything downstream is made of it. A failure is
// the answer of the request; the artifact stays in the cache.
template<class Layer, auto Function>
struct check {};

// What a stage returns that takes a checks_view behind its view, since what it checks is in no
// artifact: the result is kept with the entry, for these values of the check_only members. Where
// they were not checked yet, the stage runs again, and the artifact that it then makes has to be
// equal to the one that is kept (layer_statistics::drifts counts where it is not).
template<class Artifact>
struct with_check {
  Artifact artifact;
  check_result result = {};
};

}  // namespace layerkey
