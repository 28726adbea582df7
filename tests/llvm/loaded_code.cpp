// Objects in this process.
#include "support.hpp"

#include <layerkey/llvm/loaded_code.hpp>

#include <thread>

using namespace llvm_tests;

namespace {

machine_code object_of(std::string_view text, x86_params const& p = {}) {
  std::string const triple = "target triple = \"x86_64-pc-linux-gnu\"\n";
  return need(x86::generate_code(parsed(triple + std::string(text)), p));
}

constexpr char thread_local_text[] =
    "@t = thread_local global i32 7\n"
    "define i32 @next() {\n  %p = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  %v = load i32, "
    "ptr %p\n"
    "  %n = add i32 %v, 1\n  store i32 %n, ptr %p\n  ret i32 %n\n}\n"
    "declare ptr @llvm.threadlocal.address.p0(ptr)\n";

}  // namespace

TEST_CASE("loaded_code: functions run, variables have addresses, libc and libm are found") {
  auto const code = need(loaded_code::from_object(object_of(
      "@counter = global i32 40\n"
      "define i32 @add(i32 %a, i32 %b) { %r = add i32 %a, %b\n ret i32 %r }\n"
      "define internal i32 @hidden() { ret i32 2 }\n"
      "define i32 @bump() {\n  %h = call i32 @hidden()\n  %v = load i32, ptr @counter\n"
      "  %r = add i32 %v, %h\n  store i32 %r, ptr @counter\n  ret i32 %r\n}\n"
      "define double @curve(double %x) { %r = call double @cos(double %x)\n ret double %r }\n"
      "define i64 @length(ptr %s) { %r = call i64 @strlen(ptr %s)\n ret i64 %r }\n"
      "declare double @cos(double)\ndeclare i64 @strlen(ptr)\n")));
  CHECK(code.function<int(int, int)>("add")(20, 22) == 42);
  CHECK(code.function<int()>("bump")() == 42);
  CHECK(*static_cast<int*>(code.address("counter")) == 42);
  CHECK(code.function<double(double)>("curve")(0.0) == 1.0);
  CHECK(code.function<std::size_t(char const*)>("length")("four") == 4);
  CHECK(code.address("hidden") == nullptr);
  CHECK(code.address("strlen") == nullptr);
  CHECK(code.address("") == nullptr);
}

TEST_CASE("loaded_code: lives as long as a copy does") {
  auto const object = object_of("define i32 @one() { ret i32 1 }\n");
  auto first = std::make_unique<outcome<loaded_code>>(loaded_code::from_object(object));
  loaded_code const copy = need(*first);
  first.reset();
  CHECK(copy.function<int()>("one")() == 1);
  loaded_code const again = need(loaded_code::from_object(object));
  CHECK(again.address("one") != copy.address("one"));
}

TEST_CASE(
    "loaded_code: objects of every level and of the tests' modules load where they are complete") {
  for (optimization_level const level : levels) {
    x86_params p;
    p.level = level;
    auto const ir = need(x86::optimize_ir(input("loops.ll"), p));
    auto const code = need(loaded_code::from_object(need(x86::generate_code(ir, p))));
    int const numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    CHECK(code.function<int(int const*, int)>("sum")(numbers, 10) == 55);
  }
}

TEST_CASE("loaded_code: thread-local variables need emulated_tls") {
  auto const refused = loaded_code::from_object(object_of(thread_local_text));
  CHECK(refused.error().text ==
        "object: thread-local variable 't'; native ones cannot be loaded, emulated_tls makes ones "
        "that can");
  x86_params p;
  p.emulated_tls = true;
  auto const code = need(loaded_code::from_object(object_of(thread_local_text, p)));
  auto* const next = code.function<int()>("next");
  CHECK(next() == 8);
  CHECK(next() == 9);
  int elsewhere = 0;
  std::thread([&] { elsewhere = next(); }).join();
  CHECK(elsewhere == 8);
}

TEST_CASE("loaded_code: what cannot be loaded is an error that says why") {
  CHECK(
      loaded_code::from_object(object_of("declare void @nowhere()\n"
                                         "define void @f() { call void @nowhere()\n ret void }\n"))
          .error()
          .text == "object: cannot be loaded: Symbols not found: [ nowhere ]");
  x86_params p;
  p.output = x86::output_kind::assembly;
  std::string const not_elf =
      "object: not an ELF object; a stage with output object makes one, assembly text and PTX "
      "cannot be "
      "loaded";
  CHECK(loaded_code::from_object(object_of("define void @f() { ret void }\n", p)).error().text ==
        not_elf);
  CHECK(loaded_code::from_object({}).error().text == not_elf);

  machine_code const whole = object_of("define i32 @f() { ret i32 3 }\n");
  for (std::size_t size = 0; size < whole.bytes.size(); size += 7) {
    INFO(size);
    CHECK(!loaded_code::from_object({whole.bytes.substr(0, size)}).error().text.empty());
  }
}
