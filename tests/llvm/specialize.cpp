// What a kernel asks about its architecture, the device library, and the numbers of calls.
#include "support.hpp"

#include <layerkey/llvm/detail/renumber.hpp>

#include <set>

using namespace llvm_tests;

namespace {

content_digest library() { return need(ptx::load_device_library(inputs + "device_library.ll")); }

ptx_params with(char const* sm) {
  ptx_params p;
  p.sm = text_of<decltype(p.sm)>(sm);
  return p;
}

std::string ptx_of(ir_module const& m, ptx_params const& p) {
  auto const ir = need(ptx::optimize_ir(need(ptx::specialize_ir(m, p)), p));
  return need(ptx::generate_code(ir, p)).bytes;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("specialize: a module that asks nothing is the same for every architecture") {
  ir_module const m = input("kernels.ll");
  for (std::string const& sm : ptx::sm_names())
    CHECK(need(ptx::specialize_ir(m, with(sm.c_str()))) == m);
  ptx_params p;
  p.libdevice = library();
  CHECK(need(ptx::specialize_ir(m, p)) == m);  // nor does it need anything of the library
}

TEST_CASE("specialize: a question has the answer of its architecture, and only that") {
  ir_module const m = input("asks.ll");
  auto const before = need(ptx::specialize_ir(m, with("sm_75")));
  auto const ampere = need(ptx::specialize_ir(m, with("sm_80")));
  CHECK(before != ampere);
  CHECK(ampere == need(ptx::specialize_ir(m, with("sm_90"))));  // the same branch of the same test

  CHECK(contains(ptx_of(m, with("sm_75")), ", 99;"));
  CHECK(!contains(ptx_of(m, with("sm_75")), ", 17;"));
  CHECK(contains(ptx_of(m, with("sm_86")), ", 17;"));
  CHECK(!contains(ptx_of(m, with("sm_86")), ", 99;"));
  CHECK(!contains(ptx_of(m, with("sm_86")), "__nvvm_reflect"));
}

TEST_CASE("specialize: PTX of modules that ask is that of opt-19 and llc-19 for the architecture") {
  folder f;
  ir_module const m = input("asks.ll");
  std::string const file = f.write("asks.bc", m.bitcode());
  for (optimization_level const level : levels) {
    for (std::string const sm : {"sm_60", "sm_75", "sm_80", "sm_90"}) {
      INFO(flag_of(level) << ' ' << sm);
      ptx_params p = with(sm.c_str());
      p.level = level;
      std::string const ir = tool(f, "opt", flag_of(level) + " -mcpu=" + sm, file);
      std::string const text =
          tool(f, "llc", codegen_flag_of(level) + " -asm-verbose=false -mcpu=" + sm,
               f.write("ir.bc", ir));
      CHECK((ptx_of(m, p) == llvm_detail::renumbered(text)));
    }
  }
}

TEST_CASE("specialize: the device library is linked as llvm-link does it, and asks too") {
  folder f;
  ir_module const m = input("asks.ll");
  std::string const linked = tool(
      f, "llvm-link", "--suppress-warnings --only-needed --internalize '" + inputs + "asks.ll'",
      inputs + "device_library.ll");
  for (optimization_level const level : {optimization_level::O0, optimization_level::O2}) {
    for (std::string const sm : {"sm_75", "sm_90"}) {
      INFO(flag_of(level) << ' ' << sm);
      ptx_params p = with(sm.c_str());
      p.level = level;
      p.libdevice = library();
      std::string const ir =
          tool(f, "opt", flag_of(level) + " -mcpu=" + sm, f.write("linked.bc", linked));
      std::string const text =
          tool(f, "llc", flag_of(level) + " -asm-verbose=false -mcpu=" + sm, f.write("ir.bc", ir));
      std::string const ours = ptx_of(m, p);
      CHECK((ours == llvm_detail::renumbered(text)));
      CHECK(!contains(ours, "__nv_unused"));
      CHECK(!contains(ours, ".extern .func  (.param .b32 func_retval0) __nv_"));
    }
  }
  CHECK(contains(ptx_of(m, with("sm_75")), ".extern .func  (.param .b32 func_retval0) __nv_scale"));
}

TEST_CASE("specialize: a library that a module does not call leaves no trace in it") {
  ir_module const m = input("kernels.ll");
  for (bool const ftz : {false, true}) {
    ptx_params without = with("sm_75");
    without.ftz = ftz;
    ptx_params beside = without;
    beside.libdevice = library();
    CHECK(need(ptx::specialize_ir(m, without)) == need(ptx::specialize_ir(m, beside)));
  }
}

TEST_CASE("specialize: ftz flushes, and is answered to who asks") {
  ir_module const m = input("asks.ll");
  ptx_params p;
  CHECK(contains(ptx_of(m, p), "0f40400000"));  // the branch of by_ftz that multiplies by 3
  CHECK(!contains(ptx_of(m, p), ".ftz"));
  p.ftz = true;
  CHECK(contains(ptx_of(m, p), ".ftz"));
  CHECK(!contains(ptx_of(m, p), "0f40400000"));
  CHECK(contains(ptx_of(input("kernels.ll"), p), ".ftz"));
}

TEST_CASE("specialize: kernels that name an architecture themselves are compiled for the params'") {
  std::string const text =
      "target triple = \"nvptx64-nvidia-cuda\"\n"
      "define void @k(ptr %p) #0 { store i32 1, ptr %p\n ret void }\n"
      "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"kernel\", i32 1}\n";
  ir_module const plain = parsed(text + "attributes #0 = { nounwind }\n");
  ir_module const named = parsed(
      text +
      "attributes #0 = { nounwind \"target-cpu\"=\"sm_60\" \"target-features\"=\"+ptx60\" }\n");
  CHECK(ptx_of(named, with("sm_80")) == ptx_of(plain, with("sm_80")));
}

TEST_CASE("ptx_version: less than the architecture needs is what it needs") {
  ir_module const m = input("kernels.ll");
  ptx_params p = with("sm_90");
  std::string const needed = ptx_of(m, p);
  CHECK(contains(needed, ".version 7.8"));
  p.ptx_version = 60;
  CHECK(ptx_of(m, p) == needed);
  p.ptx_version = 85;
  CHECK(contains(ptx_of(m, p), ".version 8.5"));
}

TEST_CASE("renumbered: calls count from 0 in the order of the text") {
  using llvm_detail::renumbered;
  CHECK(renumbered("") == "");
  CHECK(renumbered("ret;\n") == "ret;\n");
  CHECK(renumbered("{ // callseq 17, 0\n} // callseq 17\n{ // callseq 9, 0\n} // callseq 9\n") ==
        "{ // callseq 0, 0\n} // callseq 0\n{ // callseq 1, 0\n} // callseq 1\n");
  CHECK(renumbered("{ // callseq 41, 0\nprototype_41 : .callprototype ();\ncall (r), %rd1, (p), "
                   "prototype_41;\n"
                   "} // callseq 41\n{ // callseq 43, 0\nprototype_43 : .callprototype ();\n") ==
        "{ // callseq 0, 0\nprototype_0 : .callprototype ();\ncall (r), %rd1, (p), prototype_0;\n"
        "} // callseq 0\n{ // callseq 1, 0\nprototype_1 : .callprototype ();\n");
  // Names of the program that look alike.
  CHECK(renumbered("call prototype_7, my_prototype_8, prototype_9x; // callseq\n") ==
        "call prototype_7, my_prototype_8, prototype_9x; // callseq\n");
  CHECK(renumbered("{ // callseq 7, 0\ncall prototype_7;\n") ==
        "{ // callseq 0, 0\ncall prototype_7;\n");
}

TEST_CASE("PTX: calls through pointers count from 0 in every compile") {
  ir_module const m = input("kernels.ll");
  std::string const once = ptx_of(m, {});
  CHECK(contains(once, "prototype_"));
  CHECK(contains(once, "// callseq 0,"));
  CHECK(ptx_of(m, {}) == once);
}
