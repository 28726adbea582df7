; What options place elsewhere: zeros, constructors, thread-local and comdat definitions; tail calls; a profile.
source_filename = "data.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

$shared = comdat any

@zeros = global [4 x i32] zeroinitializer
@value = global i32 7
@per_thread = thread_local global i32 3
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @setup, ptr null }]

define internal void @setup() {
  %r = call i32 @outside(i32 5)
  store i32 %r, ptr @value
  ret void
}

define linkonce_odr i32 @shared(i32 %a) comdat {
  %r = mul i32 %a, 3
  ret i32 %r
}

define i32 @use_shared(i32 %a) noinline {
  %r = call i32 @shared(i32 %a)
  ret i32 %r
}

define i32 @count() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @per_thread)
  %v = load i32, ptr %p
  %n = add i32 %v, 1
  store i32 %n, ptr %p
  %z = load i32, ptr @zeros
  %r = add i32 %n, %z
  ret i32 %r
}

declare fastcc i32 @far(i32, i32, i32, i32, i32, i32, i32, i32)

define fastcc i32 @tail(i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h) {
  %x = add i32 %a, %h
  %r = tail call fastcc i32 @far(i32 %x, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 1)
  ret i32 %r
}

declare i32 @outside(i32)

; Where the guard is depends on the system.
define i32 @guarded(i32 %n) sspstrong {
  %b = alloca [32 x i8]
  %p = getelementptr i8, ptr %b, i32 %n
  store volatile i8 1, ptr %p
  ret i32 %n
}

define i32 @often(i32 %a) !prof !0 {
entry:
  %c = icmp eq i32 %a, 77
  br i1 %c, label %cold, label %warm, !prof !1
warm:
  %r = call i32 @outside(i32 %a)
  ret i32 %r
cold:
  %r2 = call i32 @use_shared(i32 1)
  ret i32 %r2
}

declare ptr @llvm.threadlocal.address.p0(ptr)

!0 = !{!"function_entry_count", i64 1000}
!1 = !{!"branch_weights", i32 1, i32 1000}
