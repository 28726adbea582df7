// How long artifacts are right: epochs, files and the environment.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace layerkey;

namespace {

struct infer : layer<> {
  static constexpr text name = "infer";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layer<infer> {
  static constexpr text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  using layerkey_fields = fields<field<&options::level, affects<emit>>>;
};

std::atomic<int> inferred, emitted;

// Redefined in epoch 10 and in epoch 20.
epoch_range world_of(std::uint64_t epoch) {
  if (epoch < 10) return {0, 9};
  if (epoch < 20) return {10, 19};
  return {.first = 20};
}

}  // namespace

with_validity<std::string, epoch_range> run_infer(std::string const& f, view<infer, options>,
                                                  requester<infer> ask) {
  ++inferred;
  auto const world = world_of(ask.epoch());
  return {f + " of " + std::to_string(world.first), world};
}

std::string run_emit(std::string const&, std::string const& inferred_code,
                     view<emit, options> in) {
  ++emitted;
  return inferred_code + " O" + std::to_string(in.get<&options::level>());
}

namespace {

using compiler_type = pipeline<options, stage<run_infer>, stage<run_emit>>;

}  // namespace

TEST_CASE("entries of one key under different epochs coexist, and a parent inherits the range") {
  inferred = emitted = 0;
  compiler_type compiler;
  for (int round = 0; round != 2; ++round)
    for (std::uint64_t epoch : {5u, 12u, 7u, 25u, 19u, 10u, 9u, 20u}) {
      auto const world = std::to_string(world_of(epoch).first);
      CHECK(*compiler.get<emit>("f", {}, {.epoch = epoch}) == "f of " + world + " O0");
    }
  CHECK(inferred == 3);
  CHECK(emitted == 3);
  auto const counted = toy::of_layer(compiler.statistics(), "emit");
  CHECK(counted.invalid == 2);  // 12 and 25 found entries, of which none was valid
  CHECK(counted.entries == 3);
  CHECK(toy::adds_up(compiler.statistics()));
}

TEST_CASE("of the entries of one key the oldest goes when there are too many") {
  inferred = 0;
  compiler_type compiler;
  compiler.limit<infer>({.entries_of_a_key = 2});
  for (std::uint64_t epoch : {1u, 11u, 21u}) CHECK(compiler.get<infer>("f", {}, {.epoch = epoch}));
  CHECK(compiler.get<infer>("f", {}, {.epoch = 21}));
  CHECK(compiler.get<infer>("f", {}, {.epoch = 11}));
  CHECK(inferred == 3);
  CHECK(compiler.get<infer>("f", {}, {.epoch = 1}));
  CHECK(inferred == 4);
  CHECK(toy::of_layer(compiler.statistics(), "infer").entries == 2);
}

TEST_CASE("who waits for a run of another epoch is not served with it") {
  compiler_type compiler;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (std::uint64_t t = 0; t != 8; ++t)
    all.emplace_back([&, t] {
      for (std::uint64_t i = 0; i != 500; ++i) {
        auto const epoch = (i / 20 + t % 3) % 30;
        auto const answer =
            compiler.get<emit>(std::to_string(i / 20), {}, {.epoch = epoch});
        wrong += *answer != std::to_string(i / 20) + " of " +
                                std::to_string(world_of(epoch).first) + " O0";
      }
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  auto const counted = toy::of_layer(compiler.statistics(), "emit");
  CHECK(counted.runs == counted.entries);  // each key once for each validity
}

// ---- files and the environment -----------------------------------------------------------------

namespace {

// Every byte counts, but it is no digest for anything but this test.
content_digest bytes_as_digest(std::string_view bytes) {
  content_digest digest{.algorithm = digest_algorithm::blake2b_256, .size = bytes.size()};
  if (bytes.size() > 32) std::abort();
  for (std::size_t i = 0; i != bytes.size(); ++i)
    digest.bytes[i] = static_cast<std::uint8_t>(bytes[i]);
  return digest;
}

using reads = read_set<bytes_as_digest>;

std::filesystem::path header;

void write(std::string const& content) { std::ofstream(header) << content; }

struct with_header {
  explicit with_header(char const* name) {
    header = std::filesystem::temp_directory_path() / name;
    std::filesystem::remove(header);
    ::unsetenv("LAYERKEY_TEST_VARIABLE");
    inferred = emitted = 0;
  }
  ~with_header() {
    std::filesystem::remove(header);
    ::unsetenv("LAYERKEY_TEST_VARIABLE");
  }
};

}  // namespace

with_validity<outcome<std::string>, reads> infer_with_header(std::string const& f,
                                                             view<infer, options>) {
  ++inferred;
  reads found;
  auto const variable = found.read_environment("LAYERKEY_TEST_VARIABLE");
  auto const file = found.read_file(header.string());
  auto const text = file ? std::string(file->bytes()) : "no header";
  if (text == "error") return {diagnostics{"the header says error"}, found};
  return {f + "[" + text + "]" + (variable ? *variable : "unset"), found};
}

TEST_CASE("an artifact is served while the files and variables that its stage read are the same") {
  with_header const here("layerkey_validity_1.h");
  compiler_type::with<infer_with_header> compiler;
  auto const get = [&] { return *compiler.get<emit>("f", {}); };

  CHECK(get() == "f[no header]unset O0");
  CHECK(get() == "f[no header]unset O0");
  CHECK(emitted == 1);
  write("");  // absent is not empty
  CHECK(get() == "f[]unset O0");
  write("a");
  CHECK(get() == "f[a]unset O0");
  write("b");  // the same size, perhaps the same time
  CHECK(get() == "f[b]unset O0");
  write("a");  // the old artifact is right again
  CHECK(get() == "f[a]unset O0");
  CHECK(emitted == 4);
  ::setenv("LAYERKEY_TEST_VARIABLE", "", 1);
  CHECK(get() == "f[a] O0");
  ::setenv("LAYERKEY_TEST_VARIABLE", "x", 1);
  CHECK(get() == "f[a]x O0");
  ::unsetenv("LAYERKEY_TEST_VARIABLE");
  CHECK(get() == "f[a]unset O0");
  CHECK(emitted == 6);
  std::filesystem::remove(header);
  CHECK(get() == "f[no header]unset O0");
  CHECK(emitted == 6);
}

TEST_CASE("a failure that is kept is served only while what it read is the same") {
  with_header const here("layerkey_validity_2.h");
  compiler_type::with<infer_with_header> compiler;
  compiler.limit<infer>({.keep_failures = true});
  write("error");
  for (int i = 0; i != 3; ++i)
    CHECK(compiler.get<emit>("f", {}).error().text == "the header says error");
  CHECK(inferred == 1);
  write("fine");
  CHECK(*compiler.get<emit>("f", {}) == "f[fine]unset O0");
  CHECK(inferred == 2);
  CHECK(toy::adds_up(compiler.statistics()));
}

with_validity<std::string, valid_together<epoch_range, reads>> infer_with_both(
    std::string const& f, view<infer, options>, requester<infer> ask) {
  ++inferred;
  reads found;
  auto const file = found.read_file(header.string());
  auto const world = world_of(ask.epoch());
  return {f + "[" + std::string(file ? file->bytes() : "") + "] of " + std::to_string(world.first),
          valid_together{world, found}};
}

TEST_CASE("of several validities all have to hold") {
  with_header const here("layerkey_validity_3.h");
  compiler_type::with<infer_with_both> compiler;
  write("a");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 1}) == "f[a] of 0 O0");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 12}) == "f[a] of 10 O0");
  write("b");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 1}) == "f[b] of 0 O0");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 12}) == "f[b] of 10 O0");
  CHECK(inferred == 4);
  write("a");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 9}) == "f[a] of 0 O0");
  CHECK(*compiler.get<emit>("f", {}, {.epoch = 19}) == "f[a] of 10 O0");
  CHECK(inferred == 4);
}

TEST_CASE("a file that was read twice, and not alike, is never right again") {
  with_header const here("layerkey_validity_4.h");
  reads first, second;
  write("a");
  CHECK(first.read_file(header.string())->bytes() == "a");
  write("b");
  CHECK(first.read_file(header.string())->bytes() == "a");  // read once
  CHECK(second.read_file(header.string())->bytes() == "b");
  CHECK_FALSE(first.holds({}));
  CHECK(second.holds({}));
  second.restrict_to(first);
  CHECK_FALSE(second.holds({}));
  write("a");
  CHECK(first.holds({}));
  CHECK_FALSE(second.holds({}));
}
