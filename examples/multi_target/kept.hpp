// Where layerkey-compile keeps artifacts for later compiles, as its options say.
#pragma once

#include "options.hpp"

#include <layerkey/store/entry_store.hpp>

#include <memory>
#include <string>
#include <vector>

namespace multi_target {

// The disk, and before it the server if there is one; null without a cache. What is wrong with it
// fails no compile: problems() says it afterwards.
std::unique_ptr<layerkey::entry_store> open_cache(options const& given);

std::vector<std::string> problems_of(layerkey::entry_store const& store);

// Prints what the options ask about the cache: what `used` did, if it was, what the disk holds,
// whether all of that is right; and makes it smaller. False where something is wrong, said in
// `complaints`.
bool look_after_cache(options const& given, layerkey::entry_store const* used,
                      std::vector<std::string>& complaints);

}  // namespace multi_target
