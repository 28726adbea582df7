// Where a Redis server is, and as whom to log in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace layerkey::detail {

struct redis_place {
  std::string host;
  unsigned port = 0;
  std::string path;  // of a unix socket, instead of these

  // HOST:PORT, [HOST]:PORT or the path.
  std::string name() const;
};

struct redis_url {
  std::vector<redis_place> places;
  std::string user;
  std::string password;
  bool has_password = false;
  unsigned database = 0;

  std::string name;     // for messages: without user and password
  std::string problem;  // empty: none. Says nothing of what the URL holds
};

redis_url read_redis_url(std::string_view text);

}  // namespace layerkey::detail
