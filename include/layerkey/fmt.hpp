// Keys, differences and extensions in the fmt library, where it is installed.
#pragma once

#include <layerkey/format.hpp>

#if __has_include(<fmt/format.h>)
#include <fmt/format.h>

// With the format specifications of text: "{:>20}".
template<layerkey::detail::has_text T>
struct fmt::formatter<T> : fmt::formatter<fmt::string_view> {
  auto format(T const& v, auto& context) const {
    return fmt::formatter<fmt::string_view>::format(to_text(v), context);
  }
};
#endif
