// A value of variable form in a fixed number of words, encoded. A key could not be read back.
// expect: the_value_says_its_form<bounds>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>

struct bounds {
  std::optional<int> least;
};

template<>
struct layerkey::value<bounds> {
  static constexpr text kind = "bounds/1";
  static constexpr std::size_t atoms = 2;
  static constexpr void shape(detail::shape_writer& to) { value<std::optional<int>>::shape(to); }
#ifndef SHOW_ERROR
  using form = forms::all<std::optional<int>>;
#endif

  template<class Sink>
  static constexpr void write(Sink& sink, bounds const& v) {
    layerkey::write(sink, v.least);
  }
};

using namespace layerkey;

struct params {
  bounds limits;
  using layerkey_fields = fields<field<&params::limits, affects_inference>>;
};

void store(params const& p, void (&sink)(std::byte const*, std::size_t)) {
  encode<inference>(p, sink);
}
