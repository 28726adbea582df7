// Digests of content by LLVM's BLAKE3.
#pragma once

#include <layerkey/content_digest.hpp>

#include <string_view>

namespace layerkey {

// BLAKE3, 32 bytes.
content_digest digest_of(std::string_view content);

}  // namespace layerkey
