// Keys and schemas as text, for people: what a key holds, read from the key itself.
#pragma once

#include <layerkey/detail/contents.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/print.hpp>
#include <layerkey/detail/schema.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/key.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace layerkey {
namespace detail {

template<class T>
constexpr bool can_be_read = has_known_end<T> && !mp::mp_any_of<within<T>, cannot_be_read>::value;

struct hex_sink {
  std::string& out;

  template<unsigned Bits>
  void put(std::uint64_t v) {
    put(Bits, v);
  }
  void put(unsigned bits, std::uint64_t v) {
    for (unsigned i = 0; i != (bits + 7) / 8; ++i) byte(static_cast<unsigned char>(v >> 8 * i));
  }
  void byte(unsigned char v) {
    constexpr char const* digits = "0123456789abcdef";
    (out += digits[v / 16]) += digits[v % 16];
  }
};

template<class T>
constexpr std::string_view kind_name() {
  return {value<T>::kind.data(), value<T>::kind.size()};
}

template<class Layer, class P>
class key_printer {
 public:
  template<class Key>
  key_printer(Key const& k, std::string& out) : from_(k), out_(out) {}

  template<class Leaf>
  void line() {
    std::string each = path_name(typename Leaf::whole_path{}) + " = ";
    if (from_.template enter<Leaf>())
      append_value<Leaf>(each);
    else
      each += "none";
    each += '\n';
    // Layers that see a member alike have one line for it.
    if (!has_line(each)) out_ += each;
  }

 private:
  bool has_line(std::string const& line) const {
    return std::string_view(out_).starts_with(line) || out_.find('\n' + line) != std::string::npos;
  }

  template<class Leaf>
  void append_value(std::string& line) {
    using type = value_of<Leaf>;
    auto& source = from_.source(place_in_key<Leaf>{});
    if (is_tail_leaf<Leaf>::value && !took_the_rest_.empty())
      ((line += "<") += kind_name<type>()) += ": among the bytes of " + took_the_rest_ + ">";
    else if constexpr (is_state<typename Leaf::member>)
      append_state<type>(line, source);
    else if constexpr (can_be_read<type>) {
      auto const v = layerkey::read<type>(source);
      print<std::remove_const_t<decltype(v)>>(line, v);
    } else
      append_bytes<type>(line, source, path_name(typename Leaf::whole_path{}));
  }

  template<class State>
  void append_state(std::string& line, word_source& source) {
    if constexpr (std::is_same_v<State, presence>)
      print(line, presence{source.get<1>() != 0});
    else
      print(line, alternative{static_cast<std::uint16_t>(source.get<16>())});
  }

  // "<semver/1: 0100000002000000>": the value's kind and the bytes that it wrote.
  template<class T>
  void append_bytes(std::string& line, auto& source, std::string const& member) {
    ((line += "<") += kind_name<T>()) += ": ";
    hex_sink to{line};
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(source)>, word_source>)
      transfer<T>::copy(source, to);
    else {
      auto const* at = source.position();
      if constexpr (has_known_end<T>) {
        no_sink nowhere;
        transfer<T>::copy(source, nowhere);
      } else {
        source.pass(source.left());
        took_the_rest_ = member;
      }
      for (; at != source.position(); ++at) to.byte(*at);
    }
    line += '>';
  }

  key_reader<Layer, P> from_;
  std::string& out_;
  std::string took_the_rest_;  // the member whose end nothing tells
};

template<class Layer, class P, class Key>
void append_part(std::string& out, Key const& k, std::type_identity<basic_key<Layer, P>>) {
  [&]<class... Leaves>(mp::mp_list<Leaves...>) {
    [[maybe_unused]] key_printer<Layer, P> printer(k, out);
    static_cast<void>(in_order{0, (printer.template line<Leaves>(), 0)...});
  }(own_leaves<Layer, P>{});
}

struct text_sink {
  std::string text;
  void put(unsigned char c) { text += static_cast<char>(c); }
};

}  // namespace detail

// "sm = 90\ncpu = \"znver4\"\n": a line for each member in the key, upstream layers first, each
// value in the form that the layer sees, as explain() prints it. A member that layers see in
// several forms has a line for each. A value<T> that does not say how it is read has its bytes.
template<class... OwnKeys>
std::string to_text(layered_key<OwnKeys...> const& k) {
  std::string out;
  (detail::append_part(out, k, std::type_identity<OwnKeys>{}), ...);
  return out;
}

template<class Layer, class P>
std::string to_text(key<Layer, P> const& k) {
  return to_text(k);
}

template<class Layer, class P>
std::string to_text(basic_key<Layer, P> const& k) {
  std::string out;
  detail::append_part(out, k, std::type_identity<basic_key<Layer, P>>{});
  return out;
}

// 32 hexadecimal digits.
inline std::string to_text(digest128 const& v) {
  std::string out;
  detail::hex_sink to{out};
  for (std::uint64_t const word : {v.high, v.low})
    for (int i = 8; i-- != 0;) to.byte(static_cast<unsigned char>(word >> 8 * i & 0xff));
  return out;
}

// The text whose hash is own_fingerprint<Layer, P>(), for a look at what changed.
template<class Layer, class P>
std::string schema_text() {
  if constexpr (detail::key_is_storable<own_key<Layer, P>>()) {
    detail::text_sink to;
    detail::own_schema<own_key<Layer, P>>::write(to);
    return to.text;
  } else
    return {};
}

}  // namespace layerkey
