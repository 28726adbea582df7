// Every failure is one line that says what is wrong and what is possible, and never ends the
// process.
#include "support.hpp"

#include <algorithm>

using namespace llvm_tests;

namespace {

std::string const on_x86 = "target triple = \"x86_64-pc-linux-gnu\"\n";
std::string const on_ptx = "target triple = \"nvptx64-nvidia-cuda\"\n";
std::string const empty_function = "define void @f() { ret void }\n";

std::string x86_error(std::string_view cpu, std::string_view features = {}) {
  x86_params p;
  p.cpu = text_of<decltype(p.cpu)>(cpu);
  p.features = text_of<decltype(p.features)>(features);
  std::string const text = x86::check(p).text;
  ir_module const m = parsed(on_x86 + empty_function);
  CHECK(x86::optimize_ir(m, p).error().text == text);  // said before any work
  CHECK(x86::generate_code(m, p).error().text == text);
  return text;
}

std::string module_error(std::string_view text, x86_params const& p = {}) {
  ir_module const m = parsed(text);
  std::string const error = x86::generate_code(m, p).error().text;
  CHECK(error.find('\n') == std::string::npos);
  return error;
}

}  // namespace

TEST_CASE("x86: an unknown CPU is refused with the nearest name") {
  CHECK(x86_error("skylak") ==
        "unknown CPU 'skylak', did you mean 'skylake'; llc-19 -march=x86-64 -mcpu=help lists all");
  CHECK(x86_error("foo") == "unknown CPU 'foo'; llc-19 -march=x86-64 -mcpu=help lists all");
  CHECK(x86_error("help") == "unknown CPU 'help'; llc-19 -march=x86-64 -mcpu=help lists all");
  CHECK(x86_error("native") ==
        "the CPU 'native' is another one on every machine; pass what x86::host() says");
  CHECK(x86_error("pentium4") ==
        "the CPU 'pentium4' has no 64-bit mode; x86-64 is the oldest that has");
  CHECK(x86_error("") == "");
}

TEST_CASE("x86: features are +name or -name, and known") {
  CHECK(x86_error("", "avx2") == "the feature 'avx2' has no sign; write '+avx2' or '-avx2'");
  CHECK(x86_error("", "+avx2,,+fma") ==
        "an empty feature; features are +name or -name, separated by commas");
  CHECK(x86_error("", "+avx2,") ==
        "an empty feature; features are +name or -name, separated by commas");
  CHECK(x86_error("", "+avx512vbm") ==
        "unknown feature 'avx512vbm', did you mean 'avx512vbmi'; llc-19 -march=x86-64 -mattr=help "
        "lists all");
  CHECK(x86_error("", "+help") ==
        "unknown feature 'help'; llc-19 -march=x86-64 -mattr=help lists all");
  CHECK(x86_error("", "-64bit") == "the feature '-64bit' is no choice; code is for 64-bit mode");
  CHECK(x86_error("", "+32bit-mode") ==
        "the feature '+32bit-mode' is no choice; code is for 64-bit mode");
  CHECK(x86_error("", "+avx2,-sse4a,+fma") == "");
}

TEST_CASE("x86: AVX-512 without its registers is refused, and the remedies work") {
  auto const refused = [](std::string const& cpu) {
    return "AVX-512 without 512-bit registers on the CPU '" + cpu +
           "' ends LLVM 19; add '+evex512' to the features, or '+avx512vl' for 256-bit code";
  };
  for (char const* const feature : {"+avx512f", "+avx512bw", "+avx512vnni", "+avx2,+avx512dq"})
    CHECK(x86_error("x86-64-v3", feature) == refused("x86-64-v3"));
  CHECK(x86_error("knl", "-evex512") == refused("knl"));
  CHECK(x86_error("x86-64-v4", "-evex512,-avx512vl") == refused("x86-64-v4"));
  CHECK(x86_error("x86-64", "+avx512f,-evex512") == refused("x86-64"));

  // What LLVM cannot select without them.
  ir_module const vectors = parsed(
      on_x86 +
      "define <16 x float> @a(<16 x float> %a, <16 x float> %b, <16 x i32> %c, <16 x i32> %d) {\n"
      "  %m = icmp slt <16 x i32> %c, %d\n  %s = fadd <16 x float> %a, %b\n"
      "  %r = select <16 x i1> %m, <16 x float> %s, <16 x float> %a\n  ret <16 x float> %r\n}\n");
  auto const compiles = [&](std::string_view cpu, std::string_view features) {
    INFO(cpu << ' ' << features);
    CHECK(x86_error(cpu, features) == "");
    x86_params p;
    p.cpu = text_of<decltype(p.cpu)>(cpu);
    p.features = text_of<decltype(p.features)>(features);
    need(x86::generate_code(need(x86::optimize_ir(vectors, p)), p));
  };
  compiles("x86-64-v3", "+avx512f,+evex512");
  compiles("x86-64-v3", "+avx512f,+avx512vl");
  compiles("x86-64-v3", "+avx512vl");
  compiles("x86-64-v4", "-evex512");
  compiles("x86-64-v4", "-avx512f");
  compiles("x86-64", "+avx512f");
  compiles("", "+avx512bw");
}

TEST_CASE("x86: every CPU and every feature by itself compiles or is refused") {
  ir_module const m = input("floats.ll");
  ir_module const integers =
      parsed(on_x86 + "define i32 @f(i32 %a) { %r = mul i32 %a, %a\n ret i32 %r }\n");
  int compiled = 0;
  for (std::string const& cpu : x86::cpu_names()) {
    x86_params p;
    p.cpu = text_of<decltype(p.cpu)>(cpu);
    p.level = optimization_level::O1;
    auto const code = x86::generate_code(m, p);
    CHECK(code.has_value() == x86::check(p).text.empty());
    compiled += code.has_value();
  }
  CHECK(compiled > 80);
  for (std::string const& feature : x86::feature_names()) {
    for (char const sign : {'+', '-'}) {
      INFO(sign << feature);
      x86_params p;
      p.features = text_of<decltype(p.features)>(sign + feature);
      auto const code = x86::generate_code(integers, p);
      CHECK((code.has_value() || feature.find("bit") != std::string::npos));
    }
  }
}

TEST_CASE("x86: code that the CPU has no units for is refused where LLVM would end") {
  x86_params p;
  std::string const real = on_x86 + "define double @f(double %a) { ret double %a }\n";
  std::string const extended = on_x86 +
                               "define void @f(ptr %p) {\n  %v = load x86_fp80, ptr %p\n"
                               "  store x86_fp80 %v, ptr %p\n  ret void\n}\n";
  std::string const vector = on_x86 + "define <4 x i32> @f(<4 x i32> %a) { ret <4 x i32> %a }\n";
  std::string const start = "test.ll: function 'f': LLVM 19 makes no code for ";
  p.features = "-sse2";
  CHECK(module_error(real, p) ==
        start + "floating point or vectors without SSE2; remove '-sse2' and '-sse'");
  CHECK(module_error(on_x86 + empty_function, p) == "");
  p.features = "-x87";
  CHECK(module_error(extended, p) == start + "x86_fp80 without x87; remove '-x87'");
  CHECK(module_error(real, p) == "");
  p.features = "+soft-float";
  CHECK(module_error(vector, p) == start + "vectors with soft-float; remove '+soft-float'");
  CHECK(module_error(real, p) == "");
}

TEST_CASE("x86: what a function itself asks for is checked too") {
  auto const with = [](std::string const& attribute) {
    return module_error(on_x86 + "define void @f() " + attribute + " { ret void }\n");
  };
  CHECK(with("\"target-cpu\"=\"skylakex\"") ==
        "test.ll: function 'f': unknown CPU 'skylakex', did you mean 'skylake'; llc-19 "
        "-march=x86-64 -mcpu=help lists all");
  CHECK(with("\"tune-cpu\"=\"foo\"") ==
        "test.ll: function 'f': unknown CPU 'foo'; llc-19 -march=x86-64 -mcpu=help lists all");
  CHECK(with("\"target-features\"=\"+no-such-feature\"") ==
        "test.ll: function 'f': unknown feature 'no-such-feature'; llc-19 -march=x86-64 "
        "-mattr=help lists all");
  CHECK(with("\"target-cpu\"=\"haswell\" \"target-features\"=\"+avx512f\"")
            .starts_with(
                "test.ll: function 'f': AVX-512 without 512-bit registers on the CPU 'haswell'"));
  CHECK(with("\"target-cpu\"=\"znver3\" \"tune-cpu\"=\"pentium4\"") == "");
}

TEST_CASE("Modules for another target are refused by name") {
  auto const for_triple = [](std::string const& triple) {
    return parsed("target triple = \"" + triple + "\"\n" + empty_function);
  };
  auto const x86 = [&](std::string const& triple) {
    return x86::optimize_ir(for_triple(triple), {}).error().text;
  };
  auto const ptx = [&](std::string const& triple) {
    return ptx::specialize_ir(for_triple(triple), {}).error().text;
  };
  CHECK(x86("aarch64-linux-gnu") ==
        "test.ll: the module is for aarch64-linux-gnu; these params compile for x86-64");
  CHECK(x86("i686-linux-gnu") ==
        "test.ll: the module is for i686-linux-gnu; these params compile for x86-64");
  CHECK(x86("x86_64-pc-windows-msvc") ==
        "test.ll: the module is for x86_64-pc-windows-msvc; of x86-64, only ELF targets such as "
        "x86_64-pc-linux-gnu are supported so far");
  CHECK(x86("x86_64-apple-macosx").find("only ELF targets") != std::string::npos);
  CHECK(x86("x86_64-unknown-freebsd") == "");
  CHECK(ptx("x86_64-pc-linux-gnu") ==
        "test.ll: the module is for x86_64-pc-linux-gnu; these params compile for nvptx64");
  CHECK(ptx("nvptx-nvidia-cuda") ==
        "test.ll: the module is for 32-bit nvptx-nvidia-cuda, which ptxas rejects; "
        "nvptx64-nvidia-cuda is "
        "expected");
  CHECK(ptx("nvptx64-nvidia-cuda") == "");
}

TEST_CASE("Errors that LLVM reports while it generates code are outcomes") {
  CHECK(
      module_error(on_x86 +
                   "define void @f() { call void asm \"frobnicate %eax\", \"\"()\n ret void }\n") ==
      "test.ll: inline assembly:1:2: invalid instruction mnemonic 'frobnicate'");
  ir_module const dynamic = parsed(on_ptx +
                                   "define void @f(i32 %n) { %p = alloca i32, i32 %n\n"
                                   " call void @g(ptr %p)\n ret void }\ndeclare void @g(ptr)\n");
  CHECK(ptx::generate_code(dynamic, {}).error().text ==
        "test.ll: in function f void (i32): Support for dynamic alloca introduced in PTX ISA "
        "version 7.3 and "
        "requires target sm_52.");
}

TEST_CASE("PTX: unknown architectures and versions are refused") {
  auto const error = [](std::string_view sm, int version = 0) {
    ptx_params p;
    p.sm = text_of<decltype(p.sm)>(sm);
    p.ptx_version = version;
    std::string const text = ptx::check(p).text;
    ir_module const m = parsed(on_ptx + empty_function);
    CHECK(ptx::specialize_ir(m, p).error().text == text);
    CHECK(ptx::generate_code(m, p).error().text == text);
    return text;
  };
  CHECK(error("sm_100") ==
        "unknown architecture 'sm_100'; LLVM 19 knows sm_20 to sm_90a; llc-19 -march=nvptx64 "
        "-mcpu=help lists all");
  CHECK(error("90").starts_with("unknown architecture '90'"));
  CHECK(error("").starts_with("unknown architecture ''"));
  CHECK(error("sm_90a") == "");
  for (int const version : {-1, 11, 79, 86})
    CHECK(error("sm_75", version) == "unknown PTX version " + std::to_string(version) +
                                         "; LLVM 19 knows 32 (3.2) to 85 (8.5), and 0 for what the "
                                         "architecture needs");
  CHECK(error("sm_75", 85) == "");
}

TEST_CASE("PTX: questions and device libraries that cannot be answered or found are refused") {
  auto const error = [](std::string const& text, ptx_params const& p = {}) {
    return ptx::specialize_ir(parsed(on_ptx + text), p).error().text;
  };
  CHECK(error("declare i32 @__nvvm_reflect(ptr)\n"
              "define i32 @f(ptr %p) { %r = call i32 @__nvvm_reflect(ptr %p)\n ret i32 %r }\n") ==
        "test.ll: function 'f' calls '__nvvm_reflect' with something else than a constant string; "
        "only "
        "constant strings such as \"__CUDA_ARCH\" are answered");
  CHECK(error("define i32 @__nvvm_reflect(ptr %p) { ret i32 7 }\n"
              "define i32 @f(ptr %p) { %r = call i32 @__nvvm_reflect(ptr %p)\n ret i32 %r }\n") ==
        "test.ll: '__nvvm_reflect' has a body; LLVM answers it, and it is only declared");
  ptx_params p;
  p.libdevice = digest_of("a library that nobody read");
  CHECK(error(empty_function, p) ==
        "test.ll: the device library of these params was not read in this process; "
        "ptx::load_device_library reads it");

  CHECK(ptx::load_device_library("/nowhere.bc").error().text ==
        "/nowhere.bc: cannot be read: No such file or directory; a device library such as "
        "libdevice.10.bc "
        "is expected");
  CHECK(ptx::load_device_library(inputs).error().text ==
        inputs + ": is a directory; a device library such as libdevice.10.bc is expected");
  CHECK(ptx::load_device_library(inputs + "loops.ll").error().text ==
        inputs + "loops.ll: is for x86_64-pc-linux-gnu; a device library for nvptx64 is expected");
}

TEST_CASE("The names are those of LLVM 19") {
  auto const has = [](std::vector<std::string> const& names, std::string const& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  CHECK(has(x86::cpu_names(), "x86-64-v4"));
  CHECK(has(x86::cpu_names(), "znver5"));
  CHECK(has(x86::feature_names(), "avx10.1-512"));
  CHECK(ptx::sm_names().front() == "sm_20");
  CHECK(ptx::sm_names().back() == "sm_90a");
  CHECK(ptx::ptx_versions().front() == 32);
  CHECK(ptx::ptx_versions().back() == 85);
}

TEST_CASE("x86: the host is something that can be compiled for") {
  auto const host = x86::host();
  CHECK(!host.cpu.empty());
  std::string_view rest = host.features;
  std::vector<std::string> names;
  while (!rest.empty()) {
    auto const part = rest.substr(0, rest.find(','));
    CHECK((part.front() == '+' || part.front() == '-'));
    names.emplace_back(part.substr(1));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("What ends LLVM 19 inside a module is refused before, on both targets") {
  CHECK(module_error(on_x86 + "define void @f(<vscale x 4 x i32> %x) { ret void }\n") ==
        "test.ll: function 'f': LLVM 19 makes no code for scalable vectors on x86-64; use vectors "
        "of fixed length");
  auto const gpu_error = [](std::string const& ir) {
    auto const m =
        need(ir_module::from_memory("target triple = \"nvptx64-nvidia-cuda\"\n" + ir, "test.ll"));
    return ptx::generate_code(m, ptx_params{}).error().text;
  };
  CHECK(gpu_error("define x86_fp80 @f(x86_fp80 %x) { ret x86_fp80 %x }\n") ==
        "test.ll: function 'f': LLVM 19 makes no code for x86_fp80, ppc_fp128 or x86_amx on NVPTX; "
        "use float or double");
  CHECK(gpu_error("@t = thread_local global i32 0\n") ==
        "test.ll: the variable 't' is thread_local, which NVPTX has not; use a local variable");
  CHECK(gpu_error("define void @f() { ret void }\n") == "");
}
