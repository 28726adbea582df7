// A file that is read with a hash of 64 bits.
// expect: the_function_digests_bytes<.*hash_of
#include <layerkey/values/input_file.hpp>

#include <cstdint>

using namespace layerkey;

std::uint64_t hash_of(std::string_view bytes);
content_digest digest_of(std::string_view bytes);

#ifdef SHOW_ERROR
auto const file = input_file::read<hash_of>("profile");
#else
auto const file = input_file::read<digest_of>("profile");
#endif
