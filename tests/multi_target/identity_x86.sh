#!/bin/sh
# Objects and optimised bitcode are those of `opt-19 -ON -mcpu=C | llc-19 -ON -mcpu=C
# -relocation-model=pic`, byte for byte: every x86 module of the demonstration, O0 to O3.
. "$(dirname "$0")/common.sh"

cpus='x86-64-v2 x86-64-v3 x86-64-v4'
run $(sed 's/^/ /' "$inputs/x86.list") $(printf -- '--target %s ' $cpus) -O0 -O1 -O2 -O3 \
  --emit obj,bc --out "$out"
check "all compile: $stderr" [ "$status" -eq 0 ]

while read -r module; do
  for cpu in $cpus; do
    for level in 0 1 2 3; do
      echo "$module $cpu $level $out/$(basename "$module" .ll).$cpu.O$level"
    done
  done
done <"$inputs/x86.list" >"$out/all"

cat >"$out/reference.sh" <<'END'
"$1/opt" "-O$4" "-mcpu=$3" "$2" -o "$5.ref.bc" &&
  "$1/llc" "-O$4" "-mcpu=$3" -relocation-model=pic -filetype=obj "$5.ref.bc" -o "$5.ref.o"
END
xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 sh "$out/reference.sh" "$tools" <"$out/all"

while read -r module cpu level name; do
  check "$name.o is that of opt | llc" cmp "$name.o" "$name.ref.o"
  check "$name.bc is that of opt" cmp "$name.bc" "$name.ref.bc"
done <"$out/all"

# "native" is resolved to a CPU and what this machine's differs in, before it is a key.
blur=$inputs/x86/blur.ll
run "$blur" --target native -O3 --out "$out"
"$tools/opt" -O3 -mcpu=native "$blur" |
  "$tools/llc" -O3 -mcpu=native -relocation-model=pic -filetype=obj -o "$out/native.ref.o"
check "native is -mcpu=native" cmp "$out/blur.native.O3.o" "$out/native.ref.o"
finish
