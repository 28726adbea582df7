// The entry format, byte for byte.
#include <layerkey/encoding.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/store/entry_format.hpp>

#include "bytes.hpp"
#include "entries.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <utility>

using namespace layerkey;
using namespace store_test;

namespace {

// Made by another program (Python's hashlib, the xxhash and zstd of the system) from the
// description.
std::string const plain = from_hex(
    // lkentry 1, length, checksum
    "6c6b656e74727901a500000000000000953247d07a400b36b131de91e27614b5"
    // flags, variant, layer, kind, provenance
    "00"
    "03000000"
    "0700636f646567656e"
    "0d006f626a6563745f636f64652f31"
    "0c000000636c616e673d31392e312e37"
    // made by, canonical key
    "04000000656d6974"
    "300000006c6b6579010700000000000000636f646567656e0100"
    "000102030405060708090a0b0c0d0e0f025a2800000000000000"
    // size, content
    "0c00000000000000"
    "0c000000000000006d616368696e6520636f6465");

std::string const tagged = from_hex(
    "6c6b656e74727901c5000000000000001c5f6ccf06b59e1d857a9a5a74bd078c"
    "02030000000700636f646567656e0d006f626a6563745f636f64652f310c0000"
    "00636c616e673d31392e312e3704000000656d6974300000006c6b6579010700"
    "000000000000636f646567656e0100000102030405060708090a0b0c0d0e0f02"
    "5a28000000000000000c000000000000000c000000000000006d616368696e65"
    "20636f6465"
    "b3bd49a91434d70e71eede61e5d9170ae4a2757103d763f334e75ca3fe69418f");

std::string const compressed = from_hex(
    "6c6b656e74727901b3000000000000009dd0cfda6bc79b09172f81c7ddc6d08e"
    "01030000000700636f646567656e0d006f626a6563745f636f64652f310c0000"
    "00636c616e673d31392e312e3704000000656d6974300000006c6b6579010700"
    "000000000000636f646567656e0100000102030405060708090a0b0c0d0e0f02"
    "5a2800000000000000c8000000000000001a00000000000000"
    "28b52ffd20c88d000050303132333435363738390100bb520509");

std::string repeated(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i != times; ++i) out += piece;
  return out;
}

struct front : layer<> {
  static constexpr text name = "front";
};
struct back : layer<front> {
  static constexpr text name = "back";
};

struct params {
  int level = 0;
  unsigned char units = 1;

  using layerkey_fields = fields<field<&params::level, affects<front>>,  //
                                 field<&params::units, affects<back>>>;
};

secret_key const no_key;
secret_key const with_secret = tag_key(store_secret::from_bytes(secret_text));

entry_heading const wanted = {.layer = "codegen",
                              .provenance = "clang=19.1.7",
                              .made_by = "emit",
                              .canonical = std::string_view(plain).substr(89, 48),
                              .kind = "object_code/1",
                              .variant = 3};

}  // namespace

TEST_CASE("an entry has the bytes that its description says") {
  std::string out = "before";
  REQUIRE(encode_entry(out, wanted, "machine code", no_key) == "");
  CHECK(bytes::hex(out) == bytes::hex("before" + plain));

  out.clear();
  REQUIRE(encode_entry(out, wanted, "machine code", with_secret) == "");
  CHECK(bytes::hex(out) == bytes::hex(tagged));

  CHECK(bytes::hex(raw_entry{}.bytes()) == bytes::hex(plain));
  raw_entry with_tag;
  with_tag.flags = 2;
  CHECK(bytes::hex(with_tag.bytes(bytes_of(with_secret))) == bytes::hex(tagged));
}

TEST_CASE("an entry is read back, as views into its bytes") {
  for (auto const& [entry, with] : {std::pair(&plain, &no_key), std::pair(&tagged, &with_secret)}) {
    entry_parts parts;
    REQUIRE(decode_entry(*entry, *with, parts) == entry_fault::none);
    CHECK(parts.heading == wanted);
    CHECK(compare(parts.heading, wanted) == entry_fault::none);
    CHECK(!parts.compressed);
    CHECK(parts.tagged == with->given());
    CHECK(parts.size == 12);
    CHECK(parts.stored == "machine code");
    CHECK(parts.stored.data() > entry->data());
    CHECK(parts.stored.data() < entry->data() + entry->size());
    std::string_view content;
    content_buffer buffer;
    REQUIRE(buffer.content_of(parts, content) == entry_fault::none);
    CHECK(content.data() == parts.stored.data());
  }
  // Who has no secret ignores tags.
  entry_parts parts;
  REQUIRE(decode_entry(tagged, no_key, parts) == entry_fault::none);
  CHECK(parts.tagged);
  CHECK(parts.stored == "machine code");
}

TEST_CASE("a compressed entry is read back") {
  entry_parts parts;
  REQUIRE(decode_entry(compressed, no_key, parts) == entry_fault::none);
  CHECK(parts.heading == wanted);
  CHECK(parts.compressed);
  CHECK(parts.size == 200);
  std::string_view content;
  content_buffer buffer;
  REQUIRE(buffer.content_of(parts, content) == entry_fault::none);
  CHECK(content == repeated("0123456789", 20));
}

TEST_CASE("what is long enough is compressed if it gets shorter") {
  auto const parts_of = [](std::string& out, std::string_view content, std::size_t from,
                           secret_key const& with = no_key) {
    out.clear();
    REQUIRE(encode_entry(out, wanted, content, with, from) == "");
    entry_parts parts;
    REQUIRE(decode_entry(out, with, parts) == entry_fault::none);
    std::string_view back;
    content_buffer buffer;
    REQUIRE(buffer.content_of(parts, back) == entry_fault::none);
    CHECK(back == content);
    return parts;
  };
  std::string out;
  std::string const long_text = repeated("int f(int x) { return x; } ", 1000);
  CHECK(parts_of(out, long_text, 1000).compressed);
  CHECK(out.size() < 1000);
  CHECK(parts_of(out, long_text, 1000, with_secret).compressed);
  CHECK(!parts_of(out, long_text, 0).compressed);
  CHECK(!parts_of(out, long_text, long_text.size() + 1).compressed);
  CHECK(parts_of(out, long_text, long_text.size()).compressed);
  CHECK(!parts_of(out, "", 1).compressed);

  // Nothing is shorter than this.
  std::string noise;
  std::uint64_t state = 1;
  for (int i = 0; i != 5000; ++i)
    noise += static_cast<char>((state = state * 6364136223846793005 + 1442695040888963407) >> 56);
  CHECK(!parts_of(out, noise, 1).compressed);
  // More than 1,024 to 1 is nothing that a reader would make room for.
  CHECK(!parts_of(out, std::string(10'000'000, '\0'), 1).compressed);
}

TEST_CASE("a buffer for contents is used again and gives memory back") {
  content_buffer buffer;
  for (int times : {5000, 10, 20'000, 1}) {
    std::string const content = repeated("0123456789", times);
    std::string out;
    REQUIRE(encode_entry(out, wanted, content, no_key, 1) == "");
    entry_parts parts;
    REQUIRE(decode_entry(out, no_key, parts) == entry_fault::none);
    std::string_view back;
    REQUIRE(buffer.content_of(parts, back) == entry_fault::none);
    CHECK(back == content);
    buffer.keep_at_most(times == 20'000 ? 0 : 1'000'000);
  }
}

TEST_CASE("what does not fit into the format is refused") {
  std::string out = "before";
  entry_heading heading = wanted;
  std::string const long_name(65'536, 'n');
  heading.layer = long_name;
  CHECK(encode_entry(out, heading, "", no_key).find("65,535 bytes. Give it") != std::string::npos);
  heading.layer = "codegen";
  heading.kind = long_name;
  CHECK(encode_entry(out, heading, "", no_key) != "");
  CHECK(out == "before");
  heading.kind = std::string_view(long_name).substr(1);
  CHECK(encode_entry(out, heading, "", no_key) == "");
  entry_parts parts;
  CHECK(decode_entry(std::string_view(out).substr(6), no_key, parts) == entry_fault::none);
  CHECK(parts.heading == heading);
}

TEST_CASE("an address has the bytes that its description says") {
  auto const text = [](auto const& a) {
    return std::string(reinterpret_cast<char const*>(a.data()), a.size());
  };
  entry_scope const scope = scope_of("clang=19.1.7", "emit", "codegen");
  CHECK(text(scope) == from_hex("a7436885a55a00aaa27eb2e6"));
  CHECK(text(address_of(wanted)) == from_hex("49ee141dfa41b9f758c9e573364c92c6"
                                             "03000000"
                                             "a7436885a55a00aaa27eb2e6"));
  CHECK(address_in(scope, wanted.canonical, 3) == address_of(wanted));
}

TEST_CASE("an address differs for everything but the kind") {
  entry_address const at = address_of(wanted);
  auto const differs = [&at](auto&& change) {
    entry_heading other = wanted;
    change(other);
    return address_of(other) != at;
  };
  CHECK(differs([](entry_heading& h) { h.layer = "codege"; }));
  CHECK(differs([](entry_heading& h) { h.provenance = "clang=19.1.6"; }));
  CHECK(differs([](entry_heading& h) { h.made_by = ""; }));
  CHECK(differs([](entry_heading& h) { h.variant = 4; }));
  CHECK(differs([](entry_heading& h) { h.canonical.remove_suffix(1); }));
  CHECK(!differs([](entry_heading& h) { h.kind = "object_code/2"; }));
  // Where one part ends and the next begins makes a difference.
  CHECK(differs([](entry_heading& h) { h.made_by = "emitcodegen", h.layer = ""; }));
  CHECK(scope_of("a", "bc", "d") != scope_of("ab", "c", "d"));
  CHECK(scope_of("a", "b", "cd") != scope_of("a", "bc", "d"));
}

TEST_CASE("an entry is checked where it lies") {
  entry_address at = address_of(wanted);
  CHECK(check_entry(at, plain, no_key) == "");
  CHECK(check_entry(at, compressed, no_key) == "");
  CHECK(check_entry(at, tagged, with_secret) == "");
  CHECK(check_entry(at, plain, with_secret) == to_text(entry_fault::no_tag));
  raw_entry bad;
  bad.flags = 1;
  bad.size = 20;
  CHECK(check_entry(at, bad.bytes(), no_key).find("decompressed: 20 bytes") != std::string::npos);
  ++at[20];
  CHECK(check_entry(at, plain, no_key) == "it lies at the address of another one");
}

TEST_CASE("every fault has a name and a sentence of its own") {
  for (std::size_t i = 0; i != entry_faults; ++i) {
    auto const fault = static_cast<entry_fault>(i);
    CHECK(name_of(fault) != "unknown");
    CHECK(to_text(fault) != "unknown");
    for (std::size_t j = 0; j != i; ++j) {
      CHECK(name_of(fault) != name_of(static_cast<entry_fault>(j)));
      CHECK(to_text(fault) != to_text(static_cast<entry_fault>(j)));
    }
  }
  CHECK(name_of(static_cast<entry_fault>(entry_faults)) == "unknown");
}

// ---- canonical encodings -----------------------------------------------------------------------

TEST_CASE("a canonical encoding is read without its types") {
  auto const check = [](std::string const& encoding, std::string_view layer, std::size_t own_keys) {
    auto const heading = read_canonical_encoding(encoding);
    REQUIRE(heading);
    CHECK(heading->layer == layer);
    CHECK(heading->own_keys() == own_keys);
    CHECK(heading->rest.data() + heading->rest.size() == encoding.data() + encoding.size() - 8);
    std::string const sequence = encoding + "more";
    auto const in_a_sequence = read_canonical_heading(sequence);
    REQUIRE(in_a_sequence);
    CHECK(in_a_sequence->layer == layer);
    CHECK(in_a_sequence->rest.size() == heading->rest.size() + 8 + 4);
    return *heading;
  };
  std::string const by_hand = canonical_key("codegen", 'A');
  canonical_heading const heading = check(by_hand, "codegen", 1);
  CHECK(heading.rest == "\x02\x5a");
  CHECK(heading.fingerprint(0) ==
        digest128{.high = 0x504f'4e4d'4c4b'4a49, .low = 0x4847'4645'4443'4241});

  std::string const of_params = bytes::of<back>(params{.level = 2, .units = 5});
  canonical_heading const two = check(of_params, "back", 2);
  CHECK(two.fingerprint(0) == own_fingerprint<front, params>());
  CHECK(two.fingerprint(1) == own_fingerprint<back, params>());
  CHECK(bytes::hex(two.rest) == "02 00 00 00 05");
}

TEST_CASE("what is no canonical encoding is not read as one") {
  std::string const right = canonical_key();
  REQUIRE(read_canonical_encoding(right));
  for (std::size_t size = 0; size != right.size(); ++size) {
    std::string const cut = right.substr(0, size);  // its own memory, so that a sanitizer sees
    CHECK(!read_canonical_encoding(cut));
    if (size < 5 + 8 + 7 + 2 + 16) CHECK(!read_canonical_heading(cut));
  }
  CHECK(!read_canonical_encoding(right + '\0'));
  for (std::size_t i = 0; i != 5; ++i) {
    std::string other = right;
    other[i] = static_cast<char>(other[i] ^ 1);
    CHECK(!read_canonical_heading(other));
  }
  std::string long_layer = right;
  for (std::size_t i = 5; i != 13; ++i) long_layer[i] = '\xff';
  CHECK(!read_canonical_heading(long_layer));
  std::string many_keys = right;
  many_keys[20] = many_keys[21] = '\xff';
  CHECK(!read_canonical_heading(many_keys));
}
