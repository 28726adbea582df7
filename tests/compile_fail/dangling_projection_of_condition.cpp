// A projection to a view of a member with a condition. While that is false the view would refer to
// a temporary.
// expect: the_projection_owns_its_result<params, .*"path"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

using namespace layerkey;

std::string_view file_name(std::string const& path);
std::string owned_file_name(std::string const& path);
std::string lower_case(std::string const& path);
struct params {
  bool on = true;
  std::string path;
  static params layerkey_defaults() { return {}; }
  using layerkey_fields =
      fields<field<&params::on, affects_irgen>,
#ifdef SHOW_ERROR
             field<&params::path, affects_irgen::as<file_name>, only_if<&params::on>>>;
#else
             field<&params::path, affects_irgen::as<owned_file_name>, only_if<&params::on>>>;
#endif
};
static_assert(complete<params>);
