; Kernels that ask nothing about their architecture; some call functions, one through a pointer.
source_filename = "kernels.ll"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define dso_local float @step(float noundef %0, i32 noundef %1) #0 {
  br label %3

3:
  %.011 = phi float [ %0, %2 ], [ %17, %5 ]
  %.0 = phi i32 [ 0, %2 ], [ %18, %5 ]
  %4 = icmp slt i32 %.0, %1
  br i1 %4, label %5, label %19

5:
  %6 = call contract float @outside(float noundef %.011) #6
  %7 = sitofp i32 %.0 to float
  %8 = fadd contract float %.011, %7
  %9 = call contract float @outside(float noundef %8) #6
  %10 = fmul contract float %6, %9
  %11 = fsub contract float %.011, %7
  %12 = call contract float @outside(float noundef %11) #6
  %13 = fmul contract float %.011, %7
  %14 = call contract float @outside(float noundef %13) #6
  %15 = fmul contract float %12, %14
  %16 = fadd contract float %10, %15
  %17 = fadd contract float %16, %.011
  %18 = add nsw i32 %.0, 1
  br label %3, !llvm.loop !10

19:
  ret float %.011
}

declare dso_local float @outside(float noundef) #1

define dso_local void @axpy(ptr noundef %0, ptr noundef %1, float noundef %2, i32 noundef %3) #2 {
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nsw i32 %5, %6
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nsw i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %19

11:
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds float, ptr %1, i64 %12
  %14 = load float, ptr %13, align 4
  %15 = fmul contract float %2, %14
  %16 = getelementptr inbounds float, ptr %0, i64 %12
  %17 = load float, ptr %16, align 4
  %18 = fadd contract float %15, %17
  store float %18, ptr %16, align 4
  br label %19

19:
  ret void
}

declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

define dso_local void @apart(ptr noundef %0, float noundef %1) #2 {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nsw i32 %3, %4
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nsw i32 %5, %6
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds float, ptr %0, i64 %8
  %10 = load float, ptr %9, align 4
  %11 = fmul contract float %10, %1
  call void asm sideeffect "// between", "~{memory}"() #6, !srcloc !12
  %12 = fadd contract float %11, %1
  store float %12, ptr %9, align 4
  ret void
}

define dso_local void @rows(ptr noundef %0, ptr noundef %1) #2 {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nsw i32 %3, %4
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nsw i32 %5, %6
  br label %8

8:
  %.010 = phi float [ 0.000000e+00, %2 ], [ %20, %10 ]
  %.0 = phi i32 [ 0, %2 ], [ %21, %10 ]
  %9 = icmp slt i32 %.0, 16
  br i1 %9, label %10, label %22

10:
  %11 = mul nsw i32 %7, 16
  %12 = add nsw i32 %11, %.0
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds float, ptr %1, i64 %13
  %15 = load float, ptr %14, align 4
  %16 = sext i32 %.0 to i64
  %17 = getelementptr inbounds float, ptr %1, i64 %16
  %18 = load float, ptr %17, align 4
  %19 = fmul contract float %15, %18
  %20 = fadd contract float %.010, %19
  %21 = add nsw i32 %.0, 1
  br label %8, !llvm.loop !13

22:
  %23 = sext i32 %7 to i64
  %24 = getelementptr inbounds float, ptr %0, i64 %23
  store float %.010, ptr %24, align 4
  ret void
}

define dso_local void @steps(ptr noundef %0, i32 noundef %1) #2 {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nsw i32 %3, %4
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nsw i32 %5, %6
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds float, ptr %0, i64 %8
  %10 = load float, ptr %9, align 4
  %11 = call contract float @step(float noundef %10, i32 noundef %1) #6
  %12 = load float, ptr %9, align 4
  %13 = call contract float @step(float noundef %12, i32 noundef 4) #6
  %14 = fadd contract float %11, %13
  store float %14, ptr %9, align 4
  ret void
}

define dso_local void @indirect(ptr noundef %0, ptr noundef %1) #2 {
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %5 = mul nsw i32 %3, %4
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = add nsw i32 %5, %6
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds float, ptr %0, i64 %8
  %10 = load float, ptr %9, align 4
  %11 = call contract noundef float %1(float noundef %10) #6
  %12 = call contract noundef float %1(float noundef 1.000000e+00) #6
  %13 = fadd contract float %11, %12
  store float %13, ptr %9, align 4
  ret void
}

define dso_local void @loops(ptr noundef %0, i32 noundef %1) #2 {
  br label %3

3:
  %.0 = phi i32 [ 0, %2 ], [ %18, %5 ]
  %4 = icmp slt i32 %.0, %1
  br i1 %4, label %5, label %19

5:
  %6 = sext i32 %.0 to i64
  %7 = getelementptr inbounds float, ptr %0, i64 %6
  %8 = load float, ptr %7, align 4
  %9 = fmul contract float %8, 2.000000e+00
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul nsw i32 %10, %11
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add nsw i32 %12, %13
  %15 = add nsw i32 %.0, %14
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds float, ptr %0, i64 %16
  store float %9, ptr %17, align 4
  %18 = add nsw i32 %.0, 1
  br label %3, !llvm.loop !14

19:
  ret void
}

define dso_local void @never(ptr noundef %0) #2 {
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %4 = mul nsw i32 %2, %3
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = add nsw i32 %4, %5
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds i32, ptr %0, i64 %7
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 3
  %11 = xor i1 %10, true
  call void @llvm.assume(i1 %11)
  call void @llvm.nvvm.barrier0()
  store i32 2, ptr %8, align 4
  ret void
}

declare void @llvm.nvvm.barrier0() #4

declare void @llvm.assume(i1 noundef) #5

declare void @stop(i32) noreturn

define void @stops(i32 %a) {
entry:
  %c = icmp slt i32 %a, 0
  br i1 %c, label %bad, label %good
bad:
  call void @stop(i32 %a)
  unreachable
good:
  ret void
}

define void @early(ptr %out, i32 %a, i32 %b) {
  %r = call i32 @later(i32 %a, i32 %b)
  store i32 %r, ptr %out
  ret void
}

define i32 @later(i32 %a, i32 %b) noinline {
  %q = udiv i32 %a, %b
  %r = urem i32 %a, %b
  %s = xor i32 %q, %r
  ret i32 %s
}

attributes #0 = { convergent mustprogress nounwind "frame-pointer"="all" }
attributes #1 = { convergent nounwind "frame-pointer"="all" }
attributes #2 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent nocallback nounwind }
attributes #5 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #6 = { convergent nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !15, !16}
!llvm.module.flags = !{!7, !8, !9}

!0 = !{ptr @axpy, !"kernel", i32 1}
!1 = !{ptr @apart, !"kernel", i32 1}
!2 = !{ptr @rows, !"kernel", i32 1}
!3 = !{ptr @steps, !"kernel", i32 1}
!4 = !{ptr @indirect, !"kernel", i32 1}
!5 = !{ptr @loops, !"kernel", i32 1}
!6 = !{ptr @never, !"kernel", i32 1}
!7 = !{i32 1, !"wchar_size", i32 4}
!8 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!9 = !{i32 7, !"frame-pointer", i32 2}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{i64 586}
!13 = distinct !{!13, !11}
!14 = distinct !{!14, !11}
!15 = !{ptr @stops, !"kernel", i32 1}
!16 = !{ptr @early, !"kernel", i32 1}
