// A value that writes a word of three bits.
// expect: a word takes 1, 2, 4, ... or 64 bits
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

struct axes {
  bool x = false;
  bool y = false;
  bool z = false;
};

template<>
struct layerkey::value<axes> {
  static constexpr text kind = "axes/1";
  static constexpr std::size_t atoms = 1;
#ifdef SHOW_ERROR
  static constexpr unsigned bits = 3;
#else
  static constexpr unsigned bits = 4;
#endif
  static constexpr void shape(detail::shape_writer& to) { to.put(bits); }
  template<class Sink>
  static constexpr void write(Sink& sink, axes const& v) {
    sink.template put<bits>(v.x + 2u * v.y + 4u * v.z);
  }
};

using namespace layerkey;

struct params {
  axes fused;
  using layerkey_fields = fields<field<&params::fused, affects_irgen>>;
};
auto make(params const& p) { return make_key<irgen>(p); }
