// as and canonical: the form in which a layer sees a member.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace forms {

using layerkey::affects, layerkey::canonical, layerkey::field, layerkey::fields, layerkey::only_if,
    layerkey::same_key;

struct inference : layerkey::layer<> {};
struct irgen : layerkey::layer<inference> {};
struct codegen : layerkey::layer<irgen> {};

enum class mode : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }

struct dim3 {
  int x = 1, y = 1, z = 1;
  constexpr int size() const { return x * y * z; }
  constexpr dim3 sorted() const { return x <= y ? *this : dim3{y, x, z}; }
};
constexpr dim3 full(dim3 d) { return {d.x ? d.x : 1, d.y ? d.y : 1, d.z ? d.z : 1}; }
constexpr std::optional<dim3> full_if_any(std::optional<dim3> const& d) {
  return d ? std::optional(full(*d)) : std::nullopt;
}

// ---- projections -------------------------------------------------------------------------------

struct params {
  mode direction = mode::reverse;
  dim3 threads = {};
  dim3 grid = {};

  using layerkey_fields = fields<
      field<&params::direction, affects<inference>::as<is_forward>, affects<irgen>>,
      field<&params::threads, affects<inference>::as<&dim3::x>, affects<codegen>::as<&dim3::size>>,
      field<&params::grid, affects<codegen>, canonical<full>>>;
};
static_assert(layerkey::complete<params>);

constexpr params split{.direction = mode::split};
static_assert(same_key<inference>(params{}, split), "the projection does not tell them apart");
static_assert(!same_key<irgen>(params{}, split), "the whole value does");
static_assert(!same_key<inference>(params{}, params{.direction = mode::forward}));

// A member or a member function projects too.
static_assert(same_key<inference>(params{}, params{.threads = {1, 9, 9}}));
static_assert(!same_key<inference>(params{}, params{.threads = {2, 1, 1}}));
static_assert(layerkey::make_own_key<codegen>(params{.threads = {2, 3, 4}}) ==
              layerkey::make_own_key<codegen>(params{.threads = {4, 3, 2}}));
static_assert(layerkey::make_own_key<codegen>(params{.threads = {2, 3, 4}}) !=
              layerkey::make_own_key<codegen>(params{.threads = {2, 3, 5}}));

// What a layer cannot see downstream of a layer that can: the whole key sees more.
static_assert(!same_key<codegen>(params{.threads = {2, 3, 4}}, params{.threads = {4, 3, 2}}));

// ---- canonical ---------------------------------------------------------------------------------

static_assert(same_key<codegen>(params{.grid = {4, 0, 0}}, params{.grid = {4, 1, 1}}));
static_assert(!same_key<codegen>(params{.grid = {4, 0, 0}}, params{.grid = {4, 2, 1}}));

struct by_member_function {
  dim3 d = {};
  using layerkey_fields =
      fields<field<&by_member_function::d, affects<irgen>, canonical<&dim3::sorted>>>;
};
static_assert(same_key<irgen>(by_member_function{{1, 2, 3}}, by_member_function{{2, 1, 3}}));

// ---- canonical, then as, then only_if ----------------------------------------------------------

constexpr int even(int i) { return i & ~1; }
constexpr int tens(int i) { return i / 10 * 10; }
constexpr int half(int i) { return i / 2; }
constexpr bool positive(int i) { return i > 0; }

struct ordered {
  bool on = true;
  int number = 13;
  int read_as_even = 0;
  int guarded = 0;

  using layerkey_fields =
      fields<field<&ordered::on, affects<irgen>>,
             field<&ordered::number, only_if<&ordered::on>::otherwise<15>, affects<irgen>::as<half>,
                   canonical<tens>>,
             field<&ordered::read_as_even, affects<irgen>, canonical<even>>,
             field<&ordered::guarded, affects<irgen>, only_if<positive, &ordered::read_as_even>>>;
};
static_assert(layerkey::complete<ordered>);

template<auto Member>
consteval auto seen(ordered const& p) {
  return layerkey::view<irgen, ordered>(p).template get<Member>();
}
static_assert(seen<&ordered::number>({.number = 17}) == 5, "half(tens(17)), not half(17)");
static_assert(seen<&ordered::number>({.number = 29}) == 10);
static_assert(seen<&ordered::number>({.on = false, .number = 9}) == 5, "half(tens(15))");
static_assert(same_key<irgen>(ordered{.on = false, .number = 1}, ordered{.on = false}));

// A condition reads the canonical form.
static_assert(seen<&ordered::guarded>({.read_as_even = 1, .guarded = 8}) == 0);
static_assert(seen<&ordered::guarded>({.read_as_even = 2, .guarded = 8}) == 8);

// A default is canonicalised and projected too.
struct odd_default {
  bool on = false;
  int number = 13;
  using layerkey_fields = fields<field<&odd_default::on, affects<irgen>>,
                                 field<&odd_default::number, affects<irgen>::as<half>,
                                       canonical<tens>, only_if<&odd_default::on>>>;
};
constexpr odd_default odd;
static_assert(layerkey::view<irgen, odd_default>(odd).get<&odd_default::number>() == 5);

// ---- a projection makes a value of what is none ------------------------------------------------

struct engine {
  int version = 0;
};
constexpr int version_of(engine const* e) { return e ? e->version : -1; }
inline int owned_version(std::unique_ptr<engine> const& e) { return version_of(e.get()); }

struct handles {
  engine const* current = nullptr;
  std::unique_ptr<engine> owned;  // cannot be copied
  using layerkey_fields = fields<field<&handles::current, affects<irgen>::as<version_of>>,
                                 field<&handles::owned, affects<irgen>::as<owned_version>>>;
};
static_assert(layerkey::complete<handles>);

}  // namespace forms
