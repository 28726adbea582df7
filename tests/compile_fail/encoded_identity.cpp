// A key with an object's identity, encoded. In another process it would mean another object; a
// layer that does not read the object can be encoded.
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
