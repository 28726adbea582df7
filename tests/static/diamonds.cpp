// Keys over layers that form a graph: each layer of the closure counts once, whichever way leads to
// it, and params may be templates over layers.
#include <layerkey/layerkey.hpp>

#include <type_traits>

namespace diamonds {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::same_key;

struct parse : layerkey::layer<> {};
struct host : layerkey::layer<parse> {};
struct device : layerkey::layer<parse> {};
struct link : layerkey::layer<host, device> {};
struct package : layerkey::layer<link, parse> {};
struct lint : layerkey::layer<parse> {};

struct params {
  int dialect = 20;
  int host_level = 2;
  int device_level = 3;
  bool strip = false;
  bool compress = false;
  bool strict = false;

  using layerkey_fields =
      fields<field<&params::dialect, affects<parse>>, field<&params::host_level, affects<host>>,
             field<&params::device_level, affects<device>>, field<&params::strip, affects<link>>,
             field<&params::compress, affects<package>>, field<&params::strict, affects<lint>>>;
};
static_assert(layerkey::complete<params>);

// Which of parse, host, device, link, package and lint tell `changed` from the defaults.
struct moved {
  bool parse, host, device, link, package, lint;
  friend bool operator==(moved const&, moved const&) = default;
};
consteval moved moves(params const& changed) {
  params const base{};
  return {!same_key<parse>(base, changed),   !same_key<host>(base, changed),
          !same_key<device>(base, changed),  !same_key<link>(base, changed),
          !same_key<package>(base, changed), !same_key<lint>(base, changed)};
}

static_assert(moves({}) == moved{});
static_assert(moves({.dialect = 17}) == moved{true, true, true, true, true, true});
static_assert(moves({.host_level = 0}) == moved{false, true, false, true, true, false});
static_assert(moves({.device_level = 0}) == moved{false, false, true, true, true, false});
static_assert(moves({.strip = true}) == moved{false, false, false, true, true, false});
static_assert(moves({.compress = true}) == moved{false, false, false, false, true, false});
static_assert(moves({.strict = true}) == moved{false, false, false, false, false, true});

// Each own key is packed into the whole key once.
static_assert(sizeof(layerkey::key<link, params>) == 16);
static_assert(sizeof(layerkey::key<package, params>) == 16);
static_assert(
    std::is_same_v<
        layerkey::key<package, params>,
        layerkey::layered_key<layerkey::own_key<parse, params>, layerkey::own_key<host, params>,
                              layerkey::own_key<device, params>, layerkey::own_key<link, params>,
                              layerkey::own_key<package, params>>>);

// ---- params that are templates -----------------------------------------------------------------

template<class Layer, class Level>
struct side {
  Level level = Level{2};
  bool inlining = true;
  int shared = 0;

  using layerkey_fields =
      fields<field<&side::level, affects<Layer>>,
             field<&side::inlining, affects<Layer>, layerkey::only_if<&side::level>>,
             field<&side::shared, affects<parse>>>;
};

template<class... Sides>
struct sides;

template<class First, class Second>
struct sides<First, Second> {
  First first = {};
  Second second = {};
  bool both = true;

  using layerkey_fields = fields<field<&sides::first, layerkey::per_member>,
                                 field<&sides::second, layerkey::per_member>,
                                 field<&sides::both, affects<host>, affects<device>>,
                                 layerkey::refine<layerkey::path<&sides::second, &Second::inlining>,
                                                  layerkey::only_if<&sides::both>>>;
};

using two_sides = sides<side<host, short>, side<device, unsigned>>;
static_assert(layerkey::complete<two_sides>);

constexpr two_sides base{};
constexpr two_sides second_not_inlined{.second = {.inlining = false}};
static_assert(same_key<host>(base, second_not_inlined));
static_assert(!same_key<device>(base, second_not_inlined));
static_assert(!same_key<link>(base, second_not_inlined));
static_assert(same_key<device>(two_sides{.both = false},
                               two_sides{.second = {.inlining = false}, .both = false}));
static_assert(!same_key<host>(two_sides{.both = false},
                              two_sides{.first = {.inlining = false}, .both = false}));
static_assert(!same_key<parse>(base, two_sides{.first = {.shared = 1}}));
static_assert(!same_key<parse>(two_sides{.first = {.shared = 1}},
                               two_sides{.second = {.shared = 1}}));

// A template of the same arguments is the same struct, so its own key is shared.
template<class Layer>
struct wrapped {
  side<Layer, short> inner = {};
  using layerkey_fields = fields<field<&wrapped::inner, layerkey::per_member>>;
};
static_assert(std::is_same_v<layerkey::own_key<host, wrapped<host>>,
                             layerkey::own_key<host, side<host, short>>>);
static_assert(
    std::is_same_v<layerkey::normal_params<host, wrapped<device>>, layerkey::nothing<host>>);

}  // namespace diamonds
