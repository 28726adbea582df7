// The way to a member as people write it: "target.sm".
#pragma once

#include <layerkey/detail/names.hpp>

#include <string>

namespace layerkey::detail {

template<auto... Path>
std::string path_name(path<Path...>) {
  std::string name;
  ((name += name.empty() ? "" : ".", name += name_of<Path>.data()), ...);
  return name;
}

}  // namespace layerkey::detail
