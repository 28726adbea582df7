// What can be wrong with an entry, done to one: each is a miss that is counted, explained and
// repaired, and never a wrong byte.
#include <layerkey/store/entry_store.hpp>

#include "entries.hpp"
#include "map_bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>

using namespace layerkey;
using namespace store_test;

namespace {

constexpr std::string_view content = "machine code";

store_secret the_secret() { return store_secret::from_bytes(secret_text); }

// A store with one entry, of which a test can make what it wants.
struct damaged_store {
  std::shared_ptr<map_bytes> bytes = std::make_shared<map_bytes>();
  raw_entry right;
  entry_store store;
  std::string entry;
  entry_address at = {};

  explicit damaged_store(store_secret secret = {}, std::size_t compress_from = 0)
      : store(std::make_unique<shared_bytes>(bytes), provenance{{"clang", "19.1.7"}},
              store_options{.secret = std::move(secret), .compress_from = compress_from}) {
    store.save(right.key(), content);
    REQUIRE(bytes->size() == 1);
    entry = bytes->only_entry();
    at = bytes->only_address();
  }

  bool serves() {
    std::string seen;
    auto const result = store.load(right.key(), [&seen](std::string_view found) {
      seen = found;
      return load_verdict::serves;
    });
    return result == artifact_store::load_result::served && seen == content;
  }

  // Loads once with `bad` in the entry's place, and says which fault was found.
  entry_fault fault_of(std::string_view bad) {
    REQUIRE(bytes->write(at, bad));
    store_statistics const before = store.statistics();
    bool was_read = false;
    auto const result = store.load(right.key(), [&was_read](std::string_view) {
      was_read = true;
      return load_verdict::serves;
    });
    store_statistics const after = store.statistics();
    entry_fault found = entry_fault::none;
    for (std::size_t i = 0; i != entry_faults; ++i)
      if (after.faults[i].count != before.faults[i].count) found = static_cast<entry_fault>(i);

    bool const missed = result == artifact_store::load_result::missed && !was_read;
    bool const counted = after.faulty == before.faulty + 1 &&
                         after.all_faults() == before.all_faults() + 1 &&
                         after.loads == before.loads + 1 && after.served == before.served;
    bool const explained = after[found].last.find(std::string(to_text(found))) != std::string::npos;
    bool const repaired = after.repaired == before.repaired + 1 && !bytes->contains(at);
    // Four checks for each of thousands of entries would take their time.
    if (!missed || !counted || !explained || !repaired) {
      CAPTURE(missed, counted, explained, repaired, name_of(found));
      CHECK(false);
    }
    return found;
  }

  // What is made in its place is found again.
  void check_repair() {
    store.save(right.key(), content);
    CHECK(serves());
    CHECK(bytes->only_entry() == entry);
  }
};

std::string flipped(std::string entry, std::size_t bit) {
  entry[bit / 8] = static_cast<char>(entry[bit / 8] ^ 1 << bit % 8);
  return entry;
}

// What a change of one bit is found by.
entry_fault expected_of_flip(std::size_t byte) {
  if (byte < 7) return entry_fault::other_magic;
  if (byte < 8) return entry_fault::other_format_version;
  if (byte < 16) return entry_fault::wrong_length;
  return entry_fault::wrong_checksum;
}

// Their tag is right too where a key is given.
struct forged {
  std::string_view what;
  std::function<void(raw_entry&)> change;
  entry_fault fault;
};

forged const forgeries[] = {
    {"old format", [](raw_entry& e) { e.magic[7] = 0; }, entry_fault::other_format_version},
    {"future format", [](raw_entry& e) { e.magic[7] = 2; }, entry_fault::other_format_version},
    {"other magic", [](raw_entry& e) { e.magic[0] = 'L'; }, entry_fault::other_magic},
    {"length of all", [](raw_entry& e) { e.length = 1; }, entry_fault::wrong_length},
    {"greatest length", [](raw_entry& e) { e.length = std::numeric_limits<std::uint64_t>::max(); },
     entry_fault::wrong_length},
    {"unknown flag", [](raw_entry& e) { e.flags |= 4; }, entry_fault::wrong_layout},
    {"something behind", [](raw_entry& e) { e.behind = "x"; }, entry_fault::wrong_layout},
    {"size less than stored", [](raw_entry& e) { e.size = 11; }, entry_fault::wrong_layout},
    {"size more than stored", [](raw_entry& e) { e.size = 13; }, entry_fault::wrong_layout},
    {"other layer", [](raw_entry& e) { e.layer = "linking"; }, entry_fault::other_layer},
    {"other LLVM", [](raw_entry& e) { e.provenance = "clang=19.1.6"; },
     entry_fault::other_provenance},
    {"other code", [](raw_entry& e) { e.made_by = "emit2"; }, entry_fault::other_provenance},
    {"provenance and code apart elsewhere",
     [](raw_entry& e) { e.provenance = "clang=19.1.7e", e.made_by = "mit"; },
     entry_fault::other_provenance},
    {"other schema", [](raw_entry& e) { e.canonical = canonical_key("codegen", 'a'); },
     entry_fault::other_schema},
    {"other schema and members",
     [](raw_entry& e) { e.canonical = canonical_key("codegen", 'a', 'z'); },
     entry_fault::other_schema},
    {"other key", [](raw_entry& e) { e.canonical = canonical_key("codegen", 0, 'z'); },
     entry_fault::other_key},
    {"other layer in the key", [](raw_entry& e) { e.canonical = canonical_key("linking", 'a'); },
     entry_fault::other_key},
    {"no canonical key", [](raw_entry& e) { e.canonical = ""; }, entry_fault::other_key},
    {"longer key", [](raw_entry& e) { e.canonical += 'x'; }, entry_fault::other_key},
    {"other variant", [](raw_entry& e) { e.variant = 4; }, entry_fault::other_variant},
    {"other kind", [](raw_entry& e) { e.kind = "object_code/2"; }, entry_fault::other_kind},
};

// One frame of 200 bytes, "0123456789" again and again.
std::string const frame = from_hex("28b52ffd20c88d000050303132333435363738390100bb520509");

forged const lies[] = {
    {"not compressed", [](raw_entry& e) { e.stored = "machine code"; },
     entry_fault::broken_compression},
    {"one more", [](raw_entry& e) { e.stored = frame, e.size = 201; },
     entry_fault::broken_compression},
    {"one less", [](raw_entry& e) { e.stored = frame, e.size = 199; },
     entry_fault::broken_compression},
    {"no longer than compressed", [](raw_entry& e) { e.stored = frame, e.size = 26; },
     entry_fault::broken_compression},
    {"nothing", [](raw_entry& e) { e.stored = "", e.size = 0; }, entry_fault::broken_compression},
    {"nothing of something", [](raw_entry& e) { e.stored = "", e.size = 12; },
     entry_fault::broken_compression},
    {"a terabyte", [](raw_entry& e) { e.stored = frame, e.size = std::uint64_t{1} << 40; },
     entry_fault::broken_compression},
    {"all there is",
     [](raw_entry& e) {
       e.stored = frame;
       e.size = std::numeric_limits<std::uint64_t>::max();
     },
     entry_fault::broken_compression},
    {"the frame lies too",
     [](raw_entry& e) {
       // 256 bytes less, in place of 200: single segment, size in one byte, here 255.
       e.stored = frame;
       e.stored[5] = '\xff';
       e.size = 255;
     },
     entry_fault::broken_compression},
    {"cut", [](raw_entry& e) { e.stored = frame.substr(0, 20), e.size = 200; },
     entry_fault::broken_compression},
    {"something behind", [](raw_entry& e) { e.stored = frame + "x", e.size = 200; },
     entry_fault::broken_compression},
    {"a frame that does not say its size",
     [](raw_entry& e) {
       e.stored = from_hex("28b52ffd00484d00001061610100272ac002");
       e.size = 300;
     },
     entry_fault::broken_compression},
    {"a frame to be skipped behind",
     [](raw_entry& e) { e.stored = frame + from_hex("502a4d1800000000"), e.size = 200; },
     entry_fault::broken_compression},
    {"twice", [](raw_entry& e) { e.stored = frame + frame, e.size = 200; },
     entry_fault::broken_compression},
    {"twice and twice the size", [](raw_entry& e) { e.stored = frame + frame, e.size = 400; },
     entry_fault::broken_compression},
};

}  // namespace

TEST_CASE("faults: every bit of an entry flipped") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    for (std::size_t bit = 0; bit != in.entry.size() * 8; ++bit) {
      entry_fault expected = expected_of_flip(bit / 8);
      if (with_secret && expected == entry_fault::wrong_checksum)
        expected = bit == 32 * 8 + 1 ? entry_fault::no_tag : entry_fault::wrong_tag;
      entry_fault const found = in.fault_of(flipped(in.entry, bit));
      if (found != expected) {
        CAPTURE(with_secret, bit, name_of(found), name_of(expected));
        CHECK(false);
      }
    }
    in.check_repair();
  }
}

TEST_CASE("faults: every bit of a compressed entry flipped") {
  damaged_store in;
  raw_entry compressed = in.right;
  compressed.flags = 1;
  compressed.stored = frame;
  compressed.size = 200;
  std::string const entry = compressed.bytes();
  for (std::size_t bit = 0; bit != entry.size() * 8; ++bit)
    CHECK(in.fault_of(flipped(entry, bit)) == expected_of_flip(bit / 8));
  // The same with a checksum that is right: not one of them is read beyond its bounds, and what
  // is decompressed to something else was not noticed by the frame either.
  for (std::size_t bit = 0; bit != frame.size() * 8; ++bit) {
    compressed.stored = flipped(frame, bit);
    std::string const bytes = compressed.bytes();
    entry_parts parts;
    REQUIRE(decode_entry(bytes, {}, parts) == entry_fault::none);
    content_buffer buffer;
    std::string_view made;
    if (buffer.content_of(parts, made) == entry_fault::none) CHECK(made.size() == 200);
  }
}

TEST_CASE("faults: two bits flipped") {
  damaged_store in;
  std::uint64_t state = 1;
  auto const below = [&state](std::size_t n) {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<std::size_t>(state >> 33) % n;
  };
  std::size_t const bits = in.entry.size() * 8;
  for (int i = 0; i != 5000; ++i) {
    std::size_t const first = below(bits);
    std::size_t const second = (first + 1 + below(bits - 1)) % bits;
    entry_fault const found = in.fault_of(flipped(flipped(in.entry, first), second));
    if (found != expected_of_flip(std::min(first, second) / 8)) {
      CAPTURE(first, second, name_of(found));
      CHECK(false);
    }
  }
}

TEST_CASE("faults: an entry cut at every length") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    for (std::size_t size = 0; size != in.entry.size(); ++size) {
      entry_fault const found = in.fault_of(in.entry.substr(0, size));
      if (found != (size < 69 ? entry_fault::too_short : entry_fault::wrong_length)) {
        CAPTURE(with_secret, size, name_of(found));
        CHECK(false);
      }
    }
    CHECK(
        in.store.statistics()[entry_fault::too_short].last ==
        "layer codegen, an entry of the store: it is shorter than any entry: it was cut, or never "
        "written");
    in.check_repair();
  }
}

TEST_CASE("faults: an entry cut at every length that says so itself") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    std::string const body = in.entry.substr(32, in.entry.size() - 32 - (with_secret ? 32 : 0));
    std::string const key(with_secret ? bytes_of(tag_key(the_secret())) : std::string_view());
    for (std::size_t size = 0; size != body.size(); ++size) {
      std::string const bytes = in.right.sealed(body.substr(0, size), key);
      entry_fault const found = in.fault_of(bytes);
      entry_fault const expected = bytes.size() < 69 ? entry_fault::too_short
                                   : with_secret && bytes.size() < 69 + 32
                                       ? entry_fault::wrong_tag
                                       : entry_fault::wrong_layout;
      if (found != expected) {
        CAPTURE(with_secret, size, name_of(found));
        CHECK(false);
      }
    }
    in.check_repair();
  }
}

TEST_CASE("faults: zeros in an entry") {
  damaged_store in;
  for (std::size_t i = 0; i != in.entry.size(); ++i)
    for (std::size_t const count : {1u, 4u, 16u, 64u}) {
      std::string bad = in.entry;
      for (std::size_t j = i; j != std::min(i + count, bad.size()); ++j) bad[j] = '\0';
      auto const first = std::mismatch(bad.begin(), bad.end(), in.entry.begin()).first;
      if (first != bad.end())
        CHECK(in.fault_of(bad) == expected_of_flip(static_cast<std::size_t>(first - bad.begin())));
    }
  CHECK(in.fault_of("") == entry_fault::too_short);
  CHECK(in.fault_of(std::string(in.entry.size(), '\0')) == entry_fault::other_magic);
  CHECK(in.fault_of(std::string(4096, '\0')) == entry_fault::other_magic);
  in.check_repair();
}

TEST_CASE("faults: something behind an entry") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    for (std::size_t count = 1; count != 100; ++count)
      CHECK(in.fault_of(in.entry + std::string(count, '\0')) == entry_fault::wrong_length);
    CHECK(in.fault_of(in.entry + in.entry) == entry_fault::wrong_length);
    in.check_repair();
  }
}

TEST_CASE("faults: entries that are right, and not of what is wanted") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    std::string const key(with_secret ? bytes_of(tag_key(the_secret())) : std::string_view());
    for (forged const& each : forgeries) {
      CAPTURE(each.what);
      raw_entry entry = in.right;
      entry.flags = with_secret ? 2 : 0;
      REQUIRE(entry.bytes(key) == in.entry);
      each.change(entry);
      entry_fault const found = in.fault_of(entry.bytes(key));
      CHECK(name_of(found) == name_of(each.fault));
    }
    in.check_repair();
  }
}

TEST_CASE("faults: compressed contents that lie about themselves") {
  for (bool const with_secret : {false, true}) {
    damaged_store in(with_secret ? the_secret() : store_secret());
    std::string const key(with_secret ? bytes_of(tag_key(the_secret())) : std::string_view());
    raw_entry right = in.right;
    right.flags = with_secret ? 3 : 1;
    right.stored = frame;
    right.size = 200;
    std::string const bytes = right.bytes(key);
    REQUIRE(in.bytes->write(in.at, bytes));
    CHECK(in.store.load(in.right.key(), [](std::string_view found) {
      return found.size() == 200 ? load_verdict::serves : load_verdict::not_valid;
    }) == artifact_store::load_result::served);
    for (forged const& each : lies) {
      CAPTURE(each.what);
      raw_entry entry = right;
      each.change(entry);
      entry_fault const found = in.fault_of(entry.bytes(key));
      CHECK(name_of(found) == name_of(each.fault));
    }
    in.check_repair();
  }
}

TEST_CASE("faults: tags") {
  damaged_store in(the_secret());
  std::string const key(bytes_of(tag_key(the_secret())));

  // Without one, also where it says that it has one.
  CHECK(in.fault_of(in.right.bytes()) == entry_fault::no_tag);
  raw_entry claims = in.right;
  claims.flags = 2;
  claims.stored = std::string(100, 'x');
  CHECK(in.fault_of(claims.bytes()) == entry_fault::wrong_tag);

  // Of zeros, of another secret, of another entry, of an entry that says that it has none.
  std::string zeros = in.entry;
  for (std::size_t i = zeros.size() - 32; i != zeros.size(); ++i) zeros[i] = '\0';
  CHECK(in.fault_of(zeros) == entry_fault::wrong_tag);
  damaged_store elsewhere(store_secret::from_bytes("a secret of twenty-six chaR"));
  CHECK(elsewhere.at == in.at);
  CHECK(in.fault_of(elsewhere.entry) == entry_fault::wrong_tag);
  raw_entry other = in.right;
  other.flags = 2;
  other.stored = "machine cOde";
  std::string const other_bytes = other.bytes(key);
  CHECK(in.fault_of(in.entry.substr(0, in.entry.size() - 32) +
                    other_bytes.substr(other_bytes.size() - 32)) == entry_fault::wrong_tag);
  CHECK(in.fault_of(in.right.bytes(key)) == entry_fault::no_tag);

  // Of the raw secret, and of no key at all, which anybody could make.
  CHECK(in.fault_of(claims.bytes(secret_text)) == entry_fault::wrong_tag);
  std::string unkeyed = in.entry;
  unsigned char digest[32];
  crypto_generichash(digest, sizeof digest, reinterpret_cast<unsigned char const*>(unkeyed.data()),
                     unkeyed.size() - 32, nullptr, 0);
  unkeyed.replace(unkeyed.size() - 32, 32, reinterpret_cast<char const*>(digest), 32);
  CHECK(in.fault_of(unkeyed) == entry_fault::wrong_tag);
  in.check_repair();
}

TEST_CASE("faults: an entry with a tag is right for one who has no secret") {
  damaged_store signed_by(the_secret());
  damaged_store in;
  REQUIRE(signed_by.at == in.at);
  REQUIRE(in.bytes->write(in.at, signed_by.entry));
  CHECK(in.serves());
  // Its tag is not looked at; everything else is.
  std::size_t const tag = signed_by.entry.size() - 32;
  for (std::size_t bit = 0; bit != signed_by.entry.size() * 8; ++bit) {
    std::string const bad = flipped(signed_by.entry, bit);
    if (bit / 8 < tag) {
      CHECK(in.fault_of(bad) == expected_of_flip(bit / 8));
    } else {
      REQUIRE(in.bytes->write(in.at, bad));
      CHECK(in.serves());
    }
  }
  // And not cut off.
  CHECK(in.fault_of(signed_by.entry.substr(0, tag)) == entry_fault::wrong_length);
}

TEST_CASE("faults: who made it and who wants it are named") {
  damaged_store in;
  auto const last = [&in](entry_fault fault) { return in.store.statistics()[fault].last; };
  raw_entry entry = in.right;
  entry.provenance = "clang=19.1.6";
  CHECK(in.fault_of(entry.bytes()) == entry_fault::other_provenance);
  CHECK(last(entry_fault::other_provenance) ==
        "layer codegen, an entry of the store: it was made by something else: 'clang=19.1.6' in "
        "place of 'clang=19.1.7'");
  entry = in.right;
  entry.made_by = "emit2";
  CHECK(in.fault_of(entry.bytes()) == entry_fault::other_provenance);
  CHECK(last(entry_fault::other_provenance).find("'emit2' in place of 'emit'") !=
        std::string::npos);
  entry = in.right;
  entry.kind = std::string(1000, 'k');
  CHECK(in.fault_of(entry.bytes()) == entry_fault::other_kind);
  CHECK(last(entry_fault::other_kind).size() < 400);
}

TEST_CASE("faults: content that is not what its kind says") {
  for (bool const throws : {false, true}) {
    damaged_store in;
    auto const read = [throws](std::string_view) -> load_verdict {
      if (throws) throw std::bad_alloc();
      return load_verdict::not_readable;
    };
    CHECK(in.store.load(in.right.key(), read) == artifact_store::load_result::missed);
    store_statistics const after = in.store.statistics();
    CHECK(after[entry_fault::not_readable].count == 1);
    CHECK(after[entry_fault::not_readable].last.find("'object_code/1'") != std::string::npos);
    CHECK(after.faulty == 1);
    CHECK(after.repaired == 1);
    CHECK(in.bytes->size() == 0);
    in.check_repair();
  }
}

TEST_CASE("faults: an entry that is gone between two reads") {
  damaged_store in;
  CHECK(in.serves());
  REQUIRE(in.bytes->contains(in.at));
  REQUIRE(in.bytes->remove(in.at));
  CHECK(!in.serves());
  CHECK(in.store.statistics().absent == 1);
  CHECK(in.store.statistics().all_faults() == 0);
  in.check_repair();
}

TEST_CASE("faults: one that only reads leaves what it finds") {
  damaged_store in;
  entry_store reader(std::make_unique<shared_bytes>(in.bytes), provenance{{"clang", "19.1.7"}},
                     {.read_only = true});
  std::string const bad = flipped(in.entry, 400);
  REQUIRE(in.bytes->write(in.at, bad));
  for (int i = 0; i != 2; ++i)
    CHECK(reader.load(in.right.key(), [](std::string_view) { return load_verdict::serves; }) ==
          artifact_store::load_result::missed);
  CHECK(reader.statistics()[entry_fault::wrong_checksum].count == 2);
  CHECK(reader.statistics().repaired == 0);
  CHECK(in.bytes->only_entry() == bad);
  CHECK(in.fault_of(bad) == entry_fault::wrong_checksum);
}
