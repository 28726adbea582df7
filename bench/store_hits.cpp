// What a hit costs against the bare calls that it cannot do without, in one run: LMDB against
// mdb_get and the checksum of the same bytes, Redis against a GET by hiredis.
//
//   store_hits [--quick]
//
// A server for Redis is started on a socket of its own; without one in the path that part is left
// out.
#include <layerkey/store/lmdb_store.hpp>
#include <layerkey/store/redis_store.hpp>

#include <hiredis/hiredis.h>
#include <lmdb.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

namespace {

namespace fs = std::filesystem;
using clock_type = std::chrono::steady_clock;

// Of each size so many that they do not stay in the processor's caches, asked for in no order.
constexpr std::size_t keys_of(std::size_t size) {
  return std::clamp<std::size_t>((std::size_t{64} << 20) / size, 64, 10'000);
}
std::uint64_t volatile seen = 0;

[[noreturn]] void fail(std::string const& what) {
  std::fprintf(stderr, "store_hits: %s\n", what.c_str());
  std::exit(1);
}

struct folder {
  fs::path path;

  folder() {
    std::string name = (fs::temp_directory_path() / "layerkey_bench_XXXXXX").string();
    if (!mkdtemp(name.data())) fail("no folder for temporary files");
    path = name;
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

// Keys as a pipeline has just made them, of some 300 bytes.
class job_keys {
 public:
  explicit job_keys(std::size_t size)
      : canonical_("lkey" + std::to_string(size) + std::string(288, 'k')) {}

  layerkey::store_key operator[](std::size_t i) {
    std::memcpy(canonical_.data() + 100, &i, sizeof i);
    return {"codegen", canonical_, "emit", "machine_code/1"};
  }

 private:
  std::string canonical_;
};

std::string noise(std::size_t size) {
  std::minstd_rand random(static_cast<unsigned>(size));
  std::string bytes(size, '\0');
  for (auto& each : bytes) each = static_cast<char>(random() >> 8);
  return bytes;
}

// Nanoseconds of one call, in the median of rounds that take turns, and the median of their ratios.
struct comparison {
  double ours = 0;
  double bare = 0;
  double ratio = 0;
};

double median(std::vector<double> of) {
  auto const middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

comparison compare(std::size_t rounds, std::size_t keys, std::size_t calls,
                   std::function<void(std::size_t)> const& ours,
                   std::function<void(std::size_t)> const& bare) {
  std::vector<std::size_t> order(calls);
  std::minstd_rand random(1);
  for (auto& each : order) each = random() % keys;
  auto const time = [&order, calls](auto const& call) {
    auto const start = clock_type::now();
    for (auto const each : order) call(each);
    std::chrono::duration<double, std::nano> const took = clock_type::now() - start;
    return took.count() / static_cast<double>(calls);
  };
  time(ours), time(bare);
  std::vector<double> of_ours, of_bare, ratios;
  for (std::size_t r = 0; r != rounds; ++r) {
    of_ours.push_back(time(ours));
    of_bare.push_back(time(bare));
    ratios.push_back(of_ours.back() / of_bare.back());
  }
  return {median(of_ours), median(of_bare), median(ratios)};
}

void print(char const* store, std::size_t size, comparison const& c) {
  std::printf("%-6s %9zu bytes   %10.0f ns   bare %10.0f ns   ratio %.2f\n", store, size, c.ours,
              c.bare, c.ratio);
}

void load(layerkey::entry_store& store, layerkey::store_key const& key, std::size_t size) {
  auto const result = store.load(key, [size](std::string_view content) {
    seen = seen + static_cast<unsigned char>(content[content.size() / 2]);
    return content.size() == size ? layerkey::load_verdict::serves
                                  : layerkey::load_verdict::not_readable;
  });
  if (result != layerkey::artifact_store::load_result::served)
    fail("an entry is not there: " + store.problem());
}

// ---- LMDB --------------------------------------------------------------------------------------

void check(int code) {
  if (code != MDB_SUCCESS) fail(mdb_strerror(code));
}

class bare_lmdb {
 public:
  bare_lmdb(std::string const& path, job_keys jobs, std::size_t count, std::string const& bytes) {
    check(mdb_env_create(&env_));
    check(mdb_env_set_mapsize(env_, std::size_t{1} << 30));
    check(mdb_env_open(env_, path.c_str(), MDB_NOSYNC | MDB_NOTLS | MDB_NOSUBDIR, 0600));
    MDB_txn* txn = nullptr;
    check(mdb_txn_begin(env_, nullptr, 0, &txn));
    check(mdb_dbi_open(txn, nullptr, 0, &db_));
    for (std::size_t i = 0; i != count; ++i) {
      // As long as the addresses of a store, and as far apart.
      auto const address = XXH3_128bits(jobs[i].canonical.data(), jobs[i].canonical.size());
      std::array<char, 32> key{};
      std::memcpy(key.data(), &address, sizeof address);
      addresses_.push_back(key);
      MDB_val k{key.size(), key.data()};
      MDB_val v{bytes.size(), const_cast<char*>(bytes.data())};
      check(mdb_put(txn, db_, &k, &v, 0));
    }
    check(mdb_txn_commit(txn));
    check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &reading_));
    mdb_txn_reset(reading_);
  }
  bare_lmdb(bare_lmdb const&) = delete;
  bare_lmdb& operator=(bare_lmdb const&) = delete;
  ~bare_lmdb() {
    mdb_txn_abort(reading_);
    mdb_env_close(env_);
  }

  void get(std::size_t i) {
    check(mdb_txn_renew(reading_));
    MDB_val k{addresses_[i].size(), addresses_[i].data()};
    MDB_val v{};
    check(mdb_get(reading_, db_, &k, &v));
    seen = seen + XXH3_128bits(v.mv_data, v.mv_size).low64;
    mdb_txn_reset(reading_);
  }

 private:
  MDB_env* env_ = nullptr;
  MDB_txn* reading_ = nullptr;
  MDB_dbi db_ = 0;
  std::vector<std::array<char, 32>> addresses_;
};

void compare_lmdb(folder const& in, std::size_t size, std::size_t rounds, std::size_t calls) {
  job_keys jobs(size);
  auto const count = keys_of(size);
  auto const bytes = noise(size);
  layerkey::lmdb_store store((in.path / "store").string(), {{"bench", "1"}});
  for (std::size_t i = 0; i != count; ++i) store.save(jobs[i], bytes);
  // As many bytes as the entries have.
  auto const whole = noise(store.statistics().bytes_written / count);
  bare_lmdb bare((in.path / ("bare" + std::to_string(size))).string(), jobs, count, whole);
  print("lmdb", size,
        compare(
            rounds, count, calls, [&](std::size_t i) { load(store, jobs[i], size); },
            [&](std::size_t i) { bare.get(i); }));
}

// ---- Redis -------------------------------------------------------------------------------------

class redis_server {
 public:
  explicit redis_server(folder const& in) : socket_((in.path / "redis.sock").string()) {
    std::fflush(stdout);
    process_ = fork();
    if (process_ == 0) {
      std::string const where = in.path.string();
      static_cast<void>(!std::freopen("/dev/null", "w", stdout));
      execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket_.c_str(),
             "--save", "", "--appendonly", "no", "--dir", where.c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i != 500 && !answers_ && !has_ended(); ++i) {
      usleep(10'000);
      if (auto* const c = connect()) {
        answers_ = true;
        redisFree(c);
      }
    }
  }
  redis_server(redis_server const&) = delete;
  redis_server& operator=(redis_server const&) = delete;
  ~redis_server() {
    if (has_ended()) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  bool answers() const { return answers_; }
  std::string url() const { return "unix://" + socket_; }

  redisContext* connect() const {
    auto* const c = redisConnectUnix(socket_.c_str());
    if (c && c->err == 0) return c;
    if (c) redisFree(c);
    return nullptr;
  }

 private:
  bool has_ended() {
    if (process_ > 0 && waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ <= 0;
  }

  std::string socket_;
  pid_t process_ = -1;
  bool answers_ = false;
};

void compare_redis(redis_server const& server, std::size_t size, std::size_t rounds,
                   std::size_t calls) {
  job_keys jobs(size);
  auto const count = keys_of(size);
  auto const bytes = noise(size);
  layerkey::redis_store store(server.url(), {{"bench", "1"}});
  for (std::size_t i = 0; i != count; ++i) store.save(jobs[i], bytes);

  auto* const c = server.connect();
  if (!c) fail("the server does not answer");
  std::vector<std::string> names;
  for (std::size_t i = 0; i != count; ++i) {
    names.push_back("bare:" + std::to_string(size) + ":" + std::to_string(i) +
                    std::string(20, '.'));
    freeReplyObject(
        redisCommand(c, "SET %b %b", names[i].data(), names[i].size(), bytes.data(), bytes.size()));
  }
  print("redis", size,
        compare(
            rounds, count, calls, [&](std::size_t i) { load(store, jobs[i], size); },
            [&](std::size_t i) {
              auto* const reply = static_cast<redisReply*>(
                  redisCommand(c, "GET %b", names[i].data(), names[i].size()));
              if (!reply || reply->len != size) fail("a value is not there");
              seen = seen + static_cast<unsigned char>(reply->str[size / 2]);
              freeReplyObject(reply);
            }));
  redisFree(c);
}

}  // namespace

int main(int argc, char** argv) {
  bool const quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  std::size_t const rounds = quick ? 1 : 31;
  folder const in;
  for (std::size_t const size : {1024UL, 4096UL, 65'536UL, 1'600'000UL})
    compare_lmdb(in, size, rounds,
                 std::max<std::size_t>(64, (quick ? 1 : 20'000'000) / (size + 2000)));

  redis_server const server(in);
  if (!server.answers()) {
    std::printf("redis: left out, there is no redis-server here\n");
    return 0;
  }
  for (std::size_t const size : {1024UL, 4096UL, 65'536UL, 1'600'000UL})
    compare_redis(server, size, rounds,
                  std::max<std::size_t>(64, (quick ? 1 : 20'000'000) / (size + 20'000)));
}
