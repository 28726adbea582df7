// A value that writes a part which no key can hold.
// expect: specialise layerkey::value for this type
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

struct slice {
  int* begin = nullptr;
  int size = 0;
};

template<>
struct layerkey::value<slice> {
  static constexpr text kind = "slice/1";
  template<class Sink>
  static constexpr void write(Sink& sink, slice const& v) {
    layerkey::write(sink, v.size);
#ifdef SHOW_ERROR
    layerkey::write(sink, v.begin);
#else
    for (int i = 0; i != v.size; ++i) layerkey::write(sink, v.begin[i]);
#endif
  }
};

using namespace layerkey;

struct params {
  slice tiles;
  using layerkey_fields = fields<field<&params::tiles, affects_irgen>>;
};
std::uint64_t hash(params const& p) { return key_hash<irgen>{}(p); }
