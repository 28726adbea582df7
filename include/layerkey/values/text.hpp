// Strings of any length in keys: length, then characters.
#pragma once

#include <layerkey/detail/inline.hpp>
#include <layerkey/value.hpp>

#include <string>
#include <string_view>

namespace layerkey {

template<class Traits>
struct value<std::basic_string_view<char, Traits>> {
  static constexpr text kind = "text";
  using form = forms::characters;
  static constexpr bool borrows = true;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(Sink& sink,
                                                     std::basic_string_view<char, Traits> v) {
    sink.template put<64>(v.size());
    sink.bytes(v.data(), v.size());
  }
  template<class Source>
  static std::string read(Source& from) {
    auto size = from.template get<64>();
    auto const* const characters = from.characters(size);
    return std::string(characters, size);
  }
};

template<class Traits, class Allocator>
struct value<std::basic_string<char, Traits, Allocator>> {
  static constexpr text kind = "text";
  using form = forms::characters;

  template<class Sink>
  LAYERKEY_ALWAYS_INLINE static constexpr void write(
      Sink& sink, std::basic_string<char, Traits, Allocator> const& v) {
    sink.template put<64>(v.size());
    sink.bytes(v.data(), v.size());
  }
  template<class Source>
  static std::string read(Source& from) {
    auto size = from.template get<64>();
    auto const* const characters = from.characters(size);
    return std::string(characters, size);
  }
};

}  // namespace layerkey
