// An explanation of a layer without a name.
// expect: an explanation names the layer
#include <layerkey/compiler_layers.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct front : layer<> {
#ifndef SHOW_ERROR
  static constexpr auto name = text{"front"};
#endif
};
struct params {
  int level = 2;
  using layerkey_fields = fields<field<&params::level, affects<front>>>;
};
auto differences(params const& a, params const& b) { return explain<front>(a, b); }
