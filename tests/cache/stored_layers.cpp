// Pipelines with a store: what outlives them, under what, and what does not.
#include "map_store.hpp"
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <layerkey/cache/read_set.hpp>
#include <layerkey/content_digest.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <unistd.h>

using toy::of_layer;
using toy::runs_of;

namespace {

std::vector<int> loaded_of(layerkey::statistics const& all) {
  std::vector<int> loaded;
  for (auto const& each : all) loaded.push_back(static_cast<int>(each.loaded));
  return loaded;
}

}  // namespace

TEST_CASE("what one pipeline made another one loads, and asks nothing upstream") {
  map_store store;
  toy::params const p;
  {
    toy::compiler first(store);
    REQUIRE(*first.get<toy::join>("f", p) == toy::expected_join("f", p));
    CHECK(runs_of(first.statistics()) == std::vector{1, 1, 1, 1});
  }
  CHECK(store.entries.size() == 4);

  toy::compiler second(store);
  REQUIRE(*second.get<toy::join>("f", p) == toy::expected_join("f", p));
  auto const all = second.statistics();
  CHECK(toy::adds_up(all));
  CHECK(runs_of(all) == std::vector{0, 0, 0, 0});
  CHECK(loaded_of(all) == std::vector{0, 0, 0, 1});
  CHECK(of_layer(all, "join").served == 1);
  CHECK(of_layer(all, "join").saved.count() > 0);
  CHECK(of_layer(all, "front").requests == 0);

  // From memory from now on.
  int const before = store.loads;
  REQUIRE(second.get<toy::join>("f", p));
  CHECK(store.loads == before);
}

TEST_CASE("a stored artifact serves exactly the requests of its layer's key") {
  map_store store;
  toy::params const base{.level = 1};
  REQUIRE(toy::compiler(store).get<toy::join>("f", base));

  auto const runs = [&](toy::params const& p) {
    toy::compiler c(store);
    auto const made = c.get<toy::join>("f", p);
    REQUIRE(made);
    CHECK(*made == toy::expected_join("f", p));
    return runs_of(c.statistics());
  };
  auto with = [&](auto change) {
    auto p = base;
    change(p);
    return runs(p);
  };
  CHECK(runs(base) == std::vector{0, 0, 0, 0});
  CHECK(with([](auto& p) { p.sm = 80; }) == std::vector{0, 0, 0, 1});
  CHECK(with([](auto& p) { p.cpu = "new"; }) == std::vector{0, 0, 1, 1});
  CHECK(with([](auto& p) { p.lines = true; }) == std::vector{0, 1, 0, 1});
  CHECK(with([](auto& p) { p.dialect = 2; }) == std::vector{1, 1, 1, 1});
  // Two modes that `front` sees as one.
  CHECK(with([](auto& p) { p.mode = toy::mode::split; }) == std::vector{0, 1, 0, 1});
  CHECK(with([](auto& p) { p.validate = false; }) == std::vector{0, 0, 0, 0});
  CHECK(with([&](auto& p) { p.log = &store; }) == std::vector{0, 0, 0, 0});

  toy::compiler other(store);
  CHECK(*other.get<toy::join>("g", base) == toy::expected_join("g", base));
  CHECK(runs_of(other.statistics()) == std::vector{1, 1, 1, 1});
}

TEST_CASE("sealed params load what params saved, and the other way round") {
  map_store store;
  toy::params const p{.sm = 75};
  REQUIRE(toy::compiler(store).get<toy::join>("f", p));
  toy::compiler second(store);
  toy::compiler::sealed const s(p);
  CHECK(*second.get<toy::join>("f", s) == toy::expected_join("f", p));
  REQUIRE(second.get<toy::join>("g", s));
  toy::compiler third(store);
  REQUIRE(third.get<toy::join>("g", p));
  CHECK(loaded_of(third.statistics()) == std::vector{0, 0, 0, 1});
}

TEST_CASE("failures are not stored") {
  map_store store;
  toy::compiler first(store);
  CHECK_FALSE(first.get<toy::join>("join fails", toy::params{}));
  CHECK(store.entries_of("join") == 0);
  CHECK(store.entries_of("left") == 1);
  CHECK_FALSE(first.get<toy::join>("syntax", toy::params{}));
  CHECK(store.entries.size() == 3);
  CHECK(store.under_way.empty());
#if defined(__cpp_exceptions)
  CHECK_THROWS(first.get<toy::join>("throw join", toy::params{}));
  CHECK(store.entries_of("join") == 0);
  CHECK(store.under_way.empty());
#endif
}

TEST_CASE("content that is not what its kind says is a miss, and is written over") {
  map_store store;
  toy::params const p;
  REQUIRE(toy::compiler(store).get<toy::join>("f", p));
  auto const good = store.entries;
  auto const spoiled = [&](auto const& spoil) {
    for (auto& [key, entry] : store.entries) spoil(entry.content);
    toy::compiler c(store);
    CHECK(*c.get<toy::join>("f", p) == toy::expected_join("f", p));
    CHECK(runs_of(c.statistics()) == std::vector{1, 1, 1, 1});
    for (auto const& [key, entry] : store.entries)
      CHECK(entry.content.size() == good.at(key).content.size());
  };
  spoiled([](std::string& content) { content.clear(); });
  spoiled([](std::string& content) { content[0] = 2; });
  spoiled([](std::string& content) { content.resize(20); });
  spoiled([](std::string& content) { content[8] = '\xff'; });
  CHECK(store.not_readable == 16);
}

namespace {

namespace cutoff {

struct parse : layerkey::layer<> {
  static constexpr layerkey::text name = "parse";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layerkey::layer<parse> {
  static constexpr layerkey::text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct params {
  int dialect = 1;
  int width = 80;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::dialect, layerkey::affects<parse>>,
                       layerkey::field<&params::width, layerkey::affects<emit>>>;
};

std::atomic<int> parses = 0, emits = 0;

}  // namespace cutoff
}  // namespace

// What does not say "dialect" parses alike in each.
layerkey::outcome<std::string> parse_text(std::string const& source,
                                          layerkey::view<cutoff::parse, cutoff::params> options) {
  ++cutoff::parses;
  return {source.find("dialect") == std::string::npos
              ? source
              : source + std::to_string(options.get<&cutoff::params::dialect>()),
          {"parsed " + source}};
}
layerkey::outcome<std::string> emit_text(std::string const& parsed,
                                         layerkey::view<cutoff::emit, cutoff::params> options) {
  ++cutoff::emits;
  return {parsed + " " + std::to_string(options.get<&cutoff::params::width>()), {"emitted"}};
}
layerkey::outcome<std::string> other_emit(std::string const& parsed,
                                          layerkey::view<cutoff::emit, cutoff::params> options) {
  return parsed + " otherwise " + std::to_string(options.get<&cutoff::params::width>());
}

using cutoff_compiler = layerkey::pipeline<cutoff::params, layerkey::stage<parse_text>,
                                           layerkey::early_cutoff<layerkey::stage<emit_text>>>;

TEST_CASE("under early cutoff a stored artifact serves what led to the same content") {
  map_store store;
  cutoff::parses = cutoff::emits = 0;
  REQUIRE(*cutoff_compiler(store).get<cutoff::emit>("a", {.dialect = 1}) == "a 80");
  REQUIRE(*cutoff_compiler(store).get<cutoff::emit>("a", {.dialect = 2}) == "a 80");
  CHECK(cutoff::parses == 2);
  CHECK(cutoff::emits == 1);
  REQUIRE(*cutoff_compiler(store).get<cutoff::emit>("dialect", {.dialect = 1}) == "dialect1 80");
  REQUIRE(*cutoff_compiler(store).get<cutoff::emit>("dialect", {.dialect = 2}) == "dialect2 80");
  CHECK(cutoff::emits == 3);

  cutoff_compiler last(store);
  auto const loaded = last.get<cutoff::emit>("a", {.dialect = 2});
  REQUIRE(*loaded == "a 80");
  CHECK(loaded.messages() == std::vector<std::string>{"parsed a", "emitted"});
  CHECK(cutoff::parses == 4);
  CHECK(cutoff::emits == 3);
}

TEST_CASE("a stage does not load what another function made in its place") {
  map_store store;
  REQUIRE(*cutoff_compiler(store).get<cutoff::emit>("a", {}) == "a 80");
  using other = cutoff_compiler::with<other_emit>;
  REQUIRE(*other(store).get<cutoff::emit>("a", {}) == "a otherwise 80");
  CHECK(*cutoff_compiler(store).get<cutoff::emit>("a", {}) == "a 80");
}

// ---- validity ----------------------------------------------------------------------------------

namespace {
namespace found {

layerkey::content_digest digest(std::string_view content) {
  layerkey::content_digest d{layerkey::digest_algorithm::sha_256, {}, content.size()};
  std::uint64_t state = 1;
  for (char const c : content) state = state * 1099511628211U + static_cast<unsigned char>(c);
  for (int i = 0; i != 8; ++i) d.bytes[i] = static_cast<std::uint8_t>(state >> 8 * i);
  return d;
}
using files = layerkey::read_set<digest>;

struct expand : layerkey::layer<> {
  static constexpr layerkey::text name = "expand";
  using input = std::string;
  using artifact = std::string;
};
struct link : layerkey::layer<expand> {
  static constexpr layerkey::text name = "link";
  using input = std::string;
  using artifact = std::string;
};
struct params {
  int level = 0;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<expand>>>;
};
std::atomic<int> expansions = 0, links = 0;

}  // namespace found
}  // namespace

// The input is the path of a file that is included.
layerkey::with_validity<std::string, found::files> expand_text(
    std::string const& path, layerkey::view<found::expand, found::params>) {
  ++found::expansions;
  found::files files;
  auto const content = files.read_file(path);
  auto const mode = files.read_environment("LAYERKEY_TEST_MODE");
  return {(content ? std::string(content->bytes()) : "nothing") + mode.value_or(" unset"), files};
}
std::string link_text(std::string const&, std::string const& expanded,
                      layerkey::view<found::link, found::params>) {
  ++found::links;
  return "linked " + expanded;
}
layerkey::with_validity<std::string, layerkey::epoch_range> expand_in_epoch(
    std::string const& source, layerkey::view<found::expand, found::params>) {
  return {source, {1, 1}};
}

using finder =
    layerkey::pipeline<found::params, layerkey::stage<expand_text>, layerkey::stage<link_text>>;

TEST_CASE("a stored artifact serves where what it was made from is as it was") {
  auto const path = (std::filesystem::temp_directory_path() /
                     ("layerkey_stored_" + std::to_string(getpid()) + ".txt"))
                        .string();
  auto const write = [&](char const* text) { std::ofstream(path) << text; };
  unsetenv("LAYERKEY_TEST_MODE");
  map_store store;
  found::expansions = found::links = 0;
  auto const get = [&] { return *finder(store).get<found::link>(path, {}); };

  write("one");
  CHECK(get() == "linked one unset");
  CHECK(get() == "linked one unset");
  CHECK(found::links == 1);
  write("two");
  CHECK(get() == "linked two unset");
  CHECK(found::expansions == 2);
  CHECK(found::links == 2);
  // Both are there now.
  write("one");
  CHECK(get() == "linked one unset");
  write("two");
  CHECK(get() == "linked two unset");
  CHECK(found::links == 2);

  setenv("LAYERKEY_TEST_MODE", " set", 1);
  CHECK(get() == "linked two set");
  setenv("LAYERKEY_TEST_MODE", "", 1);
  CHECK(get() == "linked two");
  unsetenv("LAYERKEY_TEST_MODE");
  std::filesystem::remove(path);
  CHECK(get() == "linked nothing unset");
  CHECK(found::links == 5);
  CHECK(get() == "linked nothing unset");
  CHECK(found::links == 5);

  // No more than eight of them.
  for (int i = 0; i != 12; ++i) {
    write(std::to_string(i).c_str());
    CHECK(get() == "linked " + std::to_string(i) + " unset");
  }
  CHECK(store.entries_of("link") == 8);
  std::filesystem::remove(path);
}

TEST_CASE("what was made under a validity of this process only is not stored") {
  map_store store;
  using compiler = finder::with<expand_in_epoch>;
  compiler c(store);
  REQUIRE(*c.get<found::link>("x", {}, {.epoch = 1}) == "linked x");
  CHECK(store.entries.empty());
  CHECK(of_layer(c.statistics(), "expand").unsaved == 1);
  CHECK(of_layer(c.statistics(), "link").unsaved == 1);
  CHECK(store.under_way.empty());
}

// ---- checks ------------------------------------------------------------------------------------

namespace {
namespace checked {

struct lower : layerkey::layer<> {
  static constexpr layerkey::text name = "lower";
  using input = std::string;
  using artifact = std::string;
};
struct params {
  int level = 0;
  bool strict = false;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<lower>>,
                       layerkey::field<&params::strict, layerkey::check_only>>;
};
std::atomic<int> runs = 0;

}  // namespace checked
}  // namespace

layerkey::with_check<std::string> lower_and_check(std::string const& source,
                                                  layerkey::view<checked::lower, checked::params>,
                                                  layerkey::checks_view<checked::params> checks) {
  ++checked::runs;
  layerkey::check_result said;
  if (checks.get<&checked::params::strict>())
    said.failure = layerkey::diagnostics{"too lax: " + source};
  else
    said.messages = {"lax: " + source};
  return {"lowered " + source, said};
}

TEST_CASE("a stored artifact serves the checks that it was made with") {
  using compiler = layerkey::pipeline<checked::params, layerkey::stage<lower_and_check>>;
  map_store store;
  checked::runs = 0;
  auto const lax = [&] { return compiler(store).get<checked::lower>("f", {.strict = false}); };
  auto const strict = [&] { return compiler(store).get<checked::lower>("f", {.strict = true}); };
  for (int i = 0; i != 2; ++i) {
    auto const made = lax();
    REQUIRE(made);
    CHECK(*made == "lowered f");
    CHECK(made.messages() == std::vector<std::string>{"lax: f"});
    auto const refused = strict();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().text == "too lax: f");
  }
  CHECK(checked::runs == 2);
}

// ---- what is not stored ------------------------------------------------------------------------

namespace {
namespace mixed {

struct handle {
  int const* address = nullptr;
};
struct object {
  std::string bytes;
};

struct compile : layerkey::layer<> {
  static constexpr layerkey::text name = "compile";
  using input = std::string;
  using artifact = object;
};
struct load : layerkey::layer<compile> {
  static constexpr layerkey::text name = "load";
  using input = std::string;
  using artifact = handle;
};
struct describe : layerkey::layer<compile> {
  static constexpr layerkey::text name = "describe";
  static constexpr layerkey::text not_stored = "quicker to make than to read";
  using input = std::string;
  using artifact = std::string;
};
struct params {
  int level = 0;
  using layerkey_fields =
      layerkey::fields<layerkey::field<&params::level, layerkey::affects<compile>>>;
};
int const somewhere = 0;
std::string tool = "assembler 1";

}  // namespace mixed
}  // namespace

template<>
struct layerkey::portable<mixed::object> {
  static constexpr layerkey::text kind = "object/1";
  static void write(std::string& out, mixed::object const& o) { out += "obj" + o.bytes; }
  static std::optional<mixed::object> read(std::string_view bytes) {
    if (!bytes.starts_with("obj")) return std::nullopt;
    return mixed::object{std::string(bytes.substr(3))};
  }
};
template<>
constexpr bool layerkey::process_bound<mixed::handle> = true;

mixed::object compile_object(std::string const& source,
                             layerkey::view<mixed::compile, mixed::params>) {
  return {"code of " + source};
}
mixed::handle load_object(std::string const&, mixed::object const&,
                          layerkey::view<mixed::load, mixed::params>) {
  return {&mixed::somewhere};
}
std::string describe_object(std::string const&, mixed::object const& o,
                            layerkey::view<mixed::describe, mixed::params>) {
  return "described " + o.bytes;
}

TEST_CASE("process-bound artifacts and layers that say so are not stored") {
  using compiler =
      layerkey::pipeline<mixed::params, layerkey::stage<compile_object>,
                         layerkey::stage<load_object>, layerkey::stage<describe_object>>;
  map_store store;
  for (int i = 0; i != 2; ++i) {
    compiler c(store);
    REQUIRE(c.get<mixed::load>("f", {})->address == &mixed::somewhere);
    REQUIRE(*c.get<mixed::describe>("f", {}) == "described code of f");
    CHECK(runs_of(c.statistics()) == std::vector{1 - i, 1, 1});
  }
  CHECK(store.entries.size() == 1);
  CHECK(store.entries.begin()->second.kind == "object/1");

  // Of another kind under this key.
  store.entries.begin()->second.kind = "object/0";
  compiler c(store);
  REQUIRE(c.get<mixed::load>("f", {}));
  CHECK(of_layer(c.statistics(), "compile").runs == 1);
}

// ---- turns -------------------------------------------------------------------------------------

TEST_CASE("two pipelines that ask the store for one key make it once") {
  map_store store;
  toy::params const p;
  for (int round = 0; round != 20; ++round) {
    auto const source = "turn " + std::to_string(round);
    int const before = toy::counts.join;
    std::string made[4];
    std::vector<std::thread> all;
    for (auto& each : made)
      all.emplace_back([&] {
        toy::compiler c(store);
        each = *c.get<toy::join>(source, p);
      });
    for (auto& each : all) each.join();
    CHECK(toy::counts.join == before + 1);
    for (auto const& each : made) CHECK(each == made[0]);
    CHECK(store.under_way.empty());
  }
}

// ---- shared layers -----------------------------------------------------------------------------

TEST_CASE("a store of its own lives as long as the pipeline, and shared layers are stored too") {
  struct counted_store : map_store {
    explicit counted_store(std::map<entry_key, entry>& where) : where_(&where) {}
    counted_store(counted_store&& other) : map_store(), where_(std::exchange(other.where_, {})) {}
    ~counted_store() override {
      if (where_) *where_ = std::move(entries);
    }
    std::map<entry_key, entry>* where_;
  };
  std::map<map_store::entry_key, map_store::entry> left;
  {
    layerkey::shared_layer<layerkey::stage<toy::run_front>> front;
    layerkey::pipeline<toy::params, layerkey::shared_layer<layerkey::stage<toy::run_front>>,
                       layerkey::stage<toy::run_left>, layerkey::ignores<toy::right>,
                       layerkey::ignores<toy::join>>
        c(counted_store{left}, front);
    REQUIRE(*c.get<toy::left>("f", {}) == toy::expected_left("f", {}));
  }
  CHECK(left.size() == 2);
}

// ---- messages ----------------------------------------------------------------------------------

layerkey::outcome<std::string> warn_in_front(std::string const& source,
                                             layerkey::view<toy::front, toy::params>) {
  return {source, {"odd", "odd"}};
}
layerkey::outcome<std::string> warn_in_left(std::string const&, std::string const& front,
                                            layerkey::narrowed<toy::left, toy::params>) {
  return {front, {"odd"}};
}

TEST_CASE("a message that is loaded by two ways is one, and those that are alike stay several") {
  using compiler = toy::compiler::with<warn_in_front>::with<warn_in_left>;
  map_store store;
  toy::params const p;
  auto const said = compiler(store).get<toy::join>("f", p).messages();
  CHECK(said == std::vector<std::string>{"odd", "odd", "odd"});
  CHECK(compiler(store).get<toy::join>("f", p).messages() == said);
  std::erase_if(store.entries, [](auto const& each) { return each.first.layer == "join"; });
  compiler c(store);
  CHECK(c.get<toy::join>("f", p).messages() == said);
  CHECK(loaded_of(c.statistics()) == std::vector{0, 1, 1, 0});
}
