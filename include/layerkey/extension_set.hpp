// Extensions by name, each with the names of the layers that it affects.
#pragma once

#include <layerkey/extension_value.hpp>
#include <layerkey/value.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace layerkey {

struct extension {
  std::string name;
  extension_value value;
  std::vector<std::string> layers;  // their names, sorted, each once

  bool affects_layer(std::string_view layer) const {
    return std::binary_search(layers.begin(), layers.end(), layer);
  }

  friend bool operator==(extension const&, extension const&) = default;
};

enum class extension_error : std::uint8_t {
  none,
  empty_name,
  duplicate_name,
  no_layer,
  unknown_layer,
};

// Whether an extension was added, and a sentence that says why not.
struct [[nodiscard]] extension_status {
  extension_error error = extension_error::none;
  std::string message = {};

  explicit operator bool() const { return error == extension_error::none; }
};

namespace detail {

template<class Layer>
constexpr std::string_view name_of_layer() {
  static_assert(
      requires { Layer::name; },
      "layerkey: extensions name their layers: give it `static constexpr auto name = "
      "layerkey::text{\"...\"}`.");
  if constexpr (requires { Layer::name; })
    return {Layer::name.data(), Layer::name.size()};
  else
    return {};
}

template<class... Layers>
constexpr std::string_view names_of_layers[] = {name_of_layer<Layers>()...};

inline std::string listed_names(std::span<std::string_view const> names) {
  std::string all;
  for (auto const each : names) (all += all.empty() ? "" : ", ") += each;
  return all;
}

}  // namespace detail

// A set of extensions by name; the order in which they were added does not matter. As a member of
// params it is listed by extensions_field, and each layer's key and view hold those that name the
// layer:
//
//   layerkey::extensions extra = layerkey::extensions::of<inference, codegen>();
//   ...
//   layerkey::extensions_field<&params::extra, inference, codegen>,
//
// where `of` makes `add` refuse the name of any other layer.
class extensions {
 public:
  constexpr extensions() = default;

  // An empty set that knows the layers there are.
  template<class... Layers>
    requires(sizeof...(Layers) > 0)
  static constexpr extensions of() {
    extensions result;
    result.known_ = detail::names_of_layers<Layers...>;
    return result;
  }

  // Adds, or says why not and stays as it was.
  extension_status add(std::string name, extension_value value,
                       std::span<std::string_view const> layers) {
    auto const refuse = [&name](extension_error error, std::string const& why) {
      return extension_status{error, "extension \"" + name + "\": " + why};
    };
    if (name.empty()) return {extension_error::empty_name, "an extension has no name; give it one"};
    auto const place = position(name);
    if (place != all_.end() && place->name == name)
      return refuse(extension_error::duplicate_name,
                    "there is one of that name; remove it first, or choose another name");
    if (layers.empty())
      return refuse(extension_error::no_layer, "it names no layer; say which layers read it");
    for (auto const layer : layers)
      if (!knows(layer))
        return refuse(extension_error::unknown_layer, "there is no layer \"" + std::string(layer) +
                                                          "\"; the layers are " +
                                                          detail::listed_names(known_));
    std::vector<std::string> sorted(layers.begin(), layers.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    all_.insert(place, extension{std::move(name), std::move(value), std::move(sorted)});
    return {};
  }
  extension_status add(std::string name, extension_value value,
                       std::initializer_list<std::string_view> layers) {
    return add(std::move(name), std::move(value),
               std::span<std::string_view const>(layers.begin(), layers.size()));
  }

  // The same with the layers themselves, whose names cannot be misspelt: add<codegen>("fast", 1).
  template<class... Layers>
    requires(sizeof...(Layers) > 0)
  extension_status add(std::string name, extension_value value) {
    return add(std::move(name), std::move(value),
               std::span<std::string_view const>(detail::names_of_layers<Layers...>));
  }

  // Whether there was one.
  bool remove(std::string_view name) {
    auto const place = position(name);
    if (place == all_.end() || place->name != name) return false;
    all_.erase(place);
    return true;
  }

  // Null if there is none.
  extension const* find(std::string_view name) const {
    auto const place = const_cast<extensions*>(this)->position(name);
    return place != all_.end() && place->name == name ? &*place : nullptr;
  }

  // In the order of their names.
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }
  bool empty() const { return all_.empty(); }

  // Of what has been added, not of the layers that could be named.
  friend bool operator==(extensions const& a, extensions const& b) { return a.all_ == b.all_; }

 private:
  std::vector<extension>::iterator position(std::string_view name) {
    return std::lower_bound(
        all_.begin(), all_.end(), name,
        [](extension const& each, std::string_view wanted) { return each.name < wanted; });
  }

  bool knows(std::string_view layer) const {
    return known_.empty() || std::find(known_.begin(), known_.end(), layer) != known_.end();
  }

  std::vector<extension> all_;
  std::span<std::string_view const> known_;  // empty: any
};

// No `kind`: the whole set is in no key. See extensions_field.
template<>
struct value<extensions> {
  template<class Printer>
  static void print(Printer& to, extensions const& v) {
    char const* separator = "";
    to.text("{");
    for (auto const& each : v) {
      to.text(std::exchange(separator, ", "));
      to.value(each.name);
      to.text(": ");
      to.value(each.value);
      char const* before_layer = " (";
      for (auto const& layer : each.layers) {
        to.text(std::exchange(before_layer, ", "));
        to.text(layer);
      }
      to.text(")");
    }
    to.text("}");
  }
};

}  // namespace layerkey
