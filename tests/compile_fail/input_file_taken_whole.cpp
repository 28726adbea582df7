// A file that a layer reads, without what of it.
// expect: the_tag_says_what_is_read_of_the_file<params, .*"profile"
// expect: as<content_of>, as<path_of> or as<content_and_path_of>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/input_file.hpp>

using namespace layerkey;

struct params {
  input_file profile;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::profile, affects_codegen>>;
#else
  using layerkey_fields =
      fields<field<&params::profile, affects_codegen::as<content_of>, affects_irgen::as<path_of>>>;
#endif
};
static_assert(complete<params>);
