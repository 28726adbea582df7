// An input by an object's identity, encoded.
// expect: the identity of an object means nothing in another process
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct method {};
#ifdef SHOW_ERROR
using input = by_identity<method>;
#else
using input = int;
#endif
void store(input const& in, void (&sink)(std::byte const*, std::size_t)) { encode_value(in, sink); }
