// The LLVM layers as pipelines: which of them run, and that what comes out is right.
#include "support.hpp"

#include <layerkey/llvm/ptx.hpp>
#include <layerkey/llvm/x86.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace layerkey;
using llvm_tests::parsed;

namespace {

// Never asks for the architecture.
constexpr char const* scale_ll = R"(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scale(ptr addrspace(1) %x, float %by) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %x, i32 %tid
  %v = load float, ptr addrspace(1) %at
  %w = fmul float %v, %by
  store float %w, ptr addrspace(1) %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)";

// Multiplies by 3 from sm_80 on and by 5 below.
constexpr char const* asking_ll = R"(
target triple = "nvptx64-nvidia-cuda"
@question = private unnamed_addr constant [12 x i8] c"__CUDA_ARCH\00"
define ptx_kernel void @asking(ptr addrspace(1) %x) {
  %arch = call i32 @__nvvm_reflect(ptr @question)
  %new = icmp sge i32 %arch, 800
  %factor = select i1 %new, i32 3, i32 5
  %v = load i32, ptr addrspace(1) %x
  %w = mul i32 %v, %factor
  store i32 %w, ptr addrspace(1) %x
  ret void
}
declare i32 @__nvvm_reflect(ptr)
)";

constexpr char const* twice_ll = R"(
target triple = "x86_64-pc-linux-gnu"
define i32 @twice(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}
)";

layer_statistics const& row(statistics const& all, std::string const& layer) {
  for (auto const& each : all)
    if (each.layer == layer) return each;
  FAIL("no layer " << layer);
  return all.front();
}

constexpr char const* architectures[] = {"sm_75", "sm_80", "sm_90"};

ptx_params for_sm(char const* sm) {
  ptx_params p;
  REQUIRE(p.sm.assign(std::string_view(sm)));
  return p;
}

}  // namespace

TEST_CASE("A kernel that does not ask for the architecture is optimised once for all of them") {
  ptx::compiler compiler;
  auto const kernel = parsed(scale_ll);
  for (auto const* sm : architectures) {
    auto const code = compiler.get<ptx::codegen>(kernel, for_sm(sm));
    REQUIRE(code.error().text == "");
    CHECK(code->bytes.find(".target " + std::string(sm) + "\n") != std::string::npos);
    CHECK(code->bytes.find(".entry scale(") != std::string::npos);
  }
  auto const counted = compiler.statistics();
  CHECK(row(counted, "specialize").runs == 3);
  CHECK(row(counted, "optimization").requests == 3);
  CHECK(row(counted, "optimization").runs == 1);
  CHECK(row(counted, "codegen").runs == 3);
}

TEST_CASE("A kernel that asks for the architecture gets the right answer for each") {
  ptx::compiler compiler;
  auto const kernel = parsed(asking_ll);
  auto const code_for = [&](char const* sm) {
    auto const code = compiler.get<ptx::codegen>(kernel, for_sm(sm));
    REQUIRE(code.error().text == "");
    CHECK(code->bytes.find("__nvvm_reflect") == std::string::npos);
    return code->bytes;
  };
  CHECK(code_for("sm_75").find(", 5;") != std::string::npos);
  CHECK(code_for("sm_80").find(", 3;") != std::string::npos);
  CHECK(code_for("sm_90").find(", 3;") != std::string::npos);
  CHECK(row(compiler.statistics(), "optimization").runs == 2);  // 5 and 3; sm_90 shares sm_80's
}

TEST_CASE("Other runtime-only values run nothing") {
  ptx::compiler gpu;
  x86::compiler cpu;
  auto const kernel = parsed(scale_ll);
  auto const function = parsed(twice_ll);
  for (auto const* label : {"first", "second"}) {
    ptx_params on_gpu;
    x86_params on_cpu;
    REQUIRE(on_gpu.label.assign(std::string_view(label)));
    REQUIRE(on_cpu.label.assign(std::string_view(label)));
    CHECK(gpu.get<ptx::codegen>(kernel, on_gpu).has_value());
    CHECK(cpu.get<x86::codegen>(function, on_cpu).has_value());
  }
  for (auto const* layer : {"specialize", "optimization", "codegen"})
    CHECK(row(gpu.statistics(), layer).runs == 1);
  for (auto const* layer : {"optimization", "codegen"})
    CHECK(row(cpu.statistics(), layer).runs == 1);
}

TEST_CASE("An option runs the layers that it reaches and those behind them") {
  x86::compiler compiler;
  auto const function = parsed(twice_ll);
  auto const runs_after = [&](x86_params const& p) {
    REQUIRE(compiler.get<x86::codegen>(function, p).has_value());
    auto const counted = compiler.statistics();
    return std::pair(row(counted, "optimization").runs, row(counted, "codegen").runs);
  };
  CHECK(runs_after({}) == std::pair(1UL, 1UL));
  CHECK(runs_after({.function_sections = true}) == std::pair(1UL, 2UL));
  CHECK(runs_after({.unroll_loops = false}) == std::pair(2UL, 3UL));
  CHECK(runs_after({.cpu = "x86-64-v3"}) == std::pair(3UL, 4UL));
  // Read only where unreachable code traps.
  CHECK(runs_after({.no_trap_after_noreturn = true}) == std::pair(3UL, 4UL));
}

TEST_CASE("A function is compiled once, loaded once and can be called") {
  x86::jit compiler;
  auto const function = parsed(twice_ll);
  for (int i = 0; i != 3; ++i) {
    auto const loaded = compiler.get<x86::loading>(function, x86_params{});
    REQUIRE(loaded.error().text == "");
    auto* const twice = loaded->function<int(int)>("twice");
    REQUIRE(twice != nullptr);
    CHECK(twice(21) == 42);
  }
  CHECK(row(compiler.statistics(), "codegen").runs == 1);
  CHECK(row(compiler.statistics(), "loading").runs == 1);
}

TEST_CASE("Failures are not cached and leave other requests alone") {
  x86::compiler compiler;
  auto const function = parsed(twice_ll);
  x86_params const wrong{.cpu = "x86-64-v9"};
  for (int i = 0; i != 2; ++i)
    CHECK(compiler.get<x86::codegen>(function, wrong).error().text.find("x86-64-v9") !=
          std::string::npos);
  CHECK(compiler.get<x86::codegen>(function, x86_params{}).has_value());
  auto const counted = row(compiler.statistics(), "optimization");
  CHECK(counted.runs == 3);
  CHECK(counted.failures == 2);
}

TEST_CASE("Two texts of one module are one input, other text is another") {
  CHECK(parsed(scale_ll) == parsed(scale_ll));
  CHECK_FALSE(parsed(scale_ll) == parsed(asking_ll));
}
