; Kernels that ask about their architecture and about subnormal numbers, and that need a device library.
source_filename = "asks.ll"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@arch = private unnamed_addr constant [12 x i8] c"__CUDA_ARCH\00"
@ftz = private unnamed_addr constant [11 x i8] c"__CUDA_FTZ\00"

declare i32 @__nvvm_reflect(ptr)
declare float @__nv_scale(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fmuladd.f32(float, float, float)

define void @by_arch(ptr %out, i32 %a) {
entry:
  %sm = call i32 @__nvvm_reflect(ptr @arch)
  %new = icmp uge i32 %sm, 800
  br i1 %new, label %ampere, label %before
ampere:
  %x = mul i32 %a, 17
  store i32 %x, ptr %out
  ret void
before:
  %y = add i32 %a, 99
  store i32 %y, ptr %out
  ret void
}

define void @by_ftz(ptr %out, float %a) {
entry:
  %flag = call i32 @__nvvm_reflect(ptr @ftz)
  %flush = icmp ne i32 %flag, 0
  br i1 %flush, label %yes, label %no
yes:
  store float 0.0, ptr %out
  ret void
no:
  %s = fmul float %a, 3.0
  store float %s, ptr %out
  ret void
}

define void @scaled(ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %out, i32 %i
  %v = load float, ptr %p
  %s = call float @__nv_scale(float %v)
  %t = fadd float %s, %v
  store float %t, ptr %p
  ret void
}

define void @fused(ptr %out, float %a, float %b) {
  %c = load float, ptr %out
  %d = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  %e = fmul float %d, %a
  %f = fadd float %e, %b
  store float %f, ptr %out
  ret void
}

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @by_arch, !"kernel", i32 1}
!1 = !{ptr @by_ftz, !"kernel", i32 1}
!2 = !{ptr @scaled, !"kernel", i32 1}
!3 = !{ptr @fused, !"kernel", i32 1}
