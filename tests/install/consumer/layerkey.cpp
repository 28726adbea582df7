#include <layerkey/cache/pipeline.hpp>
#include <layerkey/layerkey.hpp>

struct codegen : layerkey::layer<> {
  static constexpr auto name = layerkey::text{"codegen"};
  using input = int;
  using artifact = int;
};

struct params {
  int factor = 2;

  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::factor, layerkey::affects<codegen>>>;
};

int multiply(int const& input, layerkey::view<codegen, params> options) {
  return input * options.get<&params::factor>();
}

int main() {
  layerkey::pipeline<params, layerkey::stage<multiply>> compiler;
  return *compiler.get<codegen>(21, params{}) == 42 ? 0 : 1;
}
