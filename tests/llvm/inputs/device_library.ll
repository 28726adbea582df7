; A device library in the manner of libdevice: one function that asks, one that it uses, one that nobody needs.
source_filename = "device_library.ll"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-gpulibs"

@question = private unnamed_addr constant [12 x i8] c"__CUDA_ARCH\00"

declare i32 @__nvvm_reflect(ptr)

define float @__nv_scale(float %x) {
entry:
  %sm = call i32 @__nvvm_reflect(ptr @question)
  %new = icmp uge i32 %sm, 900
  br i1 %new, label %hopper, label %before
hopper:
  %a = fmul float %x, 2.0
  ret float %a
before:
  %b = call float @__nv_helper(float %x)
  ret float %b
}

define float @__nv_helper(float %x) {
  %r = fdiv float %x, 0.5
  ret float %r
}

define float @__nv_unused(float %x) {
  ret float %x, !of_the_library !0
}

; A kind of metadata that no kernel has.
!0 = !{}
