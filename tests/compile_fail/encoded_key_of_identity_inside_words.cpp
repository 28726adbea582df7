// The same, where the value says how many words it takes.
// expect: the_value_outlives_its_process<type>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>

struct type {};

struct signature {
  layerkey::by_identity<type> result = {};
  int arguments = 0;
};

template<>
struct layerkey::value<signature> {
  static constexpr text kind = "signature/1";
#ifdef SHOW_ERROR
  static constexpr std::size_t atoms = 2;
  static constexpr void shape(detail::shape_writer& to) {
    to.put(64);
    to.put(32);
  }
#endif
  template<class Sink>
  static constexpr void write(Sink& sink, signature const& v) {
#ifdef SHOW_ERROR
    layerkey::write(sink, v.result);
#endif
    layerkey::write(sink, v.arguments);
  }
};

using namespace layerkey;

struct params {
  signature called;
  using layerkey_fields = fields<field<&params::called, affects_inference>>;
};

void store(params const& p, void (&sink)(std::byte const*, std::size_t)) {
  encode(make_key<inference>(p), sink);
}
