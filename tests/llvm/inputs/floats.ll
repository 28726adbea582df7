; Floating point that is fused or not, and what only some CPUs do in one instruction.
source_filename = "floats.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define float @multiply_add(float noundef %0, float noundef %1, float noundef %2) #0 {
  %4 = call float @llvm.fmuladd.f32(float %0, float %1, float %2)
  ret float %4
}

declare float @llvm.fmuladd.f32(float, float, float) #1

define double @fused(double noundef %0, double noundef %1, double noundef %2) #2 {
  %4 = call double @llvm.fmuladd.f64(double %0, double %1, double %2)
  ret double %4
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define double @apart(double noundef %0, double noundef %1, double noundef %2) #2 {
  %4 = fmul double %0, %1
  %5 = fadd double %4, %2
  ret double %5
}

define double @root(double noundef %0) #0 {
  %2 = call double @sqrt(double noundef %0) #0
  %3 = call double @llvm.floor.f64(double %0)
  %4 = fadd double %2, %3
  ret double %4
}

declare double @sqrt(double noundef) #0

declare double @llvm.floor.f64(double) #1

define i32 @bits(i64 noundef %0) #0 {
  %2 = call i64 @llvm.ctpop.i64(i64 %0)
  %3 = trunc i64 %2 to i32
  %4 = or i64 %0, 1
  %5 = call i64 @llvm.cttz.i64(i64 %4, i1 true)
  %6 = trunc i64 %5 to i32
  %7 = add nsw i32 %3, %6
  ret i32 %7
}

declare i64 @llvm.ctpop.i64(i64) #1

declare i64 @llvm.cttz.i64(i64, i1 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind "target-features"="+fma" }

!llvm.module.flags = !{!0, !1, !2}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"uwtable", i32 2}
