// A projection in narrowed params. The struct cannot hold what it gives, without a value that
// stands for it.
// expect: the_member_can_be_filled<layerkey::irgen, params, .*"level"
#include <layerkey/compiler_layers.hpp>
#include <layerkey/layerkey.hpp>

using namespace layerkey;

constexpr bool positive(int v) { return v > 0; }
constexpr int some(bool is_positive) { return is_positive ? 1 : 0; }
struct params {
  int level = 0;
#ifdef SHOW_ERROR
  using layerkey_fields = fields<field<&params::level, affects_irgen::as<positive>>>;
#else
  using layerkey_fields =
      fields<field<&params::level, affects_irgen::as<positive>::represented_by<some>>>;
#endif
};
int lower(params const& p) { return narrowed<irgen, params>(p)->level; }
