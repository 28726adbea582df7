// Reading LLVM IR, and its identity.
#include "support.hpp"

#include <sys/stat.h>

using namespace llvm_tests;

namespace {

std::string const tiny =
    "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @f(i32 %a) { ret i32 %a }\n";

std::string error_of(std::string_view ir, std::string const& name = "f.ll") {
  auto const m = ir_module::from_memory(ir, name);
  CHECK(!m.has_value());
  CHECK(m.error().text.find('\n') == std::string::npos);
  return m.error().text;
}

}  // namespace

TEST_CASE("ir_module: text is serialised once and bitcode stays as it is") {
  ir_module const text = parsed(tiny);
  CHECK(text.triple() == "x86_64-pc-linux-gnu");
  CHECK(text.functions_with_own_target() == 0);
  ir_module const bitcode = parsed(text.bitcode());
  CHECK(bitcode == text);
  CHECK((bitcode.bitcode() == text.bitcode()));
  CHECK(text.digest() == digest_of(text.bitcode()));
  CHECK(text.digest().algorithm == digest_algorithm::blake3);
  CHECK(text.digest().size == text.bitcode().size());
  CHECK(parsed(tiny) == text);
  CHECK(parsed(tiny + "define void @g() { ret void }\n") != text);
}

TEST_CASE("ir_module: files are read as text or as bitcode, whatever they are called") {
  folder f;
  ir_module const m = input("loops.ll");
  CHECK(need(ir_module::from_file(f.write("x.ll", m.bitcode()))) == m);
  CHECK(need(ir_module::from_file(f.write("x.bc", contents(inputs + "loops.ll")))) == m);
}

TEST_CASE("ir_module: what cannot be read is an error that says where and why") {
  folder f;
  std::string const missing = f.file("missing.ll");
  CHECK(ir_module::from_file(missing).error().text ==
        missing + ": no such file; a .ll or .bc file is expected");
  CHECK(ir_module::from_file(inputs).error().text ==
        inputs + ": is a directory; a .ll or .bc file is expected");
  std::string const locked = f.write("locked.ll", tiny);
  chmod(locked.c_str(), 0);
  if (geteuid() != 0)
    CHECK(ir_module::from_file(locked).error().text ==
          locked + ": cannot be read: Permission denied");
  CHECK(ir_module::from_file(f.write("empty.ll", "")).error().text.find(": is empty; ") !=
        std::string::npos);
}

TEST_CASE("ir_module: malformed text is an error with line and column") {
  CHECK(error_of("define i32 @f() {\n  ret i64 0\n}\n") ==
        "f.ll:2:7: value doesn't match function result type 'i32'; LLVM 19 IR, as text or bitcode, "
        "is "
        "expected");
  CHECK(error_of("hello") ==
        "f.ll:1:1: expected top-level entity; LLVM 19 IR, as text or bitcode, is expected");
  CHECK(error_of(std::string_view("\0\1\2", 3)).starts_with("f.ll: is no LLVM IR; "));
  CHECK(error_of("define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n"
                 "  br label %b\nb:\n  ret i32 %x\n}\n") ==
        "f.ll: the module is not well-formed: Instruction does not dominate all uses! %x = add i32 "
        "1, 2 "
        "ret i32 %x; one that opt-19 -passes=verify accepts is expected");
  CHECK(error_of("target triple = \"x86_64-pc-linux-gnu\"\nmodule asm \"frobnicate %eax\"\n") ==
        "f.ll: inline assembly:1:1: invalid instruction mnemonic 'frobnicate'");
}

TEST_CASE("ir_module: bitcode that is cut or damaged is an error") {
  std::string const whole(input("loops.ll").bitcode());
  for (std::size_t size = 4; size < whole.size(); size += 52) {
    INFO(size);
    std::string const error = error_of(std::string_view(whole).substr(0, size), "f.bc");
    CHECK(error.starts_with("f.bc: "));
    CHECK(error.ends_with("; bitcode of LLVM 19 or older, whole, is expected"));
  }
  std::string damaged = whole;
  for (std::size_t i = 200; i < damaged.size(); i += 37)
    damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
  CHECK(error_of(damaged, "f.bc").starts_with("f.bc: "));
}

TEST_CASE("digest_of: BLAKE3 as its specification has it") {
  auto const hex = [](content_digest const& d) {
    std::string text;
    for (unsigned const byte : d.bytes)
      text += "0123456789abcdef"[byte >> 4], text += "0123456789abcdef"[byte & 15];
    return text;
  };
  CHECK(hex(digest_of("")) == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  CHECK(hex(digest_of("abc")) ==
        "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
  CHECK(digest_of("abc") != digest_of("abd"));
}
