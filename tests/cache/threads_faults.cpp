// Faults of caches of compiled code that were reported in public threads of Julia's GPU and AD
// packages, each as a test of what layerkey does in that place. A stage's artifact spells out what
// it saw, so that a wrong one is seen to be wrong. Where a fault is one of keys, the same requests
// go to a pipeline with the keys of that time too, which has to show the fault.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>
#include <layerkey/cache/call_site.hpp>

#include <barrier>
#include <functional>
#include <latch>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace layerkey;
using toy::of_layer;

// Its layers have names that layerkey's ready-made ones have too.
namespace faults {
namespace {

// ---- a compiler of kernels ---------------------------------------------------------------------

template<class... Upstream>
struct text_layer : layer<Upstream...> {
  using input = std::string;
  using artifact = std::string;
};
struct inference : text_layer<> {
  static constexpr text name = "inference";
};
struct irgen : text_layer<inference> {
  static constexpr text name = "irgen";
};
struct codegen : text_layer<irgen> {
  static constexpr text name = "codegen";
};
struct linking : text_layer<codegen> {
  static constexpr text name = "linking";
};
struct host_object : text_layer<linking> {
  static constexpr text name = "host_object";
};
// Made once for all kernels, by its own key.
struct runtime_library : text_layer<> {
  static constexpr text name = "runtime_library";
};

enum class direction : std::uint8_t { forward, reverse, split };
constexpr bool is_forward(direction d) { return d == direction::forward; }

struct version {
  int major = 0, minor = 0, patch = 0;
};

struct job {
  bool always_inline = false;
  direction mode = direction::reverse;
  std::string name = "kernel";
  int debug_level = 0;
  int width = 1;
  int sm = 90;
  version os{14, 2, 1};
  std::vector<std::string> features;
  int max_registers = 0;
  std::uint64_t context = 0;
  std::uint64_t session = 0;
  int captured = 0;  // by the callable
  bool validate = true;
  void const* log = nullptr;

  static job layerkey_defaults() { return {}; }

  using layerkey_fields =
      fields<field<&job::always_inline, affects<inference>>,
             field<&job::mode, affects<inference>::as<is_forward>, affects<irgen>>,
             field<&job::name, affects<irgen>>,
             field<&job::debug_level, affects<irgen>, affects<runtime_library>>,
             field<&job::width, affects<irgen>>, field<&job::sm, affects<codegen>>,
             field<&job::os, affects<codegen>>, field<&job::features, affects<codegen>>,
             field<&job::max_registers, affects<codegen>>, field<&job::context, affects<linking>>,
             field<&job::session, affects<linking>>, field<&job::captured, affects<host_object>>,
             field<&job::validate, check_only>, field<&job::log, runtime_only>>;
};
static_assert(complete<job>);

}  // namespace

std::string infer(std::string const& f, view<inference, job> in) {
  return f + (in.get<&job::always_inline>() ? " inlined" : "") +
         (in.get<&job::mode>() ? " forward" : "");
}
std::string emit_ir(std::string const&, std::string const& typed, view<irgen, job> in) {
  return typed + " as " + in.get<&job::name>() + " m" +
         std::to_string(static_cast<int>(in.get<&job::mode>())) + " g" +
         std::to_string(in.get<&job::debug_level>()) + " w" + std::to_string(in.get<&job::width>());
}
std::string emit_code(std::string const&, std::string const& ir, view<codegen, job> in) {
  auto const os = in.get<&job::os>();
  std::string code = ir + " sm" + std::to_string(in.get<&job::sm>()) + " os" +
                     std::to_string(os.major) + "." + std::to_string(os.minor) + "." +
                     std::to_string(os.patch) + " r" +
                     std::to_string(in.get<&job::max_registers>());
  for (auto const& each : in.get<&job::features>()) code += " " + each;
  return code;
}
std::string link_code(std::string const&, std::string const& code, view<linking, job> in) {
  return code + " in " + std::to_string(in.get<&job::context>()) + "/" +
         std::to_string(in.get<&job::session>());
}
std::string make_host_object(std::string const&, std::string const& linked,
                             view<host_object, job> in) {
  return linked + " with " + std::to_string(in.get<&job::captured>());
}
std::string build_runtime(std::string const& f, view<runtime_library, job> in) {
  return f + " g" + std::to_string(in.get<&job::debug_level>());
}

namespace {

template<class... More>
using kernels = pipeline<job, stage<infer>, stage<emit_ir>, stage<emit_code>, stage<link_code>,
                         stage<make_host_object>, stage<build_runtime>, More...>;

job with(std::function<void(job&)> const& change) {
  job p;
  change(p);
  return p;
}

// Without a cache, by as many layers.
std::string made_by(int layers, std::string const& f, job const& p) {
  std::string made;
  if (layers > 0) made = infer(f, view<inference, job>(p));
  if (layers > 1) made = emit_ir(f, made, view<irgen, job>(p));
  if (layers > 2) made = emit_code(f, made, view<codegen, job>(p));
  if (layers > 3) made = link_code(f, made, view<linking, job>(p));
  if (layers > 4) made = make_host_object(f, made, view<host_object, job>(p));
  return made;
}
std::string made_of(std::string const& f, job const& p) { return made_by(5, f, p); }

template<class Compiler>
std::uint64_t runs(Compiler const& compiler, char const* layer) {
  return of_layer(compiler.statistics(), layer).runs;
}

// How many requests, in this order, are answered with something that is not theirs.
template<class Compiler>
int stale_answers(Compiler& compiler, std::vector<job> const& requests) {
  int stale = 0;
  for (auto const& p : requests)
    stale += *compiler.template get<host_object>("f", p) != made_of("f", p);
  return stale;
}

// ---- keys of that time -------------------------------------------------------------------------

// In place of each layer's key, what is seen by so many: none, so that only the source is compared,
// inference alone, or all.
enum seen_by_layers { source_only, inference_only, up_to_irgen, up_to_codegen, up_to_linking, all };

struct keys_of_that_time {
  static inline seen_by_layers seen = source_only;

  struct text_key {
    std::string text;
    std::uint64_t hash() const { return std::hash<std::string>{}(text); }
    friend bool operator==(text_key const&, text_key const&) = default;
  };
  template<class L, class P>
  static text_key key(P const& p) {
    return {made_by(seen, "", p)};
  }
};

struct kernels_of_that_time : kernels<strategy<keys_of_that_time>> {
  explicit kernels_of_that_time(seen_by_layers seen) { keys_of_that_time::seen = seen; }
};

}  // namespace

// ---- keys: stale -------------------------------------------------------------------------------

TEST_CASE("JuliaGPU/GPUCompiler.jl#560: another capability gives another kernel") {
  std::vector<job> const requests = {
      with([](job& p) { p.sm = 80; }), {}, with([](job& p) { p.sm = 80; })};
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "inference") == 1);
  CHECK(runs(compiler, "codegen") == 2);
  kernels_of_that_time as_it_was(inference_only);
  CHECK(stale_answers(as_it_was, requests) == 1);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#563: an artifact has its own config beside what was inferred") {
  std::vector<job> requests;
  for (bool const inlined : {false, true})
    for (int const debug : {0, 1, 2})
      for (int const sm : {75, 80, 90})
        requests.push_back(
            with([&](job& p) { p.always_inline = inlined, p.debug_level = debug, p.sm = sm; }));
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "inference") == 2);
  CHECK(runs(compiler, "irgen") == 6);
  CHECK(runs(compiler, "codegen") == 18);
  kernels_of_that_time as_it_was(up_to_irgen);
  CHECK(stale_answers(as_it_was, requests) == 12);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#140: options are in the key, not the source alone") {
  std::vector<job> const requests = {
      {}, with([](job& p) { p.name = "other"; }), with([](job& p) { p.max_registers = 64; })};
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  kernels_of_that_time as_it_was(source_only);
  CHECK(stale_answers(as_it_was, requests) == 2);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl 76d6459: each debug level has its own runtime library") {
  auto const wrong = [](auto& compiler) {
    int wrong = 0;
    for (int round = 0; round != 2; ++round)
      for (int const level : {0, 1, 2}) {
        auto const p = with([&](job& q) { q.debug_level = level; });
        wrong += *compiler.template get<runtime_library>("rt", p) != "rt g" + std::to_string(level);
      }
    return wrong;
  };
  kernels<> compiler;
  CHECK(wrong(compiler) == 0);
  CHECK(runs(compiler, "runtime_library") == 3);
  kernels_of_that_time as_it_was(source_only);
  CHECK(wrong(as_it_was) == 4);
}

TEST_CASE(
    "JuliaGPU/GPUCompiler.jl afcb27f: jobs that differ in name share no artifact with a name") {
  std::vector<job> const requests = {{}, with([](job& p) { p.name = "other"; }), {}};
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "inference") == 1);
  CHECK(runs(compiler, "codegen") == 2);
  kernels_of_that_time as_it_was(inference_only);
  CHECK(stale_answers(as_it_was, requests) == 1);
}

TEST_CASE("JuliaGPU/Metal.jl d370e19: each number of a version is in equality and hash") {
  std::set<std::uint64_t> hashes;
  std::vector<job> requests;
  for (int major = 13; major != 15; ++major)
    for (int minor = 0; minor != 4; ++minor)
      for (int patch = 0; patch != 4; ++patch) {
        requests.push_back(with([&](job& p) { p.os = {major, minor, patch}; }));
        hashes.insert(key_hash<codegen>{}(requests.back()));
      }
  CHECK(hashes.size() == 32);
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "codegen") == 32);
}

TEST_CASE("EnzymeAD/Reactant.jl#2122: what one session linked is not linked into another") {
  std::vector<job> const requests = {with([](job& p) { p.session = 1; }),
                                     with([](job& p) { p.session = 2; }),
                                     with([](job& p) { p.session = 1; })};
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "codegen") == 1);
  CHECK(runs(compiler, "linking") == 2);
  kernels_of_that_time as_it_was(up_to_codegen);
  CHECK(stale_answers(as_it_was, requests) == 1);
}

TEST_CASE("JuliaGPU/KernelAbstractions.jl#769: a fast path compares what the callable captured") {
  kernels<> compiler;
  call_site<kernels<>, host_object> site{compiler};
  for (int round = 0; round != 2; ++round)
    for (int const captured : {1, 1, 2, 1}) {
      auto const p = with([&](job& q) { q.captured = captured; });
      CHECK(*site.get("f", p) == made_of("f", p));
    }
  CHECK(runs(compiler, "host_object") == 2);
}

TEST_CASE("JuliaGPU/CUDA.jl#1510: callables of one type are compiled once and stay apart") {
  std::vector<job> requests;
  for (int captured = 0; captured != 50; ++captured)
    requests.push_back(with([&](job& p) { p.captured = captured; }));
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "linking") == 1);
  CHECK(runs(compiler, "host_object") == 50);
  kernels_of_that_time as_it_was(up_to_linking);
  CHECK(stale_answers(as_it_was, requests) == 49);
}

// ---- keys: repeated work -----------------------------------------------------------------------

TEST_CASE("JuliaGPU/GPUCompiler.jl#561: what inference does not read has nothing inferred again") {
  std::vector<job> requests;
  for (int const sm : {75, 80, 86, 89, 90})
    for (int const registers : {0, 32, 64})
      requests.push_back(with([&](job& p) { p.sm = sm, p.max_registers = registers; }));
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "inference") == 1);
  CHECK(runs(compiler, "irgen") == 1);
  kernels_of_that_time as_proposed(all);
  CHECK(stale_answers(as_proposed, requests) == 0);
  CHECK(runs(as_proposed, "inference") == 15);
}

TEST_CASE("EnzymeAD/Enzyme.jl#1182: calls of autodiff infer a method once for each direction") {
  kernels<> compiler;
  int log = 0;
  for (auto const mode : {direction::reverse, direction::split, direction::forward})
    for (int const width : {1, 2, 4})
      for (bool const validate : {true, false}) {
        auto const p = with([&](job& q) {
          q.mode = mode, q.width = width, q.validate = validate;
          q.log = validate ? &log : nullptr;
        });
        CHECK(*compiler.get<host_object>("f", p) == made_of("f", p));
      }
  CHECK(runs(compiler, "inference") == 2);
  CHECK(runs(compiler, "irgen") == 9);
  CHECK(of_layer(compiler.statistics(), "inference").entries == 2);
}

TEST_CASE("EnzymeAD/Enzyme.jl#1698: one key a direction, whatever was asked for before") {
  auto const typed = [](direction d) { return d == direction::forward ? "f forward" : "f"; };
  for (auto const first : {direction::forward, direction::reverse, direction::split}) {
    kernels<> compiler;
    for (auto const mode : {first, direction::split, direction::forward, direction::reverse})
      CHECK(*compiler.get<inference>("f", with([&](job& p) { p.mode = mode; })) == typed(mode));
    CHECK(runs(compiler, "inference") == 2);
  }
}

TEST_CASE(
    "JuliaGPU/GPUCompiler.jl 830ae86: a flag needs no caches of its own, and may be toggled") {
  std::vector<job> requests;
  for (bool const inlined : {true, false, true, false, true})
    requests.push_back(with([&](job& p) { p.always_inline = inlined; }));
  kernels<> compiler;
  CHECK(stale_answers(compiler, requests) == 0);
  CHECK(runs(compiler, "inference") == 2);
  CHECK(runs(compiler, "runtime_library") == 0);
  for (auto const& p : requests) CHECK(*compiler.get<runtime_library>("rt", p) == "rt g0");
  CHECK(runs(compiler, "runtime_library") == 1);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl 4d02d5a: one runtime library for kernels of all names") {
  kernels<> compiler;
  kernels_of_that_time as_it_was(all);
  for (auto const* const name : {"a", "b", "c"}) {
    auto const p = with([&](job& q) { q.name = name; });
    CHECK(compiler.get<runtime_library>("rt", p));
    CHECK(as_it_was.get<runtime_library>("rt", p));
  }
  CHECK(runs(compiler, "runtime_library") == 1);
  CHECK(runs(as_it_was, "runtime_library") == 3);
}

TEST_CASE(
    "JuliaGPU/cuTile.jl#311: inference for all targets, binaries for each, handles a context") {
  kernels<> compiler;
  for (int const sm : {80, 90, 100})
    for (int const registers : {0, 64})
      for (std::uint64_t const context : {1u, 2u})
        CHECK(compiler.get<linking>("f", with([&](job& p) {
                                      p.sm = sm, p.max_registers = registers, p.context = context;
                                    })));
  CHECK(runs(compiler, "inference") == 1);
  CHECK(runs(compiler, "codegen") == 6);
  CHECK(runs(compiler, "linking") == 12);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl a5741af: a list inside the target is equal by its content") {
  kernels<> compiler;
  std::vector<std::string> features = {"+sse4.2", "+avx2"};
  CHECK(compiler.get<codegen>("f", with([&](job& p) { p.features = features; })));
  // Built anew, elsewhere in memory and with another capacity.
  std::vector<std::string> again;
  again.reserve(100);
  for (auto const* const each : {"+sse4.2", "+avx2"}) again.emplace_back(each);
  CHECK(compiler.get<codegen>("f", with([&](job& p) { p.features = again; })));
  CHECK(runs(compiler, "codegen") == 1);
  // And a key does not follow a list that changes after it was made.
  auto p = with([&](job& q) { q.features = features; });
  p.features[1] = "+avx512f";
  CHECK(*compiler.get<codegen>("f", p) ==
        emit_code("f", *compiler.get<irgen>("f", p), view<codegen, job>(p)));
  CHECK(runs(compiler, "codegen") == 2);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#206: requests that are built anew and equal are one") {
  kernels<> compiler;
  auto const request = [] {
    auto all = std::make_unique<job>();
    all->name = std::string("a name that is too long for ") + "a short string";
    all->features = {"+avx2"};
    return all;
  };
  auto const one = request(), other = request();
  CHECK(key_hash<host_object>{}(*one) == key_hash<host_object>{}(*other));
  CHECK(compiler.get<host_object>("f", *one).share() ==
        compiler.get<host_object>("f", *other).share());
  CHECK(runs(compiler, "host_object") == 1);
}

// ---- job types ---------------------------------------------------------------------------------

namespace {

struct primal {
  direction mode = direction::reverse;
  using layerkey_fields = fields<field<&primal::mode, affects<inference>::as<is_forward>>>;
};
template<int N>
struct typed_job {
  primal params;
  int transform = N;
  using layerkey_fields =
      fields<field<&typed_job::params, per_member>, field<&typed_job::transform, affects<irgen>>>;
};

}  // namespace

std::string infer_primal(std::string const& f, view<inference, primal> in) {
  return f + (in.get<&primal::mode>() ? " forward" : "");
}
template<int N>
std::string transform(std::string const&, std::string const& typed, view<irgen, typed_job<N>> in) {
  return typed + " " + std::to_string(in.template get<&typed_job<N>::transform>());
}

TEST_CASE("EnzymeAD/Enzyme.jl#3499: three types of job infer a method once") {
  using shared = shared_layer<stage<infer_primal>>;
  shared inferred;
  pipeline<typed_job<1>, shared, stage<transform<1>>> queries{inferred};
  pipeline<typed_job<2>, shared, stage<transform<2>>> derivatives{inferred};
  pipeline<typed_job<3>, shared, stage<transform<3>>> primals{inferred};
  constexpr int methods = 406;
  for (int n = 0; n != methods; ++n) {
    auto const f = std::to_string(n);
    CHECK(*queries.get<irgen>(f, {}) == f + " 1");
    CHECK(*derivatives.get<irgen>(f, {}) == f + " 2");
    CHECK(*primals.get<irgen>(f, {}) == f + " 3");
  }
  CHECK(inferred.counters().runs == methods);
  // A pipeline that shares nothing infers them again.
  pipeline<typed_job<1>, stage<infer_primal>, stage<transform<1>>> alone;
  for (int n = 0; n != methods; ++n) CHECK(alone.get<irgen>(std::to_string(n), {}));
  CHECK(runs(alone, "inference") == methods);
}

// ---- worlds ------------------------------------------------------------------------------------

namespace {

// Definitions by name: from which world on, and what.
struct world_table {
  std::mutex mutex;
  std::map<std::string, std::map<std::uint64_t, std::string>> all;

  void define(std::string const& f, std::uint64_t world, std::string const& body) {
    std::lock_guard const lock(mutex);
    all[f][world] = body;
  }
  // The world since which it is as it is in that one, and what it is.
  std::pair<std::uint64_t, std::string> at(std::string const& f, std::uint64_t world) {
    std::lock_guard const lock(mutex);
    return *std::prev(all.at(f).upper_bound(world));
  }
};

// A validity: in the world that is asked about, all is defined as it was. Worlds that are to come
// need not be known.
struct definitions {
  world_table* table;
  std::map<std::string, std::set<std::uint64_t>> since;

  bool holds(request_context const& c) const {
    for (auto const& [f, world] : since)
      if (world != std::set{table->at(f, c.epoch).first}) return false;
    return true;
  }
  void restrict_to(definitions const& other) {
    for (auto const& [f, world] : other.since) since[f].insert(world.begin(), world.end());
  }
};

}  // namespace
}  // namespace faults

template<>
struct layerkey::service<faults::world_table> {
  static constexpr layerkey::text reason = "the world says what is read of it";
};

namespace faults {

namespace {

std::atomic<int> worlds_inferred, worlds_emitted;

}  // namespace

with_validity<std::string, definitions> infer_in_world(std::string const& f, view<inference, job>,
                                                       requester<inference> ask,
                                                       world_table& methods) {
  ++worlds_inferred;
  auto const [since, body] = methods.at(f, ask.epoch());
  return {body, {&methods, {{f, {since}}}}};
}
// Its callee goes into its code: "2 +g" is 2 and g.
std::string emit_with_callee(std::string const&, std::string const& body, view<irgen, job>,
                             requester<irgen> ask) {
  ++worlds_emitted;
  auto const at = body.find('+');
  if (at == std::string::npos) return body;
  return body.substr(0, at) + "(" + *ask.get<irgen>(body.substr(at + 1)) + ")";
}

namespace {

using in_worlds = pipeline<job, stage<infer_in_world>, stage<emit_with_callee>, ignores<codegen>,
                           ignores<linking>, ignores<host_object>, ignores<runtime_library>>;
using in_worlds_by_content =
    pipeline<job, stage<infer_in_world>, early_cutoff<stage<emit_with_callee>>, ignores<codegen>,
             ignores<linking>, ignores<host_object>, ignores<runtime_library>>;

struct methods {
  world_table table;
  methods() {
    worlds_inferred = worlds_emitted = 0;
    table.define("f", 1, "2 +g");
    table.define("g", 1, "3");
  }
};

}  // namespace

TEST_CASE("JuliaGPU/GPUCompiler.jl#168: who asks in an old world gets the code of that world") {
  methods m;
  in_worlds compiler{m.table};
  m.table.define("g", 10, "4");
  CHECK(*compiler.get<irgen>("f", {}, {.epoch = 10}) == "2 (4)");
  CHECK(*compiler.get<irgen>("f", {}, {.epoch = 5}) == "2 (3)");
  CHECK(*compiler.get<irgen>("f", {}, {.epoch = 12}) == "2 (4)");
  CHECK(*compiler.get<irgen>("f", {}, {.epoch = 9}) == "2 (3)");
  CHECK(worlds_emitted == 4);
}

TEST_CASE("JuliaGPU/CUDAnative.jl#336: what is evaluated again as it was is not compiled again") {
  methods m;
  in_worlds_by_content compiler{m.table};
  for (std::uint64_t world = 1; world != 20; ++world) {
    m.table.define("f", world, "2 +g");
    CHECK(*compiler.get<irgen>("f", {}, {.epoch = world}) == "2 (3)");
  }
  CHECK(worlds_inferred == 20);
  CHECK(worlds_emitted == 2);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#875: a definition of something else loses nothing") {
  methods m;
  in_worlds compiler{m.table};
  for (std::uint64_t world = 1; world != 50; ++world) {
    m.table.define("unrelated" + std::to_string(world), world, "0");
    CHECK(*compiler.get<irgen>("f", {}, {.epoch = world}) == "2 (3)");
  }
  CHECK(worlds_inferred == 2);
  CHECK(worlds_emitted == 2);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#586: a new world adds no entry beside the one that serves it") {
  methods m;
  in_worlds compiler{m.table};
  for (std::uint64_t world = 1; world != 50; ++world)
    CHECK(compiler.get<irgen>("f", {}, {.epoch = world}));
  auto const counted = of_layer(compiler.statistics(), "irgen");
  CHECK(counted.entries == 2);  // f and g
  CHECK(counted.invalid == 0);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#445: an artifact is as long valid as all that it was made of") {
  methods m;
  in_worlds compiler{m.table};
  CHECK(*compiler.get<irgen>("f", {}, {.epoch = 3}) == "2 (3)");
  // Only the callee is redefined, and then what that calls.
  m.table.define("g", 5, "3 +h");
  m.table.define("h", 5, "7");
  m.table.define("h", 8, "8");
  for (std::uint64_t const world : {8u, 5u, 7u, 9u, 4u})
    CHECK(*compiler.get<irgen>("f", {}, {.epoch = world}) == (world >= 8   ? "2 (3 (8))"
                                                              : world >= 5 ? "2 (3 (7))"
                                                                           : "2 (3)"));
  CHECK(worlds_emitted == 8);  // f and g three times, h twice
}

TEST_CASE("EnzymeAD/Enzyme.jl#3510: worlds come and go, the memo is bounded and safe") {
  methods m;
  in_worlds compiler{m.table};
  compiler.limit<inference>({.entries_of_a_key = 4});
  compiler.limit<irgen>({.entries_of_a_key = 4});
  for (std::uint64_t world = 1; world != 400; ++world)
    m.table.define("g", world, std::to_string(world));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (std::uint64_t t = 0; t != 8; ++t)
    all.emplace_back([&, t] {
      for (std::uint64_t world = 1 + t; world < 400; world += 3)
        wrong +=
            *compiler.get<irgen>("f", {}, {.epoch = world}) != "2 (" + std::to_string(world) + ")";
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  for (auto const* const layer : {"inference", "irgen"}) {
    auto const counted = of_layer(compiler.statistics(), layer);
    CHECK(counted.entries <= 8);  // of f and g
    CHECK(counted.evictions > 100);
  }
}

// ---- nested jobs -------------------------------------------------------------------------------

namespace {

std::atomic<int> rules_built;

}  // namespace

// A rule is compiled by itself, for a mode, and goes into each thunk that uses it.
std::string emit_thunk(std::string const& f, std::string const& typed, view<irgen, job> in,
                       requester<irgen> ask) {
  if (f == "rule") {
    ++rules_built;
    return "rule m" + std::to_string(static_cast<int>(in.get<&job::mode>()));
  }
  auto const rule = ask.get<irgen>("rule", with([&](job& p) { p.mode = in.get<&job::mode>(); }));
  return typed + " w" + std::to_string(in.get<&job::width>()) + " {" + *rule + "}";
}

TEST_CASE("EnzymeAD/Enzyme.jl#3392: a rule inside thunks is compiled once for each mode") {
  rules_built = 0;
  kernels<>::with<emit_thunk> compiler;
  for (int round = 0; round != 2; ++round)
    for (auto const* const f : {"f", "g", "h"})
      for (int const width : {1, 2})
        for (auto const mode : {direction::reverse, direction::split})
          CHECK(*compiler.get<irgen>(f, with([&](job& p) { p.width = width, p.mode = mode; })) ==
                f + std::string(" w") + std::to_string(width) + " {rule m" +
                    std::to_string(static_cast<int>(mode)) + "}");
  CHECK(rules_built == 2);
}

std::string emit_with_facts(std::string const&, std::string const&, view<irgen, job> in,
                            requester<irgen> ask) {
  return *ask.get<inference>("facts") + " " + std::to_string(in.get<&job::width>());
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#917: a sweep over a constant derives its facts once") {
  kernels<>::with<emit_with_facts> compiler;
  for (int constant = 0; constant != 100; ++constant)
    CHECK(*compiler.get<irgen>("f", with([&](job& p) { p.width = constant; })) ==
          "facts " + std::to_string(constant));
  CHECK(runs(compiler, "inference") == 2);  // of f and of the facts
  CHECK(runs(compiler, "irgen") == 100);
}

TEST_CASE("EnzymeAD/Enzyme.jl#2141: what one interpreter derived is not another one's") {
  kernels<>::with<emit_with_facts> compiler;
  for (int round = 0; round != 2; ++round)
    for (bool const inlined : {false, true})
      for (auto const mode : {direction::forward, direction::reverse})
        CHECK(*compiler.get<irgen>(
                  "f", with([&](job& p) { p.always_inline = inlined, p.mode = mode; })) ==
              std::string("facts") + (inlined ? " inlined" : "") +
                  (mode == direction::forward ? " forward" : "") + " 1");
  CHECK(runs(compiler, "inference") == 8);
}

// ---- threads -----------------------------------------------------------------------------------

namespace {

std::function<void(std::string const&)> while_emitting;

}  // namespace

std::string emit_and_call_back(std::string const&, std::string const& ir, view<codegen, job> in) {
  while_emitting(ir);
  return ir + " sm" + std::to_string(in.get<&job::sm>());
}

TEST_CASE("EnzymeAD/Enzyme.jl#1018: while one compiles, others hit and compile") {
  kernels<>::with<emit_and_call_back> compiler;
  while_emitting = [](std::string const&) {};
  CHECK(compiler.get<codegen>("there", {}));
  std::latch compiling(1), goes_on(1);
  while_emitting = [&](std::string const& ir) {
    if (ir.find("slow") != 0) return;
    compiling.count_down();
    goes_on.wait();
  };
  bool came = false;
  std::thread slow([&] { came = compiler.get<codegen>("slow", {}).has_value(); });
  compiling.wait();
  // A hit, a miss, one of the same function, and what is not about artifacts.
  CHECK(compiler.get<codegen>("there", {}));
  CHECK(compiler.get<codegen>("new", {}));
  CHECK(compiler.get<irgen>("slow", {}));
  CHECK(of_layer(compiler.statistics(), "codegen").entries == 2);
  compiler.limit<codegen>({.entries = 1});
  compiler.clear();
  goes_on.count_down();
  slow.join();
  CHECK(came);
  CHECK(of_layer(compiler.statistics(), "codegen").entries == 1);
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#21: stages run in parallel, and what they call may ask back") {
  kernels<>::with<emit_and_call_back> compiler;
  std::atomic<int> right = 0;
  // None goes on before four are in the stage.
  std::barrier four(4);
  while_emitting = [&](std::string const& ir) {
    if (ir.find("nested") == 0) return;
    four.arrive_and_wait();
    right += compiler.get<codegen>("nested", {}).has_value();
  };
  compiler.on_progress([&](progress const& p) {
    if (p.layer == "linking" && p.what == progress::started)
      static_cast<void>(compiler.get<codegen>("nested", {}));
  });
  std::vector<std::thread> all;
  for (int n = 0; n != 4; ++n)
    all.emplace_back([&, n] {
      auto const f = "f" + std::to_string(n);
      right += compiler.get<linking>(f, {})->find(f + " ") == 0;
    });
  for (auto& each : all) each.join();
  CHECK(right == 8);
  CHECK(runs(compiler, "codegen") == 5);
}

TEST_CASE("JuliaGPU/CUDA.jl b84da49: eight threads that ask for new configs make each once") {
  kernels<> compiler;
  std::atomic<int> wrong = 0;
  std::barrier together(8);
  std::vector<std::thread> all;
  for (int t = 0; t != 8; ++t)
    all.emplace_back([&] {
      for (int n = 0; n != 50; ++n) {
        auto const p = with([&](job& q) { q.sm = n; });
        together.arrive_and_wait();
        wrong += *compiler.get<host_object>("f", p) != made_of("f", p);
      }
    });
  for (auto& each : all) each.join();
  CHECK(wrong == 0);
  CHECK(runs(compiler, "host_object") == 50);
  CHECK(runs(compiler, "codegen") == 50);
  CHECK(runs(compiler, "inference") == 1);
}

// ---- cost --------------------------------------------------------------------------------------

namespace {

struct counting_int {
  int n = 0;
};
std::atomic<int> times_read;

struct counting_job {
  counting_int option;
  using layerkey_fields = fields<field<&counting_job::option, affects<inference>>>;
};

}  // namespace
}  // namespace faults

template<>
struct layerkey::value<faults::counting_int> {
  static constexpr layerkey::text kind = "counting_int";
  template<class Sink>
  static constexpr void write(Sink& to, faults::counting_int const& v) {
    if (!std::is_constant_evaluated()) ++faults::times_read;
    layerkey::write(to, v.n);
  }
};

namespace faults {

std::string infer_counted(std::string const& f, view<inference, counting_job>) { return f; }

TEST_CASE("JuliaGPU/GPUCompiler.jl#395: what does not change between launches is not keyed again") {
  using compiler_type = pipeline<counting_job, stage<infer_counted>>;
  compiler_type compiler;
  compiler_type::sealed const sealed(counting_job{{7}});
  CHECK(compiler.get<inference>("f", sealed));
  times_read = 0;
  for (int launch = 0; launch != 100; ++launch) CHECK(compiler.get<inference>("f", sealed));
  CHECK(times_read == 0);
  CHECK(compiler.get<inference>("f", counting_job{{7}}));
  CHECK(times_read > 0);  // so it would have been seen
  CHECK(runs(compiler, "inference") == 1);
}

TEST_CASE("JuliaGPU/CUDA.jl#2456: a launch is one lookup, however many layers there are") {
  kernels<> compiler;
  CHECK(compiler.get<host_object>("f", {}));
  auto const before = compiler.statistics();
  for (int launch = 0; launch != 100; ++launch) CHECK(compiler.get<host_object>("f", {}));
  auto const after = compiler.statistics();
  for (std::size_t i = 0; i != after.size(); ++i)
    CHECK(after[i].requests - before[i].requests == (after[i].layer == "host_object" ? 100u : 0u));
}

std::string infer_much(std::string const&, view<inference, job>) {
  return std::string(100'000, 'x');
}

TEST_CASE("JuliaGPU/GPUCompiler.jl#520: what was inferred is measured and bounded") {
  kernels<>::with<infer_much> compiler;
  compiler.limit<inference>({.bytes = 1'000'000});
  for (int n = 0; n != 100; ++n) {
    CHECK(compiler.get<inference>(std::to_string(n), {}));
    CHECK(of_layer(compiler.statistics(), "inference").bytes <= 1'000'000);
  }
  auto const counted = of_layer(compiler.statistics(), "inference");
  CHECK(counted.entries == 9);
  CHECK(counted.bytes > 900'000);
  CHECK(counted.evictions == 91);
}

}  // namespace faults
