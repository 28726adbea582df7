// Params that plug-ins add at run time, each with the names of the layers that it affects.
#pragma once

#include <layerkey/field.hpp>
#include <layerkey/members.hpp>
#include <layerkey/value.hpp>
#include <layerkey/values/associative.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/tuples.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace layerkey {

// ---- one value ---------------------------------------------------------------------------------

namespace detail {

template<class T>
concept character = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                    std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template<class T>
concept fits_int64 = std::integral<T> && !std::same_as<T, bool> && !character<T> &&
                     (sizeof(T) < 8 || std::signed_integral<T>);

template<class T>
concept fits_double = std::same_as<T, float> || std::same_as<T, double>;

}  // namespace detail

// A truth value, a number, text or bytes. Kinds differ: 1, 1.0 and true are three values. An
// unsigned 64-bit number does not convert, since it may not fit.
class extension_value {
 public:
  using kinds = std::variant<bool, std::int64_t, double, std::string, std::vector<std::byte>>;

  template<std::same_as<bool> T>
  extension_value(T v) : held_(v) {}
  template<detail::fits_int64 T>
  extension_value(T v) : held_(std::int64_t{v}) {}
  template<detail::fits_double T>
  extension_value(T v) : held_(double{v}) {}
  extension_value(std::string v) : held_(std::move(v)) {}
  extension_value(std::string_view v) : held_(std::string(v)) {}
  extension_value(char const* v) : held_(std::string(v)) {}
  extension_value(std::vector<std::byte> v) : held_(std::move(v)) {}

  kinds const& held() const { return held_; }

  // The value, if it is one of T: bool, std::int64_t, double, std::string, std::vector<std::byte>.
  template<class T>
  T const* get_if() const {
    return std::get_if<T>(&held_);
  }

  // By representation: -0.0 and 0.0 differ, a NaN equals itself.
  friend bool operator==(extension_value const& a, extension_value const& b) {
    auto const* const x = a.get_if<double>();
    auto const* const y = b.get_if<double>();
    if (x != nullptr && y != nullptr)
      return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y);
    return a.held_ == b.held_;
  }

 private:
  kinds held_;
};

template<>
struct value<extension_value> {
  static constexpr text kind = "extension_value";
  using form = forms::one_of<bool, std::int64_t, double, std::string, std::vector<std::byte>>;

  template<class Sink>
  static void write(Sink& sink, extension_value const& v) {
    sink.template put<16>(v.held().index());
    if (auto const* const b = v.get_if<bool>())
      layerkey::write(sink, *b);
    else if (auto const* const i = v.get_if<std::int64_t>())
      layerkey::write(sink, *i);
    else if (auto const* const d = v.get_if<double>())
      layerkey::write(sink, *d);
    else if (auto const* const s = v.get_if<std::string>())
      layerkey::write(sink, *s);
    else if (auto const* const bytes = v.get_if<std::vector<std::byte>>())
      layerkey::write(sink, *bytes);
  }

  template<class Source>
  static extension_value read(Source& from) {
    switch (from.template get<16>()) {
      case 0:
        return layerkey::read<bool>(from);
      case 1:
        return layerkey::read<std::int64_t>(from);
      case 2:
        return layerkey::read<double>(from);
      case 3:
        return layerkey::read<std::string>(from);
      default:
        return layerkey::read<std::vector<std::byte>>(from);
    }
  }

  template<class Printer>
  static void print(Printer& to, extension_value const& v) {
    if (auto const* const b = v.get_if<bool>())
      to.value(*b);
    else if (auto const* const i = v.get_if<std::int64_t>())
      to.value(*i);
    else if (auto const* const d = v.get_if<double>())
      print_double(to, *d);
    else if (auto const* const s = v.get_if<std::string>())
      to.value(*s);
    else if (auto const* const bytes = v.get_if<std::vector<std::byte>>()) {
      constexpr char const* hex = "0123456789abcdef";
      std::string digits = "0x";
      for (auto const each : *bytes)
        (digits += hex[std::to_integer<unsigned>(each) / 16]) +=
            hex[std::to_integer<unsigned>(each) % 16];
      to.text(digits);
    }
  }

 private:
  // A whole number must not read like an integer, which is another value.
  template<class Printer>
  static void print_double(Printer& to, double v) {
    char digits[32];
    auto const* const end = std::to_chars(digits, digits + sizeof digits, v).ptr;
    std::string_view const shortest(digits, static_cast<std::size_t>(end - digits));
    to.text(shortest);
    if (shortest.find_first_not_of("-0123456789") == std::string_view::npos) to.text(".0");
  }
};

// ---- the set -----------------------------------------------------------------------------------

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
  return {Layer::name.data(), Layer::name.size()};
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

// ---- what one layer sees of it -----------------------------------------------------------------

// The extensions that name one layer, without what they say of others. Refers to the set, which
// has to outlive it and to stay as it is.
class extensions_part {
 public:
  extensions_part(extensions const& all, std::string_view layer) : all_(&all), layer_(layer) {}
  extensions_part(extensions const&&, std::string_view) = delete;

  struct named_value {
    std::string const& name;
    extension_value const& value;
  };

  class iterator {
   public:
    using value_type = named_value;
    using difference_type = std::ptrdiff_t;
    using reference = named_value;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    iterator() = default;
    iterator(extensions_part const& of, std::vector<extension>::const_iterator at)
        : at_(at), end_(of.all_->end()), layer_(of.layer_) {
      skip();
    }

    named_value operator*() const { return {at_->name, at_->value}; }
    iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    iterator operator++(int) {
      auto const before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

   private:
    void skip() {
      while (at_ != end_ && !at_->affects_layer(layer_)) ++at_;
    }

    std::vector<extension>::const_iterator at_;
    std::vector<extension>::const_iterator end_;
    std::string_view layer_;
  };

  // In the order of their names: `for (auto const [name, value] : part)`.
  iterator begin() const { return {*this, all_->begin()}; }
  iterator end() const { return {*this, all_->end()}; }
  std::size_t size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }
  bool empty() const { return begin() == end(); }

  // The name of the layer.
  std::string_view layer() const { return layer_; }

  // Null if none of that name names the layer.
  extension_value const* find(std::string_view name) const {
    auto const* const found = all_->find(name);
    return found != nullptr && found->affects_layer(layer_) ? &found->value : nullptr;
  }

  // The value of that name, if there is one and it is a T; see extension_value::get_if.
  template<class T>
  T const* find_as(std::string_view name) const {
    auto const* const found = find(name);
    return found == nullptr ? nullptr : found->get_if<T>();
  }

  // Whether the layers' stages read the same.
  friend bool operator==(extensions_part const& a, extensions_part const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](named_value const& x, named_value const& y) {
                        return x.name == y.name && x.value == y.value;
                      });
  }

 private:
  extensions const* all_;
  std::string_view layer_;
};

template<>
struct value<extensions_part> {
  static constexpr text kind = "extensions";
  using form = forms::sequence<std::pair<std::string, extension_value>>;
  static constexpr bool borrows = true;

  template<class Sink>
  static void write(Sink& sink, extensions_part const& v) {
    sink.template put<64>(v.size());
    for (auto const [name, held] : v) {
      layerkey::write(sink, name);
      layerkey::write(sink, held);
    }
  }

  template<class Source>
  static std::map<std::string, extension_value> read(Source& from) {
    return layerkey::read<std::map<std::string, extension_value>>(from);
  }

  template<class Printer>
  static void print(Printer& to, extensions_part const& v) {
    char const* separator = "";
    to.text("{");
    for (auto const [name, held] : v) {
      to.text(std::exchange(separator, ", "));
      to.value(name);
      to.text(": ");
      to.value(held);
    }
    to.text("}");
  }
};

// ---- as a member of params ---------------------------------------------------------------------

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
