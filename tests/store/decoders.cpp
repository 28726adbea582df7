// What the fuzzers in fuzz/ check, of right bytes and of what becomes of them by random changes.
#include "fuzz/canonical_decoder.hpp"
#include "fuzz/entry_decoder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace store_test;

namespace {

class changes {
 public:
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005 + 1442695040888963407;
    return n == 0 ? 0 : static_cast<std::size_t>(state_ >> 33) % n;
  }

  // A piece of a corpus, changed here and there.
  std::string any(std::vector<std::string> const& corpus) {
    std::string bytes = corpus[below(corpus.size())];
    for (std::size_t i = below(5); i != 0; --i) change(bytes, corpus);
    return bytes;
  }

 private:
  void change(std::string& bytes, std::vector<std::string> const& corpus) {
    std::size_t const at = below(bytes.size() + 1);
    switch (below(7)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, below(20), static_cast<char>(below(256)));
        break;
      case 4:
        bytes.erase(at, below(20));
        break;
      case 5: {
        std::string const& other = corpus[below(corpus.size())];
        bytes.insert(at, other.substr(below(other.size()), below(60)));
        break;
      }
      case 6:
        for (std::size_t i = at; i != bytes.size() && i != at + 8; ++i)
          bytes[i] = below(2) == 0 ? '\0' : '\xff';
        break;
    }
  }

  std::uint64_t state_ = 1;
};

std::size_t rounds() {
  char const* const full = std::getenv("LAYERKEY_FULL");
  return full != nullptr && std::string_view(full) == "1" ? 2'000'000 : 150'000;
}

}  // namespace

TEST_CASE("decoders: entries") {
  std::vector<std::string> corpus = {""};
  raw_entry entry;
  std::string const frame = from_hex("28b52ffd20c88d000050303132333435363738390100bb520509");
  for (int i = 0; i != 6; ++i) {
    if (i == 1) entry.flags = 2;
    if (i == 2) entry.stored = "";
    if (i == 3) entry.canonical = entry.made_by = "";
    if (i == 4) entry.flags = 1, entry.stored = frame, entry.size = 200;
    if (i == 5) entry.flags = 3;
    std::string const key(entry.flags >= 2
                              ? bytes_of(tag_key(layerkey::store_secret::from_bytes(secret_text)))
                              : std::string_view());
    corpus.push_back(entry.bytes(key));
    std::string const whole = corpus.back();
    corpus.push_back(
        whole.substr(32, whole.size() - 32 - (key.empty() ? 0 : 32)));  // see the check
  }
  CHECK(check_decoding(corpus[1], {}));
  CHECK(!check_decoding(corpus[2], {}));
  for (std::string const& each : corpus) check_entry_decoder(each);
  changes random;
  for (std::size_t i = rounds(); i != 0; --i) check_entry_decoder(random.any(corpus));
}

TEST_CASE("decoders: canonical encodings") {
  std::vector<std::string> const corpus = {"",
                                           canonical_key(),
                                           canonical_key("x", 'a'),
                                           canonical_key("", 0, 'z'),
                                           canonical_key() + canonical_key(),
                                           "lkey\x01" + number(0, 8) + number(0, 2)};
  for (std::string const& each : corpus) check_canonical_decoder(each);
  changes random;
  for (std::size_t i = rounds() * 4; i != 0; --i) check_canonical_decoder(random.any(corpus));
}
