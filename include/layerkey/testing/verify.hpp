// Verifies all that layerkey promises for a params struct, and all that it relies on: on the user's
// own values, and on others that are generated from them. Needs no test framework.
#pragma once

#include <layerkey/explain.hpp>
#include <layerkey/key.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/slots.hpp>
#include <layerkey/testing/values.hpp>
#include <layerkey/view.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_map>
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

using boost::mp11::mp_append;
using boost::mp11::mp_copy_if;
using boost::mp11::mp_empty;
using boost::mp11::mp_front;
using boost::mp11::mp_list;
using boost::mp11::mp_unique;

// Each layer and those upstream of it, once.
template<class... Layers>
using with_upstream = mp_unique<mp_append<mp_list<>, closure<Layers>...>>;

template<class... Layers, class Visit>
void for_each_layer(mp_list<Layers...>, Visit&& visit) {
  (visit(std::type_identity<Layers>{}), ...);
}

template<class Layer, class P, class Visit>
void for_each_leaf(Visit&& visit) {
  [&]<class... Leaves>(mp_list<Leaves...>) {
    (visit(std::type_identity<Leaves>{}), ...);
  }(layerkey::detail::own_leaves<Layer, P>{});
}

template<class Leaf>
std::string path_of() {
  return layerkey::detail::path_name(typename Leaf::whole_path{});
}

template<auto Access>
std::string name_of_access() {
  return layerkey::detail::name_of<Access>.data();
}

template<auto... Path>
std::string first_steps(path<Path...>, std::size_t count) {
  std::string names;
  std::size_t taken = 0;
  ((taken++ < count ? ((names += names.empty() ? "" : ".") += name_of_access<Path>(), void())
                    : void()),
   ...);
  return names;
}

// ---- what a layer sees of params ---------------------------------------------------------------

// A member in the form that a layer sees.
struct seen_member {
  std::string path;
  std::string written;
  std::string printed;
  std::vector<std::string> conditions;  // the members that decide whether it counts
};

template<auto Read>
struct names_of_read {
  static void append(std::string& to) { (to += to.empty() ? "" : ".") += name_of_access<Read>(); }
};

template<auto... Steps, path<Steps...> Read>
struct names_of_read<Read> {
  static void append(std::string& to) { (names_of_read<Steps>::append(to), ...); }
};

// The members that the conditions of a leaf read, as paths from the params.
template<class Leaf>
std::vector<std::string> conditions_of() {
  std::vector<std::string> reads;
  auto const add = [&reads]<auto... Scope, auto... Read>(std::string const& root, path<Scope...>,
                                                         path<Read...>) {
    std::string scope = root;
    (names_of_read<Scope>::append(scope), ...);
    (names_of_read<Read>::append(reads.emplace_back(scope)), ...);
  };
  [&]<class... Placed>(mp_list<Placed...>) {
    if constexpr (sizeof...(Placed) != 0) {
      std::string const root = first_steps(typename Leaf::whole_path{}, Leaf::depth);
      (add(root, typename Placed::scope{},
           typename layerkey::detail::condition_reads<typename Placed::modifier>::type{}),
       ...);
    }
  }(typename Leaf::member::placed_conditions{});
  return reads;
}

template<class Layer, class P>
std::vector<seen_member> seen_by(P const& p) {
  std::vector<seen_member> seen;
  for_each_leaf<Layer, P>([&]<class Leaf>(std::type_identity<Leaf>) {
    using type = typename Leaf::type;
    decltype(auto) form = Leaf::get(p);
    seen.push_back({path_of<Leaf>(), spied<type>(form).stream,
                    layerkey::detail::printed<type>(form), conditions_of<Leaf>()});
  });
  return seen;
}

// Whether the first member can switch the second on or off.
inline bool decides(std::string const& member, seen_member const& over,
                    std::vector<seen_member> const& all, std::size_t depth = 0) {
  for (auto const& read : over.conditions) {
    if (read == member) return true;
    for (auto const& each : all)
      if (each.path == read && depth < all.size() && decides(member, each, all, depth + 1))
        return true;
  }
  return false;
}

// ---- all members of params, whatever their tags ------------------------------------------------

struct raw_member {
  std::string path;
  std::string value;
};

template<class P>
std::vector<raw_member> raw_members(P const& p) {
  std::vector<raw_member> all;
  for_each_slot<P>(
      [&]<class Slot>(Slot) { all.push_back({Slot::member::path(), written_in<Slot>(p)}); });
  return all;
}

template<class P>
std::string print_members(P const& p) {
  std::string all = "{";
  for_each_slot<P>([&]<class Slot>(Slot) {
    all += (all.size() == 1 ? "" : ", ") + Slot::member::path() + ": " + printed_in<Slot>(p);
  });
  return all + "}";
}

// ---- changes of one member ---------------------------------------------------------------------

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

class reporter {
 public:
  explicit reporter(std::string structure) : structure_(std::move(structure)) {}

  // `what()` is only asked for where the law is broken.
  template<class What>
  bool check(bool holds, law l, std::string const& member, std::string const& layer, What what) {
    found.count(1);
    if (!holds) found.add({l, structure_, member, layer, what()});
    return holds;
  }

  report found;

 private:
  std::string structure_;
};

template<class Layer>
std::string name_of_layer() {
  return layerkey::detail::layer_name<Layer>();
}

// ---- values ------------------------------------------------------------------------------------

// A value in the form in which a layer sees it.
struct written_form {
  std::size_t of;
  std::string stream;
  std::string printed;
};

inline void verify_prefixes(std::vector<written_form> forms, std::string const& member,
                            std::string const& layer, reporter& to) {
  // In order, what begins with a text stands right behind it.
  std::sort(forms.begin(), forms.end(),
            [](written_form const& a, written_form const& b) { return a.stream < b.stream; });
  for (std::size_t i = 1; i < forms.size(); ++i) {
    auto const& a = forms[i - 1];
    auto const& b = forms[i];
    to.check(a.stream == b.stream || !b.stream.starts_with(a.stream), law::prefix_free, member,
             layer, [&] {
               return a.printed + " is written as the beginning of " + b.printed +
                      "; write the size before the elements";
             });
  }
}

// Of a member in an optional or a variant, the value that it has where it is there.
template<class Form, class Visit>
void visit_present(Form const& form, Visit const& visit) {
  if constexpr (requires { typename Form::type; } && layerkey::detail::optional_like<Form>) {
    if (form.has_value()) visit.template operator()<typename Form::type>(*form);
  } else
    visit.template operator()<Form>(form);
}

template<class P, class Layer, class Leaf>
void verify_form(std::vector<P> const& values, reporter& to) {
  auto const member = path_of<Leaf>();
  auto const layer = name_of_layer<Layer>();
  std::vector<written_form> forms;
  for (std::size_t i = 0; i != values.size(); ++i) {
    auto const verify_one = [&]<class T>(T const& form) {
      auto const written = spied<T>(form);
      auto const print = layerkey::detail::printed<T>(form);
      auto const wrong_shape = shape_fault<T>(written);
      to.check(wrong_shape.empty(), law::shape_agrees, member, layer,
               [&] { return "for " + print + ", " + wrong_shape; });

      visit_present<typename Leaf::type>(Leaf::get(values[i]), [&]<class Again>(Again const& v) {
        to.check(spied<Again>(v).stream == written.stream, law::pure, member, layer,
                 [&] { return "it was read twice, as " + print + " first"; });
      });
      for (auto const& known : forms)
        if (known.stream == written.stream)
          visit_present<typename Leaf::type>(
              Leaf::get(values[known.of]), [&]<class Known>(Known const& v) {
                auto const same = compare<Known>(v, form);
                if (same == sameness::unknown)
                  to.found.leave_unchecked(member + ", layer " + layer + ": whether values of " +
                                           type_name<Known>() +
                                           " differ, since it has no operator== that says so");
                to.check(same != sameness::different, law::one_form_a_value, member, layer,
                         [&] { return known.printed + " and " + print + " are written alike"; });
              });
      forms.push_back({i, written.stream, print});
    };
    visit_present<typename Leaf::type>(Leaf::get(values[i]), verify_one);
  }
  verify_prefixes(std::move(forms), member, layer, to);
}

// ---- keys --------------------------------------------------------------------------------------

struct constant_hash {
  std::size_t operator()(auto const&) const { return 0; }
};

struct own_hash {
  std::size_t operator()(auto const& key) const { return static_cast<std::size_t>(key.hash()); }
};

// The first params with an equal key, by comparing alone.
template<class Key>
std::vector<std::size_t> first_equals(std::vector<Key> const& keys) {
  std::vector<std::size_t> first(keys.size());
  for (std::size_t i = 0; i != keys.size(); ++i) {
    std::size_t j = 0;
    while (j != i && !(keys[j] == keys[i])) ++j;
    first[i] = j;
  }
  return first;
}

template<class P, class MakeKey>
void verify_one_key(std::vector<P> const& values, std::string const& layer, MakeKey make,
                    reporter& to) {
  using key_type = decltype(make(values.front()));
  std::vector<key_type> keys;
  for (auto const& each : values) {
    keys.push_back(make(each));
    auto const again = make(each);
    to.check(again == keys.back() && again.hash() == keys.back().hash(), law::pure, "", layer,
             [&] { return "two keys of " + print_members(each) + " differ"; });
  }
  auto const first = first_equals(keys);
  for (std::size_t i = 0; i != keys.size(); ++i)
    for (std::size_t j = 0; j != keys.size(); ++j) {
      bool const equal = keys[i] == keys[j];
      auto const both = [&] {
        return print_members(values[i]) + " and " + print_members(values[j]);
      };
      to.check(equal == (first[i] == first[j]), law::equivalence, "", layer,
               [&] { return "it is not, for the keys of " + both(); });
      to.check(equal == (keys[i].hash() == keys[j].hash()), law::hash_follows_key, "", layer,
               [&] { return "they do not, for the keys of " + both(); });
    }
}

template<class Key, class Hash>
bool table_agrees(std::vector<Key> const& keys, std::vector<std::size_t> const& first) {
  std::unordered_map<Key, std::size_t, Hash> table;
  bool agrees = true;
  for (std::size_t i = 0; i != keys.size(); ++i) {
    auto const [place, is_new] = table.emplace(keys[i], i);
    agrees = agrees && is_new == (first[i] == i) && place->second == first[i];
  }
  for (std::size_t i = 0; i != keys.size(); ++i) {
    auto const found = table.find(keys[i]);
    agrees = agrees && found != table.end() && found->second == first[i];
  }
  return agrees;
}

// ---- changes of one member ---------------------------------------------------------------------

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

// ---- narrowed params ---------------------------------------------------------------------------

template<auto... Steps>
constexpr bool nothing_constant(path<Steps...>) {
  return (!layerkey::detail::is_constant<Steps> && ...);
}

template<class S>
using has_constant_defaults = boost::mp11::mp_bool<layerkey::detail::supplies_defaults<S> ||
                                                   layerkey::detail::constant_initialisers<S>>;

// Where an optional or a variant is filled, its structs are made first.
template<class Member>
constexpr bool can_be_made() {
  if constexpr (layerkey::detail::is_state<Member>)
    return boost::mp11::mp_all_of<typename layerkey::detail::holder<typename Member::raw>::structs,
                                  has_constant_defaults>::value;
  else
    return true;
}

template<class Leaf>
using fills =
    boost::mp11::mp_bool<Leaf::member::can_be_filled && nothing_constant(typename Leaf::way{}) &&
                         can_be_made<typename Leaf::member>()>;

template<class Layer, class P>
constexpr bool can_be_narrowed =
    has_constant_defaults<P>::value &&
    boost::mp11::mp_all_of<layerkey::detail::own_leaves<Layer, P>, fills>::value;

template<class Layer, class P>
void verify_narrowed_for(std::vector<P> const& values, reporter& to) {
  auto const layer = name_of_layer<Layer>();
  if constexpr (!can_be_narrowed<Layer, P>) {
    to.found.leave_unchecked("narrowed, layer " + layer +
                             ": its defaults are no constants, or a member cannot be filled");
  } else {
    std::vector<narrowed<Layer, P>> all;
    for (auto const& each : values) all.emplace_back(each);
    for (std::size_t i = 0; i != values.size(); ++i) {
      auto const before = seen_by<Layer>(values[i]);
      auto const after = seen_by<Layer>(*all[i]);
      for (std::size_t m = 0; m != before.size(); ++m)
        to.check(before[m].written == after[m].written, law::narrowed_agrees, before[m].path, layer,
                 [&] {
                   return "the view reads " + before[m].printed + " and the narrowed params hold " +
                          after[m].printed;
                 });
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
      if (!(make_own_key<Layer>(values[i - 1]) == make_own_key<Layer>(values[i]))) continue;
      auto const x = raw_members(*all[i - 1]);
      auto const y = raw_members(*all[i]);
      for (std::size_t m = 0; m != x.size(); ++m)
        to.check(x[m].value == y[m].value, law::narrowed_agrees, x[m].path, layer, [&] {
          return "of one own key come " + print_members(*all[i - 1]) + " and " +
                 print_members(*all[i]);
        });
    }
  }
}

// ---- functions that the description names ------------------------------------------------------

template<class Field, class T>
decltype(auto) canonical_of(T const& raw) {
  using canonicals = mp_copy_if<typename Field::tags, layerkey::detail::is_canonical_q>;
  if constexpr (mp_empty<canonicals>::value)
    return (raw);
  else
    return T(layerkey::detail::call<mp_front<canonicals>::canonical_function>(raw));
}

template<class Field, class Tag, class T>
void verify_section(std::string const& member, T const& raw, reporter& to) {
  if constexpr (layerkey::detail::has_section<Tag>) {
    using form = layerkey::detail::form_type<Tag, T>;
    decltype(auto) one = canonical_of<Field>(raw);
    decltype(auto) u = layerkey::detail::call<Tag::projection>(one);
    T const stands_for_it = layerkey::detail::call<Tag::section>(u);
    decltype(auto) two = canonical_of<Field>(stands_for_it);
    decltype(auto) again = layerkey::detail::call<Tag::projection>(two);
    to.check(snapshot<form>(u) == snapshot<form>(again), law::section_represents, member,
             name_of_layer<typename Tag::layer>(), [&] {
               return "for u = " + layerkey::detail::printed<form>(u) + " it is " +
                      layerkey::detail::printed<form>(again) + ", since section(u) is " +
                      layerkey::detail::printed<T>(stands_for_it);
             });
  }
}

template<class Slot, class P>
void verify_functions_of(std::vector<P> const& values, reporter& to) {
  using field = typename Slot::field;
  using type = typename Slot::type;
  auto const member = Slot::member::path();
  for (auto const& each : values) {
    if (!Slot::is_there(each)) continue;
    decltype(auto) raw = Slot::get(each);
    if constexpr (boost::mp11::mp_any_of<typename field::tags,
                                         layerkey::detail::is_canonical_q>::value) {
      type const once = canonical_of<field>(raw);
      type const twice = canonical_of<field>(once);
      to.check(Slot::written(once) == Slot::written(twice), law::canonical_is_idempotent, member,
               "", [&] {
                 return "for x = " + Slot::printed(raw) + ", f(x) is " + Slot::printed(once) +
                        " and f(f(x)) is " + Slot::printed(twice);
               });
    }
    [&]<class... Tags>(mp_list<Tags...>) {
      (verify_section<field, Tags, type>(member, raw, to), ...);
    }(typename field::tags{});
  }
}

}  // namespace detail

// ---- the parts ---------------------------------------------------------------------------------

// Of value<T>, for each form in which a layer sees a member: the same words each time, as many as
// promised, others for another value, and none the beginning of another.
template<class P, class... Layers>
report verify_values(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(
      detail::with_upstream<Layers...>{}, [&]<class Layer>(std::type_identity<Layer>) {
        detail::for_each_leaf<Layer, P>([&]<class Leaf>(std::type_identity<Leaf>) {
          detail::verify_form<P, Layer, Leaf>(all, to);
        });
      });
  return std::move(to.found);
}

// Of canonical and represented_by: f(f(x)) == f(x) and projection(section(u)) == u.
template<class P>
report verify_functions(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_slot<P>([&]<class Slot>(Slot) {
    if constexpr (!Slot::is_state) detail::verify_functions_of<Slot>(all, to);
  });
  return std::move(to.found);
}

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

// Of keys and own keys: made from the same params they are the same, equality is an equivalence,
// and the hash follows it.
template<class P, class... Layers>
report verify_keys(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  if (all.empty()) return {};
  detail::for_each_layer(
      detail::with_upstream<Layers...>{}, [&]<class Layer>(std::type_identity<Layer>) {
        auto const layer = detail::name_of_layer<Layer>();
        detail::verify_one_key(all, layer, [](P const& p) { return make_key<Layer>(p); }, to);
        detail::verify_one_key(all, layer, [](P const& p) { return make_own_key<Layer>(p); }, to);
      });
  return std::move(to.found);
}

// Of tables: with the keys' own hash, and with one that is the same for all.
template<class P, class... Layers>
report verify_tables(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(detail::with_upstream<Layers...>{}, [&]<class Layer>(
                                                                 std::type_identity<Layer>) {
    using key_type = key<Layer, P>;
    std::vector<key_type> keys;
    for (auto const& each : all) keys.push_back(make_key<Layer>(each));
    auto const first = detail::first_equals(keys);
    auto const layer = detail::name_of_layer<Layer>();
    to.check(detail::table_agrees<key_type, detail::own_hash>(keys, first), law::tables_agree, "",
             layer, [] { return std::string("it does not with the keys' own hash"); });
    to.check(detail::table_agrees<key_type, detail::constant_hash>(keys, first), law::tables_agree,
             "", layer, [] { return std::string("it does not where all hashes are the same"); });
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

// Of narrowed params: a layer's stage finds in them what its view reads, and nothing else.
template<class P, class... Layers>
report verify_narrowed(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(
      detail::with_upstream<Layers...>{},
      [&]<class Layer>(std::type_identity<Layer>) { detail::verify_narrowed_for<Layer>(all, to); });
  return std::move(to.found);
}

// ---- all of it ---------------------------------------------------------------------------------

// For these layers and all upstream of them. A few params are enough: together they should hold at
// least two values of each member that none can be made up for (see verify_options::generate), and
// those that the struct's conditions and projections tell apart.
//
//   auto const report = layerkey::testing::verify<params, codegen>({params{}, params{.sm = 80}});
//   CHECK(report.ok()); puts(report.to_text().c_str());
template<class P, class... Layers>
report verify(std::vector<P> const& values, verify_options const& options = {}) {
  static_assert(complete<P>);
  static_assert(sizeof...(Layers) > 0, "layerkey: name the layers whose keys are to be verified.");
  report all;
  if (values.empty()) {
    all.leave_unchecked("anything: no params were given");
    return all;
  }
  all += verify_values<P, Layers...>(values, options);
  all += verify_functions<P>(values, options);
  all += verify_members<P>(values, options);
  // Words at places that were not promised would be written beyond the key.
  if (all.found(law::shape_agrees)) {
    all.leave_unchecked("keys: first value<T>::write has to agree with atoms and shape");
    return all;
  }
  all += verify_keys<P, Layers...>(values, options);
  all += verify_tables<P, Layers...>(values, options);
  all += verify_changes<P, Layers...>(values, options);
  all += verify_narrowed<P, Layers...>(values, options);
  return all;
}

}  // namespace layerkey::testing
