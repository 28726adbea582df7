// Files in params by content, digested with LLVM's BLAKE3.
#pragma once

#include <layerkey/llvm/digest.hpp>
#include <layerkey/values/input_file.hpp>

#include <string>
#include <utility>

namespace layerkey {

// input_file::read with digest_of.
inline input_file::result read_input_file(std::string path) {
  return input_file::read<digest_of>(std::move(path));
}

// input_file::from_memory with digest_of.
inline input_file input_file_from_memory(std::string bytes, std::string path) {
  return *input_file::from_memory<digest_of>(std::move(bytes), std::move(path));
}

}  // namespace layerkey
