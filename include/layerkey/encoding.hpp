// The canonical encoding: a key as bytes that mean the same in every process, on every machine and
// from every compiler, for stores and digests.
//
// Version 1, byte for byte. Every number is written with its lowest byte first, whatever the
// machine; a "count" takes 8 bytes.
//
//   6c 6b 65 79 01      "lkey" and the version of this encoding
//   count, characters   the name of the layer, Layer::name
//   2 bytes             how many own keys follow: the layer's and those of all upstream layers
//   16 bytes each       their fingerprints (own_fingerprint), upstream first
//   members             of each own key in that order, in the order of the struct's list
//   8 bytes             how many bytes stand before these
//
// A member is what value<T>::write puts, in the form that the layer declares (canonical, as,
// only_if): put<Bits> takes as few whole bytes as hold the bits, `bytes` are as they are, nothing
// is padded or aligned. So
//
//   bool                    1 byte, 00 or 01
//   integer, enumeration    as many bytes as it has, two's complement
//   float, double           4 or 8 bytes, the bits of IEEE 754 as a number: -0.0 and 0.0 differ
//   inline_text<N>          the N characters, zeros to a multiple of 8, then the length in 2 bytes
//   content_digest          its 32 bytes, its size in 8, its algorithm in 1
//   string, string_view,    count, characters
//   path
//   vector, span, set       count, then the elements; sets in their own order
//   map                     count, then key and value of each, in its own order
//   array, pair, tuple,     the elements or members, nothing else
//   plain aggregate
//   optional                00; or 01 and the value
//   variant                 the alternative's number in 2 bytes, then its value (ffff: none)
//   bitset<N>               words of 8 bytes, bit 0 lowest in the first; the last has zeros above
//   duration, time_point    the count
//   value<T> of yours       what its write() says
//   per_member struct       its members, each where the list has the struct; in an optional or a
//                           variant first 00 or 01 or the alternative's number in 2 bytes, and its
//                           members only while it is held
//
// Keys are equal exactly when their encodings are. No encoding begins another one, nor ends one
// (the length at the end), as long as every value<T> keeps its promise that no value writes a
// beginning of what another writes. Keys of other layers or schemas differ in the bytes before the
// members. A change of how keys are packed in memory does not change it; a change of this
// description has another version in its fifth byte.
#pragma once

#include <layerkey/detail/contents.hpp>
#include <layerkey/detail/mp11.hpp>
#include <layerkey/detail/schema.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace layerkey {

constexpr unsigned char encoding_version = 1;

namespace error {

template<class T>
constexpr bool the_value_says_its_form = false;
template<class T>
constexpr bool skips_without_form() {
  static_assert(
      the_value_says_its_form<T>,
      "layerkey: this value writes an optional or a variant and says no more than how many words "
      "it takes, so a key cannot be read back to be encoded. Say `using form = "
      "layerkey::forms::all<...>` in its layerkey::value.");
  return true;
}

template<class P, text Member>
constexpr bool the_value_has_a_known_end = false;
template<class P, text Member>
consteval bool unknown_end() {
  static_assert(
      the_value_has_a_known_end<P, Member>,
      "layerkey: nothing says where the value of this member ends inside a key, so the key cannot "
      "be encoded. Say `using form = layerkey::forms::...` in its layerkey::value, or give it a "
      "`read`, or encode from the params.");
  return true;
}

}  // namespace error

namespace detail {

// ---- the sink ----------------------------------------------------------------------------------

template<class Sink>
concept writes_bytes =
    requires(Sink& sink, std::byte const* from, std::size_t count) { sink.write(from, count); };

template<class Sink>
concept takes_bytes =
    requires(Sink& sink, std::byte const* from, std::size_t count) { sink(from, count); };

// Gathers what values put, so that the sink is called seldom.
template<class Sink>
class encoder {
 public:
  using is_stored = void;

  explicit constexpr encoder(Sink& sink) : sink_(sink) {}

  template<unsigned Bits>
  constexpr void put(std::uint64_t v) {
    put(Bits, v);
  }
  constexpr void put(unsigned bits, std::uint64_t v) {
    unsigned const count = (bits + 7) / 8;
    if (count > sizeof held_ - used_) flush();
    for (unsigned i = 0; i != count; ++i)
      held_[used_++] = static_cast<std::byte>(v >> 8 * i & 0xff);
  }

  template<class Byte>
  constexpr void bytes(Byte const* from, std::size_t count) {
    if (!std::is_constant_evaluated() && count >= sizeof held_) {
      flush();
      send(reinterpret_cast<std::byte const*>(from), count);
      return;
    }
    for (std::size_t i = 0; i != count; ++i) {
      if (used_ == sizeof held_) flush();
      held_[used_++] = static_cast<std::byte>(from[i]);
    }
  }

  // An absent value is not there.
  constexpr void skip(std::size_t) {}

  constexpr void end() {
    put(64, sent_ + used_);
    flush();
  }
  constexpr void flush() {
    if (used_ != 0) send(held_, used_);
    used_ = 0;
  }

 private:
  constexpr void send(std::byte const* from, std::size_t count) {
    if constexpr (writes_bytes<Sink>)
      sink_.write(from, count);
    else
      sink_(from, count);
    sent_ += count;
  }

  Sink& sink_;
  std::byte held_[128];
  std::size_t used_ = 0;
  std::uint64_t sent_ = 0;
};

// ---- what a key can be read back from ----------------------------------------------------------

// The words of a value that says only how many it has are copied as they are, so none may be
// skipped.
template<class T>
struct counted_atoms_sink {
  using is_stored = void;

  template<unsigned Bits>
  constexpr void put(std::uint64_t) {}
  constexpr void bytes(char const*, std::size_t) {}
  template<class Count>
  constexpr void skip(Count) {
    static_cast<void>(error::skips_without_form<std::conditional_t<true, T, Count>>());
  }
};

template<class T>
constexpr void write_counted(T const& v) {
  counted_atoms_sink<T> sink;
  value<T>::write(sink, v);
}

// Nothing says what a value without a form holds, so it is asked what it would write.
struct opaque_value_sink {
  using is_stored = void;

  template<unsigned Bits>
  constexpr void put(std::uint64_t) {}
  constexpr void bytes(char const*, std::size_t) {}
  constexpr void skip(std::size_t) {}
};

template<class T>
constexpr void write_opaque(T const& v) {
  opaque_value_sink sink;
  value<T>::write(sink, v);
}

template<class T>
using says_atoms_only =
    mp::mp_bool<fixed_size<T> && !is_one_word<T> && !requires { typename value<T>::form; }>;

template<class... T>
constexpr void check_counted(mp::mp_list<T...>) {
  (static_cast<void>(&write_counted<T>), ...);
}

template<class... T>
constexpr void check_opaque(mp::mp_list<T...>) {
  (static_cast<void>(&write_opaque<T>), ...);
}

template<class T>
constexpr void check_value() {
  check_counted(mp::mp_copy_if<within<T>, says_atoms_only>{});
  check_opaque(mp::mp_copy_if<within<T>, has_no_form>{});
}

// ---- a key -------------------------------------------------------------------------------------

template<class Key, class Out>
constexpr void encode_heading(Out& out) {
  using layer = typename key_layers<Key>::layer;
  out.bytes("lkey", 4);
  out.put(8, encoding_version);
  out.put(64, layer::name.size());
  out.bytes(layer::name.data(), layer::name.size());
  [&out]<class... OwnKeys>(mp::mp_list<OwnKeys...>) {
    out.put(16, sizeof...(OwnKeys));
    for (digest128 const& each : {key_fingerprint<OwnKeys>...}) {
      out.put(64, each.low);
      out.put(64, each.high);
    }
  }(typename key_layers<Key>::own_keys{});
}

template<class P, class... Leaves, class Out>
constexpr void encode_members(P const& p, [[maybe_unused]] Out& out, mp::mp_list<Leaves...>) {
  static_cast<void>(p);
  static_cast<void>(in_order{0, (value<typename Leaves::type>::write(out, Leaves::get(p)), 0)...});
}

template<class Layer, class P, class Out>
constexpr void encode_own(P const& p, Out& out) {
  encode_members(normal<Layer, P>::of(p), out, own_leaves<Layer, normal_params<Layer, P>>{});
}

template<class Leaf, bool Last, class Layer, class P, class Out>
constexpr void encode_leaf(key_reader<Layer, P>& from, Out& out) {
  using type = value_of<Leaf>;
  if (!from.template enter<Leaf>()) return;
  auto& source = from.source(place_in_key<Leaf>{});
  if constexpr (!is_tail_leaf<Leaf>::value)
    transfer<type>::copy(source, out);
  else if constexpr (has_known_end<type>) {
    auto const* const begin = source.position();
    no_sink nowhere;
    transfer<type>::copy(source, nowhere);
    out.bytes(begin, static_cast<std::size_t>(source.position() - begin));
  } else if constexpr (Last) {
    out.bytes(source.position(), source.left());
    source.pass(source.left());
  } else
    static_cast<void>(
        error::unknown_end<typename Leaf::member::owner, name_of<Leaf::member::field::access>>());
}

template<class Layer, class P, class Out>
constexpr void encode_read([[maybe_unused]] key_reader<Layer, P> from, Out& out) {
  using leaves = own_leaves<Layer, P>;
  using in_the_tail = mp::mp_copy_if<leaves, is_tail_leaf>;
  [&]<class... Leaves>(mp::mp_list<Leaves...>) {
    static_cast<void>(in_order{
        0, (encode_leaf<Leaves,
                        std::is_same_v<mp::mp_back<mp::mp_push_front<in_the_tail, void>>, Leaves>>(
                from, out),
            0)...});
  }(leaves{});
  // Of a value whose form or read() stops short, so that no two keys are encoded alike.
  if constexpr (!mp::mp_empty<in_the_tail>::value)
    out.bytes(from.source(in_tail{}).position(), from.source(in_tail{}).left());
}

template<class OwnKey>
struct reader_of_key;
template<class Layer, class P>
struct reader_of_key<basic_key<Layer, P>> {
  using type = key_reader<Layer, P>;
};

template<class OwnKey, class Key, class Out>
constexpr void encode_part(Key const& k, Out& out) {
  encode_read(typename reader_of_key<OwnKey>::type(k), out);
}

template<class OwnKey>
struct values_of_key;

template<class Layer, class P>
struct values_of_key<basic_key<Layer, P>> {
  using type = mp::mp_unique<mp::mp_transform<value_of, own_leaves<Layer, P>>>;
};

template<class... T>
constexpr void check_each(mp::mp_list<T...>) {
  (check_value<T>(), ...);
}

template<class... OwnKeys>
constexpr void check_values(mp::mp_list<OwnKeys...>) {
  (check_each(typename values_of_key<OwnKeys>::type{}), ...);
}

template<class Key, class Sink, class Members>
constexpr void encode_as(Sink& sink, Members const& members) {
  static_assert(writes_bytes<Sink> || takes_bytes<Sink>,
                "layerkey: a sink for an encoding has `write(std::byte const*, std::size_t)` or is "
                "called with the same.");
  if constexpr (!writes_bytes<Sink> && !takes_bytes<Sink>)
    return;
  else if constexpr (key_is_storable<Key>()) {
    check_values(typename key_layers<Key>::own_keys{});
    encoder<Sink> out(sink);
    encode_heading<Key>(out);
    members(out);
    out.end();
  }
}

}  // namespace detail

// ---- from a key --------------------------------------------------------------------------------

// Sink has `write(std::byte const*, std::size_t)`, or is a function of the same parameters; it is
// called for pieces of any length.
template<class... OwnKeys, class Sink>
constexpr void encode(layered_key<OwnKeys...> const& k, Sink&& sink) {
  detail::encode_as<layered_key<OwnKeys...>>(
      sink, [&k](auto& out) { (detail::encode_part<OwnKeys>(k, out), ...); });
}

template<class Layer, class P, class Sink>
constexpr void encode(key<Layer, P> const& k, Sink&& sink) {
  encode(k, sink);
}

template<class Layer, class P, class Sink>
constexpr void encode(basic_key<Layer, P> const& k, Sink&& sink) {
  detail::encode_as<basic_key<Layer, P>>(
      sink, [&k](auto& out) { detail::encode_read(detail::key_reader(k), out); });
}

// ---- from params -------------------------------------------------------------------------------

// The same bytes as encode(make_key<Layer>(p), sink), without the key. Allocates nothing that the
// sink and the struct's own canonical forms and projections do not.
template<class Layer, class P, class Sink>
  requires detail::described<P>
constexpr void encode(P const& p, Sink&& sink) {
  detail::encode_as<key<Layer, P>>(sink, [&p](auto& out) {
    [&]<class... Layers>(mp::mp_list<Layers...>) {
      (detail::encode_own<Layers>(p, out), ...);
    }(closure<Layer>{});
  });
}

// The same bytes as encode(make_own_key<Layer>(p), sink).
template<class Layer, class P, class Sink>
  requires detail::described<P>
constexpr void encode_own(P const& p, Sink&& sink) {
  detail::encode_as<own_key<Layer, P>>(sink,
                                       [&p](auto& out) { detail::encode_own<Layer>(p, out); });
}

// ---- one value ---------------------------------------------------------------------------------

// A value alone, such as an input, in the form that it has as a member; nothing before or behind
// it.
template<class T, class Sink>
constexpr void encode_value(T const& v, Sink&& sink) {
  constexpr bool portable = !mp::mp_any_of<detail::within<T>, detail::is_process_bound>::value;
  static_assert(portable, "layerkey: the identity of an object means nothing in another process.");
  if constexpr (portable) {
    detail::encoder<std::remove_reference_t<Sink>> out(sink);
    layerkey::write(out, v);
    out.flush();
  }
}

}  // namespace layerkey
