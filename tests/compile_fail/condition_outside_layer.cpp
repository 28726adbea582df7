// A condition on a member that the layer does not read. It reads what is in the own key of each
// layer that its member affects.
// expect: the_condition_reads_the_own_key<layerkey::codegen, params, .*"level".*"on"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

struct params {
  bool on = true;
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields =
      fields<field<&params::on, affects_irgen>,
#else
  using layerkey_fields =
      fields<field<&params::on, affects_irgen, affects_codegen>,
#endif
             field<&params::level, affects_irgen, affects_codegen, only_if<&params::on>>>;
};
static_assert(complete<params>);
