// The closure of a layer: itself and everything upstream of it, once each, upstream first.
#include <layerkey/layer.hpp>

#include <type_traits>

namespace layers {

using boost::mp11::mp_list;
using layerkey::closure;
using layerkey::layer;

template<class Layer, class... Expected>
constexpr bool closure_is = std::is_same_v<closure<Layer>, mp_list<Expected...>>;

struct front : layer<> {};
static_assert(closure_is<front, front>, "a layer without upstream stands alone");

struct middle : layer<front> {};
struct back : layer<middle> {};
static_assert(closure_is<back, front, middle, back>, "a chain is listed upstream first");

struct left : layer<front> {};
struct right : layer<front> {};
struct join : layer<left, right> {};
static_assert(closure_is<join, front, left, right, join>, "a diamond lists its root once");

struct swapped : layer<right, left> {};
static_assert(closure_is<swapped, front, right, left, swapped>, "the order is that of the bases");

struct shortcut : layer<back, front> {};
static_assert(closure_is<shortcut, front, middle, back, shortcut>,
              "a layer that is upstream in two ways counts once");

struct other : layer<> {};
struct two_roots : layer<other, front> {};
static_assert(closure_is<two_roots, other, front, two_roots>, "roots need not be related");

struct deep : layer<join, two_roots, shortcut> {};
static_assert(
    closure_is<deep, front, left, right, join, other, two_roots, middle, back, shortcut, deep>,
    "diamonds of diamonds still list each layer once");

}  // namespace layers
