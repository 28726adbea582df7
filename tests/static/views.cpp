// What a stage can read through its view, and in which form.
#include <layerkey/layerkey.hpp>

#include <type_traits>
#include <utility>

namespace views {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::view;

struct front : layerkey::layer<> {};
struct back : layerkey::layer<front> {};

enum class mode { forward, reverse };
constexpr bool is_forward(mode m) { return m == mode::forward; }
constexpr int even(int i) { return i & ~1; }

struct target {
  int sm = 90;
  int ptx = 83;
  using layerkey_fields =
      fields<field<&target::sm, affects<back>>, field<&target::ptx, affects<front>>>;
};

struct params {
  mode direction = mode::reverse;
  int level = 3;
  int rounded = 5;
  bool lines = false;
  layerkey::inline_text<15> cpu = "znver4";
  target device;

  using layerkey_fields =
      fields<field<&params::direction, affects<front>::as<is_forward>, affects<back>>,
             field<&params::level, affects<back>>,
             field<&params::rounded, affects<back>, layerkey::canonical<even>>,
             field<&params::lines, affects<back>, layerkey::only_if<&params::level>>,
             field<&params::cpu, affects<back>>, field<&params::device, layerkey::per_member>>;
};
static_assert(layerkey::complete<params>);

constexpr params p{};
constexpr view<front, params> in_front(p);
constexpr view<back, params> in_back(p);

// ---- form and type -----------------------------------------------------------------------------

static_assert(in_front.get<&params::direction>() == false, "each layer sees its own form");
static_assert(in_back.get<&params::direction>() == mode::reverse);
static_assert(in_back.get<&params::rounded>() == 4);
static_assert(in_back.get<&params::cpu>() == "znver4");

// A stored member comes as a reference to it, a computed form as a value.
template<class T, auto... Path, class Layer>
constexpr bool gives(view<Layer, params> const& v) {
  return std::is_same_v<decltype(v.template get<Path...>()), T>;
}
static_assert(gives<int const&, &params::level>(in_back));
static_assert(gives<mode const&, &params::direction>(in_back));
static_assert(gives<layerkey::inline_text<15> const&, &params::cpu>(in_back));
static_assert(gives<bool, &params::direction>(in_front));
static_assert(gives<int, &params::rounded>(in_back));
static_assert(gives<bool, &params::lines>(in_back));
static_assert(gives<int const&, &params::device, &target::sm>(in_back));
static_assert(&in_back.get<&params::level>() == &p.level, "no copy");
static_assert(&in_back.get<&params::device, &target::sm>() == &p.device.sm);

// ---- generic code ------------------------------------------------------------------------------

constexpr int level_of(auto const& in) { return get<&params::level>(in); }
static_assert(level_of(in_back) == 3, "found without the word template");
static_assert(layerkey::get<&params::device, &target::ptx>(in_front) == 83);
static_assert(std::is_same_v<decltype(layerkey::get<&params::level>(in_back)), int const&>);

// ---- the view itself ---------------------------------------------------------------------------

static_assert(std::is_trivially_copyable_v<view<back, params>>);
static_assert(sizeof(in_back) == sizeof(void*));
static_assert(std::is_constructible_v<view<back, params>, params const&>);
static_assert(!std::is_constructible_v<view<back, params>, params>, "no view of a temporary");
static_assert(!std::is_constructible_v<view<back, params>, params const>);
static_assert(!std::is_convertible_v<params const&, view<back, params>>, "explicit");
static_assert(!std::is_constructible_v<view<back, params>, view<front, params>>);

// A stage can be declared before its params are complete.
struct later;
int stage(view<back, later> in);
struct later {
  int level = 0;
  using layerkey_fields = fields<field<&later::level, affects<back>>>;
};
constexpr int run(view<back, later> in) { return in.get<&later::level>(); }
constexpr later now{4};
static_assert(run(view<back, later>(now)) == 4);

// ---- bit-fields and private state --------------------------------------------------------------

class packed {
 public:
  constexpr packed(unsigned a, bool b) : a_(a & 7u), b_(b) {}
  constexpr unsigned a() const { return a_; }
  constexpr bool b() const { return b_; }
  static constexpr layerkey::text layerkey_uncounted = "two private bit-fields, both listed";
  using layerkey_fields = fields<field<layerkey::accessor<&packed::a>, affects<front>>,
                                 field<layerkey::accessor<&packed::b>, affects<back>>>;

 private:
  unsigned a_ : 3;
  bool b_ : 1;
};
static_assert(layerkey::complete<packed>);
constexpr packed bits(5, true);
static_assert(view<front, packed>(bits).get<layerkey::accessor<&packed::a>>() == 5);
static_assert(view<back, packed>(bits).get<layerkey::accessor<&packed::b>>());
static_assert(layerkey::same_key<front>(packed(5, true), packed(5, false)));
static_assert(!layerkey::same_key<front>(packed(5, true), packed(4, true)));
static_assert(!layerkey::same_key<back>(packed(5, true), packed(5, false)));

}  // namespace views
