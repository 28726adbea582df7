// The flip test and the random properties for structs of other shapes: a diamond of layers with
// conditions and two copies of one struct, and params of someone else's without plain members.
#include "flip.hpp"
#include "key_properties.hpp"

#include <layerkey/layerkey.hpp>
#include <layerkey/values/aggregates.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>

namespace shapes {

struct root : layerkey::layer<> {
  static constexpr layerkey::text name = "root";
};
struct left : layerkey::layer<root> {
  static constexpr layerkey::text name = "left";
};
struct right : layerkey::layer<root> {
  static constexpr layerkey::text name = "right";
};
struct join : layerkey::layer<left, right> {
  static constexpr layerkey::text name = "join";
};

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::only_if;

// ---- conditions, bit-fields, copies, two levels ------------------------------------------------

constexpr bool above_zero(int v) { return v > 0; }
constexpr bool all(bool a, unsigned b) { return a && b != 0; }
constexpr int clamped(int v) { return v < 0 ? 0 : v; }

struct switches {
  bool on = true;
  unsigned mask : 5 = 1;
  int depth = 1;
  std::optional<float> weight = 2.5f;

  unsigned get_mask() const { return mask; }
  void set_mask(unsigned v) { mask = v & 31u; }

  using layerkey_fields = fields<
      field<&switches::on, affects<left>, affects<right>>,
      field<layerkey::accessor<&switches::get_mask, &switches::set_mask>, affects<left>,
            affects<right>, only_if<&switches::on>>,
      field<&switches::depth, affects<left>, layerkey::canonical<clamped>,
            only_if<all, &switches::on,
                    layerkey::accessor<&switches::get_mask, &switches::set_mask>>::otherwise<9>>,
      field<&switches::weight, affects<left>, only_if<above_zero, &switches::depth>>>;
};
static_assert(layerkey::complete<switches>);

struct pair_of {
  switches first;
  switches second;
  std::int8_t balance = 0;

  using layerkey_fields = fields<field<&pair_of::first, layerkey::per_member>,
                                 field<&pair_of::second, layerkey::per_member>,
                                 field<&pair_of::balance, affects<root>, affects<join>>>;
};
static_assert(layerkey::complete<pair_of>);

inline std::string no_note() { return "none"; }

struct diamond {
  pair_of both;
  bool trace = true;
  std::vector<bool> bits = {true, false};
  std::string note;

  using layerkey_fields =
      fields<field<&diamond::both, layerkey::per_member>, field<&diamond::trace, affects<join>>,
             field<&diamond::bits, affects<right>>,
             field<&diamond::note, affects<join>, only_if<&diamond::trace>::otherwise<no_note>>>;
};
static_assert(layerkey::complete<diamond>);

// ---- someone else's, in which everything is of variable size -----------------------------------

struct point {
  std::string name;
  std::optional<std::string> alias;

  friend bool operator==(point const&, point const&) = default;
  friend point another(point p) { return {p.name, vary::other(p.alias)}; }
  static point any(vary::engine& random) {
    return {vary::random_value<std::string>::get(random),
            vary::random_value<std::optional<std::string>>::get(random)};
  }
};

class foreign {
 public:
  foreign() = default;
  std::string const& name() const { return name_; }
  void set_name(std::string v) { name_ = std::move(v); }
  std::vector<point> points;
  std::vector<std::optional<int>> gaps = {1, std::nullopt};
  std::array<std::vector<std::string>, 2> lists;
  std::optional<std::vector<double>> weights;
  std::optional<std::optional<std::string>> twice = std::optional<std::string>();
  void const* handle = nullptr;

 private:
  std::string name_ = "x";
};

inline std::vector<double> magnitudes(std::optional<std::vector<double>> const& v) {
  std::vector<double> result = v.value_or(std::vector<double>{});
  for (double& each : result) each = each < 0 ? -each : each;
  return result;
}

constexpr auto name = layerkey::accessor<&foreign::name, &foreign::set_name>;

}  // namespace shapes

template<>
struct layerkey::describe<shapes::foreign> {
  using foreign = shapes::foreign;
  static constexpr text uncounted = "has a private member";
  using fields = layerkey::fields<
      field<shapes::name, affects<shapes::root>>,
      field<&foreign::points, affects<shapes::left>, affects<shapes::join>>,
      field<&foreign::gaps, affects<shapes::left>>, field<&foreign::lists, affects<shapes::right>>,
      field<&foreign::weights, affects<shapes::root>::as<shapes::magnitudes>,
            affects<shapes::join>>,
      field<&foreign::twice, affects<shapes::join>>, field<&foreign::handle, runtime_only>>;
};
static_assert(layerkey::complete<shapes::foreign>);

using namespace shapes;

TEST_CASE("conditions, bit-fields and copies: each member moves exactly its keys") {
  CHECK(flip::check<diamond, root, left, right, join>(diamond{}) == 12);
}

TEST_CASE("a member moves no key while its condition, or one that this reads, does not hold") {
  diamond base;
  base.both.first.on = false;
  base.both.second.mask = 0;
  base.trace = false;
  std::vector<flip::unseen<diamond>> const hidden = {
      {"both.first.get_mask", {"left", "right"}},
      {"both.first.depth", {"left"}},
      {"both.first.weight", {"left"}},
      {"both.second.depth", {"left"}},
      {"both.second.weight", {"left"}},
      {"note", {"join"}},
  };
  CHECK(flip::check<diamond, root, left, right, join>(base, hidden) == 12);
}

TEST_CASE("while a condition does not hold the value that is read instead is canonical too") {
  diamond base;
  base.both.first.depth = -3;
  std::vector<flip::unseen<diamond>> const hidden = {
      {"both.first.depth", {"left"}, [](diamond& p) { p.both.first.depth = 0; }},
      {"both.first.depth", {"left"}},  // -2
      {"both.first.weight", {"left"}},
  };
  CHECK(flip::check<diamond, root, left, right, join>(base, hidden) == 13);
}

TEST_CASE("members of variable size: each moves exactly its keys") {
  std::vector<flip::unseen<foreign>> const hidden = {
      {"weights", {"root"}, [](foreign& p) { p.weights = {-1.0}; }},
  };
  foreign base;
  base.weights = {1.0};
  CHECK(flip::check<foreign, root, left, right, join>(base, hidden) == 8);
}

TEST_CASE("random params of other shapes keep what keys promise") {
  int const equal = properties::check<diamond, root, left, right, join>(1, 1'500) +
                    properties::check<foreign, root, left, right, join>(2, 1'500);
  CHECK(equal > 1'200);  // of 12,000
  CHECK(equal < 10'800);
}
