// A projection to a view of what an accessor returns by value. The view would refer to a
// temporary.
// expect: the_projection_owns_its_result<params, .*"get_path"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

using namespace layerkey;

std::string_view file_name(std::string const& path);
struct params {
  std::string path;
  unsigned level : 3 = 0;
  unsigned get_level() const { return level; }
#ifdef SHOW_ERROR
  std::string get_path() const { return path; }
#else
  std::string const& get_path() const { return path; }
#endif
  using layerkey_fields = fields<field<accessor<&params::get_path>, affects_irgen::as<file_name>>,
                                 field<accessor<&params::get_level>, affects_irgen>>;
};
static_assert(complete<params>);
