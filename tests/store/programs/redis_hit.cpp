// What a hit in a Redis store costs, beside a GET of the same bytes by hiredis itself: one server,
// one run, in turn. Prints the medians in microseconds and the ratios.
#include "../redis_server.hpp"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

using namespace redis_test;

namespace {

double median(std::vector<double>& times) {
  auto const middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

double microseconds_of(std::function<bool()> const& f) {
  auto const begin = clock::now();
  if (!f()) std::abort();
  return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
}

}  // namespace

int main() {
  if (is_skipped()) return 0;
  server s;
  std::printf("%10s %12s %12s %12s %12s %12s\n", "bytes", "raw hiredis", "redis_bytes", "ratio",
              "redis_store", "ratio");
  for (std::size_t const size :
       {std::size_t{1} << 10, std::size_t{64} << 10, (std::size_t{16} << 20) / 10}) {
    std::string const content = noise(size, size);
    layerkey::store_key const key{
        .layer = "codegen", .canonical = "a key", .made_by = {}, .kind = "bytes"};
    auto const at = address(size);
    std::string const name =
        "layerkey:1:" + std::string(reinterpret_cast<char const*>(at.data()), at.size());

    // How fast a connection is depends on what the kernel made of it: many are compared.
    std::vector<double> times[3];
    for (int connection = 0; connection != 40; ++connection) {
      layerkey::redis_bytes bytes(s.url(), patient());
      layerkey::redis_store store(s.url(), {{"test", "1"}}, patient());
      redisContext* const raw = redisConnect("127.0.0.1", s.port());
      if (raw == nullptr || raw->err != 0) std::abort();
      store.save(key, content);
      if (!bytes.write(at, content)) std::abort();

      auto const get_raw = [&] {
        char const* words[] = {"GET", name.data()};
        std::size_t const sizes[] = {3, name.size()};
        auto* const reply = static_cast<redisReply*>(redisCommandArgv(raw, 2, words, sizes));
        bool const right = reply != nullptr && reply->type == REDIS_REPLY_STRING &&
                           static_cast<std::size_t>(reply->len) == size;
        freeReplyObject(reply);
        return right;
      };
      auto const get_bytes = [&] {
        return bytes.read(at, [&](std::string_view entry) { return entry.size() == size; }) ==
               layerkey::read_result::accepted;
      };
      auto const get_store = [&] {
        return store.load(key, [&](std::string_view entry) {
          return entry.size() == size ? layerkey::load_verdict::serves
                                      : layerkey::load_verdict::not_readable;
        }) == layerkey::artifact_store::load_result::served;
      };
      int const rounds = size > 1'000'000 ? 50 : 500;
      for (int i = -rounds / 10; i != rounds; ++i) {
        double const of_raw = microseconds_of(get_raw);
        double const of_bytes = microseconds_of(get_bytes);
        double const of_store = microseconds_of(get_store);
        if (i < 0) continue;
        times[0].push_back(of_raw);
        times[1].push_back(of_bytes);
        times[2].push_back(of_store);
      }
      redisFree(raw);
    }
    double const m[] = {median(times[0]), median(times[1]), median(times[2])};
    std::printf("%10zu %12.1f %12.1f %12.2f %12.1f %12.2f\n", size, m[0], m[1], m[1] / m[0], m[2],
                m[2] / m[0]);
  }
}
