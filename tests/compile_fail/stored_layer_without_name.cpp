// A stored key of a layer without a name.
// expect: the_layer_has_a_name<front>
#include <layerkey/fingerprint.hpp>
#include <layerkey/layerkey.hpp>

struct front : layerkey::layer<> {
#ifndef SHOW_ERROR
  static constexpr auto name = layerkey::text{"front"};
#endif
};
struct back : layerkey::layer<front> {
  static constexpr auto name = layerkey::text{"back"};
};

struct params {
  int level = 2;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<back>>>;
};

constexpr layerkey::digest128 schema() { return layerkey::fingerprint<back, params>(); }
