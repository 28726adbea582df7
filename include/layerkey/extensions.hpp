// Params that plug-ins add at run time, each with the names of the layers that it affects.
#pragma once

#include <layerkey/detail/mp11.hpp>
#include <layerkey/extension_part.hpp>
#include <layerkey/extension_set.hpp>
#include <layerkey/extension_value.hpp>
#include <layerkey/field.hpp>
#include <layerkey/members.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace layerkey {

// The projection of a set to what names Layer, and a set that stands for such a part.
template<class Layer>
struct by_name {
  static extensions_part part(extensions const& all) {
    return {all, detail::name_of_layer<Layer>()};
  }

  static extensions whole(extensions_part const& part) {
    extensions result;
    for (auto const [name, held] : part) static_cast<void>(result.add<Layer>(name, held));
    return result;
  }
};

// The tag of a member of type extensions for one layer.
template<class Layer>
using affects_by_name = typename affects<Layer>::template as<
    by_name<Layer>::part>::template represented_by<by_name<Layer>::whole>;

// The field of a member of type extensions, for the layers that its entries may name.
template<auto Access, class First, class... More>
using extensions_field = field<Access, affects_by_name<First>, affects_by_name<More>...>;

namespace detail {

template<class... Tags>
std::vector<std::string_view> layers_of_tags(mp::mp_list<Tags...>) {
  std::vector<std::string_view> names;
  auto const add = [&names]<class Tag>(std::type_identity<Tag>) {
    if constexpr (is_affects<Tag>) names.push_back(name_of_layer<layer_of<Tag>>());
  };
  (add(std::type_identity<Tags>{}), ...);
  return names;
}

inline void append_unread(std::vector<std::string>& found, std::string const& member,
                          extensions const& all, std::span<std::string_view const> read) {
  for (auto const& each : all)
    for (auto const& layer : each.layers)
      if (std::find(read.begin(), read.end(), layer) == read.end())
        found.push_back(member + ": extension \"" + each.name + "\" names the layer \"" + layer +
                        "\"; the field of this member names " + listed_names(read));
}

// All members that are extensions; others, and which struct an optional holds, are passed over.
struct collect_unread {
  template<class Member>
  static void from(auto const&, Member, std::vector<std::string>&) {}

  template<class P, class Field, auto... Prefix>
    requires(std::is_same_v<member_type<Field::access>, extensions> &&
             !mp::mp_contains<typename Field::tags, runtime_only>::value)
  static void from(P const& p, member_info<P, Field, Prefix...> member,
                   std::vector<std::string>& found) {
    auto const append = [&](extensions const& all) {
      append_unread(found, member.path(), all, layers_of_tags(typename Field::tags{}));
    };
    if constexpr (!decltype(member)::is_held)
      append(member.get(p));
    else if (auto const& all = member.get(p))
      append(*all);
  }
};

}  // namespace detail

// A sentence for each extension that names a layer which does not see it, since the field of its
// member does not name that layer: the value would be in no key of that layer, and in no view.
// Empty if all is well; ask where the set may have been made without extensions::of.
template<class P>
std::vector<std::string> unread_extensions(P const& p) {
  std::vector<std::string> found;
  for_each_member<P>([&](auto member) { detail::collect_unread::from(p, member, found); });
  return found;
}

}  // namespace layerkey
