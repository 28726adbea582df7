; Line 6 names an instruction that does not exist: a parser stops there.
target triple = "x86_64-pc-linux-gnu"

define i32 @add(i32 %a, i32 %b) {
entry:
  %sum = ad i32 %a, %b
  ret i32 %sum
}
