// The extensions that one layer sees.
#pragma once

#include <layerkey/extension_set.hpp>
#include <layerkey/extension_value.hpp>
#include <layerkey/value.hpp>
#include <layerkey/values/associative.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/tuples.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace layerkey {

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

}  // namespace layerkey
