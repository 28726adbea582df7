// only_if: a member counts while its condition holds; else the stage reads a constant, and requests
// that the stage cannot tell apart share a key.
#include <layerkey/layerkey.hpp>

namespace conditions {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::only_if, layerkey::same_key;

struct irgen : layerkey::layer<> {};
struct codegen : layerkey::layer<irgen> {};

constexpr bool has_debug_info(int level) { return level > 0; }
constexpr bool both(bool a, int b) { return a && b > 1; }

struct params {
  int debug_level = 0;
  bool line_tables = true;
  bool optimise = false;
  int unroll = 4;
  int vector_width = 8;
  bool inlining = false;
  int inline_cost = 225;
  int cost_bonus = 3;
  int debug_unroll = 1;

  using layerkey_fields =
      fields<field<&params::debug_level, affects<irgen>, affects<codegen>>,
             field<&params::line_tables, affects<irgen>, affects<codegen>,
                   only_if<has_debug_info, &params::debug_level>>,
             field<&params::optimise, affects<irgen>>,
             field<&params::unroll, affects<irgen>, only_if<&params::optimise>>,
             field<&params::vector_width, affects<irgen>,
                   only_if<both, &params::optimise, &params::unroll>::otherwise<1>>,
             field<&params::inlining, affects<irgen>, only_if<&params::optimise>::otherwise<true>>,
             field<&params::inline_cost, affects<irgen>, only_if<&params::inlining>>,
             field<&params::cost_bonus, affects<irgen>, only_if<&params::inline_cost>>,
             field<&params::debug_unroll, affects<irgen>,
                   only_if<has_debug_info, &params::debug_level>, only_if<&params::optimise>>>;
};
static_assert(layerkey::complete<params>);

template<auto Member, class Layer = irgen>
consteval auto seen(params const& p) {
  return layerkey::view<Layer, params>(p).template get<Member>();
}

consteval bool same(params const& a, params const& b) { return same_key<irgen>(a, b); }

// ---- one condition -----------------------------------------------------------------------------

constexpr params debug{.debug_level = 1};
constexpr params debug_no_lines{.debug_level = 1, .line_tables = false};
constexpr params no_lines{.line_tables = false};

static_assert(!same(debug, debug_no_lines), "while the condition holds the member counts");
static_assert(same({}, no_lines), "while it does not the member does not");
static_assert(seen<&params::line_tables>(no_lines), "and the stage reads the initialiser");
static_assert(!seen<&params::line_tables>(debug_no_lines));
static_assert(same({.debug_level = 1, .line_tables = true}, debug));

// The condition holds for each layer that the member affects.
static_assert(seen<&params::line_tables, codegen>(no_lines));
static_assert(!seen<&params::line_tables, codegen>(debug_no_lines));
static_assert(same_key<codegen>(params{}, no_lines));
static_assert(!same_key<codegen>(debug, debug_no_lines));

// ---- the truth of a member ---------------------------------------------------------------------

static_assert(same({.unroll = 1}, {.unroll = 2}));
static_assert(!same({.optimise = true, .unroll = 1}, {.optimise = true, .unroll = 2}));
static_assert(seen<&params::unroll>({.unroll = 99}) == 4);

// There is no presence bit: an active member with the value that an inactive one reads is the same,
// apart from the member that the condition reads.
static_assert(!same({.optimise = true}, {.optimise = false}), "the read member counts by itself");

// ---- otherwise ---------------------------------------------------------------------------------

static_assert(seen<&params::vector_width>({.vector_width = 16}) == 1);
static_assert(seen<&params::vector_width>({.optimise = true, .unroll = 1, .vector_width = 16}) ==
              1);
static_assert(seen<&params::vector_width>({.optimise = true, .vector_width = 16}) == 16);
static_assert(same({.vector_width = 16}, {.vector_width = 1}));
static_assert(same({.optimise = true, .unroll = 1, .vector_width = 16},
                   {.optimise = true, .unroll = 1, .vector_width = 1}),
              "no presence bit");

// ---- chains ------------------------------------------------------------------------------------

// A member whose condition reads an inactive member is inactive, even where the inactive member
// reads as true.
static_assert(seen<&params::inlining>({.inlining = false}), "otherwise<true>");
static_assert(seen<&params::inline_cost>({.inlining = true, .inline_cost = 1}) == 225);
static_assert(same({.inlining = true, .inline_cost = 1}, {}));
static_assert(same({.inline_cost = 1, .cost_bonus = 9}, {}));

constexpr params on{.optimise = true, .inlining = true};
static_assert(!same(on, {.optimise = true, .inlining = true, .inline_cost = 1}));
static_assert(!same(on, {.optimise = true, .inlining = true, .cost_bonus = 1}));
static_assert(same({.optimise = true, .inlining = true, .inline_cost = 0},
                   {.optimise = true, .inlining = true, .inline_cost = 0, .cost_bonus = 1}));

// ---- several conditions ------------------------------------------------------------------------

static_assert(same({.debug_level = 1}, {.debug_level = 1, .debug_unroll = 2}));
static_assert(same({.optimise = true}, {.optimise = true, .debug_unroll = 2}));
static_assert(!same({.debug_level = 1, .optimise = true},
                    {.debug_level = 1, .optimise = true, .debug_unroll = 2}));

struct all_of {
  bool a = true;
  bool b = true;
  int both = 0;
  int either_twice = 0;

  using layerkey_fields =
      fields<field<&all_of::a, affects<irgen>>, field<&all_of::b, affects<irgen>>,
             field<&all_of::both, affects<irgen>, only_if<&all_of::a, &all_of::b>>,
             field<&all_of::either_twice, affects<irgen>, only_if<&all_of::a>::otherwise<7>,
                   only_if<&all_of::b>>>;
};
static_assert(layerkey::complete<all_of>);
static_assert(!same_key<irgen>(all_of{}, all_of{.both = 1}));
static_assert(same_key<irgen>(all_of{.a = false}, all_of{.a = false, .both = 1}));
static_assert(same_key<irgen>(all_of{.b = false}, all_of{.b = false, .both = 1}));

// One otherwise serves all conditions of a member.
constexpr int twice_seen(all_of const& p) {
  return layerkey::view<irgen, all_of>(p).get<&all_of::either_twice>();
}
static_assert(twice_seen({.either_twice = 3}) == 3);
static_assert(twice_seen({.a = false, .either_twice = 3}) == 7);
static_assert(twice_seen({.b = false, .either_twice = 3}) == 7);

// ---- a condition sees the form that the layer sees ---------------------------------------------

enum class mode { forward, reverse, split };
constexpr bool is_forward(mode m) { return m == mode::forward; }
constexpr bool is_true(bool b) { return b; }
constexpr bool is_split(mode m) { return m == mode::split; }
constexpr mode merged(mode m) { return m == mode::split ? mode::reverse : m; }

struct forms {
  mode direction = mode::reverse;
  mode merged_direction = mode::reverse;
  int tape = 0;
  int never = 5;

  using layerkey_fields =
      fields<field<&forms::direction, affects<irgen>::as<is_forward>>,
             field<&forms::merged_direction, affects<irgen>, layerkey::canonical<merged>>,
             field<&forms::tape, affects<irgen>, only_if<is_true, &forms::direction>>,
             field<&forms::never, affects<irgen>, only_if<is_split, &forms::merged_direction>>>;
};
static_assert(layerkey::complete<forms>);
static_assert(!same_key<irgen>(forms{.direction = mode::forward, .tape = 1},
                               forms{.direction = mode::forward, .tape = 2}));
static_assert(same_key<irgen>(forms{.direction = mode::split, .tape = 1},
                              forms{.direction = mode::reverse, .tape = 2}));
static_assert(same_key<irgen>(forms{.merged_direction = mode::split, .never = 1},
                              forms{.merged_direction = mode::reverse, .never = 2}),
              "the canonical form is never split");

// ---- per_member --------------------------------------------------------------------------------

struct inner {
  bool enabled = false;
  int width = 4;

  using layerkey_fields = fields<field<&inner::enabled, affects<irgen>>,
                                 field<&inner::width, affects<irgen>, only_if<&inner::enabled>>>;
};
static_assert(layerkey::complete<inner>);

struct wrapper {
  inner vectors = {.enabled = true, .width = 64};
  inner matrices = {.enabled = false, .width = 32};

  using layerkey_fields = fields<field<&wrapper::vectors, layerkey::per_member>,
                                 field<&wrapper::matrices, layerkey::per_member>>;
};
static_assert(layerkey::complete<wrapper>);

constexpr int width_in_matrices(wrapper const& p) {
  return layerkey::view<irgen, wrapper>(p).get<&wrapper::matrices, &inner::width>();
}
static_assert(width_in_matrices({}) == 4, "the initialiser of inner, not that of the wrapper");
static_assert(width_in_matrices({.matrices = {.enabled = true, .width = 7}}) == 7);
static_assert(same_key<irgen>(wrapper{}, wrapper{.matrices = {.enabled = false, .width = 9}}));
static_assert(!same_key<irgen>(wrapper{}, wrapper{.vectors = {.enabled = true, .width = 9}}));

// ---- defaults ----------------------------------------------------------------------------------

// Where the initialisers are no constants, layerkey_defaults() says what an inactive member reads.
inline int detected = 80;

struct computed {
  bool fixed = false;
  int architecture = detected;

  static constexpr computed layerkey_defaults() { return {.fixed = false, .architecture = 70}; }
  using layerkey_fields =
      fields<field<&computed::fixed, affects<irgen>>,
             field<&computed::architecture, affects<irgen>, only_if<&computed::fixed>>>;
};
static_assert(layerkey::complete<computed>);
constexpr int architecture_seen(computed const& p) {
  return layerkey::view<irgen, computed>(p).get<&computed::architecture>();
}
static_assert(architecture_seen({.fixed = false, .architecture = 90}) == 70);
static_assert(architecture_seen({.fixed = true, .architecture = 90}) == 90);

// otherwise needs no default, so no constant one either.
struct computed_elsewhere {
  bool fixed = false;
  int architecture = detected;

  using layerkey_fields = fields<field<&computed_elsewhere::fixed, affects<irgen>>,
                                 field<&computed_elsewhere::architecture, affects<irgen>,
                                       only_if<&computed_elsewhere::fixed>::otherwise<70>>>;
};
static_assert(layerkey::complete<computed_elsewhere>);

// otherwise may be a function, for values that are no template arguments.
constexpr layerkey::inline_text<8> nobody() { return "nobody"; }

struct by_function {
  bool named = false;
  layerkey::inline_text<8> name = "x";
  layerkey::inline_text<8> other = "y";

  using layerkey_fields = fields<
      field<&by_function::named, affects<irgen>>,
      field<&by_function::name, affects<irgen>, only_if<&by_function::named>::otherwise<nobody>>,
      field<&by_function::other, affects<irgen>,
            only_if<&by_function::named>::otherwise<layerkey::inline_text<8>("text")>>>;
};
static_assert(layerkey::complete<by_function>);
constexpr by_function unnamed;
static_assert(layerkey::view<irgen, by_function>(unnamed).get<&by_function::name>() == "nobody");
static_assert(layerkey::view<irgen, by_function>(unnamed).get<&by_function::other>() == "text");
static_assert(same_key<irgen>(unnamed, by_function{.name = "z", .other = "z"}));

}  // namespace conditions
