// A key that holds an object by identity has no canonical encoding: in another process it would
// mean another object. The twin encodes a layer that does not read the object.
// expect: the_value_outlives_the_process<params, .*"result"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct type {};

struct params {
  int level = 2;
  by_identity<type> result = {};
  using layerkey_fields =
      fields<field<&params::level, affects_inference>, field<&params::result, affects_irgen>>;
};

#ifdef SHOW_ERROR
using stored = irgen;
#else
using stored = inference;
#endif

void store(params const& p, void (&sink)(std::byte const*, std::size_t)) {
  encode<stored>(p, sink);
}
