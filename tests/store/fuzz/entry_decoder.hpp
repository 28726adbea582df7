// What holds of any bytes that are taken for an entry; ends the program where it does not.
#pragma once

#include <layerkey/store/entry_format.hpp>

#include "../entries.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace store_test {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Bytes with nothing behind them, so that a sanitizer sees who reads on.
class exact_bytes {
 public:
  explicit exact_bytes(std::string_view bytes)
      : held_(std::make_unique<char[]>(bytes.size())), size_(bytes.size()) {
    if (size_ != 0) std::memcpy(held_.get(), bytes.data(), size_);
  }
  std::string_view view() const { return {held_.get(), size_}; }

 private:
  std::unique_ptr<char[]> held_;
  std::size_t size_;
};

inline bool lies_in(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

// Returns whether it is an entry.
inline bool check_decoding(std::string_view bytes, layerkey::secret_key const& key) {
  exact_bytes const exact(bytes);
  std::string_view const whole = exact.view();
  layerkey::entry_parts parts;
  if (decode_entry(whole, key, parts) != layerkey::entry_fault::none) return false;
  layerkey::entry_heading const& heading = parts.heading;
  for (std::string_view const part : {heading.layer, heading.kind, heading.provenance,
                                      heading.made_by, heading.canonical, parts.stored})
    require(lies_in(part, whole));
  require(compare(heading, heading) == layerkey::entry_fault::none);
  require(!key.given() || parts.tagged);
  layerkey::entry_heading other = heading;
  ++other.variant;
  require(compare(heading, other) == layerkey::entry_fault::other_variant);
  require(address_of(heading) != address_of(other));

  layerkey::content_buffer buffer;
  std::string_view content;
  layerkey::entry_fault const opened = buffer.content_of(parts, content);
  require(opened == layerkey::entry_fault::none || parts.compressed);
  if (opened != layerkey::entry_fault::none) return true;
  require(content.size() == parts.size);

  // The same entry again is the same bytes, where there is only one way to write it.
  std::string again;
  layerkey::secret_key const none;
  require(encode_entry(again, heading, content, key).empty());
  if (!parts.compressed && parts.tagged == key.given()) require(again == whole);
  if (parts.compressed) {
    exact_bytes const copy(again);
    layerkey::entry_parts uncompressed;
    require(decode_entry(copy.view(), key, uncompressed) == layerkey::entry_fault::none);
    require(uncompressed.stored == content);
    require(uncompressed.heading == heading);
  }
  return true;
}

// As they are; then, as the bytes behind the checksum of an entry that is right up to there, so
// that more of them come so far.
inline void check_entry_decoder(std::string_view bytes) {
  static layerkey::secret_key const none;
  static layerkey::secret_key const key = tag_key(layerkey::store_secret::from_bytes(secret_text));
  check_decoding(bytes, none);
  check_decoding(bytes, key);

  raw_entry const frame;
  std::string body(bytes);
  check_decoding(frame.sealed(body), none);
  if (body.empty()) return;
  body[0] = static_cast<char>(body[0] | 2);
  check_decoding(frame.sealed(body, bytes_of(key)), key);
  check_decoding(frame.sealed(body, bytes_of(key)), none);
}

}  // namespace store_test
