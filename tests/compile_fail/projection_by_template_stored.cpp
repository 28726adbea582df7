// An instance of a function template as a projection, in a stored key.
// only: g++
// expect: the_projection_has_a_name_of_its_own<params, .*"level".*"at_least"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

template<int N>
constexpr bool at_least(int v) {
  return v >= N;
}
constexpr bool at_least_two(int v) { return at_least<2>(v); }
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<at_least<2>>>>;
#else
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<at_least_two>>>;
#endif
};
constexpr digest128 schema() { return fingerprint<irgen, params>(); }
