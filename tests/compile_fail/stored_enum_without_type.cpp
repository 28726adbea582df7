// A stored enumeration without a fixed underlying type.
// expect: the_enumerators_are_known<params, .*"language".*, dialect
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

enum dialect { c, cxx };

#ifndef SHOW_ERROR
template<>
struct layerkey::enum_names<dialect> {
  using list = enumerator_list<enumerator<"c", c>, enumerator<"cxx", cxx>>;
};
#endif

using namespace layerkey;

struct params {
  std::optional<dialect> language;
  using layerkey_fields = fields<field<&params::language, affects_inference>>;
};

void store(params const& p, void (&sink)(std::byte const*, std::size_t)) {
  encode<inference>(p, sink);
  encode(make_key<inference>(p), sink);
}
