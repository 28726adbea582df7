// Ordered sets and maps in keys: their number, then elements in the container's own order.
#pragma once

#include <layerkey/value.hpp>
#include <layerkey/values/tuples.hpp>

#include <map>
#include <set>
#include <type_traits>
#include <utility>

namespace layerkey {
namespace detail {

// An order that depends on the type alone: two containers with the same elements then have them in
// the same order. Unordered containers have none and are refused; a comparator with state may have
// several.
template<class Compare>
concept one_order = std::is_empty_v<Compare>;

template<class Sink, class Container>
constexpr void write_elements(Sink& sink, Container const& v) {
  sink.template put<64>(v.size());
  for (auto const& each : v) layerkey::write(sink, each);
}

}  // namespace detail

template<detail::keyable T, detail::one_order Compare, class Allocator>
struct value<std::set<T, Compare, Allocator>> {
  static constexpr text kind = "set";
  using form = forms::sequence<T>;

  template<class Sink>
  static constexpr void write(Sink& sink, std::set<T, Compare, Allocator> const& v) {
    detail::write_elements(sink, v);
  }
  template<class Source>
  static std::set<detail::read_type<T, Source>, Compare> read(Source& from) {
    std::set<detail::read_type<T, Source>, Compare> v;
    for (auto count = from.template get<64>(); count != 0; --count)
      v.insert(v.end(), layerkey::read<T>(from));
    return v;
  }
};

template<detail::keyable K, detail::keyable T, detail::one_order Compare, class Allocator>
struct value<std::map<K, T, Compare, Allocator>> {
  static constexpr text kind = "map";
  using form = forms::sequence<std::pair<K, T>>;

  template<class Sink>
  static constexpr void write(Sink& sink, std::map<K, T, Compare, Allocator> const& v) {
    sink.template put<64>(v.size());
    for (auto const& [key, mapped] : v) {
      value<K>::write(sink, key);
      value<T>::write(sink, mapped);
    }
  }
  template<class Source>
  static std::map<detail::read_type<K, Source>, detail::read_type<T, Source>, Compare> read(
      Source& from) {
    std::map<detail::read_type<K, Source>, detail::read_type<T, Source>, Compare> v;
    for (auto count = from.template get<64>(); count != 0; --count)
      v.insert(v.end(), layerkey::read<std::pair<K, T>>(from));
    return v;
  }

  template<class Printer>
  static void print(Printer& to, std::map<K, T, Compare, Allocator> const& v) {
    char const* separator = "";
    to.text("{");
    for (auto const& [key, mapped] : v) {
      to.text(std::exchange(separator, ", "));
      to.value(key);
      to.text(": ");
      to.value(mapped);
    }
    to.text("}");
  }
};

}  // namespace layerkey
