// One string of parts. With operator+ of a literal and a temporary, g++ 12 warns of what is not
// there.
#pragma once

#include <string>
#include <string_view>

namespace layerkey::llvm_detail {

template<class... Part>
std::string concat(Part const&... parts) {
  std::string whole;
  (whole.append(std::string_view(parts)), ...);
  return whole;
}

}  // namespace layerkey::llvm_detail
