// URLs of Redis servers.
#include <layerkey/store/detail/redis_url.hpp>

#include <charconv>
#include <optional>
#include <utility>

namespace layerkey::detail {
namespace {

std::optional<unsigned> redis_decimal(std::string_view text, unsigned greatest) {
  unsigned value = 0;
  auto const end = text.data() + text.size();
  auto const [last, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || last != end || value > greatest) return {};
  return value;
}

std::optional<std::string> redis_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return {};
    unsigned char byte = 0;
    auto const end = text.data() + i + 3;
    auto const [last, error] = std::from_chars(text.data() + i + 1, end, byte, 16);
    if (error != std::errc() || last != end) return {};
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return decoded;
}

std::optional<redis_place> node_in(std::string_view text) {
  redis_place place;
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    auto const end = text.find(']');
    if (end == text.npos) return {};
    place.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    has_port = !port.empty();
    if (has_port && !port.starts_with(':')) return {};
    if (has_port) port.remove_prefix(1);
  } else {
    auto const colon = text.find(':');
    place.host = text.substr(0, colon);
    has_port = colon != text.npos;
    if (has_port) port = text.substr(colon + 1);
    if (auto const host = redis_decoded(place.host)) place.host = *host;
  }
  auto const number = has_port ? redis_decimal(port, 65'535) : 6379;
  if (place.host.empty() || place.host.find('\0') != std::string::npos || !number || *number == 0)
    return {};
  place.port = *number;
  return place;
}

}  // namespace

std::string redis_place::name() const {
  if (!path.empty()) return path;
  bool const is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

// What does not parse may be a password with characters that should have been encoded, so nothing
// of the text is quoted.
redis_url read_redis_url(std::string_view text) {
  redis_url url;
  auto const fail = [&url](std::string what) {
    url = {};
    url.problem = "redis store: its URL " + std::move(what);
    return url;
  };
  std::string const form =
      "redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] or unix://[USER:PASSWORD@]/PATH[?db=N]";
  bool const is_unix = text.starts_with("unix://");
  if (text.starts_with("rediss://"))
    return fail(
        "asks for TLS, which a tunnel has to carry: let stunnel or ssh listen here, and give its "
        "end as redis://HOST:PORT");
  if (!is_unix && !text.starts_with("redis://")) return fail("is not of the form " + form);
  text.remove_prefix(is_unix ? 7 : 8);

  // A password cannot hold '@' unencoded, but people write it, and no host can.
  auto const slash = text.find('/');
  auto const at = text.substr(0, slash).rfind('@');
  std::string_view rest = text;
  if (at != text.npos) {
    std::string_view const who = text.substr(0, at);
    rest = text.substr(at + 1);
    auto const colon = who.find(':');
    auto user = redis_decoded(who.substr(0, colon));
    auto password = redis_decoded(colon == who.npos ? std::string_view() : who.substr(colon + 1));
    if (!user || !password)
      return fail(
          "has a % in its user or password that two hexadecimal digits do not follow; "
          "write % itself as %25");
    url.user = std::move(*user);
    url.password = std::move(*password);
    url.has_password = colon != who.npos && !url.password.empty();
    if (!url.user.empty() && !url.has_password && colon != who.npos)
      return fail("has a user, but an empty password");
  }
  if (rest.find('@') != rest.npos)
    return fail("has an @ behind the host; write / and @ in a password as %2F and %40");

  std::string_view database;
  bool has_database = false;
  if (is_unix) {
    auto const query = rest.find('?');
    auto path = redis_decoded(rest.substr(0, query));
    if (!path || !path->starts_with('/') || path->find('\0') != std::string::npos)
      return fail("has no path of a socket; the form is " + form);
    if (path->size() > 107) return fail("has a path of more than 107 bytes, too long for a socket");
    url.name = "unix://" + *path;
    url.places.push_back({.host = {}, .port = 0, .path = std::move(*path)});
    if (query != rest.npos) {
      database = rest.substr(query + 1);
      if (!database.starts_with("db="))
        return fail("has something else than ?db=N behind the path");
      database.remove_prefix(3);
      has_database = true;
    }
  } else {
    auto const path = rest.find('/');
    if (path != rest.npos) {
      database = rest.substr(path + 1);
      has_database = !database.empty();
    }
    rest = rest.substr(0, path);
    url.name = "redis://";
    for (;;) {
      auto const comma = rest.find(',');
      auto place = node_in(rest.substr(0, comma));
      if (!place)
        return fail("has no valid HOST or HOST:PORT; the form is " + form +
                    ", IPv6 addresses in brackets, / and @ in a password as %2F and %40");
      url.name += (url.places.empty() ? "" : ",") + place->name();
      url.places.push_back(std::move(*place));
      if (comma == rest.npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  if (has_database) {
    auto const number = redis_decimal(database, 1'000'000);
    if (!number)
      return fail(
          "has something else than the number of a database at its end; write / and @ in "
          "a password as %2F and %40");
    url.database = *number;
    if (url.database != 0) url.name += (is_unix ? "?db=" : "/") + std::to_string(url.database);
  }
  return url;
}

}  // namespace layerkey::detail
