// A refinement by a canonical form that returns another type than the member has.
// expect: the_canonical_form_is_such_a_value<job, .*"device.build".*, mode>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

enum class mode : unsigned char { debug, release, profile };
#ifdef SHOW_ERROR
constexpr bool optimized(mode v) { return v != mode::debug; }
#else
constexpr mode optimized(mode v) { return v == mode::debug ? v : mode::release; }
#endif
struct target {
  mode build = mode::release;
  using layerkey_fields = fields<field<&target::build, affects_codegen>>;
};
struct job {
  target device;
  using layerkey_fields = fields<field<&job::device, per_member>,
                                 refine<path<&job::device, &target::build>, canonical<optimized>>>;
};
static_assert(complete<job>);
