// A condition on a member of another struct. A path leads there through a per_member field.
// expect: the_condition_reads_the_own_key<layerkey::irgen, params, .*"level".*"on"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool is_on(bool on) { return on; }
struct target {
  bool on = true;
  using layerkey_fields = fields<field<&target::on, affects_irgen>>;
};
struct params {
  bool on = true;
  target device;
  int level = 0;
  using layerkey_fields =
      fields<field<&params::on, affects_irgen>, field<&params::device, per_member>,
#ifdef SHOW_ERROR
             field<&params::level, affects_irgen, only_if<is_on, &target::on>>>;
#else
             field<&params::level, affects_irgen, only_if<is_on, &params::on>>>;
#endif
};
static_assert(complete<params>);
