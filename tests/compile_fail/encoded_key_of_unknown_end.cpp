// A key with a value whose end nothing tells, encoded. What follows the value could not be found;
// from the params it can be encoded.
// expect: the_value_has_a_known_end<params, .*"data"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

struct blob {
  unsigned char size = 0;
  char all[255] = {};
};

template<>
struct layerkey::value<blob> {
  static constexpr text kind = "blob/1";
  template<class Sink>
  static constexpr void write(Sink& sink, blob const& v) {
    layerkey::write(sink, v.size);
    sink.bytes(v.all, v.size);
  }
};

using namespace layerkey;

struct params {
  blob data;
  std::string behind;
  using layerkey_fields =
      fields<field<&params::data, affects_inference>, field<&params::behind, affects_inference>>;
};

void store(params const& p, void (&sink)(std::byte const*, std::size_t)) {
#ifdef SHOW_ERROR
  encode(make_key<inference>(p), sink);
#else
  encode<inference>(p, sink);
#endif
}
