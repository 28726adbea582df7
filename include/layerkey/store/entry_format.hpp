// What stores keep: an artifact with everything that says what it is, so that a reader has to
// believe nothing. The same in every store.
//
// Version 1, byte for byte. Every number is written with its lowest byte first, whatever the
// machine.
//
//   at  0   6c 6b 65 6e 74 72 79 01   "lkentry" and the version of this format
//       8   8 bytes            how many bytes the entry has, all of it
//      16   16 bytes           checksum: XXH3 with 128 bits and no seed, in its canonical form
//                              (highest byte first), over everything behind it but the tag
//      32   1 byte             flags: 1 the content is compressed, 2 there is a tag; no others
//      33   4 bytes            variant
//           2 bytes, bytes     layer: its name
//           2 bytes, bytes     kind: what wrote the content
//           4 bytes, bytes     provenance: the store's, as text
//           4 bytes, bytes     made by: what the layers say of their code and tools
//           4 bytes, bytes     canonical key (encoding.hpp), and what else it is made from
//           8 bytes            how many bytes the content has
//           8 bytes, bytes     the content, or, compressed, one frame of Zstandard (RFC 8878) that
//                              says its size; compressed, it is shorter, and by no more than 1,024
//                              to 1
//           32 bytes           if there is a tag: BLAKE2b (RFC 7693) with 32 bytes, keyed, over
//                              everything before it
//
// Bytes stand behind their number. Between the content and the tag, and behind the tag, is nothing.
//
// The key of the tag is BLAKE2b with 32 bytes, keyed with D, over "layerkey entry tag 1"; D is
// BLAKE2b with 32 bytes, keyed with "layerkey secret1", over the secret. Who reads with a secret
// checks the tag before anything else is used, so nothing but the first 33 bytes is looked at
// before; entries without one are not read. Who reads without a secret ignores tags: the checksum
// finds what went wrong by accident and nothing more.
//
// Its address in a store is
//
//   16 bytes           XXH3 with 128 bits, as above, over the canonical key
//   4 bytes            variant
//   12 bytes           scope: the first ones of BLAKE2b with 32 bytes over the first eight bytes of
//                      an entry, then provenance, made by and layer, each behind its length in 8
//
// The kind is no part of it: an entry of another kind is replaced. An address is only where an
// entry lies. What it is for is compared in full, so two keys with one address, found by chance or
// on purpose, would replace each other and no more. BLAKE2b over the key would take longer than
// everything else about an entry of 4 KiB.
//
// A change of this description has another version in the eighth byte.
#pragma once

#include <layerkey/digest128.hpp>
#include <layerkey/store/byte_store.hpp>
#include <layerkey/store/secret.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace layerkey {

constexpr unsigned char entry_format_version = 1;

// What can be wrong with an entry, in the order in which it is looked for.
enum class entry_fault : unsigned char {
  none,
  too_short,             // for an entry of any kind; nothing, too
  other_magic,           // not an entry
  other_format_version,  // older or newer than this library's
  wrong_length,          // cut, or something behind it
  no_tag,                // while there is a secret
  wrong_tag,             // changed, or written with another secret
  wrong_checksum,        // changed
  wrong_layout,          // its checksum is right, and its parts do not fit into it
  other_layer,
  other_provenance,  // of the store, or of the layers' code and tools
  other_schema,      // the key of other params, or of what they were in another version
  other_key,
  other_variant,
  other_kind,          // made by another portable<> or another version of it
  broken_compression,  // does not become what it says that it was
  no_memory,           // right as far as one can see, but its content finds no place here
  not_readable,        // the content is not what portable<>::read wants
};
constexpr std::size_t entry_faults = static_cast<std::size_t>(entry_fault::not_readable) + 1;

// "wrong_checksum"
std::string_view name_of(entry_fault fault);
// "its checksum is wrong: some of its bytes were changed after it was written"
std::string_view to_text(entry_fault fault);

// What an entry says that it is.
struct entry_heading {
  std::string_view layer;
  std::string_view provenance;
  std::string_view made_by;
  std::string_view canonical;
  std::string_view kind;
  std::uint32_t variant = 0;

  friend bool operator==(entry_heading const&, entry_heading const&) = default;
};

// An entry, taken apart; everything lies in the bytes that it was taken from.
struct entry_parts {
  entry_heading heading;
  bool compressed = false;
  bool tagged = false;
  std::uint64_t size = 0;   // of the content
  std::string_view stored;  // the content, perhaps compressed
};

// The key of tags. Not given if the secret is not.
secret_key tag_key(store_secret const& secret);

// Appends an entry to `out`; with a tag if the key is given, and compressed if the content has at
// least compress_from bytes (0: never) and gets shorter. What does not fit into the format is
// refused with a sentence, and `out` is as it was.
[[nodiscard]] std::string encode_entry(std::string& out, entry_heading const& heading,
                                       std::string_view content, secret_key const& key,
                                       std::size_t compress_from = 0);

// Everything that can be found out without knowing what is wanted, the content of compressed ones
// aside. `out` is valid where there is no fault.
[[nodiscard]] entry_fault decode_entry(entry_bytes const& entry, secret_key const& key,
                                       entry_parts& out);

// Whether an entry is what is wanted.
[[nodiscard]] entry_fault compare(entry_heading const& found, entry_heading const& wanted);

// A place for contents that were compressed, to be used again. Wants no memory in advance for what
// an entry only says of its size, and asks for it in a way that may be denied.
class content_buffer {
 public:
  content_buffer() = default;
  content_buffer(content_buffer const&) = delete;
  content_buffer& operator=(content_buffer const&) = delete;
  ~content_buffer();

  // The content, in the entry or in this buffer.
  [[nodiscard]] entry_fault content_of(entry_parts const& entry, std::string_view& content);

  // Gives memory back if there is more than that.
  void keep_at_most(std::size_t size);

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

// What is wrong, with what is there and what is wanted where that says more.
std::string explain(entry_fault fault, entry_parts const& found, entry_heading const& wanted);

// ---- addresses ---------------------------------------------------------------------------------

// The part that all keys of a layer share, so that it can be kept.
using entry_scope = std::array<unsigned char, 12>;
entry_scope scope_of(std::string_view provenance, std::string_view made_by, std::string_view layer);
entry_address address_in(entry_scope const& scope, std::string_view canonical,
                         std::uint32_t variant);

// Where an entry of this heading lies.
entry_address address_of(entry_heading const& heading);

// What is wrong with what lies at an address, as far as can be said without knowing who wants it;
// empty: nothing.
std::string check_entry(entry_address const& at, std::string_view bytes, secret_key const& key);

// ---- canonical encodings -----------------------------------------------------------------------

// What a canonical encoding (encoding.hpp) says to one who does not know its types.
struct canonical_heading {
  std::string_view layer;
  std::string_view fingerprints;  // of the own keys, upstream first, 16 bytes each
  std::string_view rest;          // the members, their length, and what may stand behind

  std::size_t own_keys() const { return fingerprints.size() / 16; }
  digest128 fingerprint(std::size_t which) const;
};

// Of an encoding that `bytes` begin with.
std::optional<canonical_heading> read_canonical_heading(std::string_view bytes);

// The same where `bytes` are one encoding and nothing else; `rest` is the members then.
std::optional<canonical_heading> read_canonical_encoding(std::string_view bytes);

}  // namespace layerkey
