// Ready-made canonical forms: canonical<sorted_unique<std::vector<int>>>, one form for values that
// mean the same to every stage. Each is T to T and idempotent, constexpr where T is.
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/text.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace layerkey {

// ---- lists of which order and repetition mean nothing ------------------------------------------

// Of a container that can erase.
template<class List>
constexpr List sorted_unique(List list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

namespace detail {

template<class T>
struct struct_of_member;

template<class List, class T>
struct struct_of_member<T List::*> {
  using type = List;
};

}  // namespace detail

// Of a struct that holds an array and how many elements of it count: `Elements` and `Count` are its
// members. The elements behind become T{}, so that a stage cannot read what was there.
template<auto Elements, auto Count,
         class List = typename detail::struct_of_member<decltype(Elements)>::type>
constexpr List sorted_unique_array(List list) {
  auto const begin = std::begin(list.*Elements);
  auto const room = std::end(list.*Elements) - begin;
  auto const count = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(list.*Count), 0, room);
  std::sort(begin, begin + count);
  auto const end = std::unique(begin, begin + count);
  list.*Count = static_cast<std::remove_cvref_t<decltype(list.*Count)>>(end - begin);
  for (auto each = end; each != std::end(list.*Elements); ++each)
    *each = std::remove_cvref_t<decltype(*each)>{};
  return list;
}

// ---- feature strings ---------------------------------------------------------------------------

namespace detail {

constexpr std::string_view feature_name(std::string_view item) {
  return !item.empty() && (item[0] == '+' || item[0] == '-') ? item.substr(1) : item;
}

// Takes the first item off a list with commas.
constexpr std::string_view take_feature(std::string_view& list) {
  std::size_t end = 0;
  while (end != list.size() && list[end] != ',') ++end;
  auto const item = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

constexpr bool mentions_feature(std::string_view list, std::string_view name) {
  while (!list.empty())
    if (feature_name(take_feature(list)) == name) return true;
  return false;
}

// The item of which the name follows `after` in the order of names, empty if none does. Each name
// is in the list once.
constexpr std::string_view next_feature(std::string_view list, std::string_view after) {
  std::string_view found;
  while (!list.empty()) {
    auto const item = take_feature(list);
    auto const name = feature_name(item);
    if (name > after && (found.empty() || name < feature_name(found))) found = item;
  }
  return found;
}

// Collects the items of a new list in a buffer that is as long as the old one.
struct feature_writer {
  char* out;
  std::size_t size = 0;

  constexpr void item(std::string_view text) {
    if (size != 0) out[size++] = ',';
    for (char c : text) out[size++] = c;
  }
};

template<class Text, class Write>
constexpr Text rewritten(Text const& from, Write const& write) {
  auto const room = static_cast<std::size_t>(from.size());
  auto* const buffer = new char[room + 1]{};
  feature_writer to{buffer};
  write(std::string_view(from.data(), room), to);
  Text result{};
  static_cast<void>(result.assign(buffer, to.size));
  delete[] buffer;
  return result;
}

}  // namespace detail

// "+avx2,-sse4a,+avx2" is "-sse4a,+avx2": of each name the last mention, where it stands; empty
// items go. Of std::string and inline_text.
//
// Names that imply each other are not resolved: "+avx2,-avx" keeps both, and so does "-avx,+avx2",
// which means something else to LLVM. Nor is a name that the CPU has anyway left out. Such strings
// have several keys, never one that is too few.
template<class Text>
constexpr Text last_feature_wins(Text const& features) {
  return detail::rewritten(features, [](std::string_view list, detail::feature_writer& to) {
    while (!list.empty()) {
      auto const item = detail::take_feature(list);
      if (!item.empty() && !detail::mentions_feature(list, detail::feature_name(item)))
        to.item(item);
    }
  });
}

// The same, in the order of the names: "+avx2,-sse4a". Only where no name implies another, since
// the order then means something.
template<class Text>
constexpr Text sorted_features(Text const& features) {
  return detail::rewritten(last_feature_wins(features),
                           [](std::string_view list, detail::feature_writer& to) {
                             for (auto item = detail::next_feature(list, ""); !item.empty();
                                  item = detail::next_feature(list, detail::feature_name(item)))
                               to.item(item);
                           });
}

// ---- defaults ----------------------------------------------------------------------------------

// A value that means "unset" becomes the default that it stands for:
// canonical<expanded_default<unsigned, 0u, 225u>>.
template<class T, auto Unset, auto Default>
constexpr T expanded_default(T const& v) {
  return v == static_cast<T>(Unset) ? static_cast<T>(Default) : v;
}

// The same where "unset" is an absent value.
template<class T, auto Default>
constexpr std::optional<T> expanded_optional(std::optional<T> const& v) {
  return v ? v : std::optional<T>(static_cast<T>(Default));
}

// As a projection: affects<L>::as<value_or<int, 225>>::represented_by<present<int>>.
template<class T, auto Default>
constexpr T value_or(std::optional<T> const& v) {
  return v ? *v : static_cast<T>(Default);
}

template<class T>
constexpr std::optional<T> present(T const& v) {
  return v;
}

// Form of the value, if there is one: canonical<if_present<dim3, trailing_ones<dim3>>>.
template<class T, auto Form>
constexpr std::optional<T> if_present(std::optional<T> const& v) {
  return v ? std::optional<T>(Form(*v)) : std::nullopt;
}

// ---- paths -------------------------------------------------------------------------------------

// Paths that start with the directory From start with To instead.
template<text From, text To>
struct prefix {
  static constexpr std::string_view from{From.data(), From.size()};
  static constexpr std::string_view to{To.data(), To.size()};
};

template<class... Prefixes>
struct prefix_map {};

namespace detail {

constexpr std::string_view without_slash(std::string_view directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.remove_suffix(1);
  return directory;
}

// Whole components only: /src is no prefix of /srcs.
constexpr bool is_in_directory(std::string_view path, std::string_view directory) {
  directory = without_slash(directory);
  if (directory.empty()) return path.empty() || path[0] != '/';
  return path.substr(0, directory.size()) == directory &&
         (path.size() == directory.size() || directory.back() == '/' ||
          path[directory.size()] == '/');
}

// Nothing that a prefix makes may be changed by another, or a second pass would change it again.
template<class... Prefixes>
consteval bool is_idempotent(prefix_map<Prefixes...>) {
  constexpr std::size_t count = sizeof...(Prefixes);
  std::string_view const from[] = {Prefixes::from..., {}};
  std::string_view const to[] = {Prefixes::to..., {}};
  for (std::size_t i = 0; i != count; ++i)
    for (std::size_t j = 0; j != count; ++j)
      if (without_slash(from[j]) != without_slash(to[j]) &&
          (is_in_directory(to[i], from[j]) || is_in_directory(from[j], to[i])))
        return false;
  return true;
}

template<class Map>
constexpr bool no_prefix_leads_into_another = is_idempotent(Map{});

}  // namespace detail

// The first prefix that fits decides; a path that none fits stays. Letters only: "..", links and
// the case of letters are not looked at. Of std::string and std::filesystem::path.
template<class Path, class Map>
constexpr Path mapped_path(Path const& path) {
  static_assert(detail::no_prefix_leads_into_another<Map>,
                "layerkey: a prefix of this map leads into a directory that the map changes too, "
                "so that a second pass would change the path again.");
  if constexpr (requires { path.string(); }) {
    return Path(mapped_path<decltype(path.string()), Map>(path.string()));
  } else {
    Path result = path;
    auto const apply = [&]<class Prefix>(Prefix const&) {
      if (!detail::is_in_directory(path, Prefix::from)) return false;
      auto rest = path.substr(detail::without_slash(Prefix::from).size());
      if (Prefix::to.empty() && !rest.empty() && rest[0] == '/') rest.erase(0, 1);
      if (!Prefix::to.empty() && !rest.empty() && rest[0] != '/' && Prefix::to.back() != '/')
        rest.insert(0, 1, '/');
      result.assign(detail::without_slash(Prefix::to));
      if (result == "/" && !rest.empty() && rest[0] == '/') rest.erase(0, 1);
      result += rest;
      return true;
    };
    [&]<class... Prefixes>(prefix_map<Prefixes...>) { (void)(apply(Prefixes{}) || ...); }(Map{});
    return result;
  }
}

// ---- dimensions --------------------------------------------------------------------------------

namespace detail {

template<class T>
constexpr void set_trailing_ones(T* const* dimensions, std::size_t count) {
  for (; count != 0 && *dimensions[count - 1] == T{}; --count) *dimensions[count - 1] = T{1};
}

}  // namespace detail

// {256, 0, 0} is {256, 1, 1}: dimensions at the end that are not set are one. Of a std::array or
// another type with three elements...
template<class Dimensions>
constexpr Dimensions trailing_ones(Dimensions d) {
  using element = std::remove_cvref_t<decltype(d[0])>;
  element* const each[] = {&d[0], &d[1], &d[2]};
  detail::set_trailing_ones(each, 3);
  return d;
}

// ... or of a struct with such members: canonical<trailing_ones_of<&dim3::x, &dim3::y, &dim3::z>>.
template<auto First, auto... Rest>
constexpr auto trailing_ones_of(typename detail::struct_of_member<decltype(First)>::type d) {
  using element = std::remove_cvref_t<decltype(d.*First)>;
  element* const each[] = {&(d.*First), &(d.*Rest)...};
  detail::set_trailing_ones(each, 1 + sizeof...(Rest));
  return d;
}

// As a projection, where a stage reads no more: the number of elements, unset dimensions at the end
// counted as one.
template<auto First, auto... Rest>
constexpr std::size_t elements_of(
    typename detail::struct_of_member<decltype(First)>::type const& d) {
  auto const full = trailing_ones_of<First, Rest...>(d);
  return (static_cast<std::size_t>(full.*First) * ... * static_cast<std::size_t>((full.*Rest)));
}

}  // namespace layerkey
