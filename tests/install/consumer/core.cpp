#include <layerkey/layerkey.hpp>

struct codegen : layerkey::layer<> {};

struct params {
  int sm = 90;
  bool verbose = false;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::sm, layerkey::affects<codegen>>,
                       layerkey::field<&params::verbose, layerkey::runtime_only>>;
};

int main() {
  bool const equal = layerkey::same_key<codegen>(params{.verbose = false}, params{.verbose = true});
  bool const differ = !layerkey::same_key<codegen>(params{.sm = 80}, params{.sm = 90});
  return equal && differ ? 0 : 1;
}
