; Calls that are inlined, merged, made between known registers; switches; what follows a noreturn call.
source_filename = "calls.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@.str = private unnamed_addr constant [5 x i8] c"zero\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"one\00", align 1
@.str.2 = private unnamed_addr constant [4 x i8] c"two\00", align 1
@.str.3 = private unnamed_addr constant [6 x i8] c"three\00", align 1
@.str.4 = private unnamed_addr constant [5 x i8] c"four\00", align 1
@.str.5 = private unnamed_addr constant [5 x i8] c"many\00", align 1

define i32 @first(i32 noundef %0) #0 {
  %2 = call i32 @middle(i32 noundef %0, i32 noundef 3)
  %3 = call i32 @middle(i32 noundef %0, i32 noundef 5)
  %4 = add nsw i32 %2, %3
  ret i32 %4
}

define internal i32 @middle(i32 noundef %0, i32 noundef %1) #0 {
  br label %3

3:
  %.027 = phi i32 [ 0, %2 ], [ %11, %5 ]
  %.026 = phi i32 [ 0, %2 ], [ %12, %5 ]
  %4 = icmp slt i32 %.026, %0
  br i1 %4, label %5, label %13

5:
  %6 = mul nsw i32 %.026, %1
  %7 = call i32 @outside(i32 noundef %6)
  %8 = add nsw i32 %.027, %1
  %9 = call i32 @outside(i32 noundef %8)
  %10 = xor i32 %7, %9
  %11 = add nsw i32 %.027, %10
  %12 = add nsw i32 %.026, 1
  br label %3, !llvm.loop !3

13:
  %.1 = phi i32 [ %21, %15 ], [ %.027, %3 ]
  %.025 = phi i32 [ %22, %15 ], [ 0, %3 ]
  %14 = icmp slt i32 %.025, %1
  br i1 %14, label %15, label %23

15:
  %16 = add nsw i32 %.025, %0
  %17 = call i32 @outside(i32 noundef %16)
  %18 = sub nsw i32 %.1, %.025
  %19 = call i32 @outside(i32 noundef %18)
  %20 = and i32 %17, %19
  %21 = sub nsw i32 %.1, %20
  %22 = add nsw i32 %.025, 1
  br label %13, !llvm.loop !5

23:
  %.2 = phi i32 [ %31, %25 ], [ %.1, %13 ]
  %.0 = phi i32 [ %32, %25 ], [ 0, %13 ]
  %24 = icmp slt i32 %.0, %.2
  br i1 %24, label %25, label %33

25:
  %26 = sub nsw i32 %.0, %0
  %27 = call i32 @outside(i32 noundef %26)
  %28 = mul nsw i32 %.2, %.0
  %29 = call i32 @outside(i32 noundef %28)
  %30 = or i32 %27, %29
  %31 = sub nsw i32 %.2, %30
  %32 = add nsw i32 %.0, 1
  br label %23, !llvm.loop !6

33:
  ret i32 %.2
}

define i32 @second(i32 noundef %0) #0 {
  %2 = call i32 @middle(i32 noundef 7, i32 noundef %0)
  %3 = call i32 @first(i32 noundef %0)
  %4 = sub nsw i32 %2, %3
  ret i32 %4
}

define i32 @twin_one(i32 noundef %0, i32 noundef %1) #0 {
  %3 = mul nsw i32 %0, %1
  %4 = add nsw i32 %3, 3
  %5 = call i32 @outside(i32 noundef %4)
  %6 = sub nsw i32 %0, %1
  %7 = call i32 @outside(i32 noundef %6)
  %8 = mul nsw i32 %5, %7
  %9 = sdiv i32 %0, 3
  %10 = call i32 @outside(i32 noundef %9)
  %11 = add nsw i32 %8, %10
  %12 = mul nsw i32 %1, 5
  %13 = call i32 @outside(i32 noundef %12)
  %14 = sub nsw i32 %11, %13
  ret i32 %14
}

declare i32 @outside(i32 noundef) #0

define i32 @twin_two(i32 noundef %0, i32 noundef %1) #0 {
  %3 = mul nsw i32 %0, %1
  %4 = add nsw i32 %3, 3
  %5 = call i32 @outside(i32 noundef %4)
  %6 = sub nsw i32 %0, %1
  %7 = call i32 @outside(i32 noundef %6)
  %8 = mul nsw i32 %5, %7
  %9 = sdiv i32 %0, 3
  %10 = call i32 @outside(i32 noundef %9)
  %11 = add nsw i32 %8, %10
  %12 = mul nsw i32 %1, 5
  %13 = call i32 @outside(i32 noundef %12)
  %14 = sub nsw i32 %11, %13
  ret i32 %14
}

define i32 @caller(ptr noundef %0, i32 noundef %1) #0 {
  br label %3

3:
  %.016 = phi i32 [ 1, %2 ], [ %11, %5 ]
  %.015 = phi i32 [ 2, %2 ], [ %13, %5 ]
  %.014 = phi i32 [ 3, %2 ], [ %14, %5 ]
  %.0 = phi i32 [ 0, %2 ], [ %15, %5 ]
  %4 = icmp slt i32 %.0, %1
  br i1 %4, label %5, label %16

5:
  %6 = sext i32 %.0 to i64
  %7 = getelementptr inbounds i32, ptr %0, i64 %6
  %8 = load i32, ptr %7, align 4
  %9 = call i32 @leaf(i32 noundef %8)
  %10 = mul nsw i32 %.016, %9
  %11 = add nsw i32 %10, %.015
  %12 = add nsw i32 %11, %.014
  %13 = xor i32 %.015, %12
  %14 = add nsw i32 %.014, %13
  %15 = add nsw i32 %.0, 1
  br label %3, !llvm.loop !7

16:
  %17 = add nsw i32 %.016, %.015
  %18 = add nsw i32 %17, %.014
  ret i32 %18
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

define internal i32 @leaf(i32 noundef %0) #2 {
  %2 = mul nsw i32 %0, 13
  %3 = add nsw i32 %2, 5
  ret i32 %3
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define ptr @name_of(i32 noundef %0) #0 {
  switch i32 %0, label %6 [
    i32 0, label %7
    i32 1, label %2
    i32 2, label %3
    i32 3, label %4
    i32 4, label %5
  ]

2:
  br label %7

3:
  br label %7

4:
  br label %7

5:
  br label %7

6:
  br label %7

7:
  %.0 = phi ptr [ @.str.5, %6 ], [ @.str.4, %5 ], [ @.str.3, %4 ], [ @.str.2, %3 ], [ @.str.1, %2 ], [ @.str, %1 ]
  ret ptr %.0
}

define i32 @must_be_positive(i32 noundef %0) #0 {
  %2 = icmp slt i32 %0, 0
  br i1 %2, label %3, label %4

3:
  call void @stop(i32 noundef %0) #4
  unreachable

4:
  %5 = call i32 @outside(i32 noundef %0)
  ret i32 %5
}

declare void @stop(i32 noundef) #3

define i32 @one_of_three(i32 noundef %0) #0 {
  switch i32 %0, label %8 [
    i32 0, label %2
    i32 1, label %4
    i32 2, label %6
  ]

2:
  %3 = call i32 @outside(i32 noundef 1)
  br label %9

4:
  %5 = call i32 @outside(i32 noundef 9)
  br label %9

6:
  %7 = call i32 @outside(i32 noundef 77)
  br label %9

8:
  unreachable

9:
  %.0 = phi i32 [ %7, %6 ], [ %5, %4 ], [ %3, %2 ]
  ret i32 %.0
}

define i32 @slots(i32 noundef %0) #0 {
  %2 = alloca [300 x i8], align 16
  %3 = alloca [3 x i8], align 1
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  call void @llvm.lifetime.start.p0(i64 300, ptr %2) #0
  call void @llvm.lifetime.start.p0(i64 3, ptr %3) #0
  call void @llvm.lifetime.start.p0(i64 4, ptr %4)
  store volatile i32 %0, ptr %4, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %5)
  store volatile i32 0, ptr %5, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %6)
  store volatile i32 3, ptr %6, align 4
  %7 = and i32 %0, 127
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [300 x i8], ptr %2, i64 0, i64 %8
  store volatile i8 1, ptr %9, align 1
  %10 = and i32 %0, 1
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [3 x i8], ptr %3, i64 0, i64 %11
  store volatile i8 2, ptr %12, align 1
  store volatile i32 0, ptr %5, align 4
  br label %13

13:
  %.0.3 = load volatile i32, ptr %5, align 4
  %.0.6 = load volatile i32, ptr %4, align 4
  %14 = icmp slt i32 %.0.3, %.0.6
  br i1 %14, label %15, label %28

15:
  %.0.4 = load volatile i32, ptr %5, align 4
  %16 = and i32 %.0.4, 1
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [3 x i8], ptr %3, i64 0, i64 %17
  %19 = load volatile i8, ptr %18, align 1
  %20 = sext i8 %19 to i32
  %21 = load volatile i8, ptr %3, align 1
  %22 = sext i8 %21 to i32
  %23 = add nsw i32 %20, %22
  %.0. = load volatile i32, ptr %6, align 4
  %24 = add nsw i32 %23, %.0.
  %.0.7 = load volatile i32, ptr %4, align 4
  %25 = add nsw i32 %24, %.0.7
  %.0.1 = load volatile i32, ptr %6, align 4
  %26 = add nsw i32 %.0.1, %25
  store volatile i32 %26, ptr %6, align 4
  %.0.5 = load volatile i32, ptr %5, align 4
  %27 = add nsw i32 %.0.5, 1
  store volatile i32 %27, ptr %5, align 4
  br label %13, !llvm.loop !8

28:
  %.0.2 = load volatile i32, ptr %6, align 4
  %29 = load volatile i8, ptr %2, align 16
  %30 = sext i8 %29 to i32
  %31 = add nsw i32 %.0.2, %30
  call void @llvm.lifetime.end.p0(i64 4, ptr %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr %5)
  call void @llvm.lifetime.end.p0(i64 4, ptr %4)
  call void @llvm.lifetime.end.p0(i64 3, ptr %3) #0
  call void @llvm.lifetime.end.p0(i64 300, ptr %2) #0
  ret i32 %31
}

define internal i32 @medium(i32 %a, i32 %b) #0 {
  %c = call i32 @outside(i32 %a)
  %d = call i32 @outside(i32 %c)
  %e0 = call i32 @outside(i32 %d)
  %e1 = call i32 @outside(i32 %e0)
  %e = call i32 @outside(i32 %e1)
  %f = add i32 %e, %b
  ret i32 %f
}

define i32 @uses_medium(i32 %a) #0 {
  %x = call i32 @medium(i32 %a, i32 %a)
  %y = call i32 @medium(i32 %x, i32 %a)
  %z = call i32 @medium(i32 %y, i32 %x)
  ret i32 %z
}

define internal i32 @reads(ptr %p) noinline nounwind {
  %v = load i32, ptr %p
  %r = call i32 @outside(i32 %v)
  ret i32 %r
}

define i32 @uses_reads(i32 %a) #0 {
  %p = alloca i32
  store i32 %a, ptr %p
  %x = call i32 @reads(ptr %p)
  %y = call i32 @reads(ptr %p)
  %z = add i32 %x, %y
  ret i32 %z
}

define i64 @divides(i64 %a, i64 %b) "tune-cpu"="x86-64" {
  %q = udiv i64 %a, %b
  ret i64 %q
}

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { noinline nounwind }
attributes #3 = { noreturn nounwind }
attributes #4 = { noreturn }

!llvm.module.flags = !{!0, !1, !2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"uwtable", i32 2}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.mustprogress"}
!5 = distinct !{!5, !4}
!6 = distinct !{!6, !4}
!7 = distinct !{!7, !4}
!8 = distinct !{!8, !4}
