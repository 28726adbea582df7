; Parses, but does not verify: %sum is used in a block that it does not dominate.
target triple = "x86_64-pc-linux-gnu"

define i32 @add(i1 %condition, i32 %a, i32 %b) {
entry:
  br i1 %condition, label %then, label %end

then:
  %sum = add i32 %a, %b
  br label %end

end:
  ret i32 %sum
}
