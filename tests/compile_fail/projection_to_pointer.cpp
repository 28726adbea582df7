// A projection to a pointer.
// expect: the_value_can_be_keyed<params, .*"path".*, const char ?\*>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
inline char const* file_name(std::string const& path) { return path.c_str() + path.rfind('/') + 1; }
#else
inline std::string file_name(std::string const& path) { return path.substr(path.rfind('/') + 1); }
#endif
struct params {
  std::string path;
  using layerkey_fields = fields<field<&params::path, affects_irgen::as<file_name>>>;
};
static_assert(complete<params>);
