// Verifies what setting one member changes: other members, and the keys of each layer.
#pragma once

#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/walk.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey::testing {
namespace detail {

inline bool is_or_is_in(std::string const& path, std::string const& member) {
  return path == member || path.starts_with(member + ".");
}

// What a change of one member did to one layer.
struct effect {
  std::string layer;
  bool own_key_moved = false;
  bool key_moved = false;
  bool all_say_so = false;  // hash, same_key and explain say of the key what its equality says
  std::vector<seen_member> before, after;
  bool upstream_moved = false;  // what any layer upstream sees
};

inline bool differ(std::vector<seen_member> const& a, std::vector<seen_member> const& b) {
  for (std::size_t i = 0; i != a.size(); ++i)
    if (a[i].written != b[i].written) return true;
  return false;
}

template<class Layer, class P>
effect effect_on(P const& before, P const& after) {
  effect seen;
  seen.layer = name_of_layer<Layer>();
  seen.own_key_moved = !(make_own_key<Layer>(before) == make_own_key<Layer>(after));
  auto const old_key = make_key<Layer>(before);
  auto const new_key = make_key<Layer>(after);
  seen.key_moved = !(old_key == new_key);
  seen.all_say_so = (old_key.hash() != new_key.hash()) == seen.key_moved &&
                    same_key<Layer>(before, after) == !seen.key_moved &&
                    explain<Layer>(before, after).empty() == !seen.key_moved;
  seen.before = seen_by<Layer>(before);
  seen.after = seen_by<Layer>(after);
  for_each_layer(closure<Layer>{}, [&]<class Upstream>(std::type_identity<Upstream>) {
    if (!seen.upstream_moved)
      seen.upstream_moved = differ(seen_by<Upstream>(before), seen_by<Upstream>(after));
  });
  return seen;
}

inline void verify_effect(std::string const& member, std::string const& change, effect const& seen,
                          reporter& to) {
  auto const& all = seen.before;
  for (std::size_t i = 0; i != all.size(); ++i) {
    auto const& other = all[i];
    to.check(other.written == seen.after[i].written || is_or_is_in(other.path, member) ||
                 decides(member, other, all),
             law::moves_what_sees_it, member, seen.layer, [&] {
               return change + " also turns " + other.path + " from " + other.printed + " into " +
                      seen.after[i].printed + ", and no condition of that member reads this one";
             });
  }
  bool const own_moves = differ(seen.before, seen.after);
  to.check(seen.own_key_moved == own_moves, law::moves_what_sees_it, member, seen.layer, [&] {
    return change + (own_moves ? " leaves its own key as it was" : " moves its own key");
  });
  to.check(seen.key_moved == seen.upstream_moved, law::moves_what_sees_it, member, seen.layer, [&] {
    return change + (seen.upstream_moved ? " leaves its key as it was" : " moves its key");
  });
  to.check(seen.all_say_so, law::moves_what_sees_it, member, seen.layer, [&] {
    return "for " + change + " hash, same_key or explain contradict the equality of the keys";
  });
}

inline std::string showing(std::string const& member, std::string const& layer) {
  return member + ": how it moves layer " + layer +
         ", which no change of it showed; give values that do";
}

}  // namespace detail

// Of accessors: what is set is read, and no other member changes with it.
template<class P>
report verify_members(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  detail::for_each_slot<P>([&]<class Slot>(Slot) {
    if constexpr (!Slot::can_be_set)
      to.found.leave_unchecked(Slot::member::path() + ": what it changes, since it cannot be set");
  });
  detail::for_each_change(
      values, options,
      [&]<class Slot>(Slot, P const& before, auto const& to_value, P const& after) {
        auto const member = Slot::member::path();
        // A value that was made up may be too wide for a bit-field.
        if (!to_value.generated)
          to.check(detail::written_in<Slot>(after) == to_value.written, law::reads_what_was_set,
                   member, "", [&] {
                     return Slot::printed(to_value.value) + " was set and " +
                            detail::printed_in<Slot>(after) + " is read";
                   });
        auto const x = detail::raw_members(before);
        auto const y = detail::raw_members(after);
        for (std::size_t i = 0; i != x.size(); ++i)
          to.check(detail::is_or_is_in(x[i].path, member) || x[i].value == y[i].value,
                   law::sets_one_member, member, "", [&] {
                     return "setting it to " + Slot::printed(to_value.value) + " also changes " +
                            x[i].path;
                   });
      });
  return std::move(to.found);
}

// Of each member, changed alone: it moves the keys of the layers that see the change, those
// downstream, and no others.
template<class P, class... Layers>
report verify_changes(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  std::vector<std::string> shown;
  detail::for_each_change(
      values, options,
      [&]<class Slot>(Slot, P const& before, auto const& to_value, P const& after) {
        if (detail::written_in<Slot>(before) == detail::written_in<Slot>(after)) return;
        auto const member = Slot::member::path();
        auto const change =
            detail::printed_in<Slot>(before) + " -> " + Slot::printed(to_value.value);
        detail::for_each_layer(detail::with_upstream<Layers...>{},
                               [&]<class Layer>(std::type_identity<Layer>) {
                                 auto const seen = detail::effect_on<Layer>(before, after);
                                 detail::verify_effect(member, change, seen, to);
                                 if (seen.own_key_moved)
                                   shown.push_back(detail::showing(member, seen.layer));
                               });
      });
  detail::for_each_slot<P>([&]<class Slot>(Slot) {
    detail::for_each_layer(
        detail::with_upstream<Layers...>{}, [&]<class Layer>(std::type_identity<Layer>) {
          if constexpr (Slot::member::template is_tagged_with<Layer> && Slot::can_be_set) {
            auto what = detail::showing(Slot::member::path(), detail::name_of_layer<Layer>());
            if (std::find(shown.begin(), shown.end(), what) == shown.end())
              to.found.leave_unchecked(std::move(what));
          }
        });
  });
  return std::move(to.found);
}

}  // namespace layerkey::testing
