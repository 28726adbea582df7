// Verifies value<T>, and the functions that a description names.
#pragma once

#include <layerkey/detail/contents.hpp>
#include <layerkey/testing/changes.hpp>
#include <layerkey/testing/report.hpp>
#include <layerkey/testing/walk.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace layerkey::testing {
namespace detail {

// ---- values ------------------------------------------------------------------------------------

// A value in the form in which a layer sees it.
struct written_form {
  std::size_t of;
  std::string stream;
  std::string printed;
};

inline void verify_prefixes(std::vector<written_form> forms, std::string const& member,
                            std::string const& layer, reporter& to) {
  // In order, what begins with a text stands right behind it.
  std::sort(forms.begin(), forms.end(),
            [](written_form const& a, written_form const& b) { return a.stream < b.stream; });
  for (std::size_t i = 1; i < forms.size(); ++i) {
    auto const& a = forms[i - 1];
    auto const& b = forms[i];
    to.check(a.stream == b.stream || !b.stream.starts_with(a.stream), law::prefix_free, member,
             layer, [&] {
               return a.printed + " is written as the beginning of " + b.printed +
                      "; write the size before the elements";
             });
  }
}

// Of a member in an optional or a variant, the value that it has where it is there.
template<class Form, class Visit>
void visit_present(Form const& form, Visit const& visit) {
  if constexpr (requires { typename Form::type; } && layerkey::detail::optional_like<Form>) {
    if (form.has_value()) visit.template operator()<typename Form::type>(*form);
  } else
    visit.template operator()<Form>(form);
}

// What `take` leaves or takes too much of the bytes that write() puts, in one phrase.
template<class Take>
std::string bytes_fault(std::string stream, char const* who, Take take) {
  std::size_t const size = stream.size();
  stream.append(16, '\0');  // what may follow in a key
  auto const* const begin = reinterpret_cast<unsigned char const*>(stream.data());
  layerkey::detail::byte_source from(begin, stream.size());
  take(from);
  auto const taken = static_cast<std::size_t>(from.position() - begin);
  if (taken == size) return {};
  return std::string(who) + " takes " + std::to_string(taken) + " bytes of the " +
         std::to_string(size) + " that write puts";
}

// Of values of variable size: their bytes are found in a key by the form, or else by read().
template<class T>
std::string reading_fault([[maybe_unused]] std::string const& stream) {
  using layerkey::detail::byte_source;
  std::string fault;
  if constexpr (!layerkey::detail::fixed_size<T>) {
    if constexpr (!layerkey::detail::cannot_be_read<T>::value)
      fault = bytes_fault(stream, "read()", [](byte_source& from) {
        static_cast<void>(layerkey::value<T>::read(from));
      });
    if constexpr (!layerkey::detail::has_no_form<T>::value && layerkey::detail::has_known_end<T>)
      if (fault.empty())
        fault = bytes_fault(stream, "the form", [](byte_source& from) {
          layerkey::detail::no_sink nowhere;
          layerkey::detail::transfer<T>::copy(from, nowhere);
        });
  }
  return fault;
}

template<class T>
std::string bytes_written([[maybe_unused]] T const& v) {
  if constexpr (layerkey::detail::fixed_size<T>)
    return {};
  else {
    auto const bytes = layerkey::detail::bytes_of<T>(v);
    return std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
}

template<class P, class Layer, class Leaf>
void verify_form(std::vector<P> const& values, reporter& to) {
  auto const member = path_of<Leaf>();
  auto const layer = name_of_layer<Layer>();
  std::vector<written_form> forms;
  for (std::size_t i = 0; i != values.size(); ++i) {
    auto const verify_one = [&]<class T>(T const& form) {
      auto const written = spied<T>(form);
      auto const print = layerkey::detail::printed<T>(form);
      auto const wrong_shape = shape_fault<T>(written);
      to.check(wrong_shape.empty(), law::shape_agrees, member, layer,
               [&] { return "for " + print + ", " + wrong_shape; });
      auto const wrong_reading = reading_fault<T>(bytes_written<T>(form));
      to.check(wrong_reading.empty(), law::takes_what_was_written, member, layer,
               [&] { return "for " + print + ", " + wrong_reading; });

      visit_present<typename Leaf::type>(Leaf::get(values[i]), [&]<class Again>(Again const& v) {
        to.check(spied<Again>(v).stream == written.stream, law::pure, member, layer,
                 [&] { return "it was read twice, as " + print + " first"; });
      });
      for (auto const& known : forms)
        if (known.stream == written.stream)
          visit_present<typename Leaf::type>(
              Leaf::get(values[known.of]), [&]<class Known>(Known const& v) {
                auto const same = compare<Known>(v, form);
                if (same == sameness::unknown)
                  to.found.leave_unchecked(member + ", layer " + layer + ": whether values of " +
                                           type_name<Known>() +
                                           " differ, since it has no operator== that says so");
                to.check(same != sameness::different, law::one_form_a_value, member, layer,
                         [&] { return known.printed + " and " + print + " are written alike"; });
              });
      forms.push_back({i, written.stream, print});
    };
    visit_present<typename Leaf::type>(Leaf::get(values[i]), verify_one);
  }
  verify_prefixes(std::move(forms), member, layer, to);
}

// ---- functions that the description names ------------------------------------------------------

template<class Field, class T>
decltype(auto) canonical_of(T const& raw) {
  using canonicals = mp_copy_if<typename Field::tags, layerkey::detail::is_canonical_q>;
  if constexpr (mp_empty<canonicals>::value)
    return (raw);
  else
    return T(layerkey::detail::call<mp_front<canonicals>::canonical_function>(raw));
}

template<class Field, class Tag, class T>
void verify_section(std::string const& member, T const& raw, reporter& to) {
  if constexpr (layerkey::detail::has_section<Tag>) {
    using form = layerkey::detail::form_type<Tag, T>;
    decltype(auto) one = canonical_of<Field>(raw);
    decltype(auto) u = layerkey::detail::call<Tag::projection>(one);
    T const stands_for_it = layerkey::detail::call<Tag::section>(u);
    decltype(auto) two = canonical_of<Field>(stands_for_it);
    decltype(auto) again = layerkey::detail::call<Tag::projection>(two);
    to.check(snapshot<form>(u) == snapshot<form>(again), law::section_represents, member,
             name_of_layer<typename Tag::layer>(), [&] {
               return "for u = " + layerkey::detail::printed<form>(u) + " it is " +
                      layerkey::detail::printed<form>(again) + ", since section(u) is " +
                      layerkey::detail::printed<T>(stands_for_it);
             });
  }
}

template<class Slot, class P>
void verify_functions_of(std::vector<P> const& values, reporter& to) {
  using field = typename Slot::field;
  using type = typename Slot::type;
  auto const member = Slot::member::path();
  for (auto const& each : values) {
    if (!Slot::is_there(each)) continue;
    decltype(auto) raw = Slot::get(each);
    if constexpr (boost::mp11::mp_any_of<typename field::tags,
                                         layerkey::detail::is_canonical_q>::value) {
      type const once = canonical_of<field>(raw);
      type const twice = canonical_of<field>(once);
      to.check(Slot::written(once) == Slot::written(twice), law::canonical_is_idempotent, member,
               "", [&] {
                 return "for x = " + Slot::printed(raw) + ", f(x) is " + Slot::printed(once) +
                        " and f(f(x)) is " + Slot::printed(twice);
               });
    }
    [&]<class... Tags>(mp_list<Tags...>) {
      (verify_section<field, Tags, type>(member, raw, to), ...);
    }(typename field::tags{});
  }
}

}  // namespace detail

// Of value<T>, for each form in which a layer sees a member: the same words each time, as many as
// promised, others for another value, and none the beginning of another.
template<class P, class... Layers>
report verify_values(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_layer(
      detail::with_upstream<Layers...>{}, [&]<class Layer>(std::type_identity<Layer>) {
        detail::for_each_leaf<Layer, P>([&]<class Leaf>(std::type_identity<Leaf>) {
          detail::verify_form<P, Layer, Leaf>(all, to);
        });
      });
  return std::move(to.found);
}

// Of canonical and represented_by: f(f(x)) == f(x) and projection(section(u)) == u.
template<class P>
report verify_functions(std::vector<P> const& values, verify_options const& options = {}) {
  detail::reporter to(detail::type_name<P>());
  auto const all = detail::grown(values, options);
  detail::for_each_slot<P>([&]<class Slot>(Slot) {
    if constexpr (!Slot::is_state) detail::verify_functions_of<Slot>(all, to);
  });
  return std::move(to.found);
}

}  // namespace layerkey::testing
