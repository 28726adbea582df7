// A layer is one cache of a compiler; it names the layers whose artifacts it consumes.
#pragma once

#include <layerkey/detail/light_mp11.hpp>
#include <layerkey/text.hpp>

namespace layerkey {

// Derive from it to declare a layer:
//
//   struct codegen : layerkey::layer<irgen> {
//     static constexpr auto name = layerkey::text{"codegen"};  // unique in a pipeline
//     using input = method;                                     // for pipelines: what is compiled
//     using artifact = object_code;                             // for pipelines: what a stage
//     returns
//   };
//
// Layers form a directed acyclic graph, usually a chain. Keys need no more than the base.
template<class... Upstream>
struct layer {
  using upstream = mp::mp_list<Upstream...>;
};

namespace detail {

template<class Layer>
struct closure_of;

template<class Once, class Rest>
struct each_once {
  using type = Once;
};
template<class... Once, class Next, class... Rest>
struct each_once<mp::mp_list<Once...>, mp::mp_list<Next, Rest...>>
    : each_once<std::conditional_t<(std::is_same_v<Once, Next> || ...), mp::mp_list<Once...>,
                                   mp::mp_list<Once..., Next>>,
                mp::mp_list<Rest...>> {};

template<class... Upstream>
using joined_closures =
    typename each_once<mp::mp_list<>,
                       mp::mp_append<mp::mp_list<>, typename closure_of<Upstream>::type...>>::type;

template<class Layer, class Upstream>
struct closure_over {
  using type = mp::mp_push_back<mp::mp_apply<joined_closures, Upstream>, Layer>;
};

template<class Layer>
struct closure_over<Layer, mp::mp_list<>> {
  using type = mp::mp_list<Layer>;
};

// Most compilers are a chain of layers.
template<class Layer, class One>
struct closure_over<Layer, mp::mp_list<One>> {
  template<class... All>
  static mp::mp_list<All..., Layer> with(mp::mp_list<All...>);
  using type = decltype(with(typename closure_of<One>::type{}));
};

template<class Layer>
struct closure_of : closure_over<Layer, typename Layer::upstream> {};

}  // namespace detail

// The layer and everything upstream of it, each once, upstream first.
template<class Layer>
using closure = typename detail::closure_of<Layer>::type;

}  // namespace layerkey
