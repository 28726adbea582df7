// An encoding into something that takes no bytes.
// expect: a sink for an encoding has
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 2;
  using layerkey_fields = fields<field<&params::level, affects_inference>>;
};

struct sink {
#ifdef SHOW_ERROR
  void write(char const*);
#else
  void write(std::byte const*, std::size_t);
#endif
};

void store(params const& p, sink& to) { encode<inference>(p, to); }
