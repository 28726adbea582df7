// What holds of any bytes that are taken for a canonical encoding; ends the program where it does
// not.
#pragma once

#include "entry_decoder.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace store_test {

inline void check_canonical_decoder(std::string_view bytes) {
  exact_bytes const exact(bytes);
  std::string_view const whole = exact.view();
  auto const heading = layerkey::read_canonical_heading(whole);
  auto const alone = layerkey::read_canonical_encoding(whole);
  require(!alone || heading);
  if (heading) {
    std::string again = "lkey\x01" + sized(heading->layer, 8) + number(heading->own_keys(), 2);
    for (std::size_t i = 0; i != heading->own_keys(); ++i) {
      layerkey::digest128 const fingerprint = heading->fingerprint(i);
      again += number(fingerprint.low, 8) + number(fingerprint.high, 8);
    }
    again += heading->rest;
    require(again == whole);
  }
  if (alone) {
    require(heading->rest == std::string(alone->rest) + number(whole.size() - 8, 8));
    require(heading->layer == alone->layer && heading->fingerprints == alone->fingerprints);
  }

  // Which fault is found says what differs.
  layerkey::entry_heading const found{
      .layer = {}, .provenance = {}, .made_by = {}, .canonical = whole, .kind = {}, .variant = 0};
  require(compare(found, found) == layerkey::entry_fault::none);
  if (whole.empty()) return;
  std::string const changed = [&] {
    std::string other(whole);
    std::size_t const at = static_cast<unsigned char>(other[0]) * other.size() / 256;
    other[at] = static_cast<char>(other[at] ^ 1);
    return other;
  }();
  layerkey::entry_heading wanted = found;
  wanted.canonical = changed;
  auto const fault = compare(found, wanted);
  require(fault == layerkey::entry_fault::other_key ||
          fault == layerkey::entry_fault::other_schema);
  require(fault == compare(wanted, found));
  auto const other = layerkey::read_canonical_heading(changed);
  bool const is_schema = heading && other && heading->layer == other->layer &&
                         heading->fingerprints != other->fingerprints;
  require(is_schema == (fault == layerkey::entry_fault::other_schema));
}

}  // namespace store_test
