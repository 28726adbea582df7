// A list of files that a layer reads, without what of them.
// expect: the_tag_says_what_is_read_of_the_file<params, .*"profiles"
// expect: as<content_of>, as<path_of> or as<content_and_path_of>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/input_files.hpp>

using namespace layerkey;

struct params {
  std::vector<input_file> profiles;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::profiles, affects_codegen>>;
#else
  using layerkey_fields = fields<
      field<&params::profiles, affects_codegen::as<contents_of>, affects_irgen::as<paths_of>>>;
#endif
};
static_assert(complete<params>);
