// Keys of layers that read nothing but words, and those of layers that read more beside them.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

#include <cstdint>
#include <optional>

namespace word_keys {

using layerkey::affects, layerkey::field, layerkey::fields;

struct front : layerkey::layer<> {};
struct middle : layerkey::layer<front> {};
struct back : layerkey::layer<middle> {};

struct params {
  std::uint16_t shared = 0x1234;  // read by all layers
  bool flag = true;
  std::int32_t level = -2;
  void* log = nullptr;
  std::int64_t size = 5;
  float scale = -0.0F;
  std::optional<int> limit;

  using layerkey_fields =
      fields<field<&params::shared, affects<front>, affects<middle>, affects<back>>,
             field<&params::flag, affects<middle>>, field<&params::level, affects<front>>,
             field<&params::log, layerkey::runtime_only>,
             field<&params::size, affects<middle>, affects<back>>,
             field<&params::scale, affects<back>>, field<&params::limit, affects<back>>>;
};
static_assert(layerkey::complete<params>);

template<class Layer>
consteval bool hashes_agree(params const& p) {
  return layerkey::key_hash<Layer>{}(p) ==
         layerkey::key_hash<Layer>{}(layerkey::make_key<Layer>(p));
}

constexpr params other{.shared = 1, .flag = false, .level = 7, .size = -1, .scale = 2, .limit = 3};
static_assert(hashes_agree<front>(other) && hashes_agree<middle>(other) &&
              hashes_agree<back>(other));

// Each part that is taken out of a key is the own key of its layer.
template<class Whole, class Part>
consteval bool gives_part(params const& p) {
  return layerkey::make_key<Whole>(p).template part<layerkey::own_key<Part, params>>() ==
         layerkey::make_own_key<Part>(p);
}
static_assert(gives_part<front, front>(other) && gives_part<middle, front>(other) &&
              gives_part<middle, middle>(other));
static_assert(gives_part<back, front>(other) && gives_part<back, middle>(other) &&
              gives_part<back, back>(other));

// A member that two layers read stands in the key once: 64 + 32 + 16 + 1 bits.
static_assert(sizeof(layerkey::key<middle, params>) == 16);
static_assert(sizeof(layerkey::own_key<middle, params>) == 16);

consteval params with(auto params::* member, auto value) {
  params p;
  p.*member = value;
  return p;
}
template<class Layer>
consteval bool tells(auto params::* member, auto value) {
  return !layerkey::same_key<Layer>(params{}, with(member, value)) &&
         layerkey::same_key<Layer>(with(member, value), with(member, value));
}
static_assert(tells<front>(&params::shared, std::uint16_t{0}));
static_assert(tells<front>(&params::level, 2));
static_assert(!tells<front>(&params::flag, false));
static_assert(tells<middle>(&params::flag, false));
static_assert(tells<middle>(&params::level, 2));
static_assert(tells<middle>(&params::size, std::int64_t{6}));
static_assert(!tells<middle>(&params::scale, 1.0F));
static_assert(tells<back>(&params::scale, 0.0F), "by representation");
static_assert(tells<back>(&params::flag, false));

}  // namespace word_keys
