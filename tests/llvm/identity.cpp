// Bit for bit what opt-19 and llc-19 make, run after run and thread by thread.
#include "options.hpp"

#include <layerkey/llvm/detail/renumber.hpp>

#include <thread>

using namespace llvm_tests;

namespace {

std::string const pic = " -relocation-model=pic ";

// What `opt FLAGS | llc FLAGS` makes of a file: optimised bitcode, and code.
struct made {
  std::string bitcode, code;
};

made by_tools(folder& f, std::string const& file, std::string const& opt_flags,
              std::string const& llc_flags) {
  made m;
  m.bitcode = tool(f, "opt", opt_flags, file);
  m.code = tool(f, "llc", llc_flags, f.write("optimized.bc", m.bitcode));
  return m;
}

made by_library(ir_module const& m, x86_params const& p) {
  auto const ir = need(x86::optimize_ir(m, p));
  return {std::string(ir.bitcode()), need(x86::generate_code(ir, p)).bytes};
}

made by_library(ir_module const& m, ptx_params const& p) {
  auto const ir = need(ptx::optimize_ir(need(ptx::specialize_ir(m, p)), p));
  return {std::string(ir.bitcode()), need(ptx::generate_code(ir, p)).bytes};
}

// Equal or not; Catch would print whole files.
void check_same(made const& ours, made const& theirs) {
  CHECK((ours.bitcode == theirs.bitcode));
  CHECK((ours.code == theirs.code));
  CHECK(!ours.code.empty());
}

}  // namespace

TEST_CASE("x86: optimised bitcode and objects are those of opt-19 and llc-19 at every level") {
  folder f;
  for (std::string const& name : x86_inputs) {
    ir_module const m = input(name);
    std::string const file = f.write(name + ".bc", m.bitcode());
    for (optimization_level const level : levels) {
      INFO(name << ' ' << flag_of(level));
      x86_params p;
      p.level = level;
      check_same(by_library(m, p), by_tools(f, file, flag_of(level) + pic,
                                            codegen_flag_of(level) + pic + "-filetype=obj"));
    }
  }
}

TEST_CASE("x86: every option is wired to what the flag of opt-19 or llc-19 is wired to") {
  folder f;
  for (std::string const& name : x86_inputs) {
    ir_module const m = input(name);
    std::string const file = f.write(name + ".bc", m.bitcode());
    for (x86_flip const& flip : x86_flips) {
      INFO(name << ' ' << flip.name);
      if (std::string_view(flip.opt_flags) == "-") continue;
      x86_params p;
      flip.base(p);
      flip.set(p);
      // The last flag counts, -O aside, which is given once.
      auto const flags = [](std::string given, std::string const& model) {
        if (given.find("-O") == given.npos) given += " -O2";
        if (given.find("-relocation-model") == given.npos) given += model;
        return given;
      };
      std::string llc_flags = flags(flip.llc_flags, pic);
      if (llc_flags.find("-filetype") == llc_flags.npos) llc_flags += " -filetype=obj";
      check_same(by_library(m, p), by_tools(f, file, flags(flip.opt_flags, pic), llc_flags));
    }
  }
}

TEST_CASE("x86: the kernel code model is that of the tools") {
  folder f;
  ir_module const m = input("calls.ll");
  x86_params p;
  p.code_model = x86::code_model::kernel;
  p.relocation_model = x86::relocation_model::static_;
  std::string const flags = "-O2 -relocation-model=static -code-model=kernel ";
  check_same(by_library(m, p),
             by_tools(f, f.write("calls.bc", m.bitcode()), flags, flags + "-filetype=obj"));
}

TEST_CASE("x86: a module's own code model is taken where the params say small") {
  folder f;
  ir_module const m = parsed(
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "@g = external global i32\n"
      "define ptr @f() { ret ptr @g }\n"
      "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"Code Model\", i32 4}\n");
  check_same(by_library(m, x86_params()),
             by_tools(f, f.write("m.bc", m.bitcode()), "-O2" + pic, "-O2 -filetype=obj" + pic));
}

TEST_CASE("x86: functions keep the CPU they name and the features they name come first") {
  folder f;
  ir_module const m = parsed(
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "define <8 x i32> @own(<8 x i32> %a) \"target-cpu\"=\"znver3\" \"target-features\"=\"+avx2\" "
      "{\n"
      "  %r = mul <8 x i32> %a, %a\n  ret <8 x i32> %r\n}\n"
      "define i64 @other(i64 %a) {\n  %r = call i64 @llvm.ctpop.i64(i64 %a)\n  ret i64 %r\n}\n"
      "declare i64 @llvm.ctpop.i64(i64)\n");
  CHECK(m.functions_with_own_target() == 1);
  x86_params p;
  p.cpu = "x86-64-v2";
  p.features = "-avx2,+popcnt";
  std::string const flags = "-O2 -mcpu=x86-64-v2 -mattr=-avx2,+popcnt" + pic;
  check_same(by_library(m, p),
             by_tools(f, f.write("m.bc", m.bitcode()), flags, flags + "-filetype=obj"));
}

TEST_CASE("x86: a module as text gives the object that opt-19 makes of the text") {
  folder f;
  for (std::string const& name : x86_inputs) {
    INFO(name);
    ir_module const m = input(name);
    CHECK((by_library(m, x86_params()).code ==
           by_tools(f, inputs + name, "-O2" + pic, "-O2 -filetype=obj" + pic).code));
  }
}

TEST_CASE("x86: functions that ask not to be optimised are not") {
  folder f;
  ir_module const m = parsed(
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "define i32 @f(i32 %a) noinline optnone {\n  %p = alloca i32\n  store i32 %a, ptr %p\n"
      "  %v = load i32, ptr %p\n  %r = mul i32 %v, 1\n  ret i32 %r\n}\n");
  check_same(by_library(m, x86_params()),
             by_tools(f, f.write("m.bc", m.bitcode()), "-O2" + pic, "-O2 -filetype=obj" + pic));
}

TEST_CASE("x86: a triple that is not normalised is normalised, and none is x86-64 Linux") {
  for (std::string const& name : x86_inputs) {
    INFO(name);
    auto const with = [text = contents(inputs + name)](std::string const& triple) {
      std::string const stated = "target triple = \"x86_64-pc-linux-gnu\"\n";
      std::string changed = text;
      REQUIRE(changed.find(stated) != text.npos);
      changed.replace(changed.find(stated), stated.size(), triple);
      return by_library(parsed(changed), x86_params()).code;
    };
    std::string const object = with("target triple = \"x86_64-pc-linux-gnu\"\n");
    CHECK((with("target triple = \"x86_64-linux-gnu\"\n") == object));
    CHECK((with("") == object));
  }
}

TEST_CASE("x86: as in the tools, opt keeps a stated data layout and llc does not") {
  folder f;
  ir_module const m = parsed(
      "target datalayout = \"e-m:e-i64:32-n8:16:32:64\"\n"
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "@pair = global { i32, i64 } { i32 1, i64 2 }\n"
      "define i64 @second(ptr %p) {\n  %q = getelementptr { i32, i64 }, ptr %p, i64 3, i32 1\n"
      "  %v = load i64, ptr %q\n  ret i64 %v\n}\n");
  check_same(by_library(m, x86_params()),
             by_tools(f, f.write("m.bc", m.bitcode()), "-O2" + pic, "-O2 -filetype=obj" + pic));
}

TEST_CASE("x86: as in opt-19, C++ types with one identifier are one type") {
  folder f;
  ir_module const m = parsed(
      "target triple = \"x86_64-pc-linux-gnu\"\n"
      "@a = global i32 0, !dbg !4\n@b = global i32 0, !dbg !6\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!8}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, globals: !2, "
      "emissionKind: FullDebug)\n"
      "!1 = !DIFile(filename: \"a.cpp\", directory: \".\")\n!2 = !{!4, !6}\n"
      "!3 = !DICompositeType(tag: DW_TAG_structure_type, name: \"t\", file: !1, line: 1, size: 32, "
      "elements: !9, identifier: \"_ZTS1t\")\n"
      "!4 = !DIGlobalVariableExpression(var: !5, expr: !DIExpression())\n"
      "!5 = distinct !DIGlobalVariable(name: \"a\", scope: !0, file: !1, line: 1, type: !3, "
      "isLocal: false, isDefinition: true)\n"
      "!6 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())\n"
      "!7 = distinct !DIGlobalVariable(name: \"b\", scope: !0, file: !1, line: 2, type: !10, "
      "isLocal: false, isDefinition: true)\n"
      "!8 = !{i32 2, !\"Debug Info Version\", i32 3}\n!9 = !{}\n"
      "!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"t\", file: !1, line: 9, "
      "size: 32, elements: !9, identifier: \"_ZTS1t\")\n");
  check_same(by_library(m, x86_params()),
             by_tools(f, f.write("m.bc", m.bitcode()), "-O2" + pic, "-O2 -filetype=obj" + pic));
}

TEST_CASE("PTX: text is that of opt-19 and llc-19 at every level and for several architectures") {
  folder f;
  ir_module const m = input("kernels.ll");
  std::string const file = f.write("kernels.bc", m.bitcode());
  for (optimization_level const level : levels) {
    for (char const* const sm : {"sm_52", "sm_75", "sm_90a"}) {
      INFO(flag_of(level) << ' ' << sm);
      ptx_params p;
      p.level = level;
      p.sm = text_of<decltype(p.sm)>(sm);
      made theirs = by_tools(f, file, flag_of(level),
                             codegen_flag_of(level) + " -asm-verbose=false -mcpu=" + sm);
      theirs.code = llvm_detail::renumbered(theirs.code);
      check_same(by_library(m, p), theirs);
    }
  }
}

TEST_CASE("PTX: every option of the back end is wired to what the flag of llc-19 is wired to") {
  folder f;
  ir_module const m = input("kernels.ll");
  std::string const file = f.write("kernels.bc", m.bitcode());
  for (ptx_flip const& flip : ptx_flips) {
    if (!flip.llc_flags) continue;
    INFO(flip.name);
    ptx_params p;
    flip.set(p);
    made theirs = by_tools(f, file, "-O2", flip.llc_flags);
    theirs.code = llvm_detail::renumbered(theirs.code);
    check_same(by_library(m, p), theirs);
  }
}

TEST_CASE("Every compile of equal inputs has equal bytes: again, and in threads at the same time") {
  std::vector<ir_module> modules;
  for (std::string const& file : x86_inputs) modules.push_back(input(file));
  ir_module const kernels = input("kernels.ll");

  auto const everything = [&](std::string& all) {
    for (int round = 0; round != 3; ++round) {
      for (ir_module const& m : modules) {
        x86_params p;
        p.cpu = "x86-64-v3";
        auto const ir = x86::optimize_ir(m, p);
        if (!ir) return;
        auto const code = x86::generate_code(*ir, p);
        if (!code) return;
        all.append(ir->bitcode()).append(code->bytes);
      }
      ptx_params const p;
      auto const ir = ptx::optimize_ir(kernels, p);
      if (!ir) return;
      auto const code = ptx::generate_code(*ir, p);
      if (!code) return;
      all.append(ir->bitcode()).append(code->bytes);
    }
  };

  std::string once;
  everything(once);
  REQUIRE(!once.empty());
  std::string results[3];
  std::vector<std::thread> threads;
  for (std::string& result : results) threads.emplace_back(everything, std::ref(result));
  for (std::thread& t : threads) t.join();
  for (std::string const& result : results) CHECK((result == once));
}

// NVPTX keeps annotations by address; an optimised module that is freed must not speak for the
// next.
TEST_CASE("PTX: what one module says about its kernels never reaches another") {
  ir_module const kernels = input("kernels.ll");
  ptx_params const p;
  auto const ir = need(ptx::optimize_ir(kernels, p));
  auto const first = need(ptx::generate_code(ir, p));
  int other = 0;
  for (int i = 0; i != 50; ++i) {
    for (optimization_level const level :
         {optimization_level::O0, optimization_level::O1, optimization_level::O3}) {
      ptx_params q;
      q.level = level;
      need(ptx::generate_code(need(ptx::optimize_ir(kernels, q)), q));
    }
    other += need(ptx::generate_code(ir, p)) != first;
  }
  CHECK(other == 0);
}
