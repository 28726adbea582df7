#!/bin/sh
# The demonstration over what `fresh.sh demo` built: sh cmake/demo.sh BUILD-FOLDER
set -eu
build=$1
programs=$build/examples/multi_target
inputs=$build/demo/inputs
out=$build/demo/out
images=examples/multi_target/inputs/x86
failed=0
export XDG_CACHE_HOME="$build/demo/cache"
rm -rf "$XDG_CACHE_HOME"

say() { printf '\n---- %s\n' "$*"; }
run() {
  printf '\n$ %s' "$(basename "$1")"
  shift_name=$1
  shift
  printf ' %s' "$@" | sed "s,$build/,,g"
  printf '\n'
  "$shift_name" "$@" || failed=1
}

say "Which option affects which layer"
run "$programs/layerkey-compile" --keys

say "One kernel for three architectures: who ran, and why the nearest entry did not serve"
run "$programs/layerkey-compile" "$inputs/ptx/saxpy.bc" "$inputs/ptx/arch_dispatch.bc" \
  --target sm_75 --target sm_80 --target sm_90 -O2 -O3 --explain --out "$out/explained"

say "The same once more, by another process"
run "$programs/layerkey-compile" "$inputs/ptx/saxpy.bc" "$inputs/ptx/arch_dispatch.bc" \
  --target sm_75 --target sm_80 --target sm_90 -O2 -O3 --out "$out/explained" --cache-stats

say "A C library for three CPUs"
"$programs/layerkey-demo" x86 "$inputs" "$out/x86" || failed=1

say "CUDA kernels for three architectures"
"$programs/layerkey-demo" ptx "$inputs" "$out/ptx" || failed=1

say "The compiled code at work"
"$programs/layerkey-demo" run "$inputs" "$images/sample.png" || failed=1

say "What ptxas says of each PTX file"
ptxas=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2>/dev/null | head -n 1 || true)
if [ -z "$ptxas" ]; then
  echo "  skipped: there is no ptxas here"
else
  accepted=0
  all=0
  for file in "$out"/ptx/*.ptx "$out"/explained/*.ptx; do
    arch=$(basename "$file" | sed 's/.*\.\(sm_[0-9a-z]*\)\..*/\1/')
    all=$((all + 1))
    if "$ptxas" -arch="$arch" -o "$build/demo/cubin" "$file"; then
      accepted=$((accepted + 1))
    else
      echo "  NO : ptxas rejects $file"
      failed=1
    fi
  done
  echo "  it accepts $accepted of $all"
fi

say "Artifacts: $out/x86/*.o, $out/ptx/*.ptx"
[ "$failed" -eq 0 ] || echo "The demonstration found something that is not as it must be; see NO above."
exit "$failed"
