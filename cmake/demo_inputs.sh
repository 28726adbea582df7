#!/bin/sh
# Makes the modules that the demo compiles: demo_inputs.sh OUTDIR
#
#   OUTDIR/ptx/*.bc        the kernels of examples/multi_target/inputs/kernels
#   OUTDIR/x86/*.ll        the C sources of examples/multi_target/inputs/x86
#   OUTDIR/device_math.bc  libclc in the place of libdevice, where libclc is installed
#   OUTDIR/ptx.list, x86.list, inputs.list   the paths, one a line
#   OUTDIR/libdevice.path  the library that the kernels are to be linked with
#
# A module is made again only if its source, a header of its folder or this script is newer.
# Environment: LAYERKEY_LIBDEVICE names the library to link with; CLANG, LLVM_AS and LIBCLC name
# other tools and another libclc than the usual ones.
set -eu

if [ $# -ne 1 ]; then
  echo "usage: $0 OUTDIR" >&2
  exit 2
fi

clang=${CLANG:-clang-19}
llvm_as=${LLVM_AS:-llvm-as-19}
libclc=${LIBCLC:-/usr/lib/clc/nvptx64--.bc}

script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
inputs=$(cd "$(dirname "$script")/../examples/multi_target/inputs" && pwd)
mkdir -p "$1/ptx" "$1/x86"
out=$(cd "$1" && pwd)
scratch=$out/scratch.$$
trap 'rm -f "$scratch".*' EXIT
trap 'exit 1' HUP INT TERM

fail() {
  echo "$0: $*" >&2
  exit 1
}

for tool in "$clang" "$llvm_as"; do
  command -v "$tool" > /dev/null || fail "$tool not found"
done
libdevice=${LAYERKEY_LIBDEVICE:-}
if [ -n "$libdevice" ]; then
  [ -f "$libdevice" ] || fail "LAYERKEY_LIBDEVICE: $libdevice not found"
  libdevice=$(cd "$(dirname "$libdevice")" && pwd)/$(basename "$libdevice")
fi

# outdated MODULE PREREQUISITE...
outdated() {
  target=$1
  shift
  [ ! -e "$target" ] || [ -n "$(find "$script" "$@" -newer "$target")" ]
}

# textual_ir OPTION...: the unoptimised IR of a source in $scratch.ll. Clang stamps each function
# with the CPU that it compiled for, and functions' attributes overrule the target of a compile: all
# targets would give the same code. Without these three the compile decides. The name of the clang
# is dropped too, as it would end up in the objects.
textual_ir() {
  "$clang" "$@" -O2 -Xclang -disable-llvm-passes -fdebug-compilation-dir=. -S -emit-llvm \
    -o "$scratch.raw"
  sed -e '/^attributes #/s/ "target-cpu"="[^"]*"//' \
    -e '/^attributes #/s/ "target-features"="[^"]*"//' \
    -e '/^attributes #/s/ "tune-cpu"="[^"]*"//' \
    -e '/^!llvm\.ident = /d' "$scratch.raw" > "$scratch.ll"
}

# bitcode MODULE: what textual_ir left, as bitcode.
bitcode() {
  "$llvm_as" "$scratch.ll" -o "$scratch.bc"
  mv "$scratch.bc" "$1"
}

# Sources are named relative to their folder, so that no path of the machine gets into a module. No
# CUDA is there to find: its version would set the version of PTX.
device="--cuda-path=/nonexistent -nocudalib"

cd "$inputs/kernels"
: > "$scratch.list"
for source in *.cu; do
  module=$out/ptx/${source%.cu}.bc
  if outdated "$module" "$source" ./*.hpp; then
    # shellcheck disable=SC2086
    textual_ir -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 --cuda-feature=+ptx63 $device \
      -nocudainc "$source"
    bitcode "$module"
  fi
  echo "$module" >> "$scratch.list"
done
mv "$scratch.list" "$out/ptx.list"

device_math=$out/device_math.bc
if [ ! -e "$libclc" ]; then
  rm -f "$device_math"
elif outdated "$device_math" libclc_math.cl "$libclc"; then
  # libclc has the same data layout, and no vendor and system in its triple.
  # shellcheck disable=SC2086
  textual_ir -x cl --target=nvptx64-nvidia-cuda $device -Wno-linker-warnings \
    -Xclang -mlink-builtin-bitcode -Xclang "$libclc" libclc_math.cl
  bitcode "$device_math"
fi

cd "$inputs/x86"
: > "$scratch.list"
for source in *.c; do
  module=$out/x86/${source%.c}.ll
  if outdated "$module" "$source" ./*.h; then
    textual_ir --target=x86_64-pc-linux-gnu -fPIC "$source"
    mv "$scratch.ll" "$module"
  fi
  echo "$module" >> "$scratch.list"
done
mv "$scratch.list" "$out/x86.list"
cat "$out/x86.list" "$out/ptx.list" > "$scratch.list"
mv "$scratch.list" "$out/inputs.list"

# The library to link kernels with: the one asked for, else CUDA's, else libclc.
if [ -z "$libdevice" ]; then
  for folder in "${CUDA_HOME:-}/nvvm/libdevice" "${CUDA_PATH:-}/nvvm/libdevice" \
    /usr/local/cuda/nvvm/libdevice /usr/local/cuda-*/nvvm/libdevice \
    /usr/lib/nvidia-cuda-toolkit/libdevice /usr/lib/cuda/nvvm/libdevice; do
    if [ -f "$folder/libdevice.10.bc" ]; then
      libdevice=$folder/libdevice.10.bc
      break
    fi
  done
fi
if [ -z "$libdevice" ] && [ -e "$device_math" ]; then
  libdevice=$device_math
fi
[ -n "$libdevice" ] || fail "neither CUDA's libdevice nor libclc ($libclc) found: install libclc-19"
echo "$libdevice" > "$scratch.list"
mv "$scratch.list" "$out/libdevice.path"
echo "libdevice: $libdevice"
