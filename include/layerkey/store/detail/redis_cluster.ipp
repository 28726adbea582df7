// Slots, redirections and the slot map of a Redis Cluster.
#include <layerkey/store/detail/redis_cluster.hpp>

#include <charconv>
#include <string>
#include <utility>

namespace layerkey::detail {
namespace {

constexpr auto redis_crc_table = [] {
  std::array<std::uint16_t, 256> table = {};
  for (unsigned i = 0; i != table.size(); ++i) {
    unsigned crc = i << 8;
    for (int bit = 0; bit != 8; ++bit) crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
    table[i] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

// The host has no brackets in these, even where it is an IPv6 address.
std::optional<redis_place> redis_announced(std::string_view host, long long port,
                                           redis_place const& asked) {
  if (port <= 0 || port > 65'535 || host.size() > 255) return {};
  redis_place place;
  place.host = host.empty() || host == "?" ? asked.host : std::string(host);
  place.port = static_cast<unsigned>(port);
  if (place.host.empty() || place.host.find('\0') != std::string::npos) return {};
  return place;
}

template<class Number>
bool redis_number(std::string_view text, Number& number) {
  auto const end = text.data() + text.size();
  auto const [last, error] = std::from_chars(text.data(), end, number);
  return !text.empty() && error == std::errc() && last == end;
}

bool is_redis_slot(redis_reply const& reply) {
  return reply.is(redis_reply::kind::integer) && reply.integer >= 0 &&
         reply.integer < static_cast<long long>(redis_slots);
}

}  // namespace

unsigned redis_slot_of(std::string_view key) {
  if (auto const open = key.find('{'); open != key.npos) {
    auto const close = key.find('}', open + 1);
    if (close != key.npos && close != open + 1) key = key.substr(open + 1, close - open - 1);
  }
  unsigned crc = 0;
  for (char const c : key)
    crc = ((crc << 8) & 0xffff) ^ redis_crc_table[(crc >> 8) ^ static_cast<unsigned char>(c)];
  return crc % redis_slots;
}

std::optional<redis_redirection> read_redirection(std::string_view error,
                                                  redis_place const& asked) {
  redis_redirection found;
  found.is_ask = error.starts_with("ASK ");
  if (!found.is_ask && !error.starts_with("MOVED ")) return {};
  error.remove_prefix(found.is_ask ? 4 : 6);
  auto const space = error.find(' ');
  if (space == error.npos || !redis_number(error.substr(0, space), found.slot) ||
      found.slot >= redis_slots)
    return {};
  error.remove_prefix(space + 1);
  auto const colon = error.rfind(':');
  long long port = 0;
  if (colon == error.npos || !redis_number(error.substr(colon + 1), port)) return {};
  auto place = redis_announced(error.substr(0, colon), port, asked);
  if (!place) return {};
  found.to = std::move(*place);
  return found;
}

std::uint16_t redis_slot_map::number_of(redis_place const& node) {
  for (std::size_t i = 0; i != nodes.size(); ++i)
    if (nodes[i].host == node.host && nodes[i].port == node.port)
      return static_cast<std::uint16_t>(i);
  if (nodes.size() >= nobody) return nobody;
  nodes.push_back(node);
  return static_cast<std::uint16_t>(nodes.size() - 1);
}

std::optional<redis_slot_map> read_slot_map(redis_reply const& reply, redis_place const& asked) {
  using kind = redis_reply::kind;
  if (!reply.is(kind::array)) return {};
  redis_slot_map map;
  for (redis_reply const& range : reply.items) {
    auto const& parts = range.items;  // first slot, last slot, primary, replicas ...
    if (!range.is(kind::array) || parts.size() < 3 || !is_redis_slot(parts[0]) ||
        !is_redis_slot(parts[1]) || parts[1].integer < parts[0].integer ||
        parts[2].items.size() < 2 || !parts[2].items[1].is(kind::integer))
      return {};
    auto const place = redis_announced(parts[2].items[0].text, parts[2].items[1].integer, asked);
    if (!place) return {};
    std::uint16_t const owner = map.number_of(*place);
    for (auto slot = parts[0].integer; slot <= parts[1].integer; ++slot)
      map.owners[static_cast<std::size_t>(slot)] = owner;
  }
  return map;
}

}  // namespace layerkey::detail
