// An anonymous union behind more members than the compiler can bind.
// expect: the_struct_has_no_anonymous_union<params>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/variant.hpp>

using namespace layerkey;

// clang-format off
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define MANY TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) TEN(12) TEN(13)
// clang-format on

struct params {
#define ONE(n) int m##n = 0;
  MANY
#undef ONE
#ifdef SHOW_ERROR
      union {
    int tile = 0;
    float cost;
  };
#else
      std::variant<int, float>
          tile;
#endif
#define ONE(n) field<&params::m##n, affects_irgen>,
  using layerkey_fields = fields<MANY field<&params::tile, affects_irgen>>;
};
static_assert(complete<params>);
