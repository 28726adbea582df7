// Ready-made canonical forms: one form for values that mean the same, and no further change by a
// second pass.
#include <layerkey/canonical_forms.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace canonical_forms {

using layerkey::affects, layerkey::canonical, layerkey::field, layerkey::fields, layerkey::same_key;

struct codegen : layerkey::layer<> {};

// Whether the form of v is `expected`, and the form of that is itself.
template<auto Form, class T>
constexpr bool becomes(T const& v, T const& expected) {
  return Form(v) == expected && Form(Form(v)) == expected;
}

// ---- lists -------------------------------------------------------------------------------------

using numbers = std::vector<int>;
static_assert(becomes<layerkey::sorted_unique<numbers>>(numbers{3, 1, 3, 2, 1}, numbers{1, 2, 3}));
static_assert(becomes<layerkey::sorted_unique<numbers>>(numbers{}, numbers{}));

struct few {
  std::array<short, 4> at = {};
  unsigned char count = 0;
  friend bool operator==(few const&, few const&) = default;
};
constexpr auto sorted_few = layerkey::sorted_unique_array<&few::at, &few::count>;
static_assert(becomes<layerkey::sorted_unique_array<&few::at, &few::count>>(few{{3, 1, 3, 9}, 3},
                                                                            few{{1, 3, 0, 0}, 2}));
static_assert(sorted_few({{1, 2, 3, 4}, 200}) == few{{1, 2, 3, 4}, 4}, "a count beyond the array");
static_assert(sorted_few({{7, 7, 7, 7}, 0}) == few{});

struct plain_few {
  int at[3] = {};
  int count = 0;
};
static_assert(
    layerkey::sorted_unique_array<&plain_few::at, &plain_few::count>({{2, 2, 1}, -1}).count == 0);
static_assert(
    layerkey::sorted_unique_array<&plain_few::at, &plain_few::count>({{2, 2, 1}, 3}).at[0] == 1);

// ---- features ----------------------------------------------------------------------------------

using name = layerkey::inline_text<40>;
constexpr bool features(name const& v, name const& expected) {
  return becomes<layerkey::last_feature_wins<name>>(v, expected);
}
static_assert(features("+avx2,-sse4a,+avx2", "-sse4a,+avx2"));
static_assert(features("+avx2,-sse4a", "+avx2,-sse4a"));
static_assert(features("+a,-a", "-a"));
static_assert(features("-a,+a,-a,+a", "+a"));
static_assert(features("", ""));
static_assert(features(",+a,,+b,", "+a,+b"));
static_assert(features("+avx,+avx2", "+avx,+avx2"), "a name that starts another is another");
static_assert(features("avx,+avx", "+avx"), "a name without a sign is the same name");
static_assert(features("+b,+a", "+b,+a"), "order stays: later names may imply earlier ones");
static_assert(features("+", "+"));

constexpr bool in_order(name const& v, name const& expected) {
  return becomes<layerkey::sorted_features<name>>(v, expected);
}
static_assert(in_order("-sse4a,+avx2", "+avx2,-sse4a"));
static_assert(in_order("+c,-b,+a,+b", "+a,+b,+c"));
static_assert(in_order("", ""));
static_assert(in_order("+b,+b1,+a", "+a,+b,+b1"));

// ---- defaults ----------------------------------------------------------------------------------

constexpr auto cost = layerkey::expanded_default<int, 0, 225>;
static_assert(cost(0) == 225);
static_assert(cost(225) == 225);
static_assert(cost(-1) == -1);
static_assert(becomes<layerkey::expanded_default<int, -1, 0>>(-1, 0));

using maybe = std::optional<int>;
static_assert(becomes<layerkey::expanded_optional<int, 3>>(maybe(), maybe(3)));
static_assert(becomes<layerkey::expanded_optional<int, 3>>(maybe(4), maybe(4)));
static_assert(layerkey::value_or<int, 3>(maybe()) == 3);
static_assert(layerkey::value_or<int, 3>(layerkey::present(7)) == 7);

// ---- paths -------------------------------------------------------------------------------------

using build_paths =
    layerkey::prefix_map<layerkey::prefix<"/home/me/src", "/src">,
                         layerkey::prefix<"/home/me", "~">, layerkey::prefix<"/tmp/build/", "">>;
static_assert(layerkey::detail::no_prefix_leads_into_another<build_paths>);
static_assert(!layerkey::detail::no_prefix_leads_into_another<
              layerkey::prefix_map<layerkey::prefix<"/a", "/a/b">>>);
static_assert(
    !layerkey::detail::no_prefix_leads_into_another<
        layerkey::prefix_map<layerkey::prefix<"/home", "/src">, layerkey::prefix<"/src/x", "/y">>>);
static_assert(!layerkey::detail::no_prefix_leads_into_another<
              layerkey::prefix_map<layerkey::prefix<"/home", "">, layerkey::prefix<"src", "x">>>);
static_assert(!layerkey::detail::no_prefix_leads_into_another<
              layerkey::prefix_map<layerkey::prefix<"/a", "/">>>);
static_assert(layerkey::detail::no_prefix_leads_into_another<
              layerkey::prefix_map<layerkey::prefix<"/a/", "/a">>>);

// ---- dimensions --------------------------------------------------------------------------------

struct dim3 {
  unsigned x = 0, y = 0, z = 0;
  friend bool operator==(dim3 const&, dim3 const&) = default;
};
constexpr bool full(dim3 v, dim3 expected) {
  return becomes<layerkey::trailing_ones_of<&dim3::x, &dim3::y, &dim3::z>>(v, expected);
}
static_assert(full({256, 0, 0}, {256, 1, 1}));
static_assert(full({256, 1, 1}, {256, 1, 1}));
static_assert(full({16, 16, 0}, {16, 16, 1}));
static_assert(full({0, 0, 0}, {1, 1, 1}));
static_assert(full({4, 0, 2}, {4, 0, 2}), "only at the end");

using triple = std::array<int, 3>;
static_assert(becomes<layerkey::trailing_ones<triple>>(triple{8, 0, 0}, triple{8, 1, 1}));

constexpr auto elements = layerkey::elements_of<&dim3::x, &dim3::y, &dim3::z>;
static_assert(elements({16, 4, 0}) == 64);

// ---- in params ---------------------------------------------------------------------------------

struct params {
  std::optional<dim3> threads = std::nullopt;
  dim3 grid = {};
  few passes = {};
  layerkey::inline_text<40> features = {};
  int inline_cost = 0;
  std::optional<int> unroll = std::nullopt;

  using layerkey_fields =
      fields<field<&params::threads, affects<codegen>,
                   canonical<layerkey::if_present<
                       dim3, layerkey::trailing_ones_of<&dim3::x, &dim3::y, &dim3::z>>>>,
             field<&params::grid,
                   affects<codegen>::as<layerkey::elements_of<&dim3::x, &dim3::y, &dim3::z>>>,
             field<&params::passes, affects<codegen>,
                   canonical<layerkey::sorted_unique_array<&few::at, &few::count>>>,
             field<&params::features, affects<codegen>,
                   canonical<layerkey::last_feature_wins<layerkey::inline_text<40>>>>,
             field<&params::inline_cost, affects<codegen>,
                   canonical<layerkey::expanded_default<int, 0, 225>>>,
             field<&params::unroll, affects<codegen>::as<layerkey::value_or<int, 4>>::
                                        represented_by<layerkey::present<int>>>>;
};
static_assert(layerkey::complete<params>);
static_assert(same_key<codegen>(params{}, params{.inline_cost = 225}));
static_assert(same_key<codegen>(params{.threads = dim3{8}}, params{.threads = dim3{8, 1, 1}}));
static_assert(!same_key<codegen>(params{}, params{.threads = dim3{1, 1, 1}}));
static_assert(same_key<codegen>(params{.grid = {2, 3, 0}}, params{.grid = {6, 0, 0}}));
static_assert(same_key<codegen>(params{.features = "+a,+b,+a"}, params{.features = "+b,+a"}));
static_assert(same_key<codegen>(params{}, params{.unroll = 4}));
static_assert(!same_key<codegen>(params{}, params{.unroll = 5}));

}  // namespace canonical_forms
