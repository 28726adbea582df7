// The schema of a key as text, and what may not be stored. <layerkey/fingerprint.hpp> has the
// grammar.
#pragma once

#include <layerkey/detail/arity.hpp>
#include <layerkey/detail/contents.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/names.hpp>
#include <layerkey/digest128.hpp>
#include <layerkey/key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace layerkey {

template<text Name, auto Value>
struct enumerator {};

template<class... Enumerators>
struct enumerator_list {};

// What stored keys know of an enumeration whose enumerators the compiler does not tell: one without
// a fixed underlying type, one with enumerators outside 0 ... 63, or one without any.
//
//   template<> struct layerkey::enum_names<dialect> {
//     using list = layerkey::enumerator_list<layerkey::enumerator<"c", c>,
//                                            layerkey::enumerator<"fortran", fortran>>;
//   };
template<class E>
struct enum_names {};

namespace error {

template<class Layer>
constexpr bool the_layer_has_a_name = false;
template<class Layer>
consteval bool unnamed_layer() {
  static_assert(the_layer_has_a_name<Layer>,
                "layerkey: a stored key names its layer. Give the layer `static constexpr auto "
                "name = layerkey::text{\"...\"}`.");
  return false;
}

template<class P, text Member>
constexpr bool the_value_outlives_the_process = false;
template<class P, text Member>
consteval bool process_bound() {
  static_assert(
      the_value_outlives_the_process<P, Member>,
      "layerkey: this member is keyed by the identity of an object, which means nothing in "
      "another process, so a key that holds it can be neither encoded nor fingerprinted. Keep "
      "this layer's entries in memory, or key what the object says.");
  return false;
}

template<class P, text Member, class E>
constexpr bool the_enumerators_are_known = false;
template<class P, text Member, class E>
consteval bool unknown_enumerators() {
  static_assert(
      the_enumerators_are_known<P, Member, E>,
      "layerkey: a stored key names the enumerators of an enumeration, and the compiler tells "
      "only those from 0 to 63 where the underlying type is fixed. This one has none there, has "
      "others, or has no fixed type: specialise layerkey::enum_names for it.");
  return false;
}

template<class P, text Member, text Function>
constexpr bool the_projection_has_a_name_of_its_own = false;
template<class P, text Member, text Function>
consteval bool projection_by_template() {
  static_assert(
      the_projection_has_a_name_of_its_own<P, Member, Function>,
      "layerkey: this projection is an instance of a function template, and a stored key would "
      "not know with which arguments. Write a function with a name of its own that calls it.");
  return false;
}

}  // namespace error

namespace detail {

// ---- enumerators -------------------------------------------------------------------------------

constexpr std::size_t told_enumerators = 64;

template<class E, E... Values>
constexpr char const* enumeration_signature() {
  return __PRETTY_FUNCTION__;
}

// Values beside 0 ... 63 of which one may be an enumerator: all others of 8 bits; of wider types
// the next 64, the powers of two, the last 16 and the greatest of the signed ones.
template<class E>
struct other_values {
  using underlying = std::underlying_type_t<E>;
  static constexpr unsigned bits = 8 * sizeof(underlying);
  static constexpr std::size_t count = bits == 8 ? 192 : 64 + (bits - 7) + 16 + 1;

  static constexpr E at(std::size_t i) {
    std::uint64_t v = 0;
    if (bits == 8 || i < 64)
      v = 64 + i;
    else if (i < 64 + (bits - 7))
      v = std::uint64_t{1} << (i - 64 + 7);
    else if (i < 64 + (bits - 7) + 16)
      v = ~std::uint64_t{0} - (i - 64 - (bits - 7));
    else
      v = (std::uint64_t{1} << (bits - 1)) - 1;
    return static_cast<E>(static_cast<underlying>(v));
  }
};

struct stretch {
  char const* begin = nullptr;
  std::size_t size = 0;
};

template<std::size_t N>
struct stretches {
  stretch at[N] = {};
};

// The names among the N values at the end of the signature: g++ writes `E ...Values = {a::x,
// (a)1}]` and clang `Values = <a::x, (a)1>]`. Without a name a value has a cast behind its last
// scope.
template<std::size_t N>
constexpr stretches<N> enumerators_in(char const* all) {
  stretches<N> found;
  char const* at = all;
  for (char const* const word = "Values = ";; ++at) {
    std::size_t same = 0;
    while (word[same] != '\0' && at[same] == word[same]) ++same;
    if (word[same] == '\0') break;
  }
  at += 10;
  char const* name = at;
  bool named = true;
  int depth = 0;
  for (std::size_t i = 0; i != N; ++at) {
    char const c = *at;
    if (depth == 0 && (c == ',' || c == '}' || c == '>')) {
      if (named) found.at[i] = {name, static_cast<std::size_t>(at - name)};
      ++i;
      name = at + 1;
      named = true;
    } else if (c == ':' || c == ' ') {
      name = at + 1;
      named = true;
    } else if (c == '(' || c == '<' || c == '{')
      ++depth;
    else if (c == ')' || c == '>' || c == '}') {
      --depth;
      named = named && c != ')';
    }
  }
  return found;
}

template<class E>
struct enumeration {
  template<std::size_t... I, std::size_t... Other>
  static consteval auto find(std::index_sequence<I...>, std::index_sequence<Other...>) {
    return enumerators_in<sizeof...(I) + sizeof...(Other)>(
        enumeration_signature<E, static_cast<E>(static_cast<std::underlying_type_t<E>>(I))...,
                              other_values<E>::at(Other)...>());
  }
  static constexpr auto names = find(std::make_index_sequence<told_enumerators>{},
                                     std::make_index_sequence<other_values<E>::count>{});

  static consteval bool is_told() {
    bool any = false;
    for (std::size_t i = 0; i != told_enumerators; ++i) any = any || names.at[i].size != 0;
    for (std::size_t i = 0; i != other_values<E>::count; ++i) {
      auto const number = static_cast<std::uint64_t>(other_values<E>::at(i));
      if (number >= told_enumerators && names.at[told_enumerators + i].size != 0) return false;
    }
    return any;
  }
};

template<class E>
concept says_enumerators = requires { typename enum_names<E>::list; };

template<class E>
concept fixed_enumeration = std::is_enum_v<E> && requires { E{0}; };

template<class T>
consteval bool enumerators_are_known() {
  if constexpr (!std::is_enum_v<T> || std::is_same_v<T, std::byte> || !is_one_word<T> ||
                says_enumerators<T>)
    return true;
  else if constexpr (!fixed_enumeration<T>)
    return false;
  else
    return enumeration<T>::is_told();
}

template<class T>
using has_unknown_enumerators = mp::mp_bool<!enumerators_are_known<T>()>;

// ---- names -------------------------------------------------------------------------------------

// Only g++ prints the arguments.
template<auto Function>
consteval bool is_template_instance() {
  if constexpr (std::is_member_object_pointer_v<decltype(Function)>)
    return false;
  else {
    char const* const all = signature<Function>();
    std::size_t end = 0;
    while (all[end] != '\0') ++end;
    while (end != 0 && !in_identifier(all[end - 1]) && all[end - 1] != '>') --end;
    return end != 0 && all[end - 1] == '>';
  }
}

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif

template<class T, std::size_t I>
constexpr auto aggregate_member_name = name_of<addresses_of_members<T>().at[I]>;

#ifdef __clang__
#pragma clang diagnostic pop
#endif

// ---- names that structs give themselves --------------------------------------------------------

template<class S>
concept describes_schema = requires { describe<S>::schema.size(); };

template<class S>
concept says_schema = describes_schema<S> || requires { S::layerkey_schema.size(); };

template<class S>
consteval auto schema_of() {
  if constexpr (describes_schema<S>)
    return describe<S>::schema;
  else
    return S::layerkey_schema;
}

// ---- writing the text --------------------------------------------------------------------------

template<class Out>
class schema_writer {
 public:
  explicit constexpr schema_writer(Out& out) : out_(out) {}

  constexpr void say(char const* words) {
    for (; *words != '\0'; ++words) put(*words);
  }
  constexpr void say(char const* words, std::size_t size) {
    for (std::size_t i = 0; i != size; ++i) put(words[i]);
  }
  constexpr void number(std::uint64_t v) {
    char digits[20] = {};
    std::size_t count = 0;
    do digits[count++] = static_cast<char>('0' + v % 10);
    while ((v /= 10) != 0);
    while (count != 0) put(digits[--count]);
  }
  constexpr void quoted(auto const& words) {
    number(words.size());
    say(":");
    say(words.data(), words.size());
  }
  constexpr void hex(unsigned char byte) {
    constexpr char const* digits = "0123456789abcdef";
    put(digits[byte / 16]);
    put(digits[byte % 16]);
  }

  template<auto Entity>
  constexpr void name() {
    say(name_of<Entity>.data(), name_of<Entity>.size());
  }

  // Each with a dot behind it.
  template<std::size_t Count, auto... Members>
  constexpr void first_members(path<Members...>) {
    [[maybe_unused]] std::size_t i = 0;
    ((i++ < Count ? (name<Members>(), say(".")) : void()), ...);
  }

  template<auto... Members>
  constexpr void members(path<Members...>) {
    char const* separator = "";
    ((say(std::exchange(separator, ".")), name<Members>()), ...);
  }

  template<class S>
  constexpr void schema(char const* before, char const* behind) {
    if constexpr (says_schema<S>) {
      say(before);
      quoted(schema_of<S>());
      say(behind);
    }
  }

  // The names of the structs that an optional or a variant may hold, by their numbers.
  template<class... S>
  constexpr void schemas(mp::mp_list<S...>) {
    std::uint64_t i = 0;
    (schema_of_alternative<S>(i++), ...);
  }

  template<class T>
  constexpr void kind() {
    if constexpr (is_one_word<T>)
      scalar<T>();
    else {
      quoted(value<T>::kind);
      schema<T>("{", "}");
      if constexpr (requires { value<T>::extents; }) {
        char const* separator = "[";
        for (std::uint64_t each : value<T>::extents)
          say(std::exchange(separator, ",")), number(each);
        say("]");
      }
      form<T>(form_of<T>{});
    }
  }

 private:
  template<class S>
  constexpr void schema_of_alternative(std::uint64_t i) {
    if constexpr (says_schema<S>) {
      say(",");
      number(i);
      schema<S>("={", "}");
    }
  }

  constexpr void put(char c) { out_.put(static_cast<unsigned char>(c)); }

  template<class T>
  constexpr void scalar() {
    if constexpr (std::is_same_v<T, bool>)
      say("bool");
    else if constexpr (std::is_same_v<T, std::byte>)
      say("byte");
    else if constexpr (std::is_enum_v<T>) {
      say("enum(");
      kind<std::underlying_type_t<T>>();
      if constexpr (says_enumerators<T>)
        declared(typename enum_names<T>::list{});
      else
        told<T>();
      say(")");
    } else {
      constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
                                    std::is_same_v<T, char8_t> || std::is_same_v<T, char16_t> ||
                                    std::is_same_v<T, char32_t>;
      say(std::is_floating_point_v<T> ? "f" : is_character ? "c" : std::is_signed_v<T> ? "i" : "u");
      number(bits_of<T>);
    }
  }

  template<text... Names, auto... Values>
  constexpr void declared(enumerator_list<enumerator<Names, Values>...>) {
    ((say(","), say(Names.data(), Names.size()), say("="), whole(Values)), ...);
  }
  constexpr void whole(auto v) {
    auto const number_of_it = static_cast<std::underlying_type_t<decltype(v)>>(v);
    auto const word = static_cast<std::uint64_t>(number_of_it);
    if (number_of_it < 0) say("-");
    number(number_of_it < 0 ? ~word + 1 : word);
  }

  template<class E>
  constexpr void told() {
    for (std::size_t i = 0; i != told_enumerators; ++i) {
      auto const& each = enumeration<E>::names.at[i];
      // Of a bool's values those above 1 are 1 again.
      if (each.size == 0 || static_cast<std::uint64_t>(
                                static_cast<E>(static_cast<std::underlying_type_t<E>>(i))) != i)
        continue;
      say(",");
      say(each.begin, each.size);
      say("=");
      number(i);
    }
  }

  template<class T>
  constexpr void form(no_form) {}
  template<class T>
  constexpr void form(forms::atoms) {}
  template<class T, class... Parts>
  constexpr void form(forms::all<Parts...>) {
    if constexpr (requires { typename value<T>::named_parts; })
      parts_with_names<T>(mp::mp_list<Parts...>{}, std::index_sequence_for<Parts...>{});
    else
      parts<Parts...>(",");
  }
  template<class T, class... Parts>
  constexpr void form(forms::one_of<Parts...>) {
    parts<Parts...>("|");
  }
  template<class T, class Part, std::size_t N>
  constexpr void form(forms::times<Part, N>) {
    say("(");
    kind<Part>();
    say("*");
    number(N);
    say(")");
  }
  template<class T, class Part>
  constexpr void form(forms::sequence<Part>) {
    say("(");
    kind<Part>();
    say("...)");
  }
  template<class T>
  constexpr void form(forms::characters) {
    say("(text)");
  }
  template<class T, class Part>
  constexpr void form(forms::maybe<Part>) {
    say("(");
    kind<Part>();
    say("?)");
  }

  template<class... Parts>
  constexpr void parts([[maybe_unused]] char const* between) {
    [[maybe_unused]] char const* separator = "";
    say("(");
    ((say(std::exchange(separator, between)), kind<Parts>()), ...);
    say(")");
  }

  template<class T, class... Parts, std::size_t... I>
  constexpr void parts_with_names(mp::mp_list<Parts...>, std::index_sequence<I...>) {
    char const* separator = "";
    say("(");
    ((say(std::exchange(separator, ",")), part_name<T, I>(), kind<Parts>()), ...);
    say(")");
  }

  // A bit-field has no address, and its struct no names here.
  template<class T, std::size_t I>
  constexpr void part_name() {
    if constexpr (addressable<T>) {
      say(aggregate_member_name<T, I>.data(), aggregate_member_name<T, I>.size());
      say(":");
    }
  }

  Out& out_;
};

// ---- members -----------------------------------------------------------------------------------

template<class Out>
struct otherwise_writer {
  schema_writer<Out>& out;

  template<unsigned Bits>
  constexpr void put(std::uint64_t v) {
    put(Bits, v);
  }
  constexpr void put(unsigned bits, std::uint64_t v) {
    for (unsigned i = 0; i != (bits + 7) / 8; ++i) out.hex(static_cast<unsigned char>(v >> 8 * i));
  }
  constexpr void bytes(char const* from, std::size_t count) {
    for (std::size_t i = 0; i != count; ++i) out.hex(static_cast<unsigned char>(from[i]));
  }
  constexpr void skip(std::size_t) {}
};

template<class Condition, class Out>
constexpr void write_otherwise(schema_writer<Out>& out) {
  constexpr auto otherwise = Condition::otherwise_value;
  using type = std::remove_const_t<decltype(otherwise)>;
  out.say(",otherwise=");
  if constexpr (is_named_function<type>)
    out.template name<otherwise>();
  else if constexpr (keyable<type>) {
    out.template kind<type>();
    out.say("=");
    otherwise_writer<Out> bytes{out};
    value<type>::write(bytes, otherwise);
  }
}

// A read is named from the key's struct on, wherever the condition stands.
template<class Leaf, class Placed, class Out>
constexpr void write_condition(schema_writer<Out>& out) {
  using condition = typename Placed::modifier;
  out.say(",if=");
  if constexpr (!asks_for_truth<condition>) out.template name<condition::predicate>();
  out.say("(");
  [&out]<auto... Reads>(path<Reads...>) {
    char const* separator = "";
    ((out.say(std::exchange(separator, ",")),
      out.template first_members<Leaf::depth>(typename Leaf::whole_path{}),
      out.members(typename whole_read<typename Placed::scope, Reads>::type{})),
     ...);
  }(typename condition_reads<condition>::type{});
  out.say(")");
  if constexpr (says_otherwise_q<condition>::value) write_otherwise<condition>(out);
}

template<class Leaf, class Out>
constexpr void write_member(schema_writer<Out>& out) {
  using member = typename Leaf::member;
  out.members(typename Leaf::whole_path{});
  out.say(":");
  out.template kind<value_of<Leaf>>();
  if constexpr (is_state<member>) out.schemas(typename holder<typename member::raw>::structs{});
  [&out]<class... Forms>(mp::mp_list<Forms...>) {
    ((out.say(",canonical="), out.template name<Forms::canonical_function>()), ...);
  }(typename member::canonicals{});
  if constexpr (has_projection<typename member::tag>) {
    out.say(",as=");
    out.template name<member::tag::projection>();
    if constexpr (has_section<typename member::tag>) {
      out.say(",by=");
      out.template name<member::tag::section>();
    }
  }
  [&out]<class... Conditions>(mp::mp_list<Conditions...>) {
    (write_condition<Leaf, Conditions>(out), ...);
  }(typename member::placed_conditions{});
  out.say(";");
}

// ---- keys --------------------------------------------------------------------------------------

template<class Layer, class Out>
constexpr void write_version(schema_writer<Out>& out) {
  if constexpr (requires { Layer::version; }) {
    out.say("version=");
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(Layer::version)>>)
      out.number(static_cast<std::uint64_t>(Layer::version));
    else
      out.quoted(Layer::version);
    out.say(";");
  }
}

template<class OwnKey>
struct own_schema;

template<class Layer, class P>
struct own_schema<basic_key<Layer, P>> {
  template<class Out>
  static constexpr void write(Out& to) {
    schema_writer<Out> out(to);
    out.say("layerkey-schema/1;layer=");
    out.quoted(Layer::name);
    out.say(";");
    write_version<Layer>(out);
    out.template schema<P>("schema=", ";");
    [&out]<class... Leaves>(mp::mp_list<Leaves...>) {
      static_cast<void>(in_order{0, (write_member<Leaves>(out), 0)...});
    }(own_leaves<Layer, P>{});
  }

  // One constant a key: clang bounds the steps of each.
  static consteval digest128 find() {
    fnv1a_128 hash;
    write(hash);
    return hash.state;
  }
  static constexpr digest128 fingerprint = find();
};

template<class Key>
struct key_layers;

template<class Layer, class P>
struct key_layers<basic_key<Layer, P>> {
  using layer = Layer;
  using own_keys = mp::mp_list<basic_key<Layer, P>>;
};

template<class... OwnKeys>
struct key_layers<layered_key<OwnKeys...>> {
  using own_keys = mp::mp_list<OwnKeys...>;
  using layer = typename key_layers<mp::mp_back<own_keys>>::layer;
};

template<class Key>
struct key_schema {
  static consteval digest128 find() {
    fnv1a_128 hash;
    schema_writer<fnv1a_128> out(hash);
    out.say("layerkey-key/1;layer=");
    out.quoted(key_layers<Key>::layer::name);
    out.say(";");
    [&hash]<class... OwnKeys>(mp::mp_list<OwnKeys...>) {
      for (digest128 const& each : {own_schema<OwnKeys>::fingerprint...})
        for (std::uint64_t const word : {each.low, each.high})
          for (int i = 0; i != 8; ++i) hash.put(static_cast<unsigned char>(word >> 8 * i & 0xff));
    }(typename key_layers<Key>::own_keys{});
    return hash.state;
  }
  static constexpr digest128 fingerprint = find();
};

template<class Layer, class P>
struct key_schema<basic_key<Layer, P>> : own_schema<basic_key<Layer, P>> {};

template<class Key>
constexpr digest128 key_fingerprint = key_schema<Key>::fingerprint;

// ---- what may not be stored --------------------------------------------------------------------

template<class Leaf>
consteval bool projects_by_template() {
  if constexpr (has_projection<typename Leaf::member::tag>)
    return is_template_instance<Leaf::member::tag::projection>();
  else
    return false;
}

template<class Leaf>
using is_not_storable =
    mp::mp_bool<mp::mp_any_of<within<value_of<Leaf>>, is_process_bound>::value ||
                mp::mp_any_of<within<value_of<Leaf>>, has_unknown_enumerators>::value ||
                projects_by_template<Leaf>()>;

template<class Leaf>
consteval bool report_not_storable() {
  using P = typename Leaf::member::owner;
  constexpr auto member = name_of<Leaf::member::field::access>;
  using values = within<value_of<Leaf>>;
  if constexpr (mp::mp_any_of<values, is_process_bound>::value)
    return error::process_bound<P, member>();
  else if constexpr (mp::mp_any_of<values, has_unknown_enumerators>::value)
    return error::unknown_enumerators<
        P, member, mp::mp_front<mp::mp_copy_if<values, has_unknown_enumerators>>>();
  else
    return error::projection_by_template<P, member, name_of<Leaf::member::tag::projection>>();
}

template<class OwnKey>
struct own_key_check;

template<class Layer, class P>
struct own_key_check<basic_key<Layer, P>> {
  using offending = mp::mp_copy_if<own_leaves<Layer, P>, is_not_storable>;

  static consteval bool passes() {
    if constexpr (!requires { Layer::name.size(); })
      return error::unnamed_layer<Layer>();
    else if constexpr (!mp::mp_empty<offending>::value)
      return report_not_storable<mp::mp_front<offending>>();
    else
      return true;
  }
};

template<class... OwnKeys>
consteval bool all_storable(mp::mp_list<OwnKeys...>) {
  return (own_key_check<OwnKeys>::passes() && ...);
}

// True, or one error.
template<class Key>
consteval bool key_is_storable() {
  return all_storable(typename key_layers<Key>::own_keys{});
}

}  // namespace detail
}  // namespace layerkey
