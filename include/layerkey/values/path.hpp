// Paths in keys, as text: two spellings of one file differ. For the content of a file hold a
// content_digest of what was read.
#pragma once

#include <layerkey/values/text.hpp>

#include <filesystem>

namespace layerkey {

template<>
struct value<std::filesystem::path> {
  static constexpr text kind = "path";
  using form = forms::characters;

  template<class Sink>
  static void write(Sink& sink, std::filesystem::path const& v) {
    value<std::string>::write(sink, v.native());
  }
  template<class Source>
  static std::filesystem::path read(Source& from) {
    return value<std::string>::read(from);
  }

  template<class Printer>
  static void print(Printer& to, std::filesystem::path const& v) {
    to.value(v.native());
  }
};

}  // namespace layerkey
