// The given params, and others that differ from them in one member.
#pragma once

#include <layerkey/testing/slots.hpp>
#include <layerkey/testing/values.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace layerkey::testing {

struct verify_options {
  bool generate = true;           // also values of members that none of the given params has
  std::size_t most_params = 128;  // how many params are compared with each other
  std::size_t most_bases = 8;     // how many of the given params have their members changed
  std::size_t most_values = 8;    // to how many values each member is changed
};

namespace detail {

// A value for a member: that of other params, or near one of them.
template<class T>
struct candidate {
  T value;
  std::string written;
  bool generated;
};

template<class Slot, class P>
auto candidates(P const& base, std::vector<P> const& values, verify_options const& options) {
  using type = typename Slot::type;
  std::vector<candidate<type>> found;
  auto const own = written_in<Slot>(base);
  auto const add = [&](type const& v, bool generated) {
    auto written = Slot::written(v);
    if (found.size() == options.most_values || written == own) return;
    for (auto const& known : found)
      if (known.written == written) return;
    found.push_back({v, std::move(written), generated});
  };
  if constexpr (!Slot::is_state)
    if (options.generate)
      for (type const& each : others<type>(Slot::get(base))) add(each, true);
  for (auto const& each : values)
    if (Slot::is_there(each)) add(Slot::get(each), false);
  return found;
}

// Calls visit(slot, base, candidate, params with that value) for each change of a member that can
// be set and is there.
template<class P, class Visit>
void for_each_change(std::vector<P> const& values, verify_options const& options, Visit&& visit) {
  for_each_slot<P>([&]<class Slot>(Slot slot) {
    if constexpr (Slot::can_be_set) {
      auto const bases = std::min(values.size(), options.most_bases);
      for (std::size_t i = 0; i != bases; ++i) {
        if (!Slot::is_there(values[i])) continue;
        for (auto const& each : candidates<Slot>(values[i], values, options)) {
          P after = values[i];
          Slot::set(after, each.value);
          visit(slot, values[i], each, std::as_const(after));
        }
      }
    }
  });
}

// The given params, and those with one member changed: so many, of each member some.
template<class P>
std::vector<P> grown(std::vector<P> const& values, verify_options const& options) {
  std::vector<P> changed;
  for_each_change(values, options,
                  [&](auto, P const&, auto const&, P const& after) { changed.push_back(after); });
  std::vector<P> all(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                          values.size(), options.most_params)));
  auto const room = std::min(options.most_params - all.size(), changed.size());
  for (std::size_t i = 0; i != room; ++i) all.push_back(changed[i * changed.size() / room]);
  return all;
}

}  // namespace detail
}  // namespace layerkey::testing
