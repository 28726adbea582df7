// The kinds of faults that caches of real compilers had in their keys, each after a public report,
// and what layerkey does instead. Where it does not compile, the comment names the test in
// compile_fail/.
#include <layerkey/canonical_forms.hpp>
#include <layerkey/compiler_layers.hpp>
#include <layerkey/content_digest.hpp>
#include <layerkey/encoding.hpp>
#include <layerkey/explain.hpp>
#include <layerkey/fingerprint.hpp>
#include <layerkey/layerkey.hpp>
#include <layerkey/to_text.hpp>
#include <layerkey/values/associative.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/path.hpp>
#include <layerkey/values/sequences.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/variant.hpp>

#include "bytes.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <locale>
#include <memory>
#include <new>
#include <set>

namespace {

using namespace layerkey;

// All that tells keys apart says the same.
template<class Layer, class P>
bool differ(P const& a, P const& b) {
  auto const x = make_key<Layer>(a);
  auto const y = make_key<Layer>(b);
  bool const different = x != y;
  CHECK(same_key<Layer>(a, b) != different);
  CHECK((x.hash() != y.hash()) == different);
  CHECK((key_hash<Layer>{}(a) != key_hash<Layer>{}(b)) == different);
  CHECK(explain<Layer>(a, b).empty() != different);
  CHECK((bytes::of<Layer>(a) != bytes::of<Layer>(b)) == different);
  if (!different) CHECK(to_text(x) == to_text(y));
  return different;
}

}  // namespace

// ---- under-keyed: a stale artifact -------------------------------------------------------------

namespace under_keyed {

enum class profiling : std::uint8_t { none, instrument, context_sensitive };
enum class borrow_checker : std::uint8_t { migrate, mir };

struct params {
  profiling mode = profiling::none;
  content_digest profile = {};
  borrow_checker checker = borrow_checker::migrate;
  inline_text<15> entry = "_start";
  bool sanitize = false;

  using layerkey_fields =
      fields<field<&params::mode, affects_optimization>, field<&params::profile, affects_codegen>,
             field<&params::checker, affects_inference>, field<&params::entry, affects_codegen>,
             field<&params::sanitize, affects_irgen>>;
};
static_assert(complete<params>);

}  // namespace under_keyed

// llvm/llvm-project#214162: the mode of an instrumented build and its profile were in no key.
TEST_CASE("under-keyed: the mode of a build and the content of its profile are in the key") {
  using namespace under_keyed;
  params const base;
  CHECK(differ<codegen>(base, params{.mode = profiling::context_sensitive}));
  params a, b;
  a.profile = {digest_algorithm::blake3, {1}, 10};
  b.profile = {digest_algorithm::blake3, {2}, 10};
  CHECK(differ<codegen>(a, b));
  CHECK(!differ<optimization>(a, b));
}

// rust-lang/rust#79316: diagnostics were cached, and the choice of the borrow checker, which
// decides about them, was not in the key.
TEST_CASE("under-keyed: what changes diagnostics only is in the key of the layer that has them") {
  using namespace under_keyed;
  CHECK(differ<inference>(params{}, params{.checker = borrow_checker::mir}));
}

// ziglang/zig#23869, pytorch/pytorch#197519: a new option that no key had. Here a member without a
// tag does not compile: untagged_member.cpp, bit_field_untagged.cpp, private_member_untagged.cpp.
// A stage that reads another layer's member does not either: read_outside_layer.cpp.
TEST_CASE("under-keyed: each member that affects a layer is in its key and in those downstream") {
  using namespace under_keyed;
  params const base;
  CHECK(differ<codegen>(base, params{.entry = "main"}));
  CHECK(!differ<optimization>(base, params{.entry = "main"}));
  CHECK(differ<irgen>(base, params{.sanitize = true}));
  CHECK(differ<codegen>(base, params{.sanitize = true}));
}

// triton-lang/triton#8342: a switch was in the key on disk and not in the one in memory. Both forms
// come from one description; `differ` compares them in all tests here.
TEST_CASE("under-keyed: the key in memory and the stored key hold the same members") {
  using namespace under_keyed;
  CHECK(make_key<codegen>(params{}) != make_key<codegen>(params{.sanitize = true}));
  CHECK(bytes::of<codegen>(params{}) != bytes::of<codegen>(params{.sanitize = true}));
  CHECK(bytes::of(make_key<codegen>(params{})) == bytes::of<codegen>(params{}));
}

// triton-lang/triton#7322: captured constants were missing. Functions in a description capture
// nothing: closure_as_projection.cpp, closure_as_predicate.cpp, closure_as_canonical_form.cpp.

// ---- over-keyed: work done again ---------------------------------------------------------------

namespace over_keyed {

struct params {
  bool specialize_dims = false;
  std::array<int, 3> grid = {1, 1, 1};
  int block = 128;
  int message_width = 80;
  std::size_t heap_limit = 0;
  inline_text<31> output = "a.o";

  using layerkey_fields =
      fields<field<&params::specialize_dims, affects_optimization>,
             field<&params::grid, affects_optimization, only_if<&params::specialize_dims>>,
             field<&params::block, affects_codegen>, field<&params::message_width, runtime_only>,
             field<&params::heap_limit, runtime_only>, field<&params::output, runtime_only>>;
};
static_assert(complete<params>);

}  // namespace over_keyed

// Olympus-HPC/proteus#436: the grid's size was keyed, although nothing was specialised on it.
TEST_CASE("over-keyed: a member counts only while the option that reads it is on") {
  using namespace over_keyed;
  CHECK(!differ<codegen>(params{}, params{.grid = {8, 8, 1}}));
  CHECK(differ<codegen>(params{.specialize_dims = true},
                        params{.specialize_dims = true, .grid = {8, 8, 1}}));
}

// NVIDIA/warp#1255: the block size, which the binary alone depends on, was in the module's key.
TEST_CASE("over-keyed: a member of a late layer leaves the keys of early ones alone") {
  using namespace over_keyed;
  CHECK(!differ<optimization>(params{}, params{.block = 256}));
  CHECK(differ<codegen>(params{}, params{.block = 256}));
}

// nodejs/node#60069, mozilla/sccache#60, swiftlang/llvm-project#7296: memory limits, the name of
// the output and the width of messages made every key new, and those downstream.
TEST_CASE("over-keyed: what no artifact depends on is in no key of any layer") {
  using namespace over_keyed;
  params other;
  other.heap_limit = 1 << 20;
  other.output = "/tmp/a.o";
  other.message_width = 120;
  CHECK(!differ<inference>(params{}, other));
  CHECK(!differ<codegen>(params{}, other));
  CHECK(!differ<loading>(params{}, other));
}

// ---- unstable: another key each time -----------------------------------------------------------

namespace unstable {

enum class dialect : std::uint8_t { c, cxx };

struct params {
  std::string module = {};
  std::vector<std::string> passes = {};
  dialect language = dialect::cxx;
  std::int64_t seed = -1;

  using layerkey_fields =
      fields<field<&params::module, affects_inference>, field<&params::passes, affects_inference>,
             field<&params::language, affects_inference>, field<&params::seed, affects_inference>>;
};
static_assert(complete<params>);

}  // namespace unstable

// triton-lang/triton#7348, jax-ml/jax#16649: an object's id, a callback's address. Pointers do not
// compile: pointer_in_key.cpp, c_string_in_key.cpp, function_pointer_in_key.cpp; an identity is in
// no stored key: encoded_identity.cpp.
TEST_CASE("unstable: equal params at other places in memory have one key") {
  using namespace unstable;
  auto const make = [] {
    return std::make_unique<params>(params{std::string(100, 'x'), {"licm", "gvn"}});
  };
  auto const a = make();
  auto const between = make();
  auto const b = make();
  CHECK(!differ<codegen>(*a, *b));
}

// triton-lang/triton#10494: a key depended on what had been hashed before.
TEST_CASE("unstable: a key does not depend on which keys were made before") {
  using namespace unstable;
  params const a{"a", {"licm"}};
  params const b{"b", {"gvn", "licm"}};
  auto const first = make_key<codegen>(a);
  auto const first_bytes = bytes::of<codegen>(a);
  static_cast<void>(make_key<codegen>(b));
  static_cast<void>(bytes::of<codegen>(b));
  CHECK(make_key<codegen>(a) == first);
  CHECK(make_key<codegen>(a).hash() == first.hash());
  CHECK(bytes::of<codegen>(a) == first_bytes);
}

// cupy/cupy#10187: what a key meant had changed, and nobody had raised the version. The fingerprint
// of the schema follows the description.
TEST_CASE("unstable: the fingerprint of a schema changes with it and not without") {
  using namespace unstable;
  CHECK(fingerprint<inference, params>() == fingerprint<inference, params>());
  CHECK(fingerprint<inference, params>() != fingerprint<inference, under_keyed::params>());
}

// ---- ambiguous: two requests, one key ----------------------------------------------------------

namespace ambiguous {

struct compute {
  std::uint32_t shader = 0;
  using layerkey_fields = fields<field<&compute::shader, affects_codegen>>;
};
struct render {
  std::uint32_t shader = 0;
  using layerkey_fields = fields<field<&render::shader, affects_codegen>>;
};

struct params {
  std::string macro = {};
  std::string value = {};
  std::vector<std::string> flags = {};
  std::optional<std::int32_t> limit = {};
  std::vector<std::string> defines = {};
  std::variant<std::uint32_t, std::int32_t> mask = {};
  std::variant<compute, render> pipeline = {};

  using layerkey_fields =
      fields<field<&params::macro, affects_irgen>, field<&params::value, affects_irgen>,
             field<&params::flags, affects_irgen>, field<&params::limit, affects_irgen>,
             field<&params::defines, affects_irgen>, field<&params::mask, affects_irgen>,
             field<&params::pipeline, per_member>>;
};
static_assert(complete<params>);

params with(std::string macro, std::string value, std::vector<std::string> flags = {}) {
  params p;
  p.macro = std::move(macro);
  p.value = std::move(value);
  p.flags = std::move(flags);
  return p;
}

}  // namespace ambiguous

// ccache/ccache#112: adjacent options ran into each other, and a wrong object was served.
TEST_CASE("ambiguous: texts side by side do not run into each other") {
  using namespace ambiguous;
  CHECK(differ<irgen>(with("AB", "C"), with("A", "BC")));
  CHECK(differ<irgen>(with("A", ""), with("", "A")));
  CHECK(differ<irgen>(with("", "", {"-DA", "-DB"}), with("", "", {"-DA-DB"})));
  CHECK(differ<irgen>(with("", "", {"", ""}), with("", "", {""})));
  CHECK(differ<irgen>(with("A", "", {"B"}), with("A", "B")));
  CHECK(differ<irgen>(with(std::string("A\0", 2), ""), with("A", std::string("\0", 1))));
  params a, b;
  a.flags = b.defines = {"A"};
  CHECK(differ<irgen>(a, b));
}

// triton-lang/triton#11817: unset and zero differ where they mean different things; where they do
// not, see "path".
TEST_CASE("ambiguous: an absent value is none of the values that it could have") {
  using namespace ambiguous;
  params zero;
  zero.limit = 0;
  CHECK(differ<irgen>(params{}, zero));
}

// Dawn cf078766, Mesa 19.1.0: pipelines of two kinds, two forms of IR with the same bytes.
TEST_CASE("ambiguous: which alternative a variant holds is in the key") {
  using namespace ambiguous;
  params a, b;
  a.mask = std::uint32_t{7};
  b.mask = std::int32_t{7};
  CHECK(differ<irgen>(a, b));
  params c, d;
  c.pipeline = compute{7};
  d.pipeline = render{7};
  CHECK(differ<codegen>(c, d));
}

// ccache/ccache c10c468f: keys of two kinds lived in one namespace.
TEST_CASE("ambiguous: stored keys of two layers differ although they hold the same") {
  using namespace ambiguous;
  CHECK(bytes::of<irgen>(params{}) != bytes::of<optimization>(params{}));
}

// ---- padding -----------------------------------------------------------------------------------

namespace padding {

struct params {
  std::uint8_t stage = 1;
  std::uint64_t mask = 2;  // behind seven bytes of padding
  std::uint16_t width = 3;
  std::uint32_t samples = 4;
  bool depth = true;

  using layerkey_fields =
      fields<field<&params::stage, affects_irgen>, field<&params::mask, affects_irgen>,
             field<&params::width, affects_irgen>, field<&params::samples, affects_codegen>,
             field<&params::depth, affects_codegen>>;
};
static_assert(complete<params>);
static_assert(sizeof(params) > 1 + 8 + 2 + 4 + 1);

// Made in memory that holds this byte everywhere.
struct made_over {
  alignas(params) unsigned char memory[sizeof(params)];
  params* p;
  explicit made_over(unsigned char byte) {
    std::memset(memory, byte, sizeof memory);
    p = new (memory) params;
  }
};

}  // namespace padding

// dawn:1471, Mesa 22.2.0: padding was hashed and compared, and was not zero.
TEST_CASE("padding: what lies between members is in no key") {
  padding::made_over const a(0x00), b(0xff);
  CHECK(std::memcmp(a.memory, b.memory, sizeof a.memory) != 0);
  CHECK(!differ<codegen>(*a.p, *b.p));
  CHECK(sizeof(own_key<irgen, padding::params>) == 16);  // 8 + 2 + 1 bytes in two words
}

// ---- floats ------------------------------------------------------------------------------------

namespace floats {

struct params {
  double scale = 0.0;
  float bias = 0.0f;
  std::vector<double> weights = {};

  using layerkey_fields =
      fields<field<&params::scale, affects_irgen>, field<&params::bias, affects_irgen>,
             field<&params::weights, affects_irgen>>;
};
static_assert(complete<params>);

}  // namespace floats

// pytorch/pytorch#192605, pyston/pyston#724: 0.0 and -0.0 shared an entry, and a NaN found none.
TEST_CASE("floats: zeros of both signs differ") {
  using floats::params;
  CHECK(differ<irgen>(params{.scale = 0.0}, params{.scale = -0.0}));
  CHECK(differ<irgen>(params{.bias = 0.0f}, params{.bias = -0.0f}));
  CHECK(differ<irgen>(params{.weights = {0.0}}, params{.weights = {-0.0}}));
}

TEST_CASE("floats: a NaN equals itself and no NaN with other bits") {
  using floats::params;
  double const quiet = std::numeric_limits<double>::quiet_NaN();
  double const other = std::nan("7");
  CHECK(!differ<irgen>(params{.scale = quiet}, params{.scale = quiet}));
  CHECK(!differ<irgen>(params{.weights = {quiet}}, params{.weights = {quiet}}));
  CHECK(differ<irgen>(params{.scale = quiet}, params{.scale = other}));
  CHECK(differ<irgen>(params{.scale = quiet}, params{.scale = -quiet}));
}

// ---- order -------------------------------------------------------------------------------------

namespace order {

struct params {
  std::set<std::string> macros = {};
  std::map<std::string, int> sizes = {};
  std::string features = {};
  std::vector<std::string> libraries = {};
  std::vector<std::string> passes = {};

  using layerkey_fields =
      fields<field<&params::macros, affects_irgen>, field<&params::sizes, affects_irgen>,
             field<&params::features, affects_codegen, canonical<sorted_features<std::string>>>,
             field<&params::libraries, affects_codegen,
                   canonical<sorted_unique<std::vector<std::string>>>>,
             field<&params::passes, affects_optimization>>;
};
static_assert(complete<params>);

}  // namespace order

// pytorch/pytorch#193418, taichi-dev/taichi#8510: the order of a hash table was in the key. Such
// containers do not compile: unordered_container_in_key.cpp.
TEST_CASE("order: the order of insertion into a set or a map is in no key") {
  using order::params;
  params a, b;
  for (auto const* each : {"NDEBUG", "FAST", "X86"}) a.macros.insert(each);
  for (auto const* each : {"X86", "FAST", "NDEBUG"}) b.macros.insert(each);
  a.sizes = {{"tile", 8}, {"unroll", 4}};
  b.sizes["unroll"] = 4;
  b.sizes["tile"] = 8;
  CHECK(!differ<codegen>(a, b));
}

// Clang's hash of a module changed with the order and the repetition of -D and -m options.
TEST_CASE("order: a canonical form drops the order of a list that has none") {
  using order::params;
  params a, b;
  a.features = "+avx2,+fma,+avx2";
  b.features = "+fma,+avx2";
  a.libraries = {"m", "c", "m"};
  b.libraries = {"c", "m"};
  CHECK(!differ<codegen>(a, b));
}

TEST_CASE("order: the order of a list that has one is in the key") {
  using order::params;
  CHECK(differ<codegen>(params{.passes = {"licm", "gvn"}}, params{.passes = {"gvn", "licm"}}));
}

// ---- host --------------------------------------------------------------------------------------

namespace host {

constexpr std::string_view this_cpu = "znver4";

// As a driver does it before anything is compiled.
std::string resolved(std::string const& cpu) {
  return cpu == "native" ? std::string(this_cpu) : cpu;
}

enum class order : std::uint8_t { little, big };

struct params {
  std::string cpu = {};
  std::uint16_t sm_major = 12;
  std::uint16_t sm_minor = 0;
  order bytes = order::little;

  using layerkey_fields =
      fields<field<&params::cpu, affects_inference, canonical<resolved>>,
             field<&params::sm_major, affects_inference>,
             field<&params::sm_minor, affects_inference>, field<&params::bytes, affects_inference>>;
};
static_assert(complete<params>);

}  // namespace host

// llvm/llvm-project#196477, ccache/ccache#824: the word "native" was in a shared key.
TEST_CASE("host: native is the CPU that it stands for") {
  using host::params;
  CHECK(!differ<codegen>(params{.cpu = "native"}, params{.cpu = "znver4"}));
  CHECK(differ<codegen>(params{.cpu = "native"}, params{.cpu = "znver3"}));
}

// vllm-project/vllm#41871: code for sm_120 ran on sm_121.
TEST_CASE("host: the whole version of a target is in the key") {
  using host::params;
  CHECK(differ<codegen>(params{.sm_minor = 0}, params{.sm_minor = 1}));
}

// rust-lang/rust#38357, rust-lang/rust#45522: hashes differed between hosts of 32 and 64 bits. A
// stored key has fixed widths and one order of bytes, whatever the host.
TEST_CASE("host: stored values have fixed widths and one order of bytes") {
  CHECK(bytes::of_value(std::uint16_t{0x0c01}) == "01 0c");
  CHECK(bytes::of_value(std::int64_t{-2}) == "fe ff ff ff ff ff ff ff");
  CHECK(bytes::of_value(std::string("sm")) == "02 00 00 00 00 00 00 00 73 6d");
}

// ---- path --------------------------------------------------------------------------------------

namespace paths {

using checkout = prefix_map<prefix<"/home/me/src", "/src">, prefix<"/ci/build/42", "/src">>;

struct params {
  std::filesystem::path source = {};
  std::uint32_t debug_level = 0;
  std::uint32_t line = 0;
  std::uint32_t inline_threshold = 0;  // 0: the default
  content_digest kernel = {};
  std::filesystem::path kernel_from = {};

  using layerkey_fields =
      fields<field<&params::source, affects_codegen, only_if<&params::debug_level>,
                   canonical<mapped_path<std::filesystem::path, checkout>>>,
             field<&params::debug_level, affects_codegen>,
             field<&params::line, affects_codegen, only_if<&params::debug_level>>,
             field<&params::inline_threshold, affects_optimization,
                   canonical<expanded_default<std::uint32_t, 0u, 225u>>>,
             field<&params::kernel, affects_irgen>, field<&params::kernel_from, runtime_only>>;
  static params layerkey_defaults() { return {}; }
};
static_assert(complete<params>);

params at(std::filesystem::path source, std::uint32_t debug_level, std::uint32_t line) {
  params p;
  p.source = std::move(source);
  p.debug_level = debug_level;
  p.line = line;
  return p;
}

}  // namespace paths

// triton-lang/triton#11817, ccache/ccache#872: a path that is in the output was not in the key, and
// a line was although debug information was off.
TEST_CASE("path: what debug information holds counts while there is some") {
  using namespace paths;
  CHECK(!differ<codegen>(at("/a.cu", 0, 1), at("/b.cu", 0, 2)));
  CHECK(differ<codegen>(at("/a.cu", 2, 1), at("/b.cu", 2, 1)));
  CHECK(differ<codegen>(at("/a.cu", 2, 1), at("/a.cu", 2, 2)));
}

// rust-lang/rust#66955: mapped paths, and caches that checkouts at two places share.
TEST_CASE("path: two checkouts share what is the same in both") {
  using namespace paths;
  CHECK(!differ<codegen>(at("/home/me/src/a.cu", 2, 1), at("/ci/build/42/a.cu", 2, 1)));
  CHECK(differ<codegen>(at("/home/me/src/a.cu", 2, 1), at("/home/me/srcs/a.cu", 2, 1)));
}

// tenstorrent/tt-metal#21266, mozilla/sccache#288: the path of a file was in the key, and its
// content was not.
TEST_CASE("path: a file counts by its content, wherever it lies") {
  using namespace paths;
  params a, b, c;
  a.kernel = b.kernel = {digest_algorithm::sha_256, {1}, 64};
  c.kernel = {digest_algorithm::sha_256, {2}, 64};
  b.kernel_from = "/elsewhere/k.cpp";
  CHECK(!differ<codegen>(a, b));
  CHECK(differ<codegen>(a, c));
}

// triton-lang/triton#11817: unset and the default that it stands for had two keys.
TEST_CASE("path: unset is the default that it stands for") {
  using namespace paths;
  CHECK(!differ<codegen>(params{.inline_threshold = 0}, params{.inline_threshold = 225}));
  CHECK(differ<codegen>(params{.inline_threshold = 0}, params{.inline_threshold = 100}));
}

// ---- environment -------------------------------------------------------------------------------

namespace environment {

// What a driver has taken out of its environment, once.
struct params {
  std::string include_path = {};
  std::string job_server = {};
  std::string search_path = {};
  std::optional<std::string> sanitizer = {};

  static params taken() {
    auto const text = [](char const* name) {
      char const* const value = std::getenv(name);
      return std::string(value ? value : "");
    };
    params p;
    p.include_path = text("LAYERKEY_TEST_CPATH");
    p.job_server = text("LAYERKEY_TEST_MAKEFLAGS");
    p.search_path = text("LAYERKEY_TEST_PATH");
    return p;
  }

  using layerkey_fields =
      fields<field<&params::include_path, affects_irgen>, field<&params::job_server, runtime_only>,
             field<&params::search_path, runtime_only>, field<&params::sanitizer, affects_irgen>>;
};
static_assert(complete<params>);

struct comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace environment

// mozilla/sccache#193, bazelbuild/bazel#2574: the variable of make's job server and PATH made every
// key new.
TEST_CASE("environment: a variable that nothing reads is in no key, one that is read is") {
  using environment::params;
  ::setenv("LAYERKEY_TEST_CPATH", "/usr/include", 1);
  ::setenv("LAYERKEY_TEST_MAKEFLAGS", "--jobserver-auth=3,4", 1);
  ::setenv("LAYERKEY_TEST_PATH", "/bin", 1);
  auto const before = params::taken();
  ::setenv("LAYERKEY_TEST_MAKEFLAGS", "--jobserver-auth=7,8", 1);
  ::setenv("LAYERKEY_TEST_PATH", "/usr/bin:/bin", 1);
  CHECK(!differ<codegen>(before, params::taken()));
  ::setenv("LAYERKEY_TEST_CPATH", "/opt/include", 1);
  CHECK(differ<codegen>(before, params::taken()));
  for (auto const* name : {"CPATH", "MAKEFLAGS", "PATH"})
    ::unsetenv((std::string("LAYERKEY_TEST_") + name).c_str());
}

// triton-lang/triton#8332: a variable was set while the process ran. A key is made of the params
// and of nothing else.
TEST_CASE("environment: a key does not change with the environment once params are there") {
  using environment::params;
  ::setenv("LAYERKEY_TEST_CPATH", "/usr/include", 1);
  auto const p = params::taken();
  auto const key = make_key<codegen>(p);
  ::setenv("LAYERKEY_TEST_CPATH", "/opt/include", 1);
  CHECK(make_key<codegen>(p) == key);
  ::unsetenv("LAYERKEY_TEST_CPATH");
}

// Formats of numbers belong to the process too.
TEST_CASE("environment: the locale is in no key and in no text of one") {
  floats::params const p{.scale = 12345.5, .bias = 0.25f, .weights = {1e6}};
  auto const encoded = bytes::of<irgen>(p);
  auto const text = to_text(make_key<irgen>(p));
  auto const old = std::locale::global(std::locale(std::locale(), new environment::comma));
  CHECK(bytes::of<irgen>(p) == encoded);
  CHECK(to_text(make_key<irgen>(p)) == text);
  std::locale::global(old);
}
