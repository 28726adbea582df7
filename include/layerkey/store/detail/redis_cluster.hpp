// Which node of a Redis Cluster has which keys, as its specification says.
#pragma once

#include <layerkey/store/detail/redis_connection.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace layerkey::detail {

constexpr unsigned redis_slots = 16'384;

// CRC16 (XMODEM) of the key, or of what is between its first { and the next }, if anything is.
unsigned redis_slot_of(std::string_view key);

// What "MOVED SLOT HOST:PORT" and "ASK SLOT HOST:PORT" say. Without a host it is the one that was
// asked.
struct redis_redirection {
  bool is_ask = false;
  unsigned slot = 0;
  redis_place to;
};
std::optional<redis_redirection> read_redirection(std::string_view error, redis_place const& asked);

// What CLUSTER SLOTS says of primaries.
struct redis_slot_map {
  static constexpr std::uint16_t nobody = 0xffff;

  std::vector<redis_place> nodes;
  std::array<std::uint16_t, redis_slots> owners;  // places in nodes

  redis_slot_map() { owners.fill(nobody); }
  std::uint16_t number_of(redis_place const& node);  // adds it, if it is new
};
std::optional<redis_slot_map> read_slot_map(redis_reply const& reply, redis_place const& asked);

}  // namespace layerkey::detail
