// A stored enumeration with enumerators beyond those that the compiler is asked for. An inserted
// one would go unnoticed.
// expect: the_enumerators_are_known<params, .*"flags".*, flags
#include <layerkey/compiler_layers.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/layerkey.hpp>

#ifdef SHOW_ERROR
enum class flags : unsigned { none, first = 1, last = 1u << 20 };
#else
enum class flags : unsigned { none, first = 1, last = 1u << 5 };
#endif

using namespace layerkey;

struct params {
  enum flags flags = {};
  using layerkey_fields = fields<field<&params::flags, affects_inference>>;
};

constexpr digest128 schema() { return fingerprint<inference, params>(); }
