// The implementation of the C interface for plug-ins, and the handles that a compiler gives them.
// A program includes it in at least one source file; more do no harm. Link with -rdynamic for
// plug-ins that are loaded at run time.
#pragma once

#include <layerkey/plugin.h>
#include <layerkey/detail/words.hpp>
#include <layerkey/extensions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a plug-in is given to add options: `layerkey_extensions handle{params.extra}`. Refers to the
// set. One thread at a time.
struct layerkey_extensions {
  explicit layerkey_extensions(layerkey::extensions& all) : target(&all) {}

  layerkey::extensions* target;
  std::string message = {};
};

// What a stage gives to a function of a plug-in: `layerkey_extensions_part
// part{options.get<...>()}`.
struct layerkey_extensions_part {
  explicit layerkey_extensions_part(layerkey::extensions_part const& all) : target(all) {}

  layerkey::extensions_part target;
};

namespace layerkey::detail {

constexpr layerkey_status status_of(extension_error error) {
  switch (error) {
    case extension_error::none:
      return LAYERKEY_OK;
    case extension_error::empty_name:
      return LAYERKEY_EMPTY_NAME;
    case extension_error::duplicate_name:
      return LAYERKEY_DUPLICATE_NAME;
    case extension_error::no_layer:
      return LAYERKEY_NO_LAYER;
    case extension_error::unknown_layer:
      return LAYERKEY_UNKNOWN_LAYER;
  }
  return LAYERKEY_NULL_ARGUMENT;
}

// "codegen, linking" as two names; what stands between two commas is a name even if it is empty.
inline std::vector<std::string_view> split_names(std::string_view all) {
  std::vector<std::string_view> names;
  while (!all.empty()) {
    auto const comma = std::min(all.find(','), all.size());
    auto name = all.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.push_back(name);
    all.remove_prefix(std::min(comma + 1, all.size()));
  }
  return names;
}

// `make` returns the value; what it or anything else cannot allocate becomes a status.
template<class Make>
layerkey_status add_from_c(layerkey_extensions* to, char const* name, char const* layers,
                           bool is_null, Make make) noexcept {
  if (to == nullptr) return LAYERKEY_NULL_ARGUMENT;
  auto const add = [&] {
    to->message.clear();
    if (name == nullptr || layers == nullptr || is_null) {
      to->message = "a null pointer was given; give a name, a value and the names of layers";
      return LAYERKEY_NULL_ARGUMENT;
    }
    auto result = to->target->add(name, make(), split_names(layers));
    to->message = std::move(result.message);
    return status_of(result.error);
  };
#if defined(__cpp_exceptions)
  try {
    return add();
  } catch (...) {
    to->message.clear();
    return LAYERKEY_OUT_OF_MEMORY;
  }
#else
  return add();
#endif
}

// The value of that name if it is a T.
template<class T>
layerkey_status read_for_c(layerkey_extensions_part const* from, char const* name, bool is_null,
                           T const*& found) noexcept {
  if (from == nullptr || name == nullptr || is_null) return LAYERKEY_NULL_ARGUMENT;
  auto const* const any = from->target.find(name);
  if (any == nullptr) return LAYERKEY_NOT_FOUND;
  found = any->get_if<T>();
  return found == nullptr ? LAYERKEY_OTHER_KIND : LAYERKEY_OK;
}

// Numbers and truth values.
template<class T, class Result>
layerkey_status copy_for_c(layerkey_extensions_part const* from, char const* name,
                           Result* value) noexcept {
  T const* found = nullptr;
  auto const status = read_for_c(from, name, value == nullptr, found);
  if (status == LAYERKEY_OK) *value = *found;
  return status;
}

// Text and bytes.
template<class T, class Result>
layerkey_status lend_to_c(layerkey_extensions_part const* from, char const* name, Result* value,
                          std::size_t* size) noexcept {
  T const* found = nullptr;
  auto const status = read_for_c(from, name, value == nullptr || size == nullptr, found);
  if (status == LAYERKEY_OK) {
    *value = found->data();
    *size = found->size();
  }
  return status;
}

// Keeps what fits and counts all.
struct bounded_sink {
  unsigned char* out;
  std::size_t capacity;
  std::size_t size = 0;

  void byte(unsigned char v) {
    if (size < capacity) out[size] = v;
    ++size;
  }
  template<unsigned Bits>
  void put(std::uint64_t v) {
    for (unsigned i = 0; i != (Bits + 7) / 8; ++i) byte(static_cast<unsigned char>(v >> 8 * i));
  }
  void bytes(char const* from, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) byte(static_cast<unsigned char>(from[i]));
  }
};

}  // namespace layerkey::detail

// ---- the functions of plugin.h, in each object that includes this header, once in a program -----

extern "C" {

[[gnu::used]] inline layerkey_status layerkey_extensions_set_bool(layerkey_extensions* to,
                                                                  char const* name, int value,
                                                                  char const* layers) noexcept {
  return layerkey::detail::add_from_c(to, name, layers, false,
                                      [&] { return layerkey::extension_value(value != 0); });
}

[[gnu::used]] inline layerkey_status layerkey_extensions_set_int(layerkey_extensions* to,
                                                                 char const* name,
                                                                 std::int64_t value,
                                                                 char const* layers) noexcept {
  return layerkey::detail::add_from_c(to, name, layers, false,
                                      [&] { return layerkey::extension_value(value); });
}

[[gnu::used]] inline layerkey_status layerkey_extensions_set_double(layerkey_extensions* to,
                                                                    char const* name, double value,
                                                                    char const* layers) noexcept {
  return layerkey::detail::add_from_c(to, name, layers, false,
                                      [&] { return layerkey::extension_value(value); });
}

[[gnu::used]] inline layerkey_status layerkey_extensions_set_text(layerkey_extensions* to,
                                                                  char const* name,
                                                                  char const* value,
                                                                  char const* layers) noexcept {
  return layerkey::detail::add_from_c(to, name, layers, value == nullptr,
                                      [&] { return layerkey::extension_value(value); });
}

[[gnu::used]] inline layerkey_status layerkey_extensions_set_bytes(layerkey_extensions* to,
                                                                   char const* name,
                                                                   void const* bytes,
                                                                   std::size_t size,
                                                                   char const* layers) noexcept {
  return layerkey::detail::add_from_c(to, name, layers, bytes == nullptr && size != 0, [&] {
    auto const* const first = static_cast<std::byte const*>(bytes);
    return layerkey::extension_value(std::vector<std::byte>(first, first + size));
  });
}

[[gnu::used]] inline char const* layerkey_extensions_message(
    layerkey_extensions const* of) noexcept {
  return of == nullptr ? "" : of->message.c_str();
}

[[gnu::used]] inline layerkey_status layerkey_extensions_get_bool(
    layerkey_extensions_part const* from, char const* name, int* value) noexcept {
  return layerkey::detail::copy_for_c<bool>(from, name, value);
}

[[gnu::used]] inline layerkey_status layerkey_extensions_get_int(
    layerkey_extensions_part const* from, char const* name, std::int64_t* value) noexcept {
  return layerkey::detail::copy_for_c<std::int64_t>(from, name, value);
}

[[gnu::used]] inline layerkey_status layerkey_extensions_get_double(
    layerkey_extensions_part const* from, char const* name, double* value) noexcept {
  return layerkey::detail::copy_for_c<double>(from, name, value);
}

[[gnu::used]] inline layerkey_status layerkey_extensions_get_text(
    layerkey_extensions_part const* from, char const* name, char const** value,
    std::size_t* size) noexcept {
  return layerkey::detail::lend_to_c<std::string>(from, name, value, size);
}

[[gnu::used]] inline layerkey_status layerkey_extensions_get_bytes(
    layerkey_extensions_part const* from, char const* name, void const** value,
    std::size_t* size) noexcept {
  return layerkey::detail::lend_to_c<std::vector<std::byte>>(from, name, value, size);
}

[[gnu::used]] inline std::size_t layerkey_extensions_key(layerkey_extensions_part const* of,
                                                         void* bytes,
                                                         std::size_t capacity) noexcept {
  layerkey::detail::bounded_sink sink{static_cast<unsigned char*>(bytes),
                                      bytes == nullptr ? 0 : capacity};
  if (of != nullptr) layerkey::write(sink, of->target);
  return sink.size;
}

}  // extern "C"
