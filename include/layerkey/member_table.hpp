// The members of a struct by layers, as a table for people.
#pragma once

#include <layerkey/detail/print.hpp>
#include <layerkey/explain.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace layerkey {

// One row a member: its name, then what it is to each layer: "-" (not in the own key), "key",
// "f(key)" for a projection or canonical form f; behind that the conditions, or the tag that keeps
// it out of every key.
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

template<class Field, class Layer>
std::string table_cell() {
  if constexpr (!contributes<Layer, Field>)
    return "-";
  else {
    using tag = mp::mp_front<mp::mp_copy_if_q<typename Field::tags, names_layer<Layer>>>;
    using canonicals = mp::mp_copy_if<typename Field::tags, is_canonical_q>;
    std::string cell = "key";
    if constexpr (!mp::mp_empty<canonicals>::value)
      cell = std::string(name_of<mp::mp_front<canonicals>::canonical_function>.data()) + "(" +
             cell + ")";
    if constexpr (has_projection<tag>)
      cell = std::string(name_of<tag::projection>.data()) + "(" + cell + ")";
    return cell;
  }
}

template<class Tag>
void append_note(std::string& note) {
  auto const add = [&note](std::string const& more) { (note += note.empty() ? "" : ", ") += more; };
  if constexpr (std::is_same_v<Tag, runtime_only>)
    add("runtime only");
  else if constexpr (std::is_same_v<Tag, check_only>)
    add("checks only");
  else if constexpr (is_condition<Tag>) {
    std::string reads;
    [&]<auto... Reads>(path<Reads...>) {
      ((reads += reads.empty() ? "" : ", ", reads += name_of<Reads>.data()), ...);
    }(typename condition_reads<Tag>::type{});
    if constexpr (std::is_member_object_pointer_v<std::remove_const_t<decltype(Tag::predicate)>>)
      add("only if " + reads);
    else
      add("only if " + std::string(name_of<Tag::predicate>.data()) + "(" + reads + ")");
  }
}

template<class P, class... Layers>
void append_rows(member_table& table, std::string const& prefix, mp::mp_list<Layers...> layers) {
  auto const row = [&]<class Field>(Field) {
    auto const name = prefix + name_of<Field::access>.data();
    if constexpr (is_per_member<Field>)
      append_rows<member_type<Field::access>>(table, name + ".", layers);
    else {
      std::vector<std::string> cells{name, table_cell<Field, Layers>()...};
      std::string note;
      [&note]<class... Tags>(mp::mp_list<Tags...>) {
        (append_note<Tags>(note), ...);
      }(typename Field::tags{});
      cells.push_back(note);
      table.rows.push_back(std::move(cells));
    }
  };
  [&row]<class... Fields>(mp::mp_list<Fields...>) {
    static_cast<void>(in_order{0, (row(Fields{}), 0)...});
  }(fields_of<P>{});
}

}  // namespace detail

// The table of P for these layers, in this order; members of per_member structs as "outer.inner".
template<class P, class... Layers>
member_table tabulate() {
  static_assert(complete<P>);
  member_table table;
  table.heading = {"member", detail::layer_name<Layers>()..., ""};
  detail::append_rows<P>(table, "", mp::mp_list<Layers...>{});
  return table;
}

}  // namespace layerkey
