// A map of path prefixes of which one leads into another.
// expect: a prefix of this map leads into a directory that the map changes too
#include <layerkey/canonical_forms.hpp>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/text.hpp>

using namespace layerkey;

#ifdef SHOW_ERROR
using build_root = prefix_map<prefix<"/home/me", "/work">, prefix<"/work", "/src">>;
#else
using build_root = prefix_map<prefix<"/home/me", "/src">, prefix<"/work", "/src">>;
#endif
struct params {
  std::string file;
  using layerkey_fields =
      fields<field<&params::file, affects_irgen, canonical<mapped_path<std::string, build_root>>>>;
};
auto make(params const& p) { return make_key<irgen>(p); }
