// How a struct of compiler options says what each of its members affects.
#pragma once

#include <layerkey/detail/light_mp11.hpp>

namespace layerkey {

// ---- tags: what a member does ------------------------------------------------------------------

// The stage of Layer reads the member, so the member is in Layer's own key.
template<class Layer>
struct affects {
  using layer = Layer;

  // The stage reads no more than Projection(member), and the key holds no more.
  template<auto Projection>
  struct as {
    using layer = Layer;
    static constexpr auto projection = Projection;

    // Section(u) is a member value that stands for all that project to u, so that narrowed<> can
    // fill the member: Projection(Section(u)) == u.
    template<auto Section>
    struct represented_by {
      using layer = Layer;
      static constexpr auto projection = Projection;
      static constexpr auto section = Section;
    };
  };
};

// In no key; no stage can read it. Pointers, streams, handles, log sinks.
struct runtime_only {};

// In no key and no view: read by the pipeline's checks, on every delivery.
struct check_only {};

// The member's own struct is described; each of its members keeps its own tags. Also through
// std::optional and std::variant of described structs, with values/optional.hpp and
// values/variant.hpp: whether, or which, is then in the key of each layer that reads of them.
struct per_member {};

// ---- modifiers ---------------------------------------------------------------------------------

// The members that lead from a struct to a member inside it, outermost first.
template<auto... Members>
struct path {};

// The member counts only while Predicate holds for the members that it names, as the layer sees
// them. While it does not hold, the stage reads the member's constant initialiser, or what
// `otherwise` names. A member pointer as the predicate asks for its truth, and
// for that of all reads: only_if<&params::enabled>; an accessor does the same. A member of a
// per_member struct is read by path<&params::target, &target::sm>{}.
template<auto Predicate, auto... Reads>
struct only_if {
  static constexpr auto predicate = Predicate;
  using reads = path<Reads...>;

  template<auto Value>
  struct otherwise {
    static constexpr auto predicate = Predicate;
    using reads = path<Reads...>;
    static constexpr auto otherwise_value = Value;
  };
};

// The stage reads Function(member), T to T, idempotent: one form for values that mean the same.
template<auto Function>
struct canonical {
  static constexpr auto canonical_function = Function;
};

// ---- fields ------------------------------------------------------------------------------------

// A member without an address, a bit-field or private state: Get reads it from a `P const&`, Set
// writes it to a `P&`. Name Get after the member.
template<auto Get, auto Set = nullptr>
struct accessor_type {};

template<auto Get, auto Set = nullptr>
constexpr accessor_type<Get, Set> accessor{};

// One member, `&P::member` or an accessor, with its tags and modifiers in any order.
template<auto Access, class Tags>
struct field_of {
  static constexpr auto access = Access;
  using tags = Tags;
};

// An alias, so that the accesses and the tags of a whole list can be deduced at once.
template<auto Access, class... Tags>
using field = field_of<Access, mp::mp_list<Tags...>>;

// Among the fields of a struct, more modifiers for a member of a per_member struct inside it:
//
//   refine<path<&job::target, &target::max_threads>, only_if<&job::kernel>>
//
// Conditions read the members of the struct in whose list this stands, and hold in addition to
// those that the member has. While one does not hold, the stage reads `otherwise`, or the
// initialiser in the struct that owns the member. Tags stay as they are. The path may lead through
// std::optional and std::variant.
template<class Path, class... Modifiers>
struct refine {
  using refined = Path;
  using modifiers = mp::mp_list<Modifiers...>;
};

// The members of a struct: `using layerkey_fields = fields<...>` inside it.
template<class... FieldsAndRefinements>
struct fields {};

}  // namespace layerkey
