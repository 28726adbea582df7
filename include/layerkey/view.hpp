// What a stage is given in place of the params: its layer's own key, and nothing else.
#pragma once

#include <layerkey/detail/leaves.hpp>

namespace layerkey {
namespace detail {

template<auto... Path>
struct leaf_is_at {
  template<class Leaf>
  using fn = std::is_same<typename Leaf::whole_path, path<Path...>>;
};

template<class Layer, class P, auto... Path>
using leaf_at = mp::mp_copy_if_q<own_leaves<Layer, P>, leaf_is_at<Path...>>;

template<auto First, auto... Rest>
constexpr auto last_name = last_name<Rest...>;
template<auto Only>
constexpr auto last_name<Only> = name_of<Only>;

}  // namespace detail

// Reads the members in Layer's own key, each in the form that this layer declares. Any other read
// does not compile, also of a member that an upstream layer keys: the artifact would depend on what
// its key lacks. Refers to the params, which have to outlive it.
template<class Layer, class P>
class view {
 public:
  explicit constexpr view(P const& p) : p_(&p) {}
  view(P const&&) = delete;

  // view.get<&params::sm>(); through per_member structs view.get<&job::target, &target::sm>(). A
  // stored member comes as a reference, a computed form (as, canonical, only_if) as a value.
  template<auto... Path>
  constexpr decltype(auto) get() const {
    using found = detail::leaf_at<Layer, P, Path...>;
    if constexpr (!mp::mp_empty<found>::value)
      return mp::mp_front<found>::get(*p_);
    else
      return error::member_outside_layer<Layer, P, detail::last_name<Path...>>();
  }

 private:
  P const* p_;
};

// The same for generic code, where the member function would need the word `template`.
template<auto... Path, class Layer, class P>
constexpr decltype(auto) get(view<Layer, P> const& v) {
  return v.template get<Path...>();
}

// The same as a whole struct: constant defaults, with the layer's members copied in. For a stage
// whose callee wants the struct; a member without a tag for the layer keeps its default, so that a
// forgotten tag changes the result visibly in place of going stale.
template<class Layer, class P>
class narrowed {
 public:
  explicit constexpr narrowed(P const& from) : p_(defaults()) {
    fill(from, detail::own_leaves<Layer, P>{});
  }

  constexpr P const* operator->() const { return &p_; }
  constexpr P const& operator*() const { return p_; }

 private:
  static constexpr P defaults() {
    if constexpr (detail::supplies_defaults<P>)
      return detail::supplied_defaults<P>();
    else {
      if constexpr (!detail::constant_initialisers<P>)
        static_cast<void>(error::computed_defaults<P>());
      return P{};
    }
  }

  template<class... Leaves>
  constexpr void fill([[maybe_unused]] P const& from, mp::mp_list<Leaves...>) {
    static_cast<void>(detail::in_order{0, (fill_one(from, Leaves{}), 0)...});
  }

  template<class Member, auto... Prefix>
  constexpr void fill_one(P const& from, detail::leaf<Member, Prefix...>) {
    constexpr auto access = Member::field::access;
    if constexpr (Member::can_be_filled && (!detail::is_constant<Prefix> && ...))
      detail::access<access>::set(mutable_follow<Prefix...>(p_),
                                  Member::representative(detail::follow<Prefix...>::in(from)));
    else
      static_cast<void>(error::not_narrowable<Layer, P, detail::name_of<access>>());
  }

  template<auto... Path>
  static constexpr auto& mutable_follow(P& p) {
    return const_cast<std::remove_cvref_t<decltype(detail::follow<Path...>::in(p))>&>(
        detail::follow<Path...>::in(p));
  }

  P p_;
};

template<class Layer>
class narrowed<Layer, nothing<Layer>> {
 public:
  explicit constexpr narrowed(nothing<Layer> const&) {}
};

}  // namespace layerkey
