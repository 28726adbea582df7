// Structs of very many members: counted, keyed and described like small ones.
#include <layerkey/explain.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/member_table.hpp>
#include <layerkey/members.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/wide_structs.hpp>

#include <cstdint>

namespace counts {

using layerkey::affects, layerkey::field, layerkey::fields;

struct front : layerkey::layer<> {
  static constexpr layerkey::text name = "front";
};
struct back : layerkey::layer<front> {
  static constexpr layerkey::text name = "back";
};

// clang-format off

// EACH_10(DO, 1) is DO(10) DO(11) ... DO(19); EACH_100(DO, 1) is DO(100) ... DO(199).
#define EACH_10(DO, D) \
  DO(D##0) DO(D##1) DO(D##2) DO(D##3) DO(D##4) DO(D##5) DO(D##6) DO(D##7) DO(D##8) DO(D##9)
#define EACH_100(DO, D) \
  EACH_10(DO, D##0) EACH_10(DO, D##1) EACH_10(DO, D##2) EACH_10(DO, D##3) EACH_10(DO, D##4) \
  EACH_10(DO, D##5) EACH_10(DO, D##6) EACH_10(DO, D##7) EACH_10(DO, D##8) EACH_10(DO, D##9)
#define FIELD(N) field<&self::m##N, affects<back>>,

// ---- as many as structured bindings reach, and more --------------------------------------------

#define MEMBER(N) bool m##N = false;

struct as_many_as_bindings {
  EACH_100(MEMBER, 1) EACH_10(MEMBER, 20) EACH_10(MEMBER, 21)
  bool a = false, b = false, c = false, d = false, e = false, f = false, g = false, last = false;

  using self = as_many_as_bindings;
  using layerkey_fields = fields<
      EACH_100(FIELD, 1) EACH_10(FIELD, 20) EACH_10(FIELD, 21)
      field<&self::a, affects<back>>, field<&self::b, affects<back>>,
      field<&self::c, affects<back>>, field<&self::d, affects<back>>,
      field<&self::e, affects<back>>, field<&self::f, affects<back>>,
      field<&self::g, affects<front>>, field<&self::last, affects<front>>>;
};

struct beyond_bindings {
  EACH_100(MEMBER, 1) EACH_10(MEMBER, 20) EACH_10(MEMBER, 21) EACH_10(MEMBER, 22)
  bool last = false;

  using self = beyond_bindings;
  using layerkey_fields = fields<
      EACH_100(FIELD, 1) EACH_10(FIELD, 20) EACH_10(FIELD, 21) EACH_10(FIELD, 22)
      field<&self::last, affects<front>>>;
};

#undef MEMBER

// ---- more than clang folds: 300 members in one layer -------------------------------------------

#define MEMBER(N) std::int16_t m##N = N;

struct three_hundred {
  EACH_100(MEMBER, 1) EACH_100(MEMBER, 2) EACH_100(MEMBER, 3)
  void* log = nullptr;

  using self = three_hundred;
  using layerkey_fields = fields<
      EACH_100(FIELD, 1) EACH_100(FIELD, 2) EACH_100(FIELD, 3)
      field<&self::log, layerkey::runtime_only>>;
};

#undef MEMBER
#undef FIELD
#undef EACH_100
#undef EACH_10

// clang-format on

static_assert(layerkey::complete<as_many_as_bindings>);
static_assert(layerkey::detail::bindable<layerkey::detail::arity<as_many_as_bindings>>);
static_assert(!layerkey::detail::bindable<layerkey::detail::arity<as_many_as_bindings> + 1>);
static_assert(sizeof(layerkey::own_key<back, as_many_as_bindings>) == 16, "126 bits");

static_assert(layerkey::complete<beyond_bindings>);
static_assert(sizeof(layerkey::own_key<back, beyond_bindings>) == 24, "130 bits");
static_assert(!layerkey::same_key<back>(beyond_bindings{}, beyond_bindings{.m229 = true}));
static_assert(layerkey::same_key<front>(beyond_bindings{}, beyond_bindings{.m229 = true}));
static_assert(!layerkey::same_key<front>(beyond_bindings{}, beyond_bindings{.last = true}));

static_assert(layerkey::complete<three_hundred>);
static_assert(sizeof(layerkey::own_key<back, three_hundred>) == 300 * 2);

constexpr three_hundred many{};
constexpr three_hundred last_differs{.m399 = 0};
static_assert(layerkey::same_key<back>(many, many));
static_assert(!layerkey::same_key<back>(many, last_differs));
static_assert(!layerkey::same_key<back>(many, three_hundred{.m100 = 0}));
static_assert(layerkey::same_key<front>(many, last_differs));
static_assert(layerkey::narrowed<back, three_hundred>(last_differs)->m399 == 0);
static_assert(layerkey::narrowed<front, three_hundred>(last_differs)->m399 == 399);

struct wrapper {
  three_hundred inner;
  int more = 0;
  using layerkey_fields =
      fields<field<&wrapper::inner, layerkey::per_member>, field<&wrapper::more, affects<back>>>;
};
static_assert(!layerkey::same_key<back>(wrapper{}, wrapper{.inner = last_differs}));

consteval int members_visited() {
  int count = 0;
  layerkey::for_each_member<three_hundred>([&count](auto) { ++count; });
  return count;
}
static_assert(members_visited() == 301);

// The same refined from outside, and held by an optional.
constexpr bool above_zero(int v) { return v > 0; }
struct around {
  three_hundred inner = {};
  std::optional<beyond_bindings> maybe = std::nullopt;
  int on = 1;
  using layerkey_fields = fields<
      field<&around::inner, layerkey::per_member>, field<&around::maybe, layerkey::per_member>,
      field<&around::on, affects<back>>,
      layerkey::refine<layerkey::path<&around::inner, &three_hundred::m399>,
                       layerkey::only_if<above_zero, &around::on>>>;
};
static_assert(layerkey::complete<around>);
static_assert(!layerkey::same_key<back>(around{}, around{.inner = last_differs}));
static_assert(layerkey::same_key<back>(around{.on = 0}, around{.inner = last_differs, .on = 0}));
static_assert(!layerkey::same_key<back>(around{}, around{.maybe = beyond_bindings{}}));
static_assert(!layerkey::same_key<back>(around{.maybe = beyond_bindings{}},
                                        around{.maybe = beyond_bindings{.m229 = true}}));
static_assert(layerkey::same_key<front>(around{.maybe = beyond_bindings{}},
                                        around{.maybe = beyond_bindings{.m229 = true}}));

// Instantiated, which is what could fail.
auto explained() { return layerkey::explain<back>(many, last_differs); }
auto tabulated() { return layerkey::tabulate<three_hundred, front, back>(); }

}  // namespace counts
