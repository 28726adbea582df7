; Loops that are vectorised, interleaved and unrolled, and straight code that is vectorised.
source_filename = "loops.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define void @axpy(ptr noalias noundef %0, ptr noalias noundef %1, float noundef %2, i32 noundef %3) #0 {
  br label %5

5:
  %.0 = phi i32 [ 0, %4 ], [ %14, %7 ]
  %6 = icmp slt i32 %.0, %3
  br i1 %6, label %7, label %15

7:
  %8 = sext i32 %.0 to i64
  %9 = getelementptr inbounds float, ptr %1, i64 %8
  %10 = load float, ptr %9, align 4
  %11 = getelementptr inbounds float, ptr %0, i64 %8
  %12 = load float, ptr %11, align 4
  %13 = call float @llvm.fmuladd.f32(float %2, float %10, float %12)
  store float %13, ptr %11, align 4
  %14 = add nsw i32 %.0, 1
  br label %5, !llvm.loop !3

15:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float) #1

define i32 @sum(ptr noundef %0, i32 noundef %1) #0 {
  br label %3

3:
  %.06 = phi i32 [ 0, %2 ], [ %9, %5 ]
  %.0 = phi i32 [ 0, %2 ], [ %10, %5 ]
  %4 = icmp slt i32 %.0, %1
  br i1 %4, label %5, label %11

5:
  %6 = sext i32 %.0 to i64
  %7 = getelementptr inbounds i32, ptr %0, i64 %6
  %8 = load i32, ptr %7, align 4
  %9 = add nsw i32 %.06, %8
  %10 = add nsw i32 %.0, 1
  br label %3, !llvm.loop !5

11:
  ret i32 %.06
}

define void @eight(ptr noalias noundef %0, ptr noalias noundef %1) #0 {
  br label %3

3:
  %.0 = phi i32 [ 0, %2 ], [ %9, %5 ]
  %4 = icmp slt i32 %.0, 8
  br i1 %4, label %5, label %13

5:
  %6 = sext i32 %.0 to i64
  %7 = getelementptr inbounds double, ptr %1, i64 %6
  %8 = load double, ptr %7, align 8
  %9 = add nsw i32 %.0, 1
  %10 = sitofp i32 %9 to double
  %11 = fdiv double %8, %10
  %12 = getelementptr inbounds double, ptr %0, i64 %6
  store double %11, ptr %12, align 8
  br label %3, !llvm.loop !6

13:
  ret void
}

define void @quad(ptr noalias noundef %0, ptr noalias noundef %1) #0 {
  %3 = load i32, ptr %1, align 4
  %4 = add nsw i32 %3, 7
  store i32 %4, ptr %0, align 4
  %5 = getelementptr inbounds i32, ptr %1, i64 1
  %6 = load i32, ptr %5, align 4
  %7 = add nsw i32 %6, 7
  %8 = getelementptr inbounds i32, ptr %0, i64 1
  store i32 %7, ptr %8, align 4
  %9 = getelementptr inbounds i32, ptr %1, i64 2
  %10 = load i32, ptr %9, align 4
  %11 = add nsw i32 %10, 7
  %12 = getelementptr inbounds i32, ptr %0, i64 2
  store i32 %11, ptr %12, align 4
  %13 = getelementptr inbounds i32, ptr %1, i64 3
  %14 = load i32, ptr %13, align 4
  %15 = add nsw i32 %14, 7
  %16 = getelementptr inbounds i32, ptr %0, i64 3
  store i32 %15, ptr %16, align 4
  ret void
}

define void @chase(ptr noundef %0, i64 noundef %1) #0 {
  br label %3

3:
  %.0 = phi i64 [ 0, %2 ], [ %11, %5 ]
  %4 = icmp slt i64 %.0, %1
  br i1 %4, label %5, label %12

5:
  %6 = getelementptr inbounds i64, ptr %0, i64 %.0
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds i64, ptr %0, i64 %7
  %9 = load i64, ptr %8, align 8
  %10 = xor i64 %9, %.0
  store i64 %10, ptr %8, align 8
  %11 = add nsw i64 %.0, 1
  br label %3, !llvm.loop !7

12:
  ret void
}

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"uwtable", i32 2}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.mustprogress"}
!5 = distinct !{!5, !4}
!6 = distinct !{!6, !4}
!7 = distinct !{!7, !4}
