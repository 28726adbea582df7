// A view of params that die before it.
// expect: (deleted.*view.*params|view<irgen, params>.*deleted)
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  int level = 0;
  int sm = 90;
  using layerkey_fields =
      fields<field<&params::level, affects_irgen>, field<&params::sm, affects_codegen>>;
};
static_assert(complete<params>);

int lower(view<irgen, params> in) { return in.get<&params::level>(); }
int run(params const& p) {
#ifdef SHOW_ERROR
  return lower(view<irgen, params>(params(p)));
#else
  return lower(view<irgen, params>(p));
#endif
}
