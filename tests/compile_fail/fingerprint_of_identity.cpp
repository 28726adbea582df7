// A fingerprint of a key with an object's identity. It has none, however deep the object is.
// expect: the_value_outlives_the_process<target, .*"types"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/identity.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>

using namespace layerkey;

struct type {};

struct target {
#ifdef SHOW_ERROR
  std::vector<std::optional<by_identity<type>>> types;
#else
  std::vector<std::optional<int>> types;
#endif
  using layerkey_fields = fields<field<&target::types, affects_inference>>;
};

struct params {
  int level = 2;
  target machine;
  using layerkey_fields =
      fields<field<&params::level, affects_inference>, field<&params::machine, per_member>>;
};

constexpr digest128 schema() { return fingerprint<irgen, params>(); }
