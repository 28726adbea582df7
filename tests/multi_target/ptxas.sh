#!/bin/sh
# ptxas accepts the PTX of every kernel at every level. Exit status 4: there is no ptxas here.
. "$(dirname "$0")/common.sh"
ptxas=$(command -v ptxas || ls /usr/local/cuda*/bin/ptxas 2>/dev/null | head -n 1)
[ -n "$ptxas" ] || { echo "skipped: there is no ptxas here"; exit 4; }

for ftz in false true; do
  run $(cat "$inputs/ptx.list") --libdevice "$(cat "$inputs/libdevice.path")" --ftz=$ftz \
    --target sm_75 --target sm_80 --target sm_90 -O0 -O1 -O2 -O3 --out "$out/$ftz"
  check "all compile: $stderr" [ "$status" -eq 0 ]
  for file in "$out/$ftz"/*.ptx; do
    arch=$(basename "$file" | sed 's/.*\.\(sm_[0-9a-z]*\)\..*/\1/')
    check "ptxas accepts $file" "$ptxas" -arch="$arch" -o "$out/cubin" "$file"
  done
done
finish
