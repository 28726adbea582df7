// The members of a struct by layers, as a table for people.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/print.hpp>
#include <layerkey/explain.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace layerkey {

// One row a member: its name, then what it is to each layer: "-" (not in the own key), "key",
// "f(key)" for a projection or canonical form f; behind that the conditions, or the tag that keeps
// it out of every key. What a condition reads is named as its list names it: from the struct that
// owns the member, or, in a refinement, from the outermost struct, with "outer" before the name.
struct member_table {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;

  // Columns aligned by spaces, one member a line.
  std::string to_text() const {
    std::vector<std::size_t> width(heading.size());
    auto const widen = [&width](std::vector<std::string> const& row) {
      for (std::size_t i = 0; i != row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    };
    widen(heading);
    for (auto const& row : rows) widen(row);

    std::string out;
    auto const append = [&](std::vector<std::string> const& row) {
      for (std::size_t i = 0; i != row.size(); ++i)
        (out += row[i]).append(i + 1 == row.size() ? 0 : width[i] - row[i].size() + 2, ' ');
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += '\n';
    };
    append(heading);
    for (auto const& row : rows) append(row);
    return out;
  }
};

namespace detail {

inline std::string around(std::string_view function, std::string const& cell) {
  return std::string(function) + "(" + cell + ")";
}

template<class Modifiers>
std::string table_cell_of(std::string const& cell) {
  using canonicals = mp::mp_copy_if<Modifiers, is_canonical_q>;
  if constexpr (mp::mp_empty<canonicals>::value)
    return cell;
  else
    return around(name_of<mp::mp_front<canonicals>::canonical_function>.data(), cell);
}

template<class Field, class Layer, class Modifiers>
std::string table_cell() {
  if constexpr (!contributes<Layer, Field>)
    return "-";
  else {
    using tag = mp::mp_front<mp::mp_copy_if_q<typename Field::tags, names_layer<Layer>>>;
    auto const cell = table_cell_of<Modifiers>("key");
    if constexpr (has_projection<tag>)
      return around(name_of<tag::projection>.data(), cell);
    else
      return cell;
  }
}

template<class Field, class Layer>
std::string table_cell_of_holder() {
  return mp::mp_empty<decltype(leaves_of_holder<Layer, Field>())>::value ? "-" : "key";
}

template<class Tag>
void append_note(std::string& note, std::string const& scope) {
  auto const add = [&note](std::string const& more) { (note += note.empty() ? "" : ", ") += more; };
  if constexpr (std::is_same_v<Tag, runtime_only>)
    add("runtime only");
  else if constexpr (std::is_same_v<Tag, check_only>)
    add("checks only");
  else if constexpr (is_condition<Tag>) {
    std::string reads;
    [&]<auto... Reads>(path<Reads...>) {
      ((reads += reads.empty() ? "" : ", ", (reads += scope) += name_of<Reads>.data()), ...);
    }(typename condition_reads<Tag>::type{});
    if constexpr (asks_for_truth<Tag>)
      add("only if " + reads);
    else
      add("only if " + around(name_of<Tag::predicate>.data(), reads));
  }
}

// The struct that a modifier of a refinement stands in, as a prefix of names.
template<auto... Scope>
std::string scope_name(path<Scope...>) {
  std::string name;
  (((name += name_of<Scope>.data()) += '.'), ...);
  return name;
}

template<class P, class Owner, auto... Prefix, class... Layers>
void append_rows(member_table& table, path<Prefix...>, mp::mp_list<Layers...>);

template<class P, class Field, auto... Prefix, class... Layers>
void append_row(member_table& table, path<Prefix...> prefix, mp::mp_list<Layers...> layers) {
  auto const name = scope_name(prefix) + name_of<Field::access>.data();
  if constexpr (is_per_member<Field>) {
    using raw = member_type<Field::access>;
    if constexpr (holds_structs<raw>)
      table.rows.push_back({name, table_cell_of_holder<Field, Layers>()..., ""});
    [&]<class... S>(mp::mp_list<S...>) {
      (append_rows<P, S>(table, path<Prefix..., Field::access>{}, layers), ...);
    }(typename holder<raw>::structs{});
  } else {
    using refined = added<Field, typename place_at<P, Prefix...>::type>;
    using modifiers = mp::mp_append<typename Field::tags, mp::mp_transform<modifier_of, refined>>;
    std::vector<std::string> cells{name, table_cell<Field, Layers, modifiers>()...};
    std::string note;
    [&note]<class... Tags>(mp::mp_list<Tags...>) {
      (append_note<Tags>(note, ""), ...);
    }(typename Field::tags{});
    [&note]<class... Placed>(mp::mp_list<Placed...>) {
      (append_note<typename Placed::modifier>(note,
                                              "outer " + scope_name(typename Placed::scope{})),
       ...);
    }(refined{});
    cells.push_back(note);
    table.rows.push_back(std::move(cells));
  }
}

template<class P, class Owner, auto... Prefix, class... Layers>
void append_rows(member_table& table, path<Prefix...> prefix, mp::mp_list<Layers...> layers) {
  [&]<class... Fields>(mp::mp_list<Fields...>) {
    static_cast<void>(in_order{0, (append_row<P, Fields>(table, prefix, layers), 0)...});
  }(fields_of<Owner>{});
}

}  // namespace detail

// The table of P for these layers, in this order; members of per_member structs as "outer.inner".
template<class P, class... Layers>
member_table tabulate() {
  static_assert(complete<P>);
  member_table table;
  table.heading = {"member", detail::layer_name<Layers>()..., ""};
  detail::append_rows<P, P>(table, path<>{}, mp::mp_list<Layers...>{});
  return table;
}

}  // namespace layerkey
