// What a stage is given in place of the params: its layer's own key, and nothing else.
#pragma once

#include <layerkey/detail/leaves.hpp>

namespace layerkey {
template<class Layer, class P>
class view;

template<class Layer, class P, class S, auto... Prefix>
class view_inside;

namespace detail {

// For lookups by a view.
template<class Layer, class P>
constexpr P const& params_behind(view<Layer, P> const& v);

template<class Path>
struct leaf_is_at {
  template<class Leaf>
  using fn = std::is_same<typename Leaf::whole_path, Path>;
};

template<class Layer, class P, auto... Path>
using leaf_at = mp::mp_copy_if_q<own_leaves<Layer, P>, leaf_is_at<path<Path...>>>;

template<auto First, auto... Rest>
constexpr auto last_name = last_name<Rest...>;
template<auto Only>
constexpr auto last_name<Only> = name_of<Only>;

// ---- views of structs inside -------------------------------------------------------------------

// What is left of a path behind its beginning; void if it begins otherwise.
template<class Beginning, class Path>
struct behind {
  using type = void;
};
template<auto... Rest>
struct behind<path<>, path<Rest...>> {
  using type = path<Rest...>;
};
template<auto First, auto... More, auto... Rest>
struct behind<path<First, More...>, path<First, Rest...>> : behind<path<More...>, path<Rest...>> {};

// Whether a leaf lies in the struct S that Prefix leads to.
template<class S, auto... Prefix>
struct leaf_is_inside {
  template<class Rest>
  struct starts_in_s : std::false_type {};
  template<auto Next, auto... Rest>
  struct starts_in_s<path<Next, Rest...>> : std::is_same<owner_of<Next>, S> {};

  template<class Leaf>
  using fn = starts_in_s<typename behind<path<Prefix...>, typename Leaf::whole_path>::type>;
};

template<class Layer, class P, class S, auto... Prefix>
using leaves_in = mp::mp_copy_if_q<own_leaves<Layer, P>, leaf_is_inside<S, Prefix...>>;

template<std::size_t Depth>
struct refined_above {
  template<class Leaf>
  struct with {
    template<class Placed>
    using fn = mp::mp_bool<(Leaf::depth + Placed::depth < Depth)>;
  };

  template<class Leaf>
  using fn = mp::mp_bool<any_of_q<typename Leaf::member::refined, with<Leaf>>>;
};

// A struct inside is seen as by itself, unless a struct around it refines what the layer reads.
template<class Layer, class P, class S, auto... Prefix>
constexpr bool seen_by_itself =
    !any_of_q<leaves_in<Layer, P, S, Prefix...>, refined_above<sizeof...(Prefix)>>;

template<class Layer, class P, class S, auto... Prefix>
constexpr auto view_struct(P const& p, S const& s) {
  if constexpr (seen_by_itself<Layer, P, S, Prefix...>)
    return view<Layer, S>(s);
  else
    return view_inside<Layer, P, S, Prefix...>(p);
}

// ---- what a path leads to ----------------------------------------------------------------------

// The first step of the path, its last one aside, that leads through an optional or a variant.
template<auto First, auto... Rest>
consteval auto holder_on_the_way() {
  if constexpr (sizeof...(Rest) == 0)
    return path<>{};
  else if constexpr (may_be_absent<First>)
    return path<First>{};
  else
    return holder_on_the_way<Rest...>();
}

// The struct that the path leads to directly, as a pointer type; nullptr_t if it leads to none.
template<class P, auto First, auto... Rest>
consteval auto struct_behind() {
  using field = field_at<P, First>;
  if constexpr (mp::mp_empty<field>::value)
    return nullptr;
  else if constexpr (!is_per_member<mp::mp_front<field>> || may_be_absent<First>)
    return nullptr;
  else if constexpr (sizeof...(Rest) == 0)
    return static_cast<member_type<First>*>(nullptr);
  else
    return struct_behind<member_type<First>, Rest...>();
}

// Reads Path in the struct S that Prefix leads to from P, where that is there.
template<class Layer, class P, class S, auto... Prefix>
struct reader {
  template<auto... Path>
  static constexpr decltype(auto) get(P const& p) {
    using found = leaf_at<Layer, P, Prefix..., Path...>;
    if constexpr (mp::mp_empty<found>::value) {
      using inner = std::remove_pointer_t<decltype(struct_behind<S, Path...>())>;
      if constexpr (std::is_class_v<inner>)
        return get_struct<inner, Path...>(p);
      else
        return error::member_outside_layer<Layer, P, last_name<Path...>>();
    } else if constexpr (!std::is_same_v<decltype(holder_on_the_way<Path...>()), path<>>)
      return missing<last_name<Path...>>(holder_on_the_way<Path...>());
    else if constexpr (is_state<typename mp::mp_front<found>::member>)
      return get_held<typename mp::mp_front<found>::member, Path...>(
          p, mp::mp_front<found>::root_in(p));
    else
      return mp::mp_front<found>::member::get(mp::mp_front<found>::root_in(p));
  }

 private:
  template<class Inner, auto... Path>
  static constexpr decltype(auto) get_struct(P const& p) {
    if constexpr (mp::mp_empty<leaves_in<Layer, P, Inner, Prefix..., Path...>>::value)
      return error::member_outside_layer<Layer, P, last_name<Path...>>();
    else
      return view_struct<Layer, P, Inner, Prefix..., Path...>(
          p, locate<Inner, Prefix..., Path...>::in(p));
  }

  template<class State, auto... Path>
  static constexpr auto get_held(P const& p, typename State::root const& root) {
    return holder<typename State::raw>::map(State::held(root), [&p]<class Inner>(Inner const& s) {
      return view_struct<Layer, P, Inner, Prefix..., Path...>(p, s);
    });
  }

  template<text Member, auto Holder>
  static constexpr bool missing(path<Holder>) {
    return error::read_through_holder<Layer, P, name_of<Holder>, Member>();
  }
};

// What narrowed<> starts from.
struct defaults_of {
  template<class S>
  static constexpr S make() {
    if constexpr (supplies_defaults<S>)
      return supplied_defaults<S>();
    else {
      if constexpr (!constant_initialisers<S>) static_cast<void>(error::computed_defaults<S>());
      return S{};
    }
  }
};

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
  //
  // A per_member struct itself comes as a view of it, one in a std::optional or a std::variant as
  // an optional or a variant of views; only through those can its members be read:
  //
  //   if (auto target = in.get<&job::target>()) emit(target->get<&x86::cpu>());
  template<auto... Path>
  constexpr decltype(auto) get() const {
    return detail::reader<Layer, P, P>::template get<Path...>(*p_);
  }

 private:
  friend constexpr P const& detail::params_behind<>(view const& v);

  P const* p_;
};

template<class Layer, class P>
constexpr P const& detail::params_behind(view<Layer, P> const& v) {
  return *v.p_;
}

// A view of the struct S that Prefix leads to, where P refines members of it: their conditions read
// members of P. Reads like view<Layer, S>.
template<class Layer, class P, class S, auto... Prefix>
class view_inside {
 public:
  template<auto... Path>
  constexpr decltype(auto) get() const {
    return detail::reader<Layer, P, S, Prefix...>::template get<Path...>(*p_);
  }

 private:
  template<class L, class Q, class Inner, auto... Way>
  friend constexpr auto detail::view_struct(Q const& p, Inner const& s);

  explicit constexpr view_inside(P const& p) : p_(&p) {}

  P const* p_;
};

// The same for generic code, where the member function would need the word `template`.
template<auto... Path, class Layer, class P>
constexpr decltype(auto) get(view<Layer, P> const& v) {
  return v.template get<Path...>();
}

template<auto... Path, class Layer, class P, class S, auto... Prefix>
constexpr decltype(auto) get(view_inside<Layer, P, S, Prefix...> const& v) {
  return v.template get<Path...>();
}

// The same as a whole struct: constant defaults, with the layer's members copied in. For a stage
// whose callee wants the struct; a member without a tag for the layer keeps its default, so that a
// forgotten tag changes the result visibly in place of going stale.
template<class Layer, class P>
class narrowed {
 public:
  explicit constexpr narrowed(P const& from) : p_(detail::defaults_of::make<P>()) {
    fill(from, detail::own_leaves<Layer, P>{});
  }

  constexpr P const* operator->() const { return &p_; }
  constexpr P const& operator*() const { return p_; }

 private:
  template<class... Leaves>
  constexpr void fill([[maybe_unused]] P const& from, mp::mp_list<Leaves...>) {
    static_cast<void>(detail::in_order{0, (fill_one<Leaves>(from, typename Leaves::way{}), 0)...});
  }

  // An optional or a variant comes before what is in it.
  template<class Leaf, auto... Way>
  constexpr void fill_one(P const& from, path<Way...>) {
    using member = typename Leaf::member;
    using access = detail::access<member::field::access>;
    if constexpr (!member::can_be_filled || (detail::is_constant<Way> || ...))
      static_cast<void>(error::not_narrowable<Layer, P, detail::name_of<member::field::access>>());
    else {
      if constexpr (Leaf::is_held)
        if (!Leaf::get(from)) return;
      using owner = typename member::owner;
      auto& to = const_cast<owner&>(detail::locate<owner, Way...>::in(static_cast<P const&>(p_)));
      auto const& root = Leaf::root_in(from);
      if constexpr (detail::is_state<member>)
        detail::holder<typename member::raw>::take_state(
            const_cast<typename member::raw&>(access::get(to)), member::held(root),
            detail::defaults_of{});
      else
        access::set(to, member::representative(root));
    }
  }

  P p_;
};

template<class Layer>
class narrowed<Layer, nothing<Layer>> {
 public:
  explicit constexpr narrowed(nothing<Layer> const&) {}
};

}  // namespace layerkey
