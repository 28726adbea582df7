// Extensions for a layer without a name.
// expect: extensions name their layers
#include <layerkey/compiler_layers.hpp>
#include <layerkey/extensions.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct front : layer<> {
#ifndef SHOW_ERROR
  static constexpr auto name = text{"front"};
#endif
};
struct params {
  extensions extra;
  using layerkey_fields = fields<extensions_field<&params::extra, front>>;
};
std::uint64_t hash(params const& p) { return key_hash<front>{}(p); }
