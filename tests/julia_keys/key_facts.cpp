// What follows from the tags, for each of the faults that they are there for.
#include "cuda.hpp"
#include "enzyme.hpp"

#include <layerkey/expect.hpp>

#include <catch2/catch.hpp>

#include <type_traits>

namespace {

using namespace julia;
using gpucompiler::ptx_target, gpucompiler::thread_counts;
using layerkey::make_key, layerkey::same_key;

// ---- GPUCompiler -------------------------------------------------------------------------------

constexpr cuda::config kernel{};

// Another capability is other code, and nothing above optimisation cares (#560).
constexpr cuda::config other_capability{.target = {.cap = {8, 0}}};
static_assert(same_key<irgen>(kernel, other_capability));
static_assert(!same_key<optimization>(kernel, other_capability));
static_assert(!same_key<machine_code>(kernel, other_capability));

// What ptxas is told is machine code's affair alone (the objection to #561).
constexpr cuda::config other_sm{.params = {.sm = {8, 0}}};
static_assert(same_key<inference>(kernel, other_sm));
static_assert(same_key<optimization>(kernel, other_sm));
static_assert(!same_key<machine_code>(kernel, other_sm));

// Launch bounds: three spellings, and for kernels only.
constexpr cuda::config bounded(thread_counts n, bool is_kernel = true) {
  return {.target = {.maxthreads = n}, .kernel = is_kernel};
}
static_assert(same_key<machine_code>(bounded({.x = 256}), bounded({1, 256})));
static_assert(same_key<machine_code>(bounded({.x = 256}), bounded({2, 256, 1})));
static_assert(same_key<machine_code>(bounded({.x = 256}), bounded({3, 256, 1, 1})));
static_assert(!same_key<optimization>(bounded({.x = 256}), bounded({3, 256, 2, 1})));
static_assert(!same_key<optimization>(bounded({.x = 256}), kernel));
static_assert(same_key<irgen>(bounded({.x = 256}), kernel));
static_assert(same_key<machine_code>(bounded({.x = 256}, false), {.kernel = false}));

// Options of the optimiser count while it runs.
constexpr cuda::config nested{.toplevel = false};
static_assert(same_key<machine_code>(nested, {.target = {.fastmath = true},
                                              .opt_level = 3,
                                              .libraries = false,
                                              .optimize = false,
                                              .cleanup = false,
                                              .toplevel = false}));
static_assert(same_key<machine_code>(cuda::config{.optimize = false},
                                     {.opt_level = 3, .optimize = false}));
static_assert(!same_key<machine_code>(kernel, {.opt_level = 3}));

// Debug information: on the target too, up to level 2, and nothing to strip without it.
static_assert(same_key<machine_code>(cuda::config{.debug_level = 0},
                                     {.target = {.debuginfo = true}, .debug_level = 0}));
static_assert(!same_key<irgen>(kernel, {.target = {.debuginfo = true}}));
static_assert(same_key<machine_code>(cuda::config{.debug_level = 2}, {.debug_level = 3}));
static_assert(same_key<machine_code>(cuda::config{.debug_level = 0},
                                     {.debug_level = 0, .strip = true}));
static_assert(!same_key<machine_code>(kernel, {.strip = true}));

// What is only checked, and what nothing reads.
static_assert(same_key<machine_code>(kernel, {.validate = false}));
static_assert(same_key<machine_code>(kernel, {.target = {.exitable = true, .unreachable = false}}));

// The runtime library is one for all kernels and optimisation options (#794).
static_assert(same_key<runtime_functions>(kernel, {.target = {.maxthreads = thread_counts{.x = 256},
                                                              .fastmath = true},
                                                   .params = {.sm = {8, 0}},
                                                   .kernel = false,
                                                   .opt_level = 0,
                                                   .toplevel = false}));
static_assert(!same_key<runtime_functions>(kernel, {.always_inline = true}));
static_assert(!same_key<runtime_functions>(kernel, {.debug_level = 2}));

// A launch wraps the config, and finds what the config alone finds.
static_assert(std::is_same_v<layerkey::key<machine_code, cuda::config>,
                             layerkey::key<machine_code, cuda::kernel_launch>>);
static_assert(make_key<machine_code>(cuda::kernel_launch{kernel, 1, 2}) ==
              make_key<machine_code>(kernel));
static_assert(!same_key<linking>(cuda::kernel_launch{}, {.context = 1}));
static_assert(same_key<linking>(cuda::kernel_launch{}, {.callable = 1}));
static_assert(!same_key<host_object>(cuda::kernel_launch{}, {.callable = 1}));

TEST_CASE("kernel names that are one symbol are one key", "[julia]") {
  auto const named = [](char const* name) { return cuda::config{.name = name}; };
  CHECK(same_key<machine_code>(named("a-b"), named("a_b")));
  CHECK_FALSE(same_key<irgen>(named("a_b"), named("a_c")));
  CHECK_FALSE(same_key<irgen>(named(""), kernel));
  CHECK(same_key<inference>(named("a_b"), kernel));
}

// ---- native ------------------------------------------------------------------------------------

constexpr gpucompiler::native_target plain{};
static_assert(!same_key<irgen>(plain, {.jlruntime = true}));
static_assert(!same_key<irgen>(plain, {.llvm_always_inline = true}));
static_assert(same_key<irgen>(plain, {.cpu = "znver4"}));
static_assert(!same_key<machine_code>(plain, {.cpu = "znver4"}));

TEST_CASE("CPU features count from optimisation on, in the order in which they stand", "[julia]") {
  gpucompiler::native_target a, b;
  a.features = {"+avx2", "-avx"};
  b.features = {"-avx", "+avx2"};  // LLVM turns the second off again in one of them
  CHECK(same_key<irgen>(a, b));
  CHECK_FALSE(same_key<optimization>(a, b));
}

// ---- Enzyme ------------------------------------------------------------------------------------

using params = enzyme::enzyme_params<enzyme::primal_params>;
using enzyme::derivative_mode;

constexpr enzyme::autodiff in_mode(derivative_mode mode) {
  return {.params = {.params = {mode}, .mode = mode}};
}

// Of the mode, inference asks whether it is forward (#1698), and of nothing else of any job.
constexpr auto combined = in_mode(derivative_mode::reverse_combined);
constexpr auto split = in_mode(derivative_mode::reverse_primal);
constexpr auto forward = in_mode(derivative_mode::forward);
static_assert(same_key<irgen>(combined, split));
static_assert(!same_key<inference>(combined, forward));
static_assert(!same_key<derivative>(combined, split));
static_assert(same_key<derivative>(combined, {.always_inline = true}));

// One call makes jobs of three types, and they have one key (#3499).
template<class Job>
using inference_key = layerkey::key<inference, Job>;
static_assert(
    std::is_same_v<inference_key<enzyme::return_type_query>, inference_key<enzyme::primal>>);
static_assert(std::is_same_v<inference_key<enzyme::autodiff>, inference_key<enzyme::primal>>);
static_assert(make_key<inference>(combined) == make_key<inference>(enzyme::primal{}));
static_assert(make_key<inference>(combined) == make_key<inference>(enzyme::return_type_query{}));
static_assert(make_key<inference>(combined).hash() ==
              make_key<inference>(enzyme::return_type_query{}).hash());

// What the transform reads splits derivatives and nothing before them (#1182).
static_assert(!same_key<derivative>(params{}, {.width = 2}));
static_assert(!same_key<derivative>(params{}, {.return_primal = true}));
static_assert(!same_key<derivative>(params{}, {.runtime_activity = true}));
static_assert(!same_key<derivative>(params{}, {.strong_zero = true}));
static_assert(!same_key<derivative>(params{}, {.run_enzyme = false}));
static_assert(!same_key<derivative>(params{}, {.shadow_init = true}));
static_assert(same_key<derivative>(params{.abiwrap = false},
                                   {.abiwrap = false, .shadow_init = true}));
static_assert(same_key<irgen>(combined, {.params = {.width = 2, .runtime_activity = true}}));
static_assert(same_key<derivative>(params{}, {.abi = enzyme::thunk_abi::inlined}));
static_assert(!same_key<thunk>(params{}, {.abi = enzyme::thunk_abi::inlined}));

TEST_CASE("activities and return types reach the derivative and not inference", "[julia]") {
  auto active = combined, constant = combined;
  active.params.tt = {{enzyme::activity::active, "Float64"}};
  active.params.rt = enzyme::annotation{enzyme::activity::active, "Float64"};
  constant.params.tt = {{enzyme::activity::constant, "Float64"}};
  CHECK(same_key<irgen>(active, constant));
  CHECK_FALSE(same_key<derivative>(active, constant));
}

TEST_CASE("assertions of Enzyme are in no key", "[julia]") {
  auto checked = combined;
  checked.params.err_if_func_written = true;
  checked.params.expected_tape_type = "Tuple{Float64}";
  CHECK(same_key<thunk>(combined, checked));
}

TEST_CASE("what contradicts itself is told", "[julia]") {
  CHECK(layerkey::broken_invariant(combined.params).empty());
  auto other_mode = combined.params;
  other_mode.mode = derivative_mode::forward;
  CHECK(layerkey::broken_invariant(other_mode) ==
        "the primal is compiled for the mode of its derivative");
  auto no_width = combined.params;
  no_width.tt = {{enzyme::activity::batch_duplicated, "Float64"}};
  CHECK(layerkey::broken_invariant(no_width) == "batch annotations need a width above one");
}

// ---- Enzyme in a kernel ------------------------------------------------------------------------

// The params inside are those of the kernel and say no mode, so Enzyme's own are read for it.
using nested_job = gpucompiler::compiler_config<enzyme::enzyme_target<ptx_target>,
                                                enzyme::enzyme_params<cuda::cuda_params>>;
static_assert(layerkey::complete<nested_job>);

constexpr nested_job in_kernel(derivative_mode mode) {
  return {.params = {.mode = mode}, .kernel = false, .toplevel = false};
}
static_assert(!same_key<inference>(in_kernel(derivative_mode::forward),
                                   in_kernel(derivative_mode::reverse_combined)));
static_assert(same_key<inference>(in_kernel(derivative_mode::reverse_primal),
                                  in_kernel(derivative_mode::reverse_combined)));

// Conditions of the config reach the target through Enzyme's.
static_assert(same_key<machine_code>(nested_job{.kernel = false},
                                     nested_job{.target = {{.maxregs = 32}}, .kernel = false}));
static_assert(!same_key<machine_code>(nested_job{}, nested_job{.target = {{.maxregs = 32}}}));

}  // namespace
